"""Where a crawl ends: limits of pages and depth, the disk guard, traps (disk space scenarios)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Answer, Hit, Page, Site, files_in

from quire.events import CrawlFinished

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror


@pytest.mark.parametrize("concurrency", ["1", "16"])
def test_max_pages_limit(site: Site, mirror: Mirror, concurrency: str) -> None:
    """P7, R3, C9: exactly so many pages, a normal end, and it is said; a higher limit goes on from there"""
    site.page("/", links=["/old", "/missing", "/paper", *(f"/p/{number}" for number in range(20))])
    site.redirect("/old", "/p/1")
    site.raw("/paper", b"%PDF", "application/pdf")
    site.grow(60, 4)
    finished = mirror("--max-pages", "10", "--concurrency", concurrency, "--per-host", concurrency)
    assert finished.status == 0
    assert "--max-pages 10" in finished.err
    assert len(mirror.pages) == mirror.statistics["processed_count"] == 10
    assert sum(path == "/" or path.startswith("/p/") for path in site.paths()) == 10
    assert mirror.manifest["crawl"]["complete"] is False
    assert mirror.statistics["pending_count"] > 0
    saved = set(mirror.pages)
    site.clear()
    assert mirror("--max-pages", "25", "--concurrency", concurrency).status == 0
    assert len(mirror.pages) == 25
    assert saved < set(mirror.pages)
    assert saved.isdisjoint(site.paths())
    assert mirror().status == 0
    assert len(mirror.pages) == 61


def test_max_pages_holds_for_several_start_urls(site: Site, mirror: Mirror) -> None:
    """P7: pages saved, wherever they are"""
    hosts = tuple(site.url_on(host) + "/" for host in ("127.0.0.1", "127.0.0.2", "127.0.0.3"))
    site.page("/", links=["/a"])
    site.page("/a", "<p>A</p>")
    mirror.crawl(hosts, max_pages=1)
    assert len(mirror.manifest["pages"]) == 1


def test_copies_do_not_count_as_pages(site: Site, mirror: Mirror) -> None:
    """P7, S9: what turned out to be a copy makes room for another page"""
    site.page("/", links=["/copy1", "/real", "/copy2", "/other", "/more", "/too-much"])
    for path in ("/copy1", "/copy2"):
        site.page(path, "<p>The real one</p>", head='<link rel="canonical" href="/real">')
    for path in ("/real", "/other", "/more", "/too-much"):
        site.page(path, f"<p>This is {path}</p>")
    mirror.crawl(max_pages=4, concurrency=1)
    assert set(mirror.pages) == {"/", "/real", "/other", "/more"}
    assert site.count("/too-much") == 0
    assert mirror.files() == {page["path"].removeprefix(f"{mirror.host}/") for page in mirror.manifest["pages"]}


def test_max_depth_counts_the_shortest_way(site: Site, mirror: Mirror) -> None:
    """P7, F7: what lies deeper is filtered by that name, whichever way was found first"""
    site.page("/", links=["/a", "/short"])
    site.page("/a", links=["/b"])
    site.page("/b", links=["/c"])
    site.page("/short", links=["/c"])
    site.page("/c", links=["/d"])
    site.page("/d", links=["/e"])
    site.page("/e")
    site.delay("/short", 0.3)
    mirror.crawl(max_depth=2)
    assert set(mirror.pages) == {"/", "/a", "/short", "/b", "/c"}
    assert mirror.statistics["filtered_by"] == {"max-depth": 1}
    mirror.crawl(max_depth=0, fresh=True)
    assert set(mirror.pages) == {"/"}
    mirror.crawl(max_depth=3)
    assert set(mirror.pages) == {"/", "/a", "/short", "/b", "/c", "/d"}


def served_after(site: Site, path: str, awaited: str, *links: str) -> None:
    """Serve a page as soon as the other one has been asked for."""

    async def answer(_: Hit) -> Answer:
        await asyncio.to_thread(site.wait, path=awaited)
        return Page(f"<p>This is {path}</p>", links=links).answer()

    site.on(path, answer)


@pytest.mark.parametrize("way", ["under way", "redirect"])
def test_what_a_page_leads_to_comes_nearer_with_it(site: Site, mirror: Mirror, way: str) -> None:
    """P7, F7: also where the shorter way is found while the page is under way, and by way of a redirect"""
    site.page("/", links=["/a", "/short"])
    site.page("/a", "<p>This is /a</p>", links=["/b"])
    site.page("/b", "<p>This is /b</p>", links=["/far"])
    if way == "under way":
        served_after(site, "/short", "/far", "/far", "/told")
        served_after(site, "/far", "/told", "/end")
    else:
        site.page("/told", "<p>This is /told</p>", links=["/end"])
        served_after(site, "/short", "/told", "/far")
        site.redirect("/far", "/told")
    site.page("/end", "<p>The end</p>")
    mirror.crawl(max_depth=3)
    assert "/end" in mirror.pages
    assert mirror.statistics["filtered_count"] == 0


def test_disk_space_check(site: Site, mirror: Mirror) -> None:
    """S8, C9, C10: under the bound nothing is fetched, the message names it, and status is 3"""
    site.grow(5)
    finished = mirror("--min-free-disk", str(10**15))
    assert finished.status == 3
    assert site.hits == []
    (line,) = [line for line in finished.err.splitlines() if line.startswith("quire: ")]
    assert "free" in line
    assert "--min-free-disk" in line
    assert mirror().status == 0
    assert len(mirror.pages) == 6


def test_traps_are_found_and_reported(site: Site, mirror: Mirror) -> None:
    """P7, F7: a calendar without end stops at its budget, and the manifest says what was left out"""
    site.page("/", links=["/calendar?month=1", "/a"])
    site.page("/a", "<p>A</p>")
    for month in range(1, 60):
        site.page(f"/calendar?month={month}", f"<p>Month {month}</p>", links=[f"/calendar?month={month + 1}"])
    finished = mirror("--trap-budget", "10")
    assert finished.status == 0
    assert len(mirror.pages) == 12
    assert mirror.statistics["filtered_by"] == {"trap": 1}
    ((template, number),) = mirror.manifest["traps"].items()
    assert "/calendar?month" in template
    assert number == 1
    assert "1 URL looks like a trap" in finished.err


def test_long_urls_are_refused_by_name(site: Site, mirror: Mirror) -> None:
    """P7, F7"""
    site.page("/", links=["/" + "x" * 3000, "/short"])
    site.page("/short", "<p>Short</p>")
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/short"}
    assert mirror.statistics["filtered_by"] == {"url-length": 1}


def test_the_end_is_told_once(site: Site, mirror: Mirror) -> None:
    """S11: one CrawlFinished, with the counts of the manifest"""
    site.grow(3)
    crawled = mirror.crawl()
    ends = [event for event in crawled.events if isinstance(event, CrawlFinished)]
    assert ends == [crawled.finished]
    assert crawled.finished.counts["saved"] == mirror.statistics["processed_count"] == 4
    assert not [name for name in files_in(mirror.folder) if name.endswith(".tmp")]
