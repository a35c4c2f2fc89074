"""What is wanted: every scenario of url-filtering, as whole crawls (F1-F7, P1, P2, R2)."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Quire, Site

from quire.events import UrlRejected

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

NAMES = ("filtered", "processed", "failed", "skipped", "duplicate", "external", "invalid", "pending")


def listed(site: Site, paths: list[str]) -> None:
    """A site whose sitemap names these pages; its front page has no links."""
    site.page("/", "<p>Home</p>")
    site.sitemap("/sitemap.xml", paths)
    for path in paths:
        site.page(path, f"<p>{path}</p>")


def check_the_counts(mirror: Mirror) -> None:
    """F7: every URL seen ends with exactly one decision."""
    statistics = mirror.statistics
    assert statistics["total_urls"] == sum(statistics[f"{name}_count"] for name in NAMES)
    assert statistics["filtered_count"] == len(mirror.manifest["filtered_urls"])
    assert statistics["filtered_count"] == sum(statistics["filtered_by"].values())
    assert statistics["processed_count"] == len(mirror.manifest["pages"])


def test_include_only_documentation_urls(site: Site, mirror: Mirror) -> None:
    """F1, F2, F7, P2: other URLs are logged as filtered, counted and listed; the start URL is crawled always"""
    paths = [f"/{section}/{number}" for section in ("docs", "blog", "products") for number in range(4)]
    listed(site, [*paths, "/docs-old/1"])
    finished = mirror("--include-pattern", "^.*/docs/.*$")
    assert finished.status == 0
    assert sorted(site.asked()) == ["/", "/docs/0", "/docs/1", "/docs/2", "/docs/3"]
    assert mirror.statistics["filtered_count"] == 9
    assert mirror.statistics["filtered_by"] == {"include-pattern": 9}
    assert mirror.statistics["total_urls_in_sitemap"] == 13
    assert f"{site.url}/blog/1" in mirror.manifest["filtered_urls"]
    assert mirror.manifest["filters_applied"] == {"include_pattern": "^.*/docs/.*$"}
    assert any(line.startswith("Filtered") and f"{site.url}/blog/1 " in line for line in finished.err.splitlines())
    check_the_counts(mirror)


def test_exclude_blog_and_archive_sections(site: Site, mirror: Mirror) -> None:
    """F1, F7"""
    listed(site, ["/docs/a", "/blog/b", "/archive/c", "/blogroll"])
    mirror.crawl(exclude_pattern=("^.*/(blog|archive)/.*$",))
    assert sorted(site.asked()) == ["/", "/blogroll", "/docs/a"]
    assert sorted(mirror.manifest["filtered_urls"]) == [f"{site.url}/archive/c", f"{site.url}/blog/b"]
    check_the_counts(mirror)


def test_complex_filter_combination(site: Site, mirror: Mirror) -> None:
    """F1: include before exclude, exclude wins, and all kinds must pass"""
    listed(
        site,
        [
            "/docs/api/new",
            "/docs/api/legacy/old",
            "/docs/api/private/x",
            "/docs/guide",
            "/other/docs/api/x",
        ],
    )
    mirror.crawl(
        include_pattern=("^.*/docs/api/.*$",),
        exclude_pattern=(".*/legacy/.*",),
        include_paths="/docs",
        exclude_paths="/docs/api/private",
    )
    assert sorted(site.asked()) == ["/", "/docs/api/new"]
    assert mirror.statistics["filtered_by"] == {
        "exclude-pattern": 1,
        "exclude-paths": 1,
        "include-paths": 1,
        "include-pattern": 1,
    }
    check_the_counts(mirror)


def test_a_pattern_is_searched_and_may_be_repeated(site: Site, mirror: Mirror) -> None:
    """F2, F1"""
    listed(site, ["/a/docs-x", "/guide", "/news", "/docs"])
    mirror("--include-pattern", "docs", "--include-pattern", "guide$", "--exclude-pattern=-x")
    assert sorted(site.asked()) == ["/", "/docs", "/guide"]


def test_include_multiple_top_level_sections(site: Site, mirror: Mirror) -> None:
    """F1, F3: whole segments, no regular expressions; plain prefixes with --loose-paths"""
    listed(site, ["/docs", "/docs/a", "/api/b", "/tutorials/c", "/docs-old/d", "/apis"])
    mirror.crawl(include_paths="/docs, api/")
    assert sorted(site.asked()) == ["/", "/api/b", "/docs", "/docs/a"]
    check_the_counts(mirror)
    site.clear()
    mirror.crawl(fresh=True, include_paths="/docs,/api", loose_paths=True)
    assert sorted(site.asked()) == ["/", "/api/b", "/apis", "/docs", "/docs-old/d", "/docs/a"]


def test_exclude_specific_paths(site: Site, mirror: Mirror) -> None:
    """F1, F3"""
    listed(site, ["/tag/a", "/category/b", "/tags", "/main"])
    mirror.crawl(exclude_paths="/tag,/category")
    assert sorted(site.asked()) == ["/", "/main", "/tags"]


def test_only_process_high_priority_pages(site: Site, mirror: Mirror) -> None:
    """F1, F4, R2: without a priority it counts as 1.0, and links have none"""
    site.page("/", links=["/linked", "/low"])
    site.page("/linked", "<p>Linked</p>")
    priorities = {"/low": 0.3, "/bound": 0.8, "/below": 0.79, "/high": 1.0}
    entries = [{"loc": path, "priority": priority} for path, priority in priorities.items()]
    site.sitemap("/sitemap.xml", [*entries, "/none"])
    for path in (*priorities, "/none"):
        site.page(path, f"<p>{path}</p>")
    mirror.crawl(priority_min=0.8)
    assert sorted(site.asked()) == ["/", "/bound", "/high", "/linked", "/none"]
    assert mirror.statistics["filtered_by"] == {"priority-min": 2}
    check_the_counts(mirror)


def test_only_process_frequently_updated_content(site: Site, mirror: Mirror) -> None:
    """F1, F4, R2: without a frequency it fails, and so does what only links name"""
    site.page("/", links=["/linked", "/daily"])
    frequencies = {"/always": "always", "/daily": "daily", "/Daily": " Daily ", "/monthly": "monthly"}
    site.sitemap("/sitemap.xml", [*({"loc": path, "changefreq": each} for path, each in frequencies.items()), "/none"])
    for path in (*frequencies, "/none", "/linked"):
        site.page(path, f"<p>{path}</p>")
    mirror.crawl(changefreq="daily")
    assert sorted(site.asked()) == ["/", "/Daily", "/daily"]
    assert mirror.statistics["filtered_by"] == {"changefreq": 4}
    site.clear()
    mirror.crawl(fresh=True, changefreq="daily,always")
    assert sorted(site.asked()) == ["/", "/Daily", "/always", "/daily"]
    check_the_counts(mirror)


def test_sitemap_priority_orders_within_a_class(site: Site, mirror: Mirror) -> None:
    """P1: start URLs first, then what matches an include pattern, then the rest; priority orders within"""
    site.page("/", links=["/linked"])
    site.page("/linked", "<p>Linked</p>")
    priorities = {"/low": 0.1, "/docs/low": 0.1, "/high": 0.9, "/docs/high": 0.9, "/docs/same": 0.9, "/plain": None}
    entries = [{"loc": path, "priority": each} if each else {"loc": path} for path, each in priorities.items()]
    site.sitemap("/sitemap.xml", entries)
    for path in priorities:
        site.page(path, f"<p>{path}</p>")
    mirror.crawl(include_pattern=("/docs/",), include_mode="prefer", concurrency=1)
    assert site.asked() == [
        "/",
        "/docs/high",
        "/docs/same",
        "/docs/low",
        "/high",
        "/plain",
        "/linked",
        "/low",
    ]


def test_include_mode_prefer_crawls_the_rest_last(site: Site, mirror: Mirror) -> None:
    """P2: and excluded ones not at all"""
    site.page("/", links=["/x/1", "/docs/1", "/x/2", "/docs/2", "/bad/1"])
    for path in ("/x/1", "/x/2", "/docs/1", "/docs/2", "/bad/1"):
        site.page(path, f"<p>{path}</p>")
    mirror.crawl(include_pattern=("docs",), include_mode="prefer", exclude_paths="/bad", concurrency=1)
    assert site.asked() == ["/", "/docs/1", "/docs/2", "/x/1", "/x/2"]
    assert mirror.manifest["filters_applied"] == {
        "include_pattern": "docs",
        "include_mode": "prefer",
        "exclude_paths": "/bad",
    }


def test_start_urls_are_crawled_whatever_the_filters_say(site: Site, mirror: Mirror) -> None:
    """P2: also against an exclude pattern, and when they redirect"""
    site.redirect("/start", "/landing")
    site.page("/landing", links=["/docs/a", "/other"])
    site.page("/other/start", links=["/docs/b"])
    site.page("/docs/a", "<p>A</p>")
    site.page("/docs/b", "<p>B</p>")
    mirror.crawl(("/", "/start", "/other/start"), include_pattern=("/docs/",), exclude_pattern=("start", "landing"))
    assert {"/landing", "/other/start", "/docs/a", "/docs/b"} == set(mirror.pages)


@pytest.mark.parametrize("option", ["--include-pattern", "--exclude-pattern"])
def test_a_bad_pattern_is_told_before_anything_is_fetched(site: Site, mirror: Mirror, option: str) -> None:
    """F6, C9, C10: the message names the option and the pattern; status 2"""
    site.page("/")
    finished = mirror(option, "good", option, "[a")
    assert finished.status == 2
    assert site.hits == []
    (line,) = finished.err.splitlines()
    assert line.startswith("quire: ")
    assert option in line
    assert "[a" in line
    assert not mirror.folder.exists()


def test_a_pattern_that_backtracks_runs_with_a_warning(site: Site, mirror: Mirror) -> None:
    """F6: look-around works from the command line, and it is said what it costs"""
    listed(site, ["/docs/a", "/docs/old"])
    finished = mirror("--include-pattern", "/docs/(?!old)")
    assert finished.status == 0
    assert sorted(site.asked()) == ["/", "/docs/a"]
    assert any(line.startswith("Warning") and "linear" in line for line in finished.err.splitlines())


def test_no_pattern_can_hang_the_crawl(site: Site, mirror: Mirror) -> None:
    """F6: what would take a backtracking matcher years"""
    listed(site, ["/" + "a" * 60 + "!"])
    assert mirror("--include-pattern", "^(.*/)?(a+)+$", timeout=30).status == 0
    assert mirror.statistics["filtered_count"] == 1


def test_resume_after_filter_adjustment(site: Site, quire: Quire, mirror: Mirror) -> None:
    """F7: the same filters do not judge again, changed ones do, in both directions"""
    site.page("/", links=[*(f"/docs/{number}" for number in range(10)), *(f"/blog/{number}" for number in range(10))])
    for number in range(10):
        site.page(f"/docs/{number}", f"<p>Doc {number}</p>", links=["/blog/deep"])
        site.page(f"/blog/{number}", f"<p>Post {number}</p>")
    site.page("/blog/deep", "<p>Deep</p>")
    site.hang("/docs/4")
    process = quire.start("mirror", *mirror.command("--include-pattern", "docs", "--concurrency", "1"))
    site.wait(path="/docs/4")
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    site.release("/docs/4")
    assert mirror.statistics["filtered_count"] == 11
    check_the_counts(mirror)

    site.clear()
    same = mirror.crawl(include_pattern=("docs",))
    assert sorted(site.asked()) == sorted(f"/docs/{number}" for number in range(4, 10))
    assert not [event for event in same.events if isinstance(event, UrlRejected)]
    assert mirror.statistics["filtered_count"] == 11
    check_the_counts(mirror)

    site.clear()
    finished = mirror("--include-pattern", "docs", "--include-pattern", "blog/[0-4]")
    assert finished.status == 0
    assert "filters changed" in finished.err
    assert sorted(site.asked()) == sorted(f"/blog/{number}" for number in range(5))
    assert mirror.statistics["filtered_count"] == 6
    check_the_counts(mirror)

    site.clear()
    mirror.crawl(exclude_paths="/blog/deep")
    assert sorted(site.asked()) == sorted(f"/blog/{number}" for number in range(5, 10))
    assert mirror.manifest["filtered_urls"] == [f"{site.url}/blog/deep"]
    check_the_counts(mirror)


def test_narrower_filters_drop_what_waits(site: Site, mirror: Mirror) -> None:
    """F7: URLs that wait are judged by the new filters too"""
    site.page("/", links=[f"/{section}/{number}" for number in range(5) for section in ("a", "b")])
    for number in range(5):
        site.page(f"/a/{number}", f"<p>a{number}</p>")
        site.page(f"/b/{number}", f"<p>b{number}</p>")
    mirror.crawl(max_pages=3, concurrency=1)
    site.clear()
    mirror.crawl(exclude_paths="/b", concurrency=1)
    assert all(path.startswith("/a/") for path in site.asked())
    assert "/b/4" not in mirror.pages
    assert mirror.statistics["pending_count"] == 0
    check_the_counts(mirror)


def test_filters_hold_for_an_update_too(site: Site, mirror: Mirror) -> None:
    """F7, S13"""
    listed(site, ["/docs/a", "/blog/b"])
    mirror.crawl(include_paths="/docs")
    mirror.crawl(include_paths="/docs", update=True)
    assert set(mirror.pages) == {"/", "/docs/a"}
    check_the_counts(mirror)
    mirror.crawl(update=True)
    assert set(mirror.pages) == {"/", "/docs/a", "/blog/b"}
    check_the_counts(mirror)
