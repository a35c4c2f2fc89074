import base64
import json
from pathlib import Path
from typing import Any

import pytest

from quire.extract.decode import decode
from quire.extract.links import found_links
from quire.records import FoundLinks
from quire.urls import UrlPolicy, fingerprint_of, scheme_of

CASES = Path(__file__).resolve().parents[3] / "shared" / "data" / "links-scrapy" / "cases.jsonl"
pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared test data is not here")

POLICY = UrlPolicy(query="all")
# These options change how links are written, not which there are.
NEUTRAL = {"unique", "canonicalize", "strip"}
# These tell Scrapy to take links from images, any attribute, or the arguments of scripts.
ELSEWHERE = {"tags", "attrs", "process_value"}


def test_every_link_that_scrapy_finds_is_found() -> None:
    """D6, U5"""
    agreed = 0
    for case in _cases():
        # A link to the page itself is none (U9), but Scrapy lists it.
        ours = {_key(url) for url in (*_found(case).urls, case["url"])}
        missing = [link["url"] for link in case["expected"] if _key(link["url"]) not in ours]
        agreed += not missing
        assert all(_is_left_out_on_purpose(url, case) for url in missing), (case["test"], missing)
    assert agreed >= 45


def test_no_others_are_found_where_scrapy_does_not_filter() -> None:
    """D6, U9"""
    unfiltered = [case for case in _cases() if set(case["options"]) <= NEUTRAL]
    assert len(unfiltered) >= 12
    for case in unfiltered:
        links = _found(case)
        wanted = {_key(link["url"]) for link in case["expected"]}
        for url, source in zip(links.urls, links.sources, strict=True):
            # Extensions are for the filter, which says why (U9); Scrapy knows no data attributes.
            assert _key(url) in wanted or url.endswith(".jpg") or source.startswith("data-"), case["test"]


def _is_left_out_on_purpose(url: str, case: dict[str, Any]) -> bool:
    if scheme_of(url) not in ("http", "https") or set(case["options"]) & ELSEWHERE:
        return True
    # Scrapy writes a query in the page's own character set, as browsers do; ours is UTF-8.
    return "?" in url and case["encoding"] != "utf-8"


def _cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def _found(case: dict[str, Any]) -> FoundLinks:
    document, _ = decode(base64.b64decode(case["html_base64"]), f"text/html; charset={case['encoding']}")
    return found_links(document, case["url"], POLICY)


def _key(url: str) -> int | None:
    return fingerprint_of(url, POLICY)
