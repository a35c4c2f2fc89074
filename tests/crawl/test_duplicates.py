"""The same content once: the duplicate detection scenarios of content-mirroring (S9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quire_test_site import Site

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


def test_explicit_duplicate(site: Site, mirror: Mirror) -> None:
    """S9, D10, U3: the same URL many times, in other spellings too, is one request and one page"""
    links = [
        "/a",
        "/a#x",
        f"{site.url}/a",
        f"HTTP://127.0.0.1:{site.port}/a",
        "/b/../a",
        "/%61",
        "/a?utm_source=news",
        "/a?fbclid=1&gclid=2",
        "/q?b=2&a=1",
        "/q?a=1&b=2",
        "/q?a=1&b=2&utm_medium=x",
    ]
    site.page("/", links=links * 2)
    site.sitemap("/sitemap.xml", ["/a", "/a", "/a#fragment", "/b", "/"])
    site.page("/a", "<p>A</p>", links=links)
    site.page("/b", "<p>B</p>", links=["/", "/a"])
    site.page("/q", "<p>Q</p>")
    mirror.crawl()
    assert sorted(site.paths()) == ["/", "/a", "/b", "/q?b=2&a=1", "/robots.txt", "/sitemap.xml", "/sitemap_index.xml"]
    assert set(mirror.pages) == {"/", "/a", "/b", "/q?b=2&a=1"}
    assert mirror.statistics["total_urls"] == 4
    assert mirror.statistics["total_urls_in_sitemap"] == 3


def test_redirect_deduplication(site: Site, mirror: Mirror) -> None:
    """S9, R8: A redirects to B and both are in the sitemap: B is requested once, and A is its duplicate"""
    site.sitemap("/sitemap.xml", ["/A", "/B", "/C", "/D"])
    site.page("/", links=["/E"])
    site.redirect("/A", "/B")
    site.redirect("/C", "/E", status=302)
    site.redirect("/D", "/E?utm_source=x", status=307)
    site.redirect("/E", "/F", status=308)
    site.page("/B", "<p>B</p>")
    site.page("/F", "<p>F</p>")
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/B", "/F"}
    for path in ("/A", "/B", "/C", "/D", "/F"):
        assert site.count(path) == 1, path
    assert site.count("/E") + site.count("/E?utm_source=x") == 1
    assert set(mirror.listed("duplicates").values()) == {"redirect"}
    details = {mirror.short(each["url"]): mirror.short(each["detail"]) for each in mirror.manifest["duplicates"]}
    assert details["/A"] == "/B"
    assert mirror.files() == {"index.md", "B/index.md", "F/index.md"}


def test_canonical_url_detection(site: Site, mirror: Mirror) -> None:
    """S9: the canonical page is kept; copies are duplicates of it and leave no file"""
    site.page("/", links=["/copy", "/print?page=1", "/relative/copy"])
    site.page("/copy", "<p>The text</p>", head=canonical(f"{site.url}/canonical"))
    site.page("/print", "<p>The text to print</p>", head=canonical("/canonical#top"))
    site.page("/relative/copy", "<p>The text</p>", head=canonical("../canonical"))
    site.page("/canonical", "<p>The text</p>", head=canonical("/canonical"), links=["/further"])
    site.page("/further", "<p>More</p>")
    finished = mirror()
    assert finished.status == 0
    assert set(mirror.pages) == {"/", "/canonical", "/further"}
    assert mirror.files() == {"index.md", "canonical/index.md", "further/index.md"}
    assert mirror.listed("duplicates") == dict.fromkeys(["/copy", "/print?page=1", "/relative/copy"], "canonical")
    assert mirror.statistics["duplicate_count"] == 3
    site.clear()
    mirror.crawl()
    assert site.hits == []


def test_a_canonical_that_is_a_lie_is_ignored(site: Site, mirror: Mirror) -> None:
    """S9: one that 404s, fails, is filtered, on another site, no URL, or leads in a circle"""
    lies = {
        "/dead": "/missing",
        "/failing": "/broken",
        "/filtered": "/secret/page",
        "/foreign": f"{site.url_on('127.0.0.2')}/page",
        "/nonsense": "http://[x",
        "/empty": "",
        "/circle1": "/circle2",
        "/circle2": "/circle1",
        "/file": "/manual.pdf",
    }
    site.page("/", links=list(lies))
    for path, target in lies.items():
        site.page(path, f"<p>This is {path}</p>", head=canonical(target))
    site.page("/broken", status=500)
    site.page("/secret/page", "<p>Secret</p>")
    mirror.crawl(exclude_paths="/secret")
    assert set(mirror.pages) == {"/", *lies}
    assert mirror.manifest["duplicates"] == []
    assert site.paths("127.0.0.2") == []
    for path in lies:
        assert f"This is {path}" in mirror.body(path)


def test_canonicals_that_point_everywhere_at_the_root_are_ignored(site: Site, mirror: Mirror) -> None:
    """S9: a template's mistake does not cost the site; a real copy of the front page is one"""
    head = canonical(site.url)
    site.page("/", "<h1>Home</h1>", title="Home", head=head, links=["/a", "/b", "/?lang=en"])
    site.page("/a", "<h1>Page A</h1>", title="A", head=head)
    site.page("/b", "<h1>Page B</h1>", title="B", head=head)
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/a", "/b"}
    assert mirror.listed("duplicates") == {"/?lang=en": "canonical"}


