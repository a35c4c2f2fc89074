"""The bundled site holds what a new user's first mirror should meet."""

from __future__ import annotations

import gzip
import re
import struct
import zlib
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest

from quire.demo.site import BROKEN, FILES, REDIRECTS, SITEMAPS, Answer, answers, pages

BASE = "http://demo.test"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
DEAD_LINK = "/docs/guides/iced-tea"


class Reader(HTMLParser):
    """Collects the links, the sources and the tags of one page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.sources: list[str] = []
        self.tags: list[str] = []
        self.languages: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "data-href" or (name == "href" and tag == "a"):
                self.links.append(value or "")
            elif name == "src" or (name == "href" and tag == "link"):
                self.sources.append(value or "")
            elif name == "class" and tag == "code" and value:
                self.languages.append(value.removeprefix("language-"))


@pytest.fixture(scope="module")
def site() -> dict[str, Answer]:
    return answers(BASE)


def read(answer: Answer) -> Reader:
    return Reader(answer.body.decode())


def links_of(path: str, site: dict[str, Answer]) -> set[str]:
    """Return the paths of the site that an answer leads to, as the server looks them up."""
    answer = site[path]
    if location := answer.headers.get("Location"):
        return {location}
    if not answer.headers["Content-Type"].startswith("text/html"):
        return set()
    joined = {urldefrag(urljoin(BASE + path, link)).url for link in read(answer).links}
    return {lookup(unquote(url.removeprefix(BASE)), site) for url in joined if url.startswith(BASE)}


def lookup(target: str, site: dict[str, Answer]) -> str:
    return target if target in site else target.partition("?")[0]


def reachable(site: dict[str, Answer]) -> set[str]:
    seen, waiting = {"/"}, ["/"]
    while waiting:
        path = waiting.pop()
        fresh = (links_of(path, site) if path in site else set()) - seen
        seen |= fresh
        waiting += fresh
    return seen


def listed(site: dict[str, Answer]) -> dict[str, ET.Element]:
    found = {}
    for path in SITEMAPS.values():
        body = gzip.decompress(site[path].body) if path.endswith(".gz") else site[path].body
        for url in ET.fromstring(body).iter(f"{NAMESPACE}url"):
            location = url.findtext(f"{NAMESPACE}loc", "")
            found[unquote(location.removeprefix(BASE))] = url
    return found


def test_one_link_is_dead_and_every_other_is_answered(site: dict[str, Answer]) -> None:
    """C7"""
    assert reachable(site) - set(site) == {DEAD_LINK}


def test_links_reach_every_page_but_one_that_only_the_sitemap_knows(site: dict[str, Answer]) -> None:
    """C7"""
    paths = {page.path for page in pages()}
    assert paths - reachable(site) == {"/colophon"}
    assert "/colophon" in listed(site)
    assert paths - set(listed(site)) == {"/api/legacy/v1", "/blog/?page=2", "/private/roadmap"}
    assert 25 <= len(paths) <= 40


def test_the_sitemap_index_names_sitemaps_with_their_attributes(site: dict[str, Answer]) -> None:
    """C7"""
    index = ET.fromstring(site["/sitemap.xml"].body)
    assert [loc.text for loc in index.iter(f"{NAMESPACE}loc")] == [BASE + path for path in SITEMAPS.values()]
    urls = listed(site)
    assert "/docs/quickstart" in urls
    assert "/docs/guides/first-brew" in urls
    for url in urls.values():
        assert 0.0 <= float(url.findtext(f"{NAMESPACE}priority", "")) <= 1.0
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", url.findtext(f"{NAMESPACE}lastmod", ""))
    assert len({url.findtext(f"{NAMESPACE}changefreq") for url in urls.values()}) >= 4
    assert len({url.findtext(f"{NAMESPACE}priority") for url in urls.values()}) >= 6


def test_each_section_has_pages_to_filter(site: dict[str, Answer]) -> None:
    """C7, F1"""
    for section in ("/docs/", "/api/", "/blog/"):
        assert sum(path.startswith(section) for path in listed(site)) >= 4


def test_robots_blocks_a_page_that_is_linked(site: dict[str, Answer]) -> None:
    """C7, F8"""
    assert site["/robots.txt"].body.decode().split("\n")[:2] == ["User-agent: *", "Disallow: /private/"]
    assert f"Sitemap: {BASE}/sitemap.xml" in site["/robots.txt"].body.decode()
    assert "/private/roadmap" in reachable(site)


def test_redirects_come_in_every_kind_and_end_at_a_page(site: dict[str, Answer]) -> None:
    """C7"""
    assert {*REDIRECTS, "/docs/getting-started"} <= reachable(site)
    chains = {}
    for path in [*REDIRECTS, "/docs/getting-started", "/docs", "/blog"]:
        hops, at = 0, path
        while location := site[at].headers.get("Location"):
            hops, at = hops + 1, location
        assert site[at].status == 200
        chains[path] = hops
    assert chains["/docs/intro"] == 2
    assert sum(chains.values()) == len(chains) + 1
    assert {site[path].status for path in REDIRECTS} == {301, 302}


def test_a_print_version_names_its_canonical(site: dict[str, Answer]) -> None:
    """C7, S9"""
    printed = site["/docs/print/first-brew"].body.decode()
    assert f'<link rel="canonical" href="{BASE}/docs/guides/first-brew">' in printed
    assert "canonical" not in site["/docs/guides/first-brew"].body.decode()


def test_the_same_content_is_at_two_addresses(site: dict[str, Answer]) -> None:
    """C7, S9"""
    assert site["/help/glossary"].body == site["/glossary"].body
    raw_links = [link for page in pages() for link in Reader(page.body).links]
    assert any("utm_source=" in link for link in raw_links)
    assert any("#" in link for link in raw_links)
    assert any(urlsplit(link).netloc == "tea-society.example" for link in raw_links)


def test_a_pdf_hides_behind_a_plain_address(site: dict[str, Answer]) -> None:
    """C7, M6"""
    for path in ("/downloads/handbook", "/downloads/cheat-sheet.pdf"):
        body = site[path].body
        assert path in reachable(site)
        assert site[path].headers["Content-Type"] == "application/pdf"
        assert body.startswith(b"%PDF-1.4")
        offset = re.search(rb"startxref\n(\d+)\n%%EOF", body)
        assert offset
        assert body[int(offset[1]) :].startswith(b"xref")


def test_one_page_fails(site: dict[str, Answer]) -> None:
    """C7, P6"""
    assert site[BROKEN].status == 500
    assert BROKEN in reachable(site)


def test_images_are_real(site: dict[str, Answer]) -> None:
    """C7"""
    png = site["/images/brew-curve.png"].body
    size, kind, width, height = struct.unpack(">I4sII", png[8:24])
    assert (png[:8], size, kind, width, height) == (b"\x89PNG\r\n\x1a\n", 13, b"IHDR", 320, 180)
    length = struct.unpack(">I", png[33:37])[0]
    assert len(zlib.decompress(png[41 : 41 + length])) == 180 * (1 + 3 * 320)
    assert ET.fromstring(site["/images/logo.svg"].body).tag.endswith("svg")


def test_pages_have_what_markdown_must_keep(site: dict[str, Answer]) -> None:
    """C7, M1"""
    readers = [read(site[page.path]) for page in pages()]
    languages = {language for reader in readers for language in reader.languages}
    assert {"python", "bash", "toml", "json", "javascript", "rust", "sql"} <= languages
    tags = {tag for reader in readers for tag in reader.tags}
    assert {"table", "blockquote", "dl", "img", "figure", "details", "kbd", "hr"} <= tags
    assert any(re.search(r"<li>[^<]*(?:<[^u][^<]*)*<ul>", page.body) for page in pages())
    assert "煎茶の淹れ方" in site["/docs/guides/煎茶"].body.decode()
    assert "τσάι" in site["/glossary"].body.decode()


def test_every_page_introduces_itself(site: dict[str, Answer]) -> None:
    """C7, M4"""
    for page in pages():
        text = site[page.path].body.decode()
        assert text.count("<h1>") == 1, page.path
        assert f'<meta name="description" content="{page.description}">' in text
        assert site[page.path].headers["ETag"]
        assert site[page.path].headers["Last-Modified"]


def test_nothing_is_loaded_from_another_host(site: dict[str, Answer]) -> None:
    """C7"""
    for page in pages():
        for source in read(site[page.path]).sources:
            assert urlsplit(urljoin(BASE + page.path, source)).path in FILES
