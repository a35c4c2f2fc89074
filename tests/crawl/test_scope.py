"""What belongs to the site: the url-rules as whole crawls (U1-U10, R1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from quire_test_site import Answer, Hit, Page, Site

from quire.events import Notice

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror


def pages(site: Site, *paths: str) -> None:
    for path in paths:
        site.page(path, f"<p>{path}</p>")


def test_requests_go_out_as_the_site_wrote_them(site: Site, mirror: Mirror) -> None:
    """U5, U1, U2: slashes, escapes and queries are sent as written, shown in normal form, and cost one request each"""
    written = ["/docs/", "/%7Euser", "/a%20b", "/CamelCase", "/q?b=2&a=%31", "/x//y/", "/caf%c3%a9"]
    site.page("/", links=[*written, "/ünicode", "/space here"])
    asked_for: list[str] = []

    async def strict(hit: Hit) -> Answer:
        asked_for.append(hit.path)
        return Page(f"<p>{hit.path}</p>").answer()

    site.on("/", strict)
    site.robots("")
    mirror.crawl(discover="links")
    assert sorted(asked_for) == sorted([*written, "/%C3%BCnicode", "/space%20here"])
    assert set(mirror.pages) == {
        "/",
        "/docs",
        "/~user",
        "/a%20b",
        "/CamelCase",
        "/q?b=2&a=1",
        "/x//y",
        "/caf%C3%A9",
        "/%C3%BCnicode",
        "/space%20here",
    }


def test_a_redirect_to_the_slash_costs_one_redirect_and_one_file(site: Site, mirror: Mirror) -> None:
    """U5, R8, S9"""
    site.page("/", links=["/docs", "/guide/"])
    site.redirect("/docs", "/docs/")
    site.page("/docs/", '<a href="intro">Intro</a>')
    pages(site, "/docs/intro")
    site.redirect("/guide/", "/guide")
    pages(site, "/guide")
    finished = mirror()
    assert finished.status == 0
    assert sorted(site.asked()) == ["/", "/docs", "/docs/", "/docs/intro", "/guide", "/guide/"]
    assert mirror.files() == {"index.md", "docs/index.md", "docs/intro/index.md", "guide/index.md"}
    assert set(mirror.pages) == {"/", "/docs", "/docs/intro", "/guide"}
    assert mirror.statistics["total_urls"] == 4


def test_only_the_same_host_and_port_is_the_site(site: Site, mirror: Mirror) -> None:
    """U6, U8: another host, another port and a subdomain are recorded, not crawled"""
    other = site.url_on("127.0.0.2")
    links = [f"{other}/a", f"{other}/b", f"http://127.0.0.1:{site.port + 1}/", "http://www.127.0.0.1.example/", "/in"]
    site.page("/", links=links)
    pages(site, "/in", "/a", "/b")
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/in"}
    assert site.asked("127.0.0.2") == []
    assert mirror.statistics["external_count"] == 4


def test_several_start_urls_are_several_bases(site: Site, mirror: Mirror) -> None:
    """U6, U7: each with its own host and path, in one mirror"""
    other = site.url_on("127.0.0.2")
    site.page("/docs", links=["/docs/a", "/blog/x", f"{other}/in", f"{other}/api/y"])
    site.page(f"{other}/api", links=["/api/z", f"{site.url}/docs/b", f"{site.url}/out"])
    pages(site, "/docs/a", "/docs/b", "/blog/x", "/api/y", "/api/z", "/in", "/out")
    mirror.crawl(("/docs", f"{other}/api"))
    assert set(mirror.pages) == {"/docs", "/docs/a", "/docs/b", f"{other}/api", f"{other}/api/y", f"{other}/api/z"}
    assert mirror.statistics["external_count"] == 3
    folders = {page["path"].partition("/")[0] for page in mirror.manifest["pages"]}
    assert folders == {f"127.0.0.1_{site.port}", f"127.0.0.2_{site.port}"}


@pytest.mark.parametrize(
    ("start", "loose", "expected"),
    [
        ("/api", False, {"/api", "/api/x"}),
        ("/api/", False, {"/api", "/api/x"}),
        ("/api", True, {"/api", "/api/x", "/api-blog"}),
        ("/api/index.html", False, {"/api/index.html", "/api", "/api/x"}),
    ],
)
def test_base_paths(site: Site, mirror: Mirror, start: str, loose: bool, expected: set[str]) -> None:
    """U7: strict by default, plain prefixes with --loose-paths; a page file stands for its folder"""
    links = ["/api", "/api/x", "/api-blog", "/other", "/"]
    pages(site, *links)
    site.page(start, links=links)
    mirror.crawl(start, loose_paths=loose)
    assert set(mirror.pages) == expected


def test_external_links_are_followed_so_many_hops(site: Site, mirror: Mirror) -> None:
    """U8: internal links have depth 0, external ones one more than their page, up to --max-external-hops"""
    two, three = site.url_on("127.0.0.2"), site.url_on("127.0.0.3")
    site.page("/", links=["/in", f"{two}/hop1"])
    pages(site, "/in", "/back")
    site.page(f"{two}/hop1", links=[f"{two}/hop2", f"{three}/hop2", f"{site.url}/back"])
    site.page(f"{two}/hop2", links=[f"{two}/hop3"])
    pages(site, f"{three}/hop2", f"{two}/hop3")
    mirror.crawl(follow_external=True, allow_network="127.0.0.0/8")
    assert set(mirror.pages) == {"/", "/in", f"{two}/hop1", "/back"}
    mirror.crawl(follow_external=True, max_external_hops=2, allow_network="127.0.0.0/8", fresh=True)
    assert set(mirror.pages) == {"/", "/in", f"{two}/hop1", "/back", f"{two}/hop2", f"{three}/hop2"}
    site.clear()
    mirror.crawl(follow_external=True, max_external_hops=0, allow_network="127.0.0.0/8", fresh=True)
    assert site.asked("127.0.0.2") == []


def test_the_shortest_way_outside_counts(site: Site, mirror: Mirror) -> None:
    """U8: a page first met two hops away, and then one hop away, is one hop away"""
    other = site.url_on("127.0.0.2")
    site.page("/", links=[f"{other}/near", "/late"])
    site.page(f"{other}/near", links=[f"{other}/page"])
    site.page("/late", links=[f"{other}/page"])
    pages(site, f"{other}/page")
    site.delay("/late", 0.3)
    mirror.crawl(follow_external=True, allow_network="127.0.0.0/8")
    assert f"{other}/page" in mirror.pages


def test_urls_skipped_outright(site: Site, mirror: Mirror) -> None:
    """U9: schemes, empty and fragment-only hrefs, the page itself; downloads by their extension, not by the query"""
    nothing = ["mailto:a@b.example", "tel:+1", "javascript:void(0)", "data:text/html,x", "ftp://h/x", "#top", "", "/"]
    downloads = ["/a.pdf", "/b.PNG", "/c.css", "/d.js", "/e.zip", "/f.tar.gz", "/g.mp4", "/h.exe", "/i.json", "/j.docx"]
    wanted = ["/page?file=x.pdf", "/v2.7", "/node.js/", "/page.html"]
    site.page("/", links=[*nothing, *downloads, *wanted])
    pages(site, "/page", "/v2.7", "/node.js/", "/page.html")
    mirror.crawl()
    assert sorted(site.asked()) == sorted(["/", *wanted])
    assert mirror.listed("skipped") == dict.fromkeys(downloads, "extension")
    assert mirror.statistics["total_urls"] == 1 + len(downloads) + len(wanted)


def test_bad_urls_are_counted_not_raised(site: Site, mirror: Mirror) -> None:
    """U10, F7: in pages, in sitemaps, in canonicals and in redirects"""
    bad = ["http://[::1", "http://a b/", "http:///", "http://%zz/", "//[x]/", "https://h:99999/"]
    site.page("/", links=[*bad, "/ok", "/redirects"], head='<link rel="canonical" href="http://[">')
    site.sitemap("/sitemap.xml", ["http://[bad/", "http://x:notaport/", "/ok"])
    pages(site, "/ok")
    site.redirect("/redirects", "http://[::bad")
    finished = mirror()
    assert "Traceback" not in finished.err
    assert {"/", "/ok"} == set(mirror.pages)
    invalid = mirror.statistics["invalid_count"]
    assert invalid >= 5
    names = ("filtered", "processed", "failed", "skipped", "duplicate", "external", "invalid", "pending")
    assert mirror.statistics["total_urls"] == sum(mirror.statistics[f"{name}_count"] for name in names)


def test_hostile_markup_does_not_stop_the_crawl(site: Site, mirror: Mirror) -> None:
    """U10, D6: broken bytes, broken tags, a huge attribute, deep nesting, NULs, lone surrogates"""
    site.raw(
        "/",
        b"<a href='/ok'>\xff\xfe</a><a href=/nul\x00byte>x</a><a href='/%ZZ%'>y</a><a href='/\xf0\x9f'>z</a>"
        b"<a href='/&#xD800;'>s</a><a href='" + b"/x" * 100_000 + b'\'>long</a><a href="/deep">d</a>'
        b"<base href='http://['><title>" + b"t" * 100_000,
        "text/html; charset=utf-8",
    )
    pages(site, "/ok")
    site.raw("/deep", b"<div>" * 20_000 + b"<p>bottom</p>", "text/html")
    finished = mirror()
    assert "Traceback" not in finished.err
    assert {"/", "/ok"} <= set(mirror.pages)
    assert mirror.statistics["pending_count"] == 0


def test_a_start_url_that_moved_to_another_host_moves_the_base(site: Site, mirror: Mirror) -> None:
    """R1: the site is where it lands, its robots.txt and sitemap too, and a warning says so"""
    other = site.url_on("127.0.0.2")
    site.redirect(f"{site.url}/", f"{other}/")
    site.page(f"{other}/", links=["/a", f"{site.url}/left-behind", "/private"])
    site.sitemap(f"{other}/sitemap.xml", [f"{other}/listed"])
    site.robots("User-agent: *\nDisallow: /private", host="127.0.0.2")
    pages(site, "/a", "/listed", "/left-behind", "/private")
    finished = mirror("--allow-network", "127.0.0.2")
    assert finished.status == 0
    assert set(mirror.pages) == {f"{other}/", f"{other}/a", f"{other}/listed"}
    assert site.asked("127.0.0.1") == ["/"]
    assert mirror.manifest["crawl"]["bases"] == [f"{other}/"]
    warnings = [line for line in finished.err.splitlines() if line.startswith("Warning")]
    assert any(f"{other}/" in line and f"{site.url}/" in line for line in warnings)
    site.clear()
    assert mirror().status == 0
    assert site.hits == []
    mirror.crawl(update=True, allow_network="127.0.0.2")
    assert set(mirror.pages) == {f"{other}/", f"{other}/a", f"{other}/listed"}


def test_a_start_url_that_moved_on_its_host_moves_the_base_path(site: Site, mirror: Mirror) -> None:
    """R1, U7"""
    site.redirect("/docs", "/en/latest/")
    site.page("/en/latest/", links=["/en/latest/a", "/en/old/b", "/docs/c"])
    pages(site, "/en/latest/a", "/en/old/b", "/docs/c")
    crawled = mirror.crawl("/docs")
    assert {"/en/latest", "/en/latest/a"} <= set(mirror.pages)
    assert "/en/old/b" not in mirror.pages
    assert any(isinstance(event, Notice) and "/en/latest/" in event.text for event in crawled.events)


def test_credentials_stay_with_the_start_host(site: Site, mirror: Mirror) -> None:
    """E1: headers, cookies and passwords do not follow a link or a redirect elsewhere"""
    other = site.url_on("127.0.0.2")
    site.page("/", links=[f"{other}/linked", "/away"])
    site.redirect("/away", f"{other}/redirected")
    pages(site, "/linked", "/redirected")
    reach = {"follow_external": True, "allow_network": "127.0.0.2"}
    mirror.crawl("/", auth="user:secret", cookie=("id=1",), header=("X-Token: t",), **reach)
    assert len(site.paths("127.0.0.2")) >= 3
    for hit in site.hits:
        present = {name for name in ("Authorization", "Cookie", "X-Token") if name in hit.headers}
        assert present == ({"Authorization", "Cookie", "X-Token"} if hit.host == "127.0.0.1" else set()), hit


def test_robots_txt_is_respected(site: Site, mirror: Mirror) -> None:
    """F8: blocked URLs are skipped by that name and not asked for; our own group comes first"""
    site.page("/", links=["/private/a", "/public", "/private/allowed", "/x.php?session=1"])
    pages(site, "/private/a", "/public", "/private/allowed", "/x.php")
    site.robots("User-agent: *\nDisallow: /\n\nUser-agent: quire\nDisallow: /private\nAllow: /private/allowed\n"
                "Disallow: /*?session=")  # fmt: skip
    finished = mirror()
    assert finished.status == 0
    assert sorted(site.asked()) == ["/", "/private/allowed", "/public"]
    assert mirror.listed("skipped") == {"/private/a": "robots", "/x.php?session=1": "robots"}
    site.clear()
    mirror.crawl(fresh=True, ignore_robots=True)
    assert len(mirror.pages) == 5
    assert site.count("/robots.txt") == 0


def test_a_start_url_that_robots_forbids(site: Site, mirror: Mirror) -> None:
    """F8, C9, C10: nothing is fetched, the reason and the way out are told"""
    site.page("/")
    site.robots("User-agent: *\nDisallow: /")
    finished = mirror()
    assert finished.status == 1
    assert site.asked() == []
    assert "robots.txt" in finished.err
    assert mirror.listed("skipped") == {"/": "robots"}


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_robots_txt_with_a_4xx_allows_all(site: Site, mirror: Mirror, status: int) -> None:
    """F8, R10"""
    site.page("/", links=["/a"])
    pages(site, "/a")
    site.page("/robots.txt", "User-agent: *\nDisallow: /", raw=True, status=status)
    assert mirror.crawl().finished.clean
    assert set(mirror.pages) == {"/", "/a"}


def test_robots_txt_with_a_5xx_allows_nothing(site: Site, mirror: Mirror) -> None:
    """F8, R10, C9: the host's URLs are skipped with that reason, and the status is 1; other hosts go on"""
    other = site.url_on("127.0.0.2")
    site.page("/", links=["/a"])
    pages(site, "/a")
    site.fail(f"{other}/robots.txt", status=503)
    finished = mirror(start=("/", f"{other}/"))
    assert finished.status == 1
    assert site.asked("127.0.0.2") == []
    assert mirror.listed("skipped") == {f"{other}/": "robots-unreachable"}
    (skipped,) = mirror.manifest["skipped"]
    assert "503" in skipped["detail"]
    assert set(mirror.pages) == {"/", "/a"}
    assert "503" in finished.err