def test_canonicals_that_point_everywhere_at_one_page_are_ignored(site: Site, mirror: Mirror) -> None:
    """S9, U7: the same mistake, on a site whose front page is not the host's root"""
    head = canonical("/docs/")
    site.page("/docs/", "<h1>Docs</h1>", title="Docs", head=head, links=[f"/docs/{number}" for number in range(6)])
    for number in range(6):
        site.page(f"/docs/{number}", f"<h1>Chapter {number}</h1>", title=f"Chapter {number}", head=head)
    mirror.crawl("/docs/")
    assert len(mirror.pages) == 7


def test_a_chain_of_canonicals_loses_nothing(site: Site, mirror: Mirror) -> None:
    """S9"""
    site.page("/", links=["/a", "/b", "/c"])
    site.page("/a", "<p>Text</p>", head=canonical("/b"))
    site.page("/b", "<p>Text</p>", head=canonical("/c"))
    site.page("/c", "<p>Text</p>", head=canonical("/c"))
    mirror.crawl()
    assert "/c" in mirror.pages
    assert "/b" not in mirror.pages


def test_canonical_and_redirect_together(site: Site, mirror: Mirror) -> None:
    """S9: a canonical that redirects, and a redirect to a copy"""
    site.page("/", links=["/old", "/page"])
    site.redirect("/old", "/copy")
    site.page("/copy", "<p>Text of it</p>", head=canonical("/page"))
    site.page("/page", "<p>Text of it</p>", head=canonical("/moved"))
    site.redirect("/moved", "/page")
    mirror.crawl()
    assert "/page" in mirror.pages
    assert "/old" in mirror.listed("duplicates")
    assert site.count("/page") == site.count("/copy") == site.count("/moved") == 1


def test_equal_content_is_reported_not_dropped(site: Site, mirror: Mirror) -> None:
    """S9, S11"""
    site.page("/", links=["/one", "/two", "/three"])
    site.page("/one", "<p>The same</p>", title="One")
    site.page("/two", "<p>The same</p>", title="Two")
    site.page("/three", "<p>Different</p>")
    mirror.crawl()
    assert mirror.manifest["equal_content"] == [[f"{site.url}/one", f"{site.url}/two"]]
    assert set(mirror.pages) == {"/", "/one", "/two", "/three"}


def test_case_and_queries_as_the_user_wants_them(site: Site, mirror: Mirror) -> None:
    """U3, U4: --ignore-case and --query"""
    site.page("/", links=["/Page", "/page", "/p?id=1", "/p?id=2", "/p?id=2&utm_source=x"])
    for path in ("/Page", "/page", "/p"):
        site.page(path, f"<p>{path}</p>")
    mirror.crawl(ignore_case=True, query="none")
    assert len(mirror.pages) == 3
    mirror.crawl(fresh=True, query="all")
    assert len(mirror.pages) == 6
    mirror.crawl(fresh=True, noise_params=("id",))
    assert len(mirror.pages) == 4
