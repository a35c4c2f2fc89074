"""Brought up to date: the incremental update scenarios of content-mirroring (S13, R14)."""

from __future__ import annotations

import os
import re
import signal
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Quire, Site, files_in

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror


def iso(when: datetime) -> str:
    return when.isoformat(timespec="seconds")


def test_an_unchanged_site_costs_one_conditional_request_a_page(site: Site, mirror: Mirror) -> None:
    """S13: by ETag or date; no page is rewritten, mtimes are kept, and pages behind a 304 are found (R14)"""
    long_ago = datetime(2024, 1, 1, tzinfo=UTC)
    site.page("/", links=["/tag", "/date"], etag=True)
    site.page("/tag", "<p>Tag</p>", etag=True, links=["/below/both"])
    site.page("/date", "<p>Date</p>", last_modified=long_ago)
    site.page("/below/both", "<p>Both</p>", etag='W/"weak"', last_modified=long_ago, links=["/old", "/missing"])
    site.redirect("/old", "/below/deepest")
    site.page("/below/deepest", "<p>Deepest</p>", etag=True)
    mirror.crawl()
    before = mirror.states()
    site.clear()
    finished = mirror("--update")
    assert finished.status == 0
    assert mirror.states() == before
    assert sorted(site.asked()) == sorted(["/", "/tag", "/date", "/below/both", "/old", "/below/deepest", "/missing"])
    conditional = {hit.path for hit in site.hits if {"If-None-Match", "If-Modified-Since"} & set(hit.headers)}
    assert conditional == {"/", "/tag", "/date", "/below/both", "/below/deepest"}
    assert {page["status"] for page in mirror.manifest["pages"]} == {"unchanged"}
    assert mirror.changes == {"added": [], "changed": [], "removed": []}
    assert mirror.manifest["crawl"]["number"] == 2
    processed = (mirror.folder / "_processed.txt").read_text().splitlines()
    assert sorted(processed) == sorted(page["url"] for page in mirror.manifest["pages"])


def test_exactly_the_changed_pages_are_rewritten(site: Site, mirror: Mirror) -> None:
    """S13: changed, added and removed pages are reported, and nothing else is touched"""
    site.page("/", links=["/same", "/changed", "/removed", "/unlinked"], etag=True)
    for path in ("/same", "/changed", "/removed", "/unlinked"):
        site.page(path, f"<p>First {path}</p>", etag=True)
    mirror.crawl()
    before = mirror.states()
    pages = mirror.pages
    site.change("/changed", "<p>Second</p>")
    site.page("/", links=["/same", "/changed", "/removed", "/new"], etag=True)
    site.page("/new", "<p>New</p>", etag=True)
    site.remove("/removed")
    finished = mirror("--update")
    assert finished.status == 0
    assert mirror.changes == {"added": ["/new"], "changed": ["/", "/changed"], "removed": ["/removed", "/unlinked"]}
    assert {url: page["status"] for url, page in mirror.pages.items()} == {
        "/": "saved",
        "/same": "unchanged",
        "/changed": "saved",
        "/new": "saved",
    }
    assert mirror.body("/changed") == "Second\n"
    same = pages["/same"]["path"]
    assert mirror.states()[same] == before[same]
    for url in ("/removed", "/unlinked"):
        assert (mirror.folder / pages[url]["path"]).read_bytes() == before[pages[url]["path"]][1]
    summary = [line for line in finished.err.splitlines() if "://" not in line]
    for count in (r"3 new or changed|1 added, 2 changed", r"2 (are )?(gone|removed)"):
        assert any(re.search(rf"\b({count})\b", line) for line in summary), summary


