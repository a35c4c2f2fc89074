"""An update that does not come to every page: what it left alone is in the mirror as it was (S13, S11, P7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from quire_test_site import Quire, Site

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

COUNTS = ("processed", "failed", "skipped", "filtered", "duplicate", "external", "invalid", "pending")
PATHS = [f"/page-{number}" for number in range(8)]


def build(site: Site) -> None:
    site.page("/", links=PATHS)
    for path in PATHS:
        site.page(path, f"<p>Page {path}</p>")


def build_by_sitemap(site: Site) -> None:
    site.page("/", "<p>Home</p>")
    site.sitemap("/sitemap.xml", [*PATHS])
    for path in PATHS:
        site.page(path, f"<p>Page {path}</p>")


def test_pages_that_a_limit_keeps_an_update_from_stay_listed(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S11, S12, S13, P7: with their facts, in the manifest, the index and every export; none of them is removed"""
    build(site)
    mirror.crawl()
    before, index = mirror.pages, (mirror.folder / "_index.md").read_text()
    site.change("/page-0", "<p>Second</p>")
    limited = mirror("--update", "--max-pages", "3")
    assert "stopped by --max-pages 3: 6 URLs are waiting" in limited.err
    assert "9 pages" in limited.err
    assert mirror.changes == {"added": [], "changed": ["/page-0"], "removed": []}
    assert (mirror.folder / "_index.md").read_text() == index
    assert mirror.pages.keys() == before.keys()
    for path in PATHS[2:]:
        assert mirror.pages[path] == before[path] | {"status": "unchanged"}
    statistics = mirror.statistics
    assert statistics["processed_count"] == len(mirror.manifest["pages"])
    assert statistics["total_urls"] == sum(statistics[f"{name}_count"] for name in COUNTS) == 9
    assert not mirror.manifest["crawl"]["complete"]
    exported = quire("export", mirror.folder, "--format", "jsonl")
    assert len(exported.out.splitlines()) == 9
    status = quire("status", mirror.folder).out
    assert "9 pages, 9 URLs seen" in status
    assert "stopped by --max-pages 3" in status
    assert "goes on" in status
    why = quire("why", f"{site.url}/page-7", "-o", mirror.folder).out
    assert "waiting" in why
    assert before["/page-7"]["path"] in why


def test_a_run_without_the_limit_comes_to_the_others(site: Site, mirror: Mirror) -> None:
    """P7, S13: what waits is asked for, also where a further update was limited too"""
    build(site)
    mirror.crawl()
    mirror.crawl(update=True, max_pages=3)
    mirror.crawl(update=True, max_pages=2)
    assert len(mirror.pages) == 9
    site.change("/page-7", "<p>Second</p>")
    mirror.crawl()
    assert len(mirror.pages) == 9
    assert mirror.changes == {"added": [], "changed": ["/page-7"], "removed": []}
    assert mirror.manifest["crawl"]["complete"]


