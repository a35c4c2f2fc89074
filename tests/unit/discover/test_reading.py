"""Sitemaps and feeds from bytes: every format, and what is left of broken ones."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest

from quire.discover.reading import Entry, SitemapReader, looks_like_sitemap

PAGE = "https://example.com/"
URLSET = b"<urlset><url><loc>https://example.com/</loc></url></urlset>"


def read(document: bytes | str, reader: SitemapReader | None = None) -> list[Entry]:
    reader = reader or SitemapReader()
    data = document.encode() if isinstance(document, str) else document
    return [*reader.feed(data), *reader.close()]


def locs(document: bytes | str) -> list[str]:
    return [entry.loc for entry in read(document)]


def urlset(*locs: str) -> str:
    return "<urlset>" + "".join(f"<url><loc>{loc}</loc></url>" for loc in locs) + "</urlset>"


def test_a_urlset_gives_pages_with_what_is_said_about_them() -> None:
    """D3"""
    document = """<?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url>
        <loc> https://example.com/a?x=1&amp;y=2 </loc>
        <lastmod>2024-05-01T10:00:00+02:00</lastmod>
        <changefreq>Weekly</changefreq>
        <priority>0.8</priority>
      </url>
      <url><loc>https://example.com/b</loc><lastmod/></url>
    </urlset>"""
    assert read(document) == [
        Entry("https://example.com/a?x=1&y=2", "page", "2024-05-01T10:00:00+02:00", 0.8, "weekly"),
        Entry("https://example.com/b", "page"),
    ]


def test_an_index_gives_sitemaps() -> None:
    """D3"""
    document = (
        "<sitemapindex><sitemap><loc>https://example.com/1.xml</loc><lastmod>2024</lastmod></sitemap></sitemapindex>"
    )
    assert read(document) == [Entry("https://example.com/1.xml", "sitemap", "2024")]


def test_sitemaps_among_pages_are_told_apart_by_their_own_element() -> None:
    """D3"""
    document = "<urlset><sitemap><loc>https://example.com/1.xml</loc></sitemap><url><loc>https://example.com/</loc></url></urlset>"
    assert [(entry.loc, entry.kind) for entry in read(document)] == [
        ("https://example.com/1.xml", "sitemap"),
        (PAGE, "page"),
    ]


def test_a_plain_list_gives_one_page_a_line() -> None:
    """D3"""
    document = b"\xef\xbb\xbfhttps://example.com/a\r\n\r\n  HTTP://example.com/b  \nnot a url\nhttp://a b\nhttps://example.com/c"
    assert locs(document) == ["https://example.com/a", "HTTP://example.com/b", "https://example.com/c"]


def test_rss_gives_its_items() -> None:
    """D3"""
    document = """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
    <channel><link>https://example.com/</link><atom:link href="https://example.com/rss" rel="self"/>
      <image><url>https://example.com/logo.png</url><link>https://example.com/logo</link></image>
      <item><title>One</title><link><![CDATA[https://example.com/1?a=1&b=2]]></link>
        <pubDate>Wed, 01 May 2024 10:00:00 +0200</pubDate><enclosure url="https://example.com/1.mp3"/>
        <description><![CDATA[<p>and <link>https://example.com/not</link>]]></description>
        <media:content><link>https://example.com/not</link></media:content></item>
      <item><guid>https://example.com/2</guid><pubDate>some day</pubDate></item>
      <item><guid isPermaLink="false">https://example.com/not</guid></item>
      <item><link>https://example.com/3</link><guid>https://example.com/not</guid></item>
    </channel></rss>"""
    assert read(document) == [
        Entry("https://example.com/1?a=1&b=2", "page", "2024-05-01T10:00:00+02:00"),
        Entry("https://example.com/2", "page"),
        Entry("https://example.com/3", "page"),
    ]


def test_atom_gives_the_alternate_links_of_its_entries() -> None:
    """D3"""
    document = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.com/"/>
      <entry><category term="a > b"/><link rel="self" href="https://example.com/not"/>
        <link rel='alternate' href='https://example.com/1?a=1&amp;b=2'/><updated>2024-05-01T10:00:00Z</updated>
        <source><link href="https://example.com/not"/></source></entry>
      <entry><link href="https://example.com/2"></link><id>https://example.com/not</id></entry></feed>"""
    assert read(document) == [
        Entry("https://example.com/1?a=1&b=2", "page", "2024-05-01T10:00:00Z"),
        Entry("https://example.com/2", "page"),
    ]


def test_rdf_gives_its_items() -> None:
    """D3"""
    document = """<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><link>https://example.com/</link></channel>
      <item rdf:about="x"><link>https://example.com/1</link><dc:date>2024-05-01</dc:date></item></rdf:RDF>"""
    assert read(document) == [Entry("https://example.com/1", "page", "2024-05-01")]


@pytest.mark.parametrize(
    "document",
    [
        '<s:urlset xmlns:s="x"><s:url><s:loc>https://example.com/</s:loc></s:url></s:urlset>',
        '<urlset xmlns:n="x"><n:url xmlns=""><loc>https://example.com/</loc></n:url></urlset>',
        "<URLSET><URL><LOC>https://example.com/</LOC></URL></URLSET>",
        "\n\n<?xml version='1.0'?><?xml-stylesheet href='a>b'?><!-- <url><loc>no</loc></url> -->" + URLSET.decode(),
        "\ufeff\ufeff" + URLSET.decode(),
        "<urlset><url><loc>\n<![CDATA[ https://example.com/ ]]>\n</loc></url></urlset>",
        "<urlset><url><loc>https://<!-- x -->example<![CDATA[.com]]>/</loc></url></urlset>",
        "<urlset><url><loc xmlns='x>y'>https&#58;//example&#x2E;com/</loc ></url></urlset>",
        "<br />\n<b>Warning</b>: it's broken on line <b>3</b><br />\n" + URLSET.decode(),
        "Notice: nothing is perfect\n" + URLSET.decode(),
    ],
)
def test_prefixes_comments_cdata_and_noise_before_the_root_do_not_matter(document: str) -> None:
    """D3"""
    assert locs(document) == [PAGE]


@pytest.mark.parametrize(
    "encode", [gzip.compress, lambda data: gzip.compress(data[:20], mtime=0) + gzip.compress(data[20:]) + b"\0\0"]
)
def test_gzip_is_known_by_content_and_may_have_several_parts(encode: Callable[[bytes], bytes]) -> None:
    """D3"""
    assert locs(encode(URLSET)) == [PAGE]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_encodings_are_known_by_their_first_bytes(encoding: str) -> None:
    """D3"""
    assert locs(urlset("https://example.com/é").encode(encoding)) == ["https://example.com/é"]


@pytest.mark.parametrize(
    ("declared", "actual"),
    [
        ("ISO-8859-1", "latin-1"),
        ("windows-1251", "cp1251"),
        ("Shift_JIS", "shift_jis"),
        ("GBK", "gbk"),
        ("UTF-16", "utf-8"),
        ("rot13", "utf-8"),
        ("idna", "utf-8"),
        ("no-such-thing", "utf-8"),
    ],
)
def test_a_declared_encoding_is_used_where_it_can_be(declared: str, actual: str) -> None:
    """D3"""
    letter = {"latin-1": "é", "utf-8": "é", "cp1251": "ж", "shift_jis": "字", "gbk": "字"}[actual]
    document = f"<?xml version='1.0' encoding=\"{declared}\"?>" + urlset(f"https://example.com/{letter}")
    assert locs(document.encode(actual)) == [f"https://example.com/{letter}"]


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("a&amp;b", "a&b"),
        ("a&amp;amp;b", "a&amp;b"),
        ("?a=1&b=2", "?a=1&b=2"),
        ("?a=1&copy=2&lt=3", "?a=1&copy=2&lt=3"),
        ("a&nbsp;b&eacute;", "a\xa0bé"),
        ("a&#233;&#xE9;&#0;&#xD800;&#9999999;&#x110000;b", "aééb"),
        ("a&undefined;b", "ab"),
        ("a<b", "a<b"),
    ],
)
def test_references_to_characters_are_resolved_and_bare_ampersands_kept(written: str, read_as: str) -> None:
    """D3"""
    assert locs(urlset(PAGE + written, PAGE)) == [PAGE + read_as, PAGE]


def test_entities_of_a_dtd_are_never_resolved() -> None:
    """D3"""
    document = """<?xml version="1.0"?><!DOCTYPE urlset [
      <!ENTITY a "<url><loc>https://example.com/not</loc></url>"> <!ENTITY b "&a;&a;]>">
      <!ENTITY c SYSTEM "file:///etc/passwd"> <!ENTITY % d SYSTEM "http://[::1]/x.dtd"> %d; ]
      ><urlset>&a;<url><loc>https://example.com/&b;&c;</loc></url></urlset>"""
    assert locs(document) == [PAGE]


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ("<urlset><url><loc>https://a/1</loc><url><loc>https://a/2</loc></urlset>", ["https://a/1", "https://a/2"]),
        ("<urlset><url><loc>https://a/1<lastmod>2024</lastmod></url><url><loc>https://a/2</loc>", ["https://a/1", "https://a/2"]),
        ("<urlset><loc>https://a/1</loc><loc>https://a/2</loc></urlset>", ["https://a/1", "https://a/2"]),
        ("<urlset><url><loc>https://a/1</wrong></url><url><loc>https://a/2</loc></url>", ["https://a/1", "https://a/2"]),
        ("<url><loc>https://a/1</loc></url><url><loc>https://a/2</loc></url>", ["https://a/1", "https://a/2"]),
        ("<urlset><url><loc>https://a/1</loc></url></urlset>trailing <junk", ["https://a/1"]),
        ("<urlset><url><loc title='>https://a/1</loc></url><url><loc>https://a/2</loc></url>", ["https://a/1", "https://a/2"]),
        ("<urlset><url><image:image></url><url><loc>https://a/2</loc></url>", ["https://a/2"]),
        ("<urlset><url><loc>https://a/1</loc></url><url><loc>https://a/cut-o", ["https://a/1"]),
        ("<urlset><url><loc>https://a/1</loc><lastm", ["https://a/1"]),
        ("<urlset><url><loc><![CDATA[https://a/1]]></loc></url><!-- never closed <url><loc>https://a/2</loc>", ["https://a/1"]),
        ("<urlset><url><loc></loc></url><url></url><url/><url><loc>https://a/2</loc></url>", ["https://a/2"]),
        ("<urlset><url><loc>https://a/" + "x" * 9000 + "</loc></url><url><loc>https://a/2</loc></url>", ["https://a/2"]),
        ("<urlset><x " + "x" * 20000 + "><url><loc>https://a/2</loc></url>", ["https://a/2"]),
    ],
)  # fmt: skip
def test_broken_xml_yields_what_stands_before_and_after_the_error(document: str, found: list[str]) -> None:
    """D3"""
    assert locs(document) == found