def test_update_mode_compares_lastmod_with_the_file(site: Site, mirror: Mirror) -> None:
    """S13: an older `lastmod` costs no request, a newer one fetches the page, a bad one asks the server"""
    now = datetime.now(UTC)
    dates = {
        "/older": iso(now - timedelta(days=2)),
        "/older-day": (now - timedelta(days=2)).date().isoformat(),
        "/newer": iso(now + timedelta(hours=1)),
        "/today": now.date().isoformat(),
        "/bad": "yesterday",
        "/none": None,
    }
    entries = [{"loc": path, "lastmod": date} if date else path for path, date in dates.items()]
    site.sitemap("/sitemap.xml", entries)
    site.page("/", "<p>Home</p>")
    for path in dates:
        site.page(path, f"<p>First {path}</p>")
    mirror.crawl(discover="sitemap")
    before = mirror.states()
    site.clear()
    for path in dates:
        site.change(path, f"<p>Second {path}</p>")
    mirror.crawl(discover="sitemap", update=True)
    assert sorted(site.asked()) == ["/", "/bad", "/newer", "/none", "/today"]
    assert mirror.changes["changed"] == ["/bad", "/newer", "/none", "/today"]
    for path in ("/older", "/older-day"):
        file = mirror.pages[path]["path"]
        assert mirror.states()[file] == before[file]
        assert mirror.pages[path]["status"] == "unchanged"
    assert mirror.body("/newer") == "Second /newer\n"


def test_selective_refetching_when_the_file_is_old(site: Site, mirror: Mirror) -> None:
    """S13: it is the file's own time that counts"""
    site.sitemap("/sitemap.xml", [{"loc": "/a", "lastmod": "2024-06-01T12:00:00Z"}])
    site.page("/", "<p>Home</p>")
    site.page("/a", "<p>First</p>")
    mirror.crawl()
    file = mirror.folder / mirror.pages["/a"]["path"]
    before_that = datetime(2024, 5, 1, tzinfo=UTC).timestamp()
    os.utime(file, (before_that, before_that))
    site.change("/a", "<p>Second</p>")
    mirror.crawl(update=True)
    assert mirror.body("/a") == "Second\n"
    site.clear()
    mirror.crawl(update=True)
    assert site.count("/a") == 0


def test_new_page_detection(site: Site, mirror: Mirror) -> None:
    """S13: a URL that the previous manifest has not is fetched, whatever its lastmod"""
    site.sitemap("/sitemap.xml", [])
    site.page("/", "<p>Home</p>", etag=True)
    mirror.crawl()
    site.sitemap("/sitemap.xml", [{"loc": "/new", "lastmod": "2001-01-01"}])
    site.page("/new", "<p>New</p>", links=["/newer"])
    site.page("/newer", "<p>Newer</p>")
    mirror.crawl(update=True)
    assert mirror.changes == {"added": ["/new", "/newer"], "changed": [], "removed": []}
    assert set(mirror.pages) == {"/", "/new", "/newer"}


def test_equal_content_without_validators_keeps_its_file(site: Site, mirror: Mirror) -> None:
    """S13, R14: also when only the page's frame changed"""
    site.page("/", "<p>Text</p>", links=["/a"])
    site.page("/a", "<p>Text</p>")
    mirror.crawl()
    before = mirror.states()
    site.clear()
    site.change("/a", "<p>Text</p>", head="<!-- generated now --><script>var x = 1</script>")
    mirror.crawl(update=True)
    assert mirror.states() == before
    assert sorted(site.asked()) == ["/", "/a"]
    assert mirror.changes == {"added": [], "changed": [], "removed": []}


def test_a_file_that_was_deleted_is_fetched_whole(site: Site, mirror: Mirror) -> None:
    """S13: no conditional request for what the mirror does not have"""
    site.page("/", "<p>Home</p>", links=["/a"], etag=True)
    site.page("/a", "<p>A</p>", etag=True)
    mirror.crawl()
    (mirror.folder / mirror.pages["/a"]["path"]).unlink()
    site.clear()
    mirror.crawl(update=True)
    (hit,) = [hit for hit in site.hits if hit.path == "/a"]
    assert "If-None-Match" not in hit.headers
    assert mirror.body("/a") == "A\n"