def test_pages_of_a_sitemap_that_cannot_be_read_stay_listed(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S11, S13: an update that cannot be sure calls nothing removed, and lists what it does not call so"""
    build_by_sitemap(site)
    mirror.crawl()
    before = set(mirror.pages)
    site.fail("/sitemap.xml", status=500, times=1)
    mirror.crawl(update=True, prune=True)
    assert set(mirror.pages) == before
    assert mirror.changes == {"added": [], "changed": [], "removed": []}
    why = quire("why", f"{site.url}/page-7", "-o", mirror.folder).out
    assert "decision: kept: the last crawl did not come to it; before that:" in why
    site.sitemap("/sitemap.xml", PATHS[:7])
    mirror.crawl(update=True)
    assert set(mirror.pages) == before - {"/page-7"}
    assert mirror.changes == {"added": [], "changed": [], "removed": ["/page-7"]}


def test_an_update_of_which_nothing_is_left_takes_nothing_away(site: Site, mirror: Mirror) -> None:
    """S13: pages that are listed as they were do not make an update sure that came to none"""
    build(site)
    mirror.crawl()
    before = mirror.files()
    site.remove("/")
    mirror.crawl(update=True, prune=True)
    assert mirror.files() == before


def test_a_single_page_makes_no_update_sure(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S13, C3: where a page leads that failed in the update and is fetched by itself, nobody has looked"""
    site.page("/", links=["/section"])
    site.page("/section", links=["/section/page"])
    site.page("/section/page", "<p>Page</p>")
    mirror.crawl()
    site.fail("/section", times=1, status=500)
    mirror.crawl(update=True)
    assert set(mirror.pages) == {"/", "/section/page"}
    assert quire("page", f"{site.url}/section", "-o", mirror.folder, "--delay", "0").status == 0
    assert set(mirror.pages) == {"/", "/section", "/section/page"}
    assert mirror.changes == {"added": [], "changed": [], "removed": []}


def test_a_single_page_that_is_gone_is_told_by_the_next_update(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S13, C3: a mirror's first crawl tells no changes"""
    site.page("/", links=["/a"])
    site.page("/a", "<p>A</p>")
    mirror.crawl()
    site.remove("/a")
    quire("page", f"{site.url}/a", "-o", mirror.folder, "--delay", "0")
    mirror.crawl(update=True)
    assert mirror.changes == {"added": [], "changed": [], "removed": ["/a"]}


def test_copies_of_a_page_that_waits_are_copies_still(site: Site, mirror: Mirror) -> None:
    """S9, S13: nor are they added, because a limit kept the update from the original"""
    site.page("/", links=["/copy", "/list?sort=up", "/other", "/list", "/original"])
    site.page("/copy", "<p>The same</p>", head='<link rel="canonical" href="/original">')
    site.page("/original", "<p>The same</p>")
    for path in ("/list", "/list?sort=up"):
        site.page(path, "<p>One list</p>")
    site.page("/other", "<p>Other</p>")
    mirror.crawl(concurrency=1)
    before = mirror.files()
    assert set(mirror.pages) == {"/", "/original", "/list", "/other"}
    mirror.crawl(update=True, max_pages=2, concurrency=1)
    assert set(mirror.pages) == {"/", "/original", "/list", "/other"}
    assert mirror.changes == {"added": [], "changed": [], "removed": []}
    assert mirror.files() == before


def test_a_copy_outlives_an_original_that_is_gone(site: Site, mirror: Mirror) -> None:
    """S9, S13: a page that nothing leads to any more is nobody's original"""
    site.page("/", links=["/list?sort=up", "/list"])
    for path in ("/list", "/list?sort=up"):
        site.page(path, "<p>One list</p>")
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/list"}
    site.page("/", links=["/list?sort=up"])
    mirror.crawl(update=True)
    assert set(mirror.pages) == {"/", "/list?sort=up"}
    assert mirror.changes == {"added": ["/list?sort=up"], "changed": ["/"], "removed": ["/list"]}


@pytest.mark.parametrize("limit", [3, None])
def test_the_frame_of_a_site_is_known_to_a_limited_update(site: Site, mirror: Mirror, limit: int | None) -> None:
    """M3, S13: it is learnt from all pages of the mirror"""
    paths = [f"/{number}" for number in range(12)]
    frame = "<div><p>Subscribe to our newsletter for offers and more.</p></div>"
    site.page("/", links=paths)
    for number, path in enumerate(paths):
        site.page(path, f"<div><h1>Title {number}</h1><p>Text {number} of its own.</p></div>{frame}")
    mirror.crawl()
    assert "newsletter" not in mirror.body("/1")
    site.page("/1", f"<div><h1>Title 1</h1><p>Another text.</p></div>{frame}")
    mirror.crawl(update=True, max_pages=limit, concurrency=1)
    assert "Another text" in mirror.body("/1")
    assert "newsletter" not in mirror.body("/1")


def test_images_of_pages_that_an_update_has_not_come_to_stay_listed(site: Site, mirror: Mirror) -> None:
    """M7, S13: limits are about pages"""
    site.page("/", links=["/a", "/b"])
    for name in ("a", "b"):
        site.page(f"/{name}", f'<p>Page {name}</p><img src="/{name}.png" alt="{name}">')
        site.raw(f"/{name}.png", b"\x89PNG\r\n\x1a\n" + name.encode(), "image/png")
    mirror.crawl(assets=True)
    before = {asset["path"] for asset in mirror.manifest["assets"]}
    assert len(before) == 2
    mirror.crawl(update=True, assets=True, max_pages=1)
    assert {asset["path"] for asset in mirror.manifest["assets"]} == before