def test_what_images_and_videos_say_is_not_about_the_page() -> None:
    """D3"""
    document = """<urlset><url><image:image><image:loc>https://example.com/not.png</image:loc></image:image>
      <loc>https://example.com/</loc><xhtml:link rel="alternate" href="https://example.com/not"/>
      <video:video><loc>https://example.com/not</loc><priority>0.1</priority></video:video></url></urlset>"""
    assert read(document) == [Entry(PAGE, "page")]


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.5", 0.5), ("1", 1.0), ("7", 1.0), ("-1", 0.0), ("high", None), ("nan", None), ("inf", None), ("", None)],
)
def test_a_priority_is_a_number_from_0_to_1(text: str, value: float | None) -> None:
    """D3"""
    assert read(f"<url><loc>x</loc><priority>{text}</priority></url>")[0].priority == value


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("2024", True),
        ("2024-05", True),
        (" 2024-05-01 ", True),
        ("2024-05-01T10:00Z", True),
        ("2024-05-01T10:00:00.123+02:00", True),
        ("2024-05-01 10:00:00", True),
        ("2024-13-01", False),
        ("01.05.2024", False),
        ("Wed, 01 May 2024 10:00:00 GMT", False),
        ("yesterday", False),
        ("٢٠٢٤", False),
    ],
)
def test_a_lastmod_is_kept_as_written_if_it_is_a_date(text: str, kept: bool) -> None:
    """D3"""
    assert read(f"<url><loc>x</loc><lastmod>{text}</lastmod></url>")[0].lastmod == (text.strip() if kept else None)


