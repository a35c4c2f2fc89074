"""When `_report.html` is written, and what becomes of it (A8, S11)."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

from quire_test_site import Site

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror


def blocks(mirror: Mirror, kind: str) -> list[dict[str, Any]]:
    text = (mirror.folder / "_report.html").read_text("utf-8")
    return [json.loads(each) for each in re.findall(rf'<script [^>]*class="data-{kind}">(.*?)</script>', text)]


def test_it_holds_what_the_manifest_holds(site: Site, mirror: Mirror) -> None:
    """S11, F7: the same heads, the same pages in the same order, and their links by number"""
    site.page("/", title="Home", links=["/a", "/missing", "/a?utm_source=x"])
    site.page("/a", "<p>A</p>", title="A", links=["/"])
    site.delay("/a", 0.1)
    mirror.crawl()
    (head,), (pages,), (others,) = blocks(mirror, "head"), blocks(mirror, "pages"), blocks(mirror, "others")
    manifest = mirror.manifest
    for name in ("generator", "crawl", "statistics", "filters_applied", "traps"):
        assert head[name] == manifest[name]
    assert [head["base"] + url for url in pages["url"]] == [page["url"] for page in manifest["pages"]]
    assert pages["title"] == ["Home", "A"]
    assert (others["url"], others["reason"][0]) == (["/missing"], ["not-found"])
    assert pages["fetcher"] == [["http"], [0, 0]]
    assert pages["response"][0] >= 0
    assert pages["response"][1] >= 100
    assert pages["links"] == [2, 1]
    assert base64.b64decode(pages["targets"]) == bytes([1, 0, 2, 0, 0, 0])


def test_it_is_kept_up_to_date_and_can_be_switched_off(site: Site, mirror: Mirror) -> None:
    """S13: written by each crawl, removed with `--no-report` and with `--fresh`, and never taken for a page"""
    site.page("/", title="Before")
    mirror.crawl()
    assert blocks(mirror, "pages")[0]["title"] == ["Before"]
    site.page("/", "<p>New</p>", title="After")
    mirror.crawl(update=True)
    assert blocks(mirror, "pages")[0]["title"] == ["After"]
    assert blocks(mirror, "head")[0]["changes"] == {"added": 0, "changed": 1, "removed": 0}
    mirror.crawl(update=True, report=False)
    assert not (mirror.folder / "_report.html").exists()
    assert mirror.files() == {"index.md"}


def test_it_tells_of_a_crawl_that_was_limited_and_of_one_that_brought_nothing(site: Site, mirror: Mirror) -> None:
    """P7, R3"""
    mirror.crawl("/nothing-here")
    assert blocks(mirror, "pages") == []
    assert blocks(mirror, "others")[0]["url"] == ["/nothing-here"]
    site.grow(40, 4)
    mirror.crawl(fresh=True, max_pages=3)
    (head,) = blocks(mirror, "head")
    assert head["crawl"]["stopped_by"] == "--max-pages 3"
    assert len(blocks(mirror, "pages")[0]["url"]) == head["pages"] == 3
