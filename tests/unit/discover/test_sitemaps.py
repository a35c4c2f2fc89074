"""Which sitemaps are read, in which order, and what a slow or broken one costs."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest

from quire import urls
from quire.discover.sitemaps import MAX_SITEMAPS, SitemapSource
from quire.errors import BadResponse
from quire.records import Link, Response
from quire.robots import Robots
from quire.settings import Sitemaps
from quire.urls import UrlPolicy

SITE = "https://example.com/"
STALL = "the server says nothing more"
POLICY = UrlPolicy()


class Web:
    """What is at which URL: bytes, or a list of chunks, errors and stalls; `asked` and `closed` are the logs."""

    def __init__(self, content: dict[str, Any], robots: str | int | None = None) -> None:
        self.content = content
        self.asked: list[str] = []
        self.closed: list[str] = []
        self.timeouts: dict[str, float] = {}
        self.warnings: list[str] = []
        self.robots = None if robots is None else Robots(self._robots_txt, "Quire/0.1")
        self._robots_answer = robots

    async def _robots_txt(self, url: str) -> Response:
        if isinstance(self._robots_answer, int):
            return Response(url, self._robots_answer)
        return Response(url, 200, body=(self._robots_answer or "").encode())

    async def stream(self, url: str, seconds: float) -> AsyncIterator[bytes]:
        self.asked.append(url)
        self.timeouts[url] = seconds
        try:
            if url not in self.content:
                raise BadResponse(f"{url} answered 404", "http-404")
            content = self.content[url]
            for each in content if isinstance(content, list) else [content]:
                if isinstance(each, Exception):
                    raise each
                if each is STALL:
                    await asyncio.Event().wait()
                yield each
        finally:
            self.closed.append(url)

    def source(self, *extra: str, bases: Iterable[str] = (SITE,), **settings: float) -> SitemapSource:
        limits = Sitemaps(**settings)  # type: ignore[arg-type]
        return SitemapSource(
            self.stream, at_once, self.robots, list(bases), limits, extra, POLICY, self.warnings.append, set(), Notes()
        )

    async def links(self, *extra: str, bases: Iterable[str] = (SITE,), **settings: float) -> list[Link]:
        return [link async for link in self.source(*extra, bases=bases, **settings).links()]

    async def found(self, *extra: str, bases: Iterable[str] = (SITE,), **settings: float) -> list[str]:
        return [link.url for link in await self.links(*extra, bases=bases, **settings)]


class Notes:
    """What an earlier crawl wrote down: nothing."""

    def note(self, name: str) -> None: ...

    def put(self, name: str, value: str) -> None: ...


async def at_once(url: str) -> None:
    """Politeness that never waits."""


def urlset(*locs: str) -> bytes:
    return ("<urlset>" + "".join(f"<url><loc>{loc}</loc></url>" for loc in locs) + "</urlset>").encode()


def index(*locs: str) -> bytes:
    return (
        "<sitemapindex>" + "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs) + "</sitemapindex>"
    ).encode()


async def test_a_link_carries_all_that_the_sitemap_says() -> None:
    """D1, D3"""
    entry = b"<url><loc>https://example.com/A?b=1#c</loc><lastmod>2024-05-01</lastmod><priority>0.3</priority><changefreq>daily</changefreq></url>"
    [link] = await Web({SITE + "sitemap.xml": b"<urlset>" + entry}).links()
    key = urls.fingerprint_of("https://example.com/A?b=1", POLICY)
    assert key is not None
    assert link == Link(
        url="https://example.com/A?b=1",
        key=key,
        source="sitemap",
        found_on="https://example.com/sitemap.xml",
        depth=1,
        lastmod="2024-05-01",
        priority=0.3,
        changefreq="daily",
    )


async def test_given_sitemaps_come_first_then_those_of_robots_txt_then_the_conventional_ones() -> None:
    """D2"""
    robots = "Sitemap: https://cdn.example/one.xml\nSitemap: /two.xml\nSitemap: mailto:x\nSitemap: https://example.com/sitemap.xml"
    given = "https://example.com/given.xml"
    order = [given, "https://cdn.example/one.xml", SITE + "two.xml", SITE + "sitemap.xml", SITE + "sitemap_index.xml"]
    web = Web({url: urlset(f"{SITE}{number}") for number, url in enumerate(order)}, robots)
    assert await web.found(given) == [f"{SITE}{number}" for number in range(5)]
    assert web.asked == order
    assert web.closed == order
    assert web.warnings == []


async def test_each_host_of_the_bases_is_asked_once() -> None:
    """D2"""
    web = Web({})
    bases = [SITE + "docs", SITE + "blog", "http://127.0.0.1:8080/x", "not a url"]
    assert await web.found(bases=bases) == []
    names = ("sitemap.xml", "sitemap_index.xml")
    assert web.asked == [root + name for root in (SITE, "http://127.0.0.1:8080/") for name in names]


async def test_a_missing_conventional_sitemap_is_silent_a_missing_named_one_is_not() -> None:
    """D2, D4"""
    web = Web({}, "Sitemap: https://example.com/named.xml")
    assert await web.found("https://example.com/given.xml") == []
    assert [warning.split(": ")[0] for warning in web.warnings] == [
        "sitemap https://example.com/given.xml",
        "sitemap https://example.com/named.xml",
    ]
    assert "answered 404" in web.warnings[0]


async def test_robots_txt_decides_about_the_conventional_sitemaps_and_nothing_is_asked_when_it_cannot_be_read() -> None:
    """F8, R10"""
    content = {SITE + name: urlset(SITE + name[:-4]) for name in ("sitemap.xml", "sitemap_index.xml")}
    assert await Web(content, "User-agent: *\nDisallow: /sitemap.xml").found() == [SITE + "sitemap_index"]
    assert await Web(content, 503).found() == []
    assert await Web(content, 404).found() == [SITE + "sitemap", SITE + "sitemap_index"]


async def test_nested_sitemaps_are_read_in_order_also_from_other_hosts() -> None:
    """D3, R5"""
    web = Web(
        {
            SITE + "sitemap.xml": index("https://cdn.example/a", SITE + "b", SITE + "c"),
            "https://cdn.example/a": gzip.compress(urlset(SITE + "1")),
            SITE + "b": index(SITE + "b1", SITE + "b2"),
            SITE + "b1": b"https://example.com/2\nhttps://example.com/3",
            SITE + "b2": urlset(SITE + "4"),
            SITE + "c": urlset(SITE + "5", SITE + "1"),
        }
    )
    links = await web.links()
    assert [link.url for link in links] == [SITE + digit for digit in "123451"]
    assert links[1].found_on == SITE + "b1"
    assert web.warnings == []


async def test_two_index_levels_below_the_root_are_read_a_third_is_not() -> None:
    """R5, D4"""
    content = {
        SITE + "sitemap.xml": index(SITE + "level1"),
        SITE + "level1": index(SITE + "pages", SITE + "level2"),
        SITE + "pages": urlset(SITE + "1"),
        SITE + "level2": index(SITE + "level3") + urlset(SITE + "2"),
        SITE + "level3": urlset(SITE + "3"),
    }
    web = Web(content)
    assert await web.found() == [SITE + "1", SITE + "2"]
    assert SITE + "level3" not in web.asked
    [warning] = web.warnings
    assert warning.startswith(f"sitemap {SITE}level2: ")
    assert "--sitemap-depth" in warning
    assert await Web(content).found(sitemap_depth=3) == [SITE + "1", SITE + "2", SITE + "3"]
    assert await Web(content).found(sitemap_depth=0) == []


async def test_no_sitemap_is_read_twice_and_circles_end() -> None:
    """D4"""
    web = Web(
        {
            SITE + "sitemap.xml": index(
                SITE + "a.xml", SITE + "a.xml", SITE + "sitemap.xml", SITE + "sitemap_index.xml"
            ),
            SITE + "a.xml": index(SITE + "sitemap.xml", SITE + "a.xml#again") + urlset(SITE + "1"),
            SITE + "sitemap_index.xml": index(SITE + "a.xml"),
        },
        "Sitemap: https://EXAMPLE.com/sitemap.xml",
    )
    assert await web.found() == [SITE + "1"]
    assert sorted(web.asked) == sorted(set(web.asked))
    assert len(web.asked) == 3


async def test_locs_that_are_no_pages_are_dropped() -> None:
    """D5"""
    dropped = ["/relative", "b.html", "//example.com/c", "ftp://example.com/d", "mailto:x@y.z", "javascript:alert(1)", "http://[",
               SITE + "e.xml", SITE + "E.XML?x=1", SITE + "f.xml.gz", "https:///"]  # fmt: skip
    kept = [SITE + "xml", SITE + "g?x=a.xml", SITE + "h.xml/i", "HTTP://EXAMPLE.com/j"]
    web = Web({SITE + "sitemap.xml": urlset(*dropped, *kept)})
    assert await web.found() == [*kept[:3], "http://example.com/j"]


async def test_relative_sitemaps_in_an_index_are_dropped() -> None:
    """D5"""
    web = Web({SITE + "sitemap.xml": index("/a", "b", "file:///etc/passwd")})
    assert await web.found() == []
    assert web.asked == [SITE + "sitemap.xml", SITE + "sitemap_index.xml"]


async def test_links_are_handed_on_while_the_sitemap_still_arrives() -> None:
    """D4"""
    web = Web({SITE + "sitemap.xml": [urlset(SITE + "1").removesuffix(b"</urlset>"), STALL]})
    links = web.source().links()
    link = await anext(links)
    assert link.url == SITE + "1"
    assert web.closed == []
    await links.aclose()  # type: ignore[attr-defined]
    assert web.closed == [SITE + "sitemap.xml"]


async def test_a_slow_sitemap_costs_only_itself_and_what_was_found_counts() -> None:
    """D4"""
    web = Web(
        {
            SITE + "given": [urlset(SITE + "1"), STALL],
            SITE + "sitemap.xml": index(SITE + "slow", SITE + "broken", SITE + "good"),
            SITE + "slow": [urlset(SITE + "2"), STALL],
            SITE + "broken": [urlset(SITE + "3"), BadResponse("the connection was lost")],
            SITE + "good": urlset(SITE + "4"),
        }
    )
    found = await web.found(SITE + "given", sitemap_timeout=0.6, nested_sitemap_timeout=0.4)
    assert found == [SITE + "1", SITE + "2", SITE + "3", SITE + "4"]
    assert [warning.split(": ")[:2] for warning in web.warnings] == [
        [f"sitemap {SITE}given", "it took more than 0.6 s (--sitemap-timeout); what was read of it counts"],
        [f"sitemap {SITE}slow", "it took more than 0.4 s (--nested-sitemap-timeout); what was read of it counts"],
        [f"sitemap {SITE}broken", "the connection was lost; what was read of it counts"],
    ]
    assert web.timeouts[SITE + "given"] == 0.6
    assert web.timeouts[SITE + "slow"] == 0.4


async def test_the_time_for_all_sitemaps_ends_the_reading() -> None:
    """D4"""
    web = Web({SITE + "sitemap.xml": index(SITE + "a", SITE + "b"), SITE + "a": [urlset(SITE + "1"), STALL]})
    assert await web.found(sitemap_total_timeout=0.5) == [SITE + "1"]
    assert web.asked == [SITE + "sitemap.xml", SITE + "a"]
    assert web.closed == web.asked
    assert "--sitemap-total-timeout" in web.warnings[-1]


async def test_a_robots_txt_that_never_comes_uses_up_the_time() -> None:
    """D4"""

    async def never(url: str) -> Response:
        await asyncio.Event().wait()
        raise AssertionError(url)

    web = Web({})
    web.robots = Robots(never, "Quire/0.1")
    assert await web.found(sitemap_total_timeout=0.1) == []
    assert web.asked == []
    assert len(web.warnings) == 1


async def test_the_time_that_others_take_with_the_links_does_not_count() -> None:
    """D4"""
    web = Web({SITE + "sitemap.xml": [urlset(SITE + "1"), urlset(SITE + "2"), urlset(SITE + "3")]})
    found = []
    async for link in web.source(sitemap_timeout=0.6, sitemap_total_timeout=0.6).links():
        found.append(link.url)
        await asyncio.sleep(0.3)
    assert found == [SITE + "1", SITE + "2", SITE + "3"]
    assert web.warnings == []


async def test_a_page_where_a_sitemap_was_promised_is_reported_and_not_read_to_its_end() -> None:
    """D3, D4"""
    page = [b"<!DOCTYPE html><html><body>", STALL]
    web = Web({SITE + "given": page, SITE + "sitemap.xml": page})
    assert await web.found(SITE + "given") == []
    assert web.warnings == [f"sitemap {SITE}given: this is neither a sitemap nor a feed"]
    assert SITE + "given" in web.closed


async def test_a_damaged_sitemap_is_reported() -> None:
    """D3"""
    web = Web({SITE + "sitemap.xml": gzip.compress(urlset(SITE + "1"))[:-4]})
    assert await web.found() == [SITE + "1"]
    assert web.warnings == [f"sitemap {SITE}sitemap.xml: its gzip data ends too early; what came before was read"]


async def test_the_number_of_sitemaps_is_bounded() -> None:
    """D4"""
    nested = [f"{SITE}{number}" for number in range(MAX_SITEMAPS + 10)]
    web = Web({SITE + "sitemap.xml": index(*nested)} | dict.fromkeys(nested, urlset(SITE)))
    assert len(await web.found(sitemap_total_timeout=600, sitemap_timeout=600)) == MAX_SITEMAPS - 1
    assert web.warnings == [f"sitemaps: reading ended after {MAX_SITEMAPS:,} of them; what was found counts"]


async def test_a_large_sitemap_never_sits_in_memory() -> None:
    """D4"""

    async def stream(url: str, seconds: float) -> AsyncIterator[bytes]:
        yield b"<urlset>"
        chunk = urlset(*(f"{SITE}section/{number}/page" for number in range(1000)))
        for _ in range(30):
            yield chunk

    limits = Sitemaps(sitemap_timeout=600, sitemap_total_timeout=600)
    source = SitemapSource(stream, at_once, None, [], limits, [SITE + "given"], POLICY, pytest.fail, set(), Notes())
    tracemalloc.start()
    count = 0
    async for _ in source.links():
        count += 1
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 30_000
    assert peak < 500_000