@pytest.mark.parametrize(
    "document",
    [
        b"<!DOCTYPE html><html><body><urlset><url><loc>https://example.com/</loc></url></urlset></body></html>",
        b"<html xmlns='http://www.w3.org/1999/xhtml'><head><title>Not found</title></head></html>",
        b"<head><rss></rss></head>",
        b'{"error": "not found"}',
        b"Not found",
        b"",
        b"\x1f",
        b"\x1f\x8b",
        b"\x89PNG\r\n\x1a\n\0\0\0",
    ],
)
def test_what_is_no_sitemap_yields_nothing(document: bytes) -> None:
    """D3"""
    reader = SitemapReader()
    assert read(document, reader) == []
    assert not reader.recognised


def test_html_is_not_read_to_its_end() -> None:
    """D4"""
    reader = SitemapReader()
    assert list(reader.feed(b"<html><body>")) == []
    assert reader.done


def test_an_empty_sitemap_is_still_one() -> None:
    """D3"""
    reader = SitemapReader()
    assert read("<urlset></urlset>", reader) == []
    assert reader.recognised
    assert reader.truncated is None
    assert not reader.done


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_too_many_bytes_end_the_reading_and_what_was_read_counts(pack: Callable[[bytes], bytes]) -> None:
    """D4"""
    document = urlset("https://a/1", "https://a/2", "https://a/3").encode()
    reader = SitemapReader(max_bytes=document.index(b"3"))
    assert [entry.loc for entry in read(pack(document), reader)] == ["https://a/1", "https://a/2"]
    assert reader.truncated is not None
    assert "larger than" in reader.truncated
    assert reader.done