def test_prune_removes_what_is_gone(site: Site, mirror: Mirror) -> None:
    """S13: files of pages that are gone, redirected, or no longer linked; the others stay"""
    site.page("/", links=["/a/b", "/gone", "/moved", "/unlinked"])
    for path in ("/a/b", "/gone", "/moved", "/unlinked", "/target"):
        site.page(path, f"<p>{path}</p>")
    mirror.crawl()
    (mirror.folder / mirror.host / "mine.md").write_text("mine")
    site.page("/", links=["/a/b", "/gone", "/moved"])
    site.page("/gone", status=410)
    site.redirect("/moved", "/target")
    finished = mirror("--update", "--prune")
    assert finished.status == 0
    assert mirror.files() == {"index.md", "a/b/index.md", "target/index.md", "mine.md"}
    assert mirror.changes["removed"] == ["/gone", "/moved", "/unlinked"]
    assert set(mirror.pages) == {"/", "/a/b", "/target"}
    mirror.crawl(update=True)
    assert mirror.changes == {"added": [], "changed": [], "removed": []}


def build_two(site: Site) -> None:
    site.page("/", "<p>Home</p>", links=["/section"])
    site.page("/section", "<p>Section</p>", links=["/section/page"])
    site.page("/section/page", "<p>Page</p>")


def trouble_with_a_page(site: Site) -> None:
    site.fail("/section", status=500)


def trouble_with_the_start(site: Site) -> None:
    site.fail("/", status=503)


def trouble_with_robots(site: Site) -> None:
    site.fail("/robots.txt", status=503)


def trouble_with_connections(site: Site) -> None:
    site.reset("/section")


@pytest.mark.parametrize(
    "trouble", [trouble_with_a_page, trouble_with_the_start, trouble_with_robots, trouble_with_connections]
)
def test_a_crawl_with_failures_prunes_nothing(site: Site, mirror: Mirror, trouble: object) -> None:
    """S13: what could not be seen is not gone; --prune needs a complete crawl"""
    build_two(site)
    mirror.crawl()
    before = mirror.states()
    assert callable(trouble)
    trouble(site)
    mirror.crawl(update=True, prune=True, retry_delay=0.01)
    found = files_in(mirror.folder)
    assert {path: found.get(path) for path in before} == {path: data for path, (_, data) in before.items()}
    assert "/section/page" not in mirror.changes["removed"]


def test_a_broken_sitemap_prunes_nothing(site: Site, mirror: Mirror) -> None:
    """S13, D4: pages that only the sitemap named are not gone because it did not answer"""
    site.page("/", "<p>Home</p>")
    site.page("/listed", "<p>Listed</p>")
    site.sitemap("/sitemap.xml", ["/listed"])
    mirror.crawl()
    site.fail("/sitemap.xml", status=500)
    mirror.crawl(update=True, prune=True)
    assert "listed/index.md" in mirror.files()


def test_a_limited_crawl_prunes_nothing(site: Site, mirror: Mirror) -> None:
    """S13, P7"""
    site.grow(20, 4)
    mirror.crawl()
    before = mirror.files()
    mirror.crawl(update=True, prune=True, max_pages=5)
    assert mirror.files() == before


def test_a_removed_page_is_reported_by_the_crawl_that_missed_it(site: Site, mirror: Mirror) -> None:
    """S13, S11: changes are those against the crawl before; a page that comes back is added, whatever is on disk"""
    site.page("/", links=["/a"])
    site.page("/a", "<p>A</p>")
    mirror.crawl()
    site.page("/", links=[])
    mirror.crawl(update=True)
    assert mirror.changes["removed"] == ["/a"]
    mirror.crawl(update=True)
    assert mirror.changes == {"added": [], "changed": [], "removed": []}
    site.page("/", links=["/a"])
    mirror.crawl(update=True)
    assert "/a" in mirror.pages
    assert "A" in mirror.body("/a")
    assert mirror.changes == {"added": ["/a"], "changed": ["/"], "removed": []}
    mirror.crawl(update=True)
    assert mirror.changes == {"added": [], "changed": [], "removed": []}


def test_a_page_that_comes_back_as_it_was_is_added(site: Site, mirror: Mirror) -> None:
    """S13, S11: also when the server says that it has not changed; who keeps books by `changes` misses none"""
    site.page("/", "<p>Home</p>", links=["/a", "/b"], etag=True)
    site.page("/a", "<p>A</p>", etag=True)
    site.page("/b", "<p>B</p>")
    mirror.crawl()
    mirror.crawl(update=True, exclude_paths="/a,/b")
    assert mirror.changes == {"added": [], "changed": [], "removed": ["/a", "/b"]}
    crawled = mirror.crawl(update=True)
    assert mirror.changes == {"added": ["/a", "/b"], "changed": [], "removed": []}
    assert crawled.finished.added == 2


