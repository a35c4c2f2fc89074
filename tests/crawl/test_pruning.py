"""What an update may delete: only pages of which the whole site was asked, and which it does not name (S13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Quire, Site

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

OLD = "2020-01-01"


def test_a_start_page_that_counts_as_fresh_hides_no_sitemap(site: Site, mirror: Mirror) -> None:
    """S13, D1: a sitemap that the user names lists the start URL with an old date; the site's own are read"""
    site.page("/", "<p>Home</p>", etag=True)
    site.page("/only", "<p>Only the site's sitemap names it</p>")
    site.sitemap("/extra.xml", [{"loc": "/", "lastmod": OLD}])
    site.sitemap("/pages.xml", ["/only"])
    site.robots(f"Sitemap: {site.url}/pages.xml\n")
    extra = [f"{site.url}/extra.xml"]
    mirror.crawl(sitemap=extra)
    site.clear()
    crawled = mirror.crawl(sitemap=extra, update=True, prune=True)
    assert crawled.finished.clean
    assert site.count("/pages.xml") == 1
    assert mirror.files() == {"index.md", "only/index.md"}


def test_an_update_that_is_killed_over_its_sitemaps_loses_nothing(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S13, S5: it goes on as if it had not been killed, also with the start URL, which was listed with an old date"""
    site.page("/", "<p>Home</p>")
    site.page("/only", "<p>Only the second sitemap names it</p>")
    site.sitemap_index("/sitemap.xml", ["/one.xml", "/two.xml"])
    # More than the engine takes in at once, so that it has written them down before it reads on.
    site.sitemap("/one.xml", [{"loc": "/", "lastmod": OLD}, *(f"/missing/{number}" for number in range(600))])
    site.sitemap("/two.xml", ["/only"])
    mirror.crawl()
    site.change("/", "<p>Home, changed</p>")
    site.hang("/two.xml")
    site.clear()
    process = quire.start("mirror", *mirror.command("--update", "--prune"))
    site.wait(path="/two.xml")
    process.kill()
    process.wait()
    site.release("/two.xml")
    finished = mirror("--update", "--prune")
    assert finished.status == 0, finished.err
    assert mirror.files() == {"index.md", "only/index.md"}
    assert mirror.body("/") == "Home, changed\n"


def forbidden(site: Site) -> None:
    site.fail("/sitemap.xml", status=403)


def behind_a_login(site: Site) -> None:
    site.redirect("/sitemap.xml", "/login")
    site.page("/login", "<p>Log in</p>")


def disallowed(site: Site) -> None:
    site.robots("User-agent: *\nDisallow: /sitemap.xml\n")


@pytest.mark.parametrize("is_index", [False, True])
@pytest.mark.parametrize("trouble", [forbidden, behind_a_login, disallowed])
def test_a_sitemap_that_was_there_and_cannot_be_read_prunes_nothing(
    site: Site, mirror: Mirror, trouble: Callable[[Site], None], is_index: bool
) -> None:
    """S13, D4: nobody names it, but the last crawl has read it; it is told, and what only it names stays"""
    site.page("/", "<p>Home</p>")
    site.page("/listed", "<p>Listed</p>")
    if is_index:
        site.sitemap_index("/sitemap.xml", ["/pages.xml"])
    site.sitemap("/pages.xml" if is_index else "/sitemap.xml", ["/listed"])
    mirror.crawl()
    trouble(site)
    finished = mirror("--update", "--prune")
    assert "/sitemap.xml: " in finished.err
    assert "listed/index.md" in mirror.files()


@pytest.mark.parametrize("status", [404, 410])
def test_a_sitemap_that_the_site_has_withdrawn_names_no_page(site: Site, mirror: Mirror, status: int) -> None:
    """S13, D4: as with a page, the site's word counts"""
    site.page("/", "<p>Home</p>")
    site.page("/listed", "<p>Listed</p>")
    site.sitemap("/sitemap.xml", ["/listed"])
    mirror.crawl()
    site.fail("/sitemap.xml", status=status)
    finished = mirror("--update", "--prune")
    assert "sitemap http" not in finished.err
    assert mirror.files() == {"index.md"}


def test_a_sitemap_that_never_was_one_costs_no_word(site: Site, mirror: Mirror) -> None:
    """S13, D4: not all sites say with a 404 that they have none"""
    site.page("/", "<p>Home</p>", links=["/gone"])
    site.page("/gone", "<p>Gone</p>")
    site.fail("/sitemap.xml", status=403)
    site.page("/sitemap_index.xml", "<p>Nothing here</p>")
    mirror.crawl()
    site.page("/", "<p>Home</p>")
    finished = mirror("--update", "--prune")
    assert "sitemap http" not in finished.err
    assert mirror.files() == {"index.md"}


def test_pages_that_robots_txt_has_come_to_forbid_stay(site: Site, mirror: Mirror) -> None:
    """S13, F8: with their files as they were, and with what only they lead to; filters that refuse them delete them"""
    site.page("/", "<p>Home</p>", links=["/private/", "/gone"])
    site.page("/gone", "<p>Gone</p>")
    site.page("/private/", "<p>Private</p>", links=["/private/below", "/open"])
    site.page("/private/below", "<p>Below</p>")
    site.page("/open", "<p>Open</p>")
    mirror.crawl()
    site.robots("User-agent: *\nDisallow: /private/\n")
    site.remove("/gone")
    site.clear()
    for _ in range(2):
        assert mirror("--update", "--prune").status == 0
        assert mirror.files() == {"index.md", "open/index.md", "private/index.md", "private/below/index.md"}
        assert set(mirror.pages) == {"/", "/open"}
    assert "/private/" not in site.paths()
    mirror.crawl(update=True, prune=True, exclude_paths="/private")
    assert mirror.files() == {"index.md"}
    assert mirror.pages.keys() == {"/"}


def test_a_site_that_is_out_of_order_empties_no_mirror(site: Site, mirror: Mirror) -> None:
    """S13: it answers 200 and leads nowhere; once it is back, nothing was removed or added"""
    paths = [f"/{number}" for number in range(24)]
    for path in paths:
        site.page(path, f"<p>Page {path}</p>")
    site.page("/", "<p>Home</p>", links=paths)
    mirror.crawl()
    site.change("/", "<p>Back soon</p>", links=[])
    finished = mirror("--update", "--prune")
    assert finished.status == 0
    assert "24 pages that were there were not found any more" in finished.err
    assert mirror.manifest["changes"]["removed"] == []
    assert len([name for name in mirror.files() if name.endswith("/index.md")]) >= 24
    site.change("/", "<p>Home</p>", links=paths)
    finished = mirror("--update", "--prune")
    assert "not found" not in finished.err
    assert set(mirror.pages) == {"/", *paths}
    assert mirror.manifest["changes"] == {"added": [], "changed": [f"{site.url}/"], "removed": []}


def test_a_site_that_has_moved_its_pages_or_lost_many_is_believed(site: Site, mirror: Mirror) -> None:
    """S13: as many new pages as old ones, or an eighth of them"""
    for folder, count in (("old", 24), ("new", 24), ("newest", 2)):
        paths = [f"/{folder}/{number}" for number in range(count)]
        for path in paths:
            site.page(path, f"<p>Page {path}</p>")
        site.page("/", "<p>Home</p>", links=paths)
        assert mirror("--update", "--prune").status == 0
        assert set(mirror.pages) == {"/", *paths}
        assert {name.split("/")[0] for name in mirror.files() if "/" in name and name[0] != "_"} == {folder}


def test_a_filter_that_leaves_little_is_meant(site: Site, mirror: Mirror) -> None:
    """S13, F7"""
    paths = ["/index/", *(f"/a/{number}" for number in range(24))]
    for path in paths:
        site.page(path, f"<p>Page {path}</p>", links=paths)
    site.page("/", "<p>Home</p>", links=["/index/"])
    mirror.crawl()
    mirror.crawl(update=True, prune=True, exclude_paths="/index")
    assert set(mirror.pages) == {"/"}
    assert len(mirror.manifest["changes"]["removed"]) == 25
