"""Where URLs come from: sitemaps, feeds and every kind of link, as whole crawls (D1-D6, D10)."""

from __future__ import annotations

import gzip
import time
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Site

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror


def pages(site: Site, *paths: str) -> None:
    for path in paths:
        site.page(path, f"<p>{path}</p>")


def test_sitemaps_are_found_in_robots_txt_and_by_convention(site: Site, mirror: Mirror) -> None:
    """D1, D2, D3: robots lines, /sitemap.xml, /sitemap_index.xml, --sitemap; index, gz, text; each read once"""
    pages(site, "/", "/robots1", "/robots2", "/plain", "/nested", "/packed", "/second", "/extra", "/base")
    robots = f"Sitemap: {site.url}/one.xml\nUser-agent: *\nDisallow:\nsitemap: /two.txt\nSitemap: {site.url}/one.xml"
    site.robots(robots)
    site.sitemap("/one.xml", ["/robots1"])
    site.raw("/two.txt", f"{site.url}/robots2\nrelative\n{site.url}/base\n".encode(), "text/plain")
    site.sitemap_index("/sitemap.xml", ["/nested.xml", "/packed.xml.gz", "/one.xml", "/missing.xml", "/sitemap.xml"])
    site.sitemap("/nested.xml", ["/nested", "/plain"])
    site.sitemap("/packed.xml.gz", ["/packed"], gzip=True)
    site.sitemap("/sitemap_index.xml", ["/second"])
    site.sitemap("/mine/extra", ["/extra"])
    finished = mirror("--sitemap", f"{site.url}/mine/extra", "--discover", "sitemap")
    assert finished.status == 0
    assert set(mirror.pages) == {
        "/",
        "/robots1",
        "/robots2",
        "/plain",
        "/nested",
        "/packed",
        "/second",
        "/extra",
        "/base",
    }
    for name in ("/one.xml", "/two.txt", "/sitemap.xml", "/nested.xml", "/packed.xml.gz", "/mine/extra"):
        assert site.count(name) == 1, name
    assert any("/missing.xml" in line for line in finished.err.splitlines() if line.startswith("Warning"))
    assert mirror.statistics["total_urls_in_sitemap"] == 8


def test_gz_is_told_by_content_not_by_name(site: Site, mirror: Mirror) -> None:
    """D3: packed without the name, named without being packed, and packed twice by the server"""
    pages(site, "/", "/a", "/b", "/c")
    site.sitemap("/sitemap.xml", ["/a"], gzip=True)
    site.sitemap("/named.xml.gz", ["/b"])
    xml = f"<urlset><url><loc>{site.url}/c</loc></url></urlset>".encode()
    site.raw("/twice.xml.gz", gzip.compress(xml), "application/gzip", encoding="gzip")
    site.robots(f"Sitemap: {site.url}/named.xml.gz\nSitemap: {site.url}/twice.xml.gz")
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/a", "/b", "/c"}


def test_what_a_sitemap_names_is_kept(site: Site, mirror: Mirror) -> None:
    """D3, D5: CDATA, entities, namespaces, BOM; broken XML yields what could be read; no .xml and no relative locs"""
    pages(site, "/", "/cdata", "/a", "/late", "/broken")
    site.page("/q?x=1&y=2", "<p>Query</p>")
    site.raw(
        "/sitemap.xml",
        b"\xef\xbb\xbf"
        + f"""<?xml version="1.0"?>
        <s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://example.com/image">
        <s:url><s:loc><![CDATA[ {site.url}/cdata ]]></s:loc><s:lastmod>2024-02-03</s:lastmod>
          <image:image><image:loc>{site.url}/picture</image:loc></image:image></s:url>
        <s:url><s:loc>{site.url}/q?x=1&amp;y=2</s:loc><s:priority>0.7</s:priority></s:url>
        <s:url><s:loc>/relative</s:loc></s:url>
        <s:url><s:loc>ftp://127.0.0.1/file</s:loc></s:url>
        <s:url><s:loc>{site.url}/feed.xml</s:loc></s:url>
        <s:url><s:loc>http://127.0.0.9/foreign</s:loc></s:url>
        <s:url><s:loc>{site.url}/a & b</s:loc></s:url>
        <s:url><s:loc>{site.url}/late</s:loc></s:url>
        <s:url><s:loc>{site.url}/broken</s:loc>""".encode(),
        "text/xml",
    )
    mirror.crawl(discover="sitemap")
    assert {"/cdata", "/q?x=1&y=2", "/late"} <= set(mirror.pages)
    assert mirror.pages["/cdata"]["lastmod"] == "2024-02-03"
    assert site.count("/picture") == site.count("/relative") == site.count("/feed.xml") == 0
    assert mirror.statistics["external_count"] == 1


