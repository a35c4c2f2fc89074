import struct
import weakref

import pytest

from quire.extract.decode import decode
from quire.extract.links import base_of, found_links, read_links
from quire.records import FoundLinks
from quire.targets import PageTargets, Targets
from quire.urls import UrlPolicy, fingerprint_of

PAGE = "https://example.org/docs/intro.html"


def links_of(html: str, url: str = PAGE, limit: int = 10_000) -> FoundLinks:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return found_links(document, url, UrlPolicy(), limit)


def sourced(html: str) -> list[tuple[str, str]]:
    links = links_of(html)
    return list(zip(links.urls, links.sources, strict=True))


@pytest.mark.parametrize(
    ("html", "url", "source"),
    [
        ('<a href="next.html">x</a>', "https://example.org/docs/next.html", "a"),
        ("<a href=next.html>x</a>", "https://example.org/docs/next.html", "a"),
        ('<map><area href="/map"></map>', "https://example.org/map", "area"),
        ('<div data-href="/card"></div>', "https://example.org/card", "data-href"),
        ('<div data-url="card">', "https://example.org/docs/card", "data-url"),
        ('<li data-link="/card">', "https://example.org/card", "data-link"),
        ('<button data-navigate="/go">', "https://example.org/go", "data-navigate"),
        ('<span role="link" href="/role">', "https://example.org/role", "role-link"),
        ('<span role="LINK" data-href="/role">', "https://example.org/role", "data-href"),
        ('<x-link data-next-link href="/next">', "https://example.org/next", "role-link"),
        ('<span data-next-link="/next">', "https://example.org/next", "data-next-link"),
        ('<router-link data-router-link to="/route">', "https://example.org/route", "role-link"),
        ('<span data-router-link="/route">', "https://example.org/route", "data-router-link"),
        ("<urlset><url><loc>https://example.org/m</loc></url></urlset>", "https://example.org/m", "loc"),
        ("<loc><![CDATA[https://example.org/m?a=1&b=2]]></loc>", "https://example.org/m?a=1&b=2", "loc"),
        ('<meta http-equiv="Refresh" content="5; url=/later">', "https://example.org/later", "meta-refresh"),
        ("<meta http-equiv=refresh content=\"0;URL='/a;b'\">", "https://example.org/a;b", "meta-refresh"),
        ('<noscript><meta http-equiv=refresh content="0,/n"></noscript>', "https://example.org/n", "meta-refresh"),
        ('<link rel="next prefetch" href="/p/2">', "https://example.org/p/2", "link-next"),
        ('<link rel=prev href="/p/0">', "https://example.org/p/0", "link-prev"),
        ('<iframe src="/frame"></iframe>', "https://example.org/frame", "frame"),
        ('<frameset><frame src="/frame"></frameset>', "https://example.org/frame", "frame"),
        ('<svg><a xlink:href="/drawn"><text>x</text></a></svg>', "https://example.org/drawn", "a"),
        ('<noscript><a href="/plain">x</a></noscript>', "https://example.org/plain", "a"),
        ('<a rel=nofollow href="/x">x</a>', "https://example.org/x", "a"),
        ('<p><a href="/x"<b>broken</p>', "https://example.org/x", "a"),
    ],
)
def test_every_place_that_holds_links_is_read(html: str, url: str, source: str) -> None:
    """D6, U5"""
    assert sourced(html) == [(url, source)]


@pytest.mark.parametrize(
    "script",
    [
        "location='/go'",
        "location = '/go';",
        "location.href='/go'",
        "window.location.href = '/go'; return false",
        "window.location='/go'",
        "document.location.href='/go'",
        "self.location='/go'",
        "top.location.href='/go'",
        "parent.location.assign('/go')",
        "location.replace(&quot;/go&quot;)",
        "window.open('/go', '_blank')",
        "if (ok) { track(); location.href = `/go` }",
        "location.href='https:\\/\\/example.org\\/go'",
    ],
)
def test_navigation_in_onclick_is_a_link(script: str) -> None:
    """D6"""
    assert sourced(f'<div onclick="{script}">') == [("https://example.org/go", "onclick")]