def test_a_page_that_fails_once_comes_back(site: Site, mirror: Mirror) -> None:
    """S13, S7: its file stays while it fails"""
    build_two(site)
    mirror.crawl()
    site.fail("/section", times=1, status=500)
    assert mirror("--update").status == 1
    assert "section/index.md" in mirror.files()
    mirror.crawl(update=True)
    assert set(mirror.pages) == {"/", "/section", "/section/page"}
    assert mirror.changes == {"added": [], "changed": [], "removed": []}


def test_an_interrupted_update_goes_on(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S13, S5, C9: stopped and started again it ends as one update"""
    site.grow(30, 4)
    mirror.crawl()
    before = mirror.states()
    site.hang("/p/15")
    site.clear()
    process = quire.start("mirror", *mirror.command("--update", "--concurrency", "2"))
    site.wait(path="/p/15")
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    site.release("/p/15")
    done = {mirror.short(url) for url in (mirror.folder / "_processed.txt").read_text().splitlines()}
    assert 0 < len(done) < len(mirror.pages) == 31
    site.clear()
    finished = mirror("--update")
    assert finished.status == 0
    assert done.isdisjoint(site.asked())
    assert mirror.states() == before
    assert len(mirror.pages) == 31
    assert mirror.manifest["crawl"]["number"] == 2


def test_a_killed_update_tells_the_same_changes(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S13, S5, S11: a page that was written and not yet settled is no new one, and one that goes now was there"""
    site.page("/", "<p>Home</p>", links=["/changed", "/gone", "/fails"])
    for path in ("/changed", "/gone", "/fails"):
        site.page(path, "<p>As it was</p>", etag=True)
    mirror.crawl()
    site.hang("/")
    site.clear()
    process = quire.start("mirror", *mirror.command("--update"))
    site.wait(path="/")
    process.kill()
    process.wait()
    site.release("/")
    for path in ("changed", "gone", "fails"):
        written = mirror.folder / mirror.host / path / "index.md"
        written.write_bytes(written.read_bytes().replace(b"As it was", b"As it is"))
    site.change("/changed", "<p>As it is</p>")
    site.remove("/gone")
    site.fail("/fails", times=1, status=500)
    assert mirror("--update").status == 1
    assert mirror.changes == {"added": [], "changed": ["/changed"], "removed": ["/gone"]}
    assert "fails/index.md" in mirror.files()
    mirror.crawl(update=True)
    assert mirror.changes == {"added": [], "changed": ["/fails"], "removed": []}
    assert mirror.body("/fails") == "As it was\n"


def test_update_without_a_mirror_makes_one(site: Site, mirror: Mirror) -> None:
    """S13"""
    site.grow(3)
    assert mirror("--update").status == 0
    assert len(mirror.pages) == 4


def test_a_canonical_copy_stays_one(site: Site, mirror: Mirror) -> None:
    """S13, S9: a copy is neither new nor gone at each update"""
    site.page("/", links=["/copy", "/real"])
    site.page("/copy", "<p>Text</p>", head='<link rel="canonical" href="/real">', etag=True)
    site.page("/real", "<p>Text</p>", etag=True)
    mirror.crawl()
    for _ in range(2):
        mirror.crawl(update=True)
        assert mirror.changes == {"added": [], "changed": [], "removed": []}
        assert mirror.listed("duplicates") == {"/copy": "canonical"}
        assert mirror.files() == {"index.md", "real/index.md"}


@pytest.mark.parametrize("known_by", ["etag", "lastmod", "text"])
def test_every_decision_is_counted_again_by_an_update(site: Site, mirror: Mirror, known_by: str) -> None:
    """S13, R14, F7, U10: what a page names that has not changed, be it no URL or known by a canonical URL only"""
    etag = known_by == "etag"
    if known_by == "lastmod":
        site.sitemap("/sitemap.xml", [{"loc": path, "lastmod": "2001-01-01"} for path in ("/", "/a", "/b", "/named")])
    site.page("/", links=["/a", "/b", "http://[bad", "/x.pdf", "http://127.0.0.9/"], etag=etag)
    for path in ("/a", "/b"):
        # It is not the canonical URL of itself, so that all three pages are kept.
        head = '<link rel="canonical" href="/named">'
        site.page(path, f"<p>Text of {path}</p>", head=head, links=["http:///", "http://[bad"], etag=etag)
    site.page("/named", "<p>Named</p>", head='<link rel="canonical" href="/missing">', etag=etag)
    mirror.crawl()
    assert mirror.statistics["invalid_count"] == 2
    before = mirror.statistics
    for _ in range(2):
        mirror.crawl(update=True)
        assert mirror.statistics == before
        assert mirror.changes == {"added": [], "changed": [], "removed": []}


def test_a_page_that_becomes_a_copy_is_removed(site: Site, mirror: Mirror) -> None:
    """S13, S9, S11: and told as such, once"""
    site.page("/", links=["/a", "/b", "/c?x=1", "/c"])
    site.page("/a", "<p>Text</p>")
    site.page("/b", "<p>Text</p>")
    site.page("/c", "<p>Other</p>")
    site.page("/c?x=1", "<p>Other, at length</p>")
    mirror.crawl()
    site.page("/b", "<p>Text</p>", head='<link rel="canonical" href="/a">')
    site.page("/c?x=1", "<p>Other</p>")
    crawled = mirror.crawl(update=True)
    assert mirror.listed("duplicates") == {"/b": "canonical", "/c?x=1": "same-content"}
    assert mirror.files() == {"index.md", "a/index.md", "c/index.md"}
    assert mirror.changes == {"added": [], "changed": [], "removed": ["/b", "/c?x=1"]}
    assert crawled.finished.removed == 2
    mirror.crawl()
    assert mirror.changes["removed"] == ["/b", "/c?x=1"]
    mirror.crawl(update=True)
    assert mirror.changes == {"added": [], "changed": [], "removed": []}


def test_two_updates_within_a_second_see_a_change(site: Site, mirror: Mirror) -> None:
    """S13: nothing is taken for fresh because clocks are coarse"""
    site.page("/", "<p>1</p>")
    mirror.crawl()
    for number in (2, 3):
        site.change("/", f"<p>{number}</p>")
        mirror.crawl(update=True)
        assert mirror.body("/") == f"{number}\n"
    assert time.time() - (mirror.folder / mirror.host / "index.md").stat().st_mtime < 60


def build_many(site: Site, *, etag: bool) -> list[str]:
    paths = [f"/page-{number}" for number in range(8)]
    site.page("/", links=paths, etag=etag)
    for path in paths:
        site.page(path, f"<p>Page {path}</p>", etag=etag)
    return paths


@pytest.mark.parametrize("etag", [True, False])
def test_what_a_limit_left_waiting_is_not_forgotten_by_an_update(site: Site, mirror: Mirror, etag: bool) -> None:
    """S13, R14: a page that has not changed still leads to what was never asked for, and a later run finds it"""
    paths = build_many(site, etag=etag)
    mirror("--max-pages", "3")
    limited = mirror("--max-pages", "3", "--update")
    assert "6 URLs are waiting" in limited.err
    assert mirror("--max-pages", "5").status == 0
    assert len(mirror.pages) == 5
    assert mirror("--update").status == 0
    assert sorted(mirror.pages) == sorted(["/", *paths])


@pytest.mark.parametrize("etag", [True, False])
@pytest.mark.parametrize("narrow", [("--exclude-pattern", "page-[1-7]"), ("--max-depth", "0")])
def test_looser_filters_with_an_update_ask_once(
    site: Site, mirror: Mirror, narrow: tuple[str, str], etag: bool
) -> None:
    """F7, S13: an update judges every URL anew, asks for each once, and its counts add up"""
    paths = build_many(site, etag=etag)
    mirror(*narrow)
    site.clear()
    finished = mirror("--update")
    assert finished.status == 0, finished.err
    assert sorted(site.asked()) == sorted(["/", *paths])
    assert sorted(mirror.pages) == sorted(["/", *paths])
    found = mirror.changes
    assert len(found["added"]) + sum(page["status"] == "unchanged" for page in mirror.pages.values()) == len(paths) + 1