def test_a_sitemap_as_start_url(site: Site, mirror: Mirror) -> None:
    """C1, D1: its pages are mirrored, and what they link to"""
    pages(site, "/docs/a", "/docs/b", "/docs/linked")
    site.page("/docs/a", "<p>A</p>", links=["/docs/linked"])
    site.sitemap("/docs/map.xml", ["/docs/a", "/docs/b"])
    finished = mirror(start="/docs/map.xml")
    assert finished.status == 0
    assert set(mirror.pages) == {"/docs/a", "/docs/b", "/docs/linked"}
    assert site.count("/docs/map.xml") == 1
    site.clear()
    assert mirror(start="/docs/map.xml").status == 0
    assert site.hits == []


def test_an_empty_or_missing_sitemap_as_start_url_is_told(site: Site, mirror: Mirror) -> None:
    """C1, C9, C10: nothing was saved, so the status says so, and the reason is named"""
    site.sitemap("/empty.xml", [])
    finished = mirror(start="/empty.xml")
    assert finished.status == 1
    finished = mirror("--fresh", start="/missing.xml")
    assert finished.status == 1
    assert "404" in finished.err
    assert "Traceback" not in finished.err


FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>{0}/</link>
<item><title>One</title><link>{0}/one</link></item><item><link>{0}/two</link></item></channel></rss>"""


@pytest.mark.parametrize("options", [{}, {"discover": "links"}, {"discover": "sitemap"}])
def test_a_feed_as_start_url(site: Site, mirror: Mirror, options: dict[str, str]) -> None:
    """C1, D3: served without an ending that would tell, whatever else is discovered"""
    pages(site, "/one", "/two", "/")
    site.raw("/feed", FEED.format(site.url).encode(), "application/rss+xml")
    mirror.crawl("/feed", **options)
    assert {"/one", "/two"} <= set(mirror.pages)
    assert site.count("/one") == 1


def test_a_feed_beside_another_start_url(site: Site, mirror: Mirror) -> None:
    """C1: each start URL is looked at, not only the first of its host"""
    pages(site, "/", "/one", "/two")
    site.raw("/feed", FEED.format(site.url).encode(), "application/rss+xml")
    mirror.crawl(("/", "/feed"))
    assert set(mirror.pages) == {"/", "/one", "/two"}


def test_atom_feeds_and_lists_of_urls(site: Site, mirror: Mirror) -> None:
    """D3"""
    pages(site, "/", "/entry", "/line")
    atom = f"""<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="{site.url}/atom"/>
    <entry><link rel="alternate" href="{site.url}/entry"/><updated>2024-01-02T03:04:05Z</updated></entry></feed>"""
    site.raw("/atom", atom.encode(), "application/atom+xml")
    site.raw("/list", f"{site.url}/line\r\n".encode(), "text/plain")
    mirror.crawl(sitemap=(f"{site.url}/atom", f"{site.url}/list"))
    assert set(mirror.pages) == {"/", "/entry", "/line"}


def test_discover_sitemap_or_links_only(site: Site, mirror: Mirror) -> None:
    """D1"""
    pages(site, "/listed", "/linked", "/linked-by-listed")
    site.page("/", links=["/linked"])
    site.page("/listed", links=["/linked-by-listed"])
    site.sitemap("/sitemap.xml", ["/listed"])
    mirror.crawl(discover="sitemap")
    assert set(mirror.pages) == {"/", "/listed"}
    site.clear()
    mirror.crawl(discover="links", fresh=True)
    assert set(mirror.pages) == {"/", "/linked"}
    assert site.count("/sitemap.xml") == site.count("/sitemap_index.xml") == 0
    mirror.crawl(fresh=True)
    assert set(mirror.pages) == {"/", "/linked", "/listed", "/linked-by-listed"}


def test_a_slow_sitemap_costs_only_itself(site: Site, mirror: Mirror) -> None:
    """D4: root and nested ones have their own time; what was found before counts"""
    pages(site, "/", "/first", "/second", "/third", "/linked", "/never")
    site.page("/", links=["/linked"])
    site.sitemap_index("/sitemap.xml", ["/1.xml", "/hangs.xml", "/3.xml"])
    site.sitemap("/1.xml", ["/first"])
    site.sitemap("/hangs.xml", ["/never"])
    site.sitemap("/3.xml", ["/third"])
    site.sitemap("/sitemap_index.xml", ["/second"])
    site.hang("/hangs.xml")
    site.drip("/sitemap_index.xml", 400)
    begun = time.monotonic()
    finished = mirror("--nested-sitemap-timeout", "0.3", "--sitemap-timeout", "2")
    assert time.monotonic() - begun < 8
    assert finished.status == 0
    assert {"/", "/first", "/third", "/linked"} <= set(mirror.pages)
    assert "/never" not in mirror.pages
    assert any("/hangs.xml" in line and "--nested-sitemap-timeout" in line for line in finished.err.splitlines())


def test_all_sitemaps_together_have_a_time(site: Site, mirror: Mirror) -> None:
    """D4"""
    pages(site, "/", "/first")
    site.sitemap_index("/sitemap.xml", ["/0.xml", *(f"/{number}.xml" for number in range(1, 20))])
    site.sitemap("/0.xml", ["/first"])
    for number in range(1, 20):
        site.hang(f"/{number}.xml")
    begun = time.monotonic()
    finished = mirror("--nested-sitemap-timeout", "0.3", "--sitemap-total-timeout", "1")
    assert time.monotonic() - begun < 5
    assert set(mirror.pages) == {"/", "/first"}
    assert "--sitemap-total-timeout" in finished.err


def test_sitemap_indexes_nest_two_levels(site: Site, mirror: Mirror) -> None:
    """D4, R5: index, index, urlset is read; a third index level is not, and that is said"""
    pages(site, "/", "/two", "/three", "/zero")
    site.sitemap_index("/sitemap.xml", ["/level1.xml"])
    site.sitemap_index("/level1.xml", ["/level2.xml", "/pages.xml"])
    site.sitemap("/pages.xml", ["/two"])
    site.sitemap_index("/level2.xml", ["/level3.xml"])
    site.sitemap("/level3.xml", ["/three"])
    finished = mirror()
    assert set(mirror.pages) == {"/", "/two"}
    assert site.count("/level3.xml") == 0
    assert "--sitemap-depth" in finished.err
    mirror("--fresh", "--sitemap-depth", "3")
    assert "/three" in mirror.pages


def test_a_large_sitemap_is_streamed(site: Site, mirror: Mirror) -> None:
    """D4, X1: 50,000 URLs"""
    site.page("/", "<p>Home</p>")
    site.sitemap("/sitemap.xml", lambda: (f"/item/{number}" for number in range(50_000)))
    site.page("/item/7", "<p>Seven</p>")
    mirror.crawl(include_pattern=("/item/7$",), discover="sitemap", trap_budget=0)
    assert set(mirror.pages) == {"/", "/item/7"}
    assert mirror.statistics["total_urls_in_sitemap"] == 50_000
    assert mirror.statistics["filtered_count"] == 49_999


def test_links_of_every_kind_are_followed(site: Site, mirror: Mirror) -> None:
    """D6: and each remembers its source"""
    kinds = {
        "/a": "<a href=/a>unquoted</a>",
        "/area": '<map><area href="/area"></map>',
        "/data-href": '<div data-href="/data-href">x</div>',
        "/data-url": '<span data-url="/data-url">x</span>',
        "/data-link": '<span data-link="/data-link">x</span>',
        "/onclick": "<b onclick=\"window.location.href = '/onclick'\">x</b>",
        "/assign": "<b onclick='location.assign(\"/assign\")'>x</b>",
        "/navigate": '<button data-navigate="/navigate">x</button>',
        "/role": '<div role="link" data-href="/role">x</div>',
        "/next-link": '<div data-next-link="/next-link">x</div>',
        "/router": '<div data-router-link="/router">x</div>',
        "/json": '<script type="application/ld+json">{"url": "/json", "mainEntityOfPage": {"@id": "/json2"}}</script>',
        "/json2": "",
        "/loc": "<loc>http://127.0.0.1:PORT/loc</loc>",
        "/iframe": '<iframe src="/iframe"></iframe>',
        "/svg": '<svg><a xlink:href="/svg"><text>x</text></a></svg>',
        "/nested": '<p><table><a href="/nested">x</table>',
    }
    head = '<link rel="next" href="/next"><link rel=prev href=/prev><meta http-equiv=refresh content="9;url=/refresh">'
    body = "\n".join(kinds.values()).replace("PORT", str(site.port))
    site.page("/", body, head=head)
    expected = {*kinds, "/next", "/prev", "/refresh"}
    pages(site, *expected)
    mirror.crawl()
    assert set(mirror.pages) - {"/"} == expected
    assert all(site.count(path) == 1 for path in expected)


def test_links_resolve_against_base_and_the_final_url(site: Site, mirror: Mirror) -> None:
    """U5, D6: `<base href>`, and the URL that answered after redirects"""
    site.page("/", '<a href="page">x</a>', head='<base href="/below/">', links=[])
    site.page("/below/page", '<a href="../moved">x</a> <a href="?q=1">y</a>')
    site.redirect("/moved", "/there/it/is")
    site.page("/there/it/is", '<a href="beside">x</a> <img src="pic.png">')
    pages(site, "/there/it/beside")
    site.page("/below/page?q=1", "<p>Query</p>")
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/below/page", "/there/it/is", "/there/it/beside", "/below/page?q=1"}
    assert f"[x]({site.url}/below/page)" in mirror.body("/")
    assert f"![]({site.url}/there/it/pic.png)" in mirror.body("/there/it/is")


def stub(target: str, seconds: str = "0") -> str:
    return f'<meta http-equiv="refresh" content="{seconds}; url={target}">'


def test_a_page_that_only_sends_its_readers_elsewhere_is_a_redirect(site: Site, mirror: Mirror) -> None:
    """D6, S9: as browsers show it; in no file, and the start page may be one"""
    site.page("/", "<p>Redirecting to <a href=/docs/>the documents</a>.</p>", head=stub("/docs/"))
    site.page("/docs/", links=["/old", "/slow", "/long", "/quiet", "/self"])
    site.page("/old", "", head=stub("new#part"))
    site.page("/new", "<p>New</p>")
    site.page("/slow", "<p>Slow</p>", head=stub("/new", "5"))
    site.page("/long", f"<p>{'It says something. ' * 20}</p>", head=stub("/new"))
    site.page("/quiet", "<p>Quiet</p>", head=f"<noscript>{stub('/new')}</noscript>")
    site.page("/self", "<p>Self</p>", head=stub("/self"))
    mirror.crawl()
    assert set(mirror.pages) == {"/docs", "/new", "/slow", "/long", "/quiet", "/self"}
    assert mirror.listed("duplicates") == {"/": "redirect", "/old": "redirect"}


def test_pages_that_send_their_readers_to_each_other_are_told(site: Site, mirror: Mirror) -> None:
    """D6: never a hang"""
    site.page("/", links=["/a"])
    site.page("/a", "", head=stub("/b"))
    site.page("/b", "", head=stub("/a"))
    assert mirror("--delay", "0").status == 1
    assert set(mirror.pages) == {"/"}
    assert site.count("/a") == site.count("/b") == 1
