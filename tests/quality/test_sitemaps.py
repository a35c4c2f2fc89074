"""Agreement with Scrapy's sitemap cases, and calm under published XML attacks; the floors may only rise."""

from __future__ import annotations

import base64
import builtins
import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from quire import robots, urls
from quire.discover.reading import Entry, SitemapReader, looks_like_sitemap

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data folder is not there")

SCRAPY_FLOOR = 13
PAGE = "https://example.com/"


def cases(folder: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / folder / "cases.jsonl").read_text().splitlines()]


def read(document: bytes) -> list[Entry]:
    reader = SitemapReader()
    return [*reader.feed(document), *reader.close()]


def as_scrapy_says(entry: Entry, expected: dict[str, str]) -> dict[str, str]:
    """Return the entry in Scrapy's words: all values as written, an empty one where the element is empty."""
    said = {"loc": entry.loc, "lastmod": entry.lastmod, "changefreq": entry.changefreq}
    if entry.priority is not None:
        said["priority"] = f"{entry.priority:g}"
    return {name: value or "" for name, value in said.items() if value is not None or name in expected}


def agrees(case: dict[str, Any]) -> bool:
    if "robots" in case:
        named = robots.parse(case["robots"], "*").sitemaps
        return bool([urls.resolve(url, case["base_url"]) for url in named] == case["expected_sitemaps"])
    found = read(base64.b64decode(case["xml_base64"]))
    # Quire takes no pages from `alternate`: each language lists its own pages in the sitemap.
    expected = [{name: value for name, value in each.items() if name != "alternate"} for each in case["expected"]]
    same_length = len(found) == len(expected)
    return same_length and all(as_scrapy_says(mine, its) == its for mine, its in zip(found, expected, strict=True))


def test_sitemaps_agree_with_scrapys_cases() -> None:
    """D2, D3"""
    assert sum(map(agrees, cases("sitemap-scrapy"))) >= SCRAPY_FLOOR


def test_no_attack_is_expanded_read_or_requested(monkeypatch: pytest.MonkeyPatch) -> None:
    """D3, D4"""

    def forbidden(*args: object, **_: object) -> None:
        raise AssertionError(f"a sitemap made Quire open {args}")

    attacks = [case["xml"] for case in cases("sec-xml")]
    monkeypatch.setattr(builtins, "open", forbidden)
    monkeypatch.setattr(socket, "socket", forbidden)
    began = time.process_time()
    for attack in attacks:
        assert read(attack.encode()) == []
        assert not looks_like_sitemap(PAGE, "application/xml", attack.encode())
        # As the DTD of a real sitemap, and as the content of a loc, it adds nothing to the page that is there.
        sitemap = f"{attack}<urlset><url><loc>{PAGE}</loc></url></urlset>"
        assert [entry.loc for entry in read(sitemap.encode())] in ([PAGE], [])
        inside = read(f"<urlset><url><loc>{PAGE}{attack}</loc></url><url><loc>{PAGE}</loc></url>".encode())
        assert all(entry.loc.startswith(PAGE) and len(entry.loc) <= len(PAGE + attack) for entry in inside)
    assert time.process_time() - began < 5