def test_a_document_of_exactly_the_largest_size_is_read_whole() -> None:
    """D4"""
    reader = SitemapReader(max_bytes=len(URLSET))
    assert len(read(URLSET, reader)) == 1
    assert reader.truncated is None


def test_the_last_line_of_a_list_that_was_cut_is_not_a_url() -> None:
    """D4"""
    assert [entry.loc for entry in read(b"https://a/1\nhttps://a/22", SitemapReader(max_bytes=22))] == ["https://a/1"]


def test_too_many_entries_end_the_reading() -> None:
    """D4"""
    reader = SitemapReader(max_entries=2)
    assert len(read(urlset("https://a/1", "https://a/2", "https://a/3"), reader)) == 2
    assert reader.truncated is not None
    assert reader.done


def test_damaged_gzip_yields_what_comes_before_the_damage() -> None:
    """D3"""
    document = urlset(*(f"https://example.com/{number}" for number in range(3000))).encode()
    packed = bytearray(gzip.compress(document, mtime=0))
    for damage in (packed[:-4] + b"\0\0\0\0", packed[:-100], packed + b"junk"):
        reader = SitemapReader()
        found = len(read(bytes(damage), reader))
        assert found > 2900
        assert reader.truncated is not None
        assert "gzip" in reader.truncated


def test_a_bomb_is_unpacked_only_to_the_limit() -> None:
    """D4"""
    bomb = gzip.compress(b"<urlset>" + b" " * 30_000_000, mtime=0)
    reader = SitemapReader(max_bytes=1_000_000)
    assert read(bomb, reader) == []
    assert reader.truncated is not None


@pytest.mark.parametrize(
    ("document", "content_type", "expected"),
    [
        (URLSET, "application/xml", True),
        (URLSET[:10], "text/html", True),
        (gzip.compress(URLSET, mtime=0), "application/octet-stream", True),
        (b"\n<?xml version='1.0'?><!-- x --><sitemapindex>", "", True),
        (b"<rss><channel>", "", True),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'>", "", True),
        (b"<rdf:RDF>", "", True),
        (b"https://a/1\nhttps://a/2\n", "text/plain; charset=utf-8", True),
        (b"https://a/1\nht", "text/plain", True),
        (b"https://a/1\nand other words", "text/plain", False),
        (b"https://a/1\n", "text/markdown", False),
        (b"<!DOCTYPE html><html><body><urlset>", "application/xml", False),
        (b"<svg><url>", "image/svg+xml", False),
        (b"plain words", "text/plain", False),
        (b"", "", False),
    ],
)
def test_a_sitemap_is_known_by_its_beginning(document: bytes, content_type: str, expected: bool) -> None:
    """C1"""
    assert looks_like_sitemap("https://example.com/x", content_type, document) is expected


def test_a_list_without_a_useful_type_is_known_by_its_name() -> None:
    """C1"""
    assert looks_like_sitemap("https://example.com/urls.TXT?x=1", "application/octet-stream", b"https://a/1\n")