@pytest.mark.parametrize(
    "script",
    [
        "go('/x')",
        "mylocation='/x'",
        "if (location == '/x') stop()",
        "location.href='/item/' + id",
        "location.reload()",
        "alert('location')",
    ],
)
def test_other_scripts_in_onclick_are_none(script: str) -> None:
    """D6"""
    assert sourced(f'<div onclick="{script}">') == []


def test_structured_data_is_searched_for_urls() -> None:
    """D6"""
    html = """<script type="Application/LD+JSON; charset=utf-8">{"@context": "https://schema.org", "@graph": [
        {"@type": "WebPage", "@id": "/one", "url": "https://example.org/two", "name": "https://example.org/no"},
        {"@type": "Article", "mainEntityOfPage": {"@id": "https://example.org/three"}},
        {"mainEntityOfPage": "/four", "author": [{"url": ["/five", 6, null]}, {"@id": "#me"}], "url": "six.html"}
    ]}</script>"""
    assert sourced(html) == [
        (f"https://example.org/{name}", "json-ld") for name in ("two", "one", "three", "four", "five")
    ]


@pytest.mark.parametrize("text", ["{", "[" * 100_000, '{"url": "\\ud800"}', "null", '"/x"', "", "9" * 5000, "x" * 2000])
def test_broken_structured_data_is_passed_over(text: str) -> None:
    """D6, U10"""
    html = f'<script type="application/ld+json">{text}</script><a href="/x">x</a>'
    assert "https://example.org/x" in links_of(html).urls


@pytest.mark.parametrize(
    "href",
    [
        "",
        "   ",
        "#",
        "#top",
        "mailto:a@example.org",
        "javascript:void(0)",
        "JavaScript:go()",
        "tel:+123",
        "data:text/html,x",
        "ftp://example.org/x",
        "intro.html",
        "intro.html#part",
        "/docs/intro.html?utm_source=x",
        "https://example.org/docs/intro.html/",
        "about:blank",
    ],
)
def test_what_leads_nowhere_else_is_skipped_outright(href: str) -> None:
    """U9"""
    links = links_of(f'<a href="{href}">x</a>')
    assert links == FoundLinks()


@pytest.mark.parametrize("value", ["true", "false", "7", "", '{"a": 1}', "[1]", "{{ url }}", "<%= url %>", "${path}/x"])
def test_attribute_values_that_are_no_urls_are_not_links(value: str) -> None:
    """D6"""
    assert links_of(f"<div data-href='{value}' data-link='{value}'>") == FoundLinks()
    assert links_of('<div data-link="internal">') == FoundLinks()


def test_other_meta_elements_are_no_redirect() -> None:
    """D6"""
    assert links_of('<meta name=viewport content="width=9" data-url="/x">').sources == ["data-url"]
    assert links_of('<meta http-equiv=refresh content="30">') == FoundLinks()


def test_a_bad_url_is_counted_with_its_source_and_cut() -> None:
    """U10"""
    links = links_of('<a href="http://[bad/">x</a><a href="http://[bad/#y">x</a><area href="https://exa mple.org/">')
    assert links.urls == []
    assert links.invalid == [("http://[bad/", "a"), ("https://exa mple.org/", "area")]
    assert len(links_of(f'<a href="http://[{"x" * 2000}">x</a>').invalid[0][0]) == 500


def test_relative_links_resolve_against_the_base_element() -> None:
    """U5"""
    html = '<base href="../v2/"><base href="/no/"><a href="a">x</a><a href="?q=1">x</a><a href="/b">x</a>'
    urls = ["https://example.org/v2/a", "https://example.org/v2/?q=1", "https://example.org/b"]
    assert links_of(html).urls == urls


@pytest.mark.parametrize("href", ["http://[bad", "javascript:x", ""])
def test_a_base_element_of_no_use_is_ignored(href: str) -> None:
    """U5, U10"""
    document, _ = decode(f'<base href="{href}">'.encode(), "")
    assert base_of(document, PAGE) == PAGE


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://example.org/docs/?_escaped_fragment_=/guide", "https://example.org/docs/"),
        ("https://example.org/docs/?v=2&_escaped_fragment_=!/guide%3Fid%3Dx", "https://example.org/docs/?v=2"),
        ("https://example.org/docs/?v=2", "https://example.org/docs/?v=2"),
    ],
)
def test_links_of_a_route_resolve_against_its_document(url: str, base: str) -> None:
    """U5, D7: so that `#/other` leads from one route to another"""
    document, _ = decode(b"<p>text</p>", "")
    assert base_of(document, url) == base


@pytest.mark.parametrize("url", ["https://example.org", "https://example.org/", "https://example.org/?x=/y/z"])
def test_links_of_a_root_page_resolve_at_the_root(url: str) -> None:
    """U5"""
    assert links_of('<a href="a/b">x</a><a href="../c">y</a>', url).urls == [
        "https://example.org/a/b",
        "https://example.org/c",
    ]


def test_each_page_is_found_once_in_document_order_as_it_was_first_written() -> None:
    """D10, U3, U5"""
    html = """<a href="/b/">1</a><div data-href="/a">2</div><a href="/b?utm_medium=x">3</a><a href="/B">4</a>
        <a href="http://example.org/a#x">5</a><area href="/c"><a href="/a">6</a>"""
    links = links_of(html)
    assert links.urls == [
        "https://example.org/b/",
        "https://example.org/a",
        "https://example.org/B",
        "https://example.org/c",
    ]
    assert links.sources == ["a", "data-href", "a", "area"]


def test_head_links_come_before_those_of_the_body() -> None:
    """D6, D10"""
    html = '<head><link rel=next href="/2"></head><a href="/1">x</a>'
    assert sourced(html) == [("https://example.org/2", "link-next"), ("https://example.org/1", "a")]


def test_keys_are_the_fingerprints_of_the_urls() -> None:
    """D10, U3"""
    links = links_of('<a href="/a">1</a><a href="/b?q=2">2</a>')
    assert list(struct.unpack("<2q", links.keys)) == [fingerprint_of(url, UrlPolicy()) for url in links.urls]


def test_a_page_of_endless_links_is_cut_at_the_limit() -> None:
    """D6"""
    html = "".join(f'<a href="/{number}">x</a>' for number in range(50))
    assert len(links_of(html, limit=20).urls) == 20


def test_what_is_remembered_does_not_leak_between_folders_and_hosts() -> None:
    """U5"""
    targets = Targets(UrlPolicy())
    document, _ = decode(b'<a href="x">1</a><a href="/y">2</a><a href="?z">3</a><a href="//other.org/">4</a>', "")
    for url in ("https://a.org/d/1", "https://a.org/d/2?q", "http://b.org/e/f/3", "https://a.org/d/1"):
        assert read_links(document, targets.of_page(url, url)) == found_links(document, url, UrlPolicy())


@pytest.mark.parametrize(("links", "most"), [(5_000, 1), (1, 50)])
def test_what_pages_lead_to_is_not_remembered_for_ever(links: int, most: int) -> None:
    """U5: of a page of endless links nothing, of others the last folders; a worker lives as long as the crawl"""
    targets = Targets(UrlPolicy())
    seen: list[weakref.ref[PageTargets]] = []
    for folder in range(100):
        page = targets.of_page(f"https://a.org/{folder}/", f"https://a.org/{folder}/")
        assert all(page[str(number)] for number in range(links))
        seen.append(weakref.ref(page))
    alive = sum(page() is not None for page in seen)
    assert 1 <= alive <= most
