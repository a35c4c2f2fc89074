"""What holds for every sitemap, and for bytes that are none."""

from __future__ import annotations

import gzip
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from quire.discover.entries import MAX_LOC
from quire.discover.markup import MAX_TAG
from quire.discover.reading import Entry, SitemapReader, looks_like_sitemap

PIECES = (
    *("<urlset>", "</urlset>", "<sitemapindex>", "<rss>", "<feed>", "<rdf:RDF>", "<html>", "<?xml version='1.0'?>"),
    *("<url>", "</url>", "<url/>", "<sitemap>", "</sitemap>", "<item>", "</item>", "<entry>", "</entry>", "<x:url>"),
    *("<loc>", "</loc>", "<loc/>", "<LOC>", "<x:loc>", "<lastmod>", "</lastmod>", "<priority>", "<link>", "</link>"),
    *(
        "<link href='https://a/1'/>",
        '<link rel="alternate" href="https://a/2">',
        "<guid>",
        "<guid isPermaLink='false'>",
    ),
    *(
        "<image:image>",
        "</image:image>",
        "<content>",
        "</content>",
        "<a b='>'>",
        "<a b='",
        '"',
        "'",
        ">",
        "/>",
        "<",
        "</",
    ),
    *("<!--", "-->", "--", "<![CDATA[", "]]>", "]]", "<!", "<!DOCTYPE x [", "<!ENTITY a 'b<c>'>", "]>", "<?", "?>"),
    *(
        "https://a/3",
        "http://b/4\n",
        "HTTPS://c/5\r\n",
        "&amp;",
        "&#65;",
        "&",
        ";",
        "é",
        "字",
        "\ufeff",
        "\0",
        " ",
        "\n",
    ),
    *("2024-05-01", "0.5", "x" * (MAX_LOC - 5), "x" * (MAX_TAG // 2)),
)
documents = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
encodings = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
encoded = st.builds(lambda text, encoding: text.encode(encoding), documents, encodings)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Return gzip data, some of it cut off, altered or followed by something else."""
    packed = bytearray(b"".join(gzip.compress(each) for each in draw(st.lists(encoded, min_size=1, max_size=3))))
    for _ in range(draw(st.integers(0, 2))):
        packed[draw(st.integers(2, len(packed) - 1))] = draw(st.integers(0, 255))
    return bytes(packed[: draw(st.integers(0, len(packed)))]) + draw(st.sampled_from([b"", b"\0\0", b"junk"]))


inputs = st.one_of(encoded, damaged(), st.binary(max_size=300))
limits = st.sampled_from([10, 100, 1000, 10**6])


def read(pieces: list[bytes], max_bytes: int) -> tuple[list[Entry], str | None, bool]:
    reader = SitemapReader(max_bytes=max_bytes, max_entries=5)
    found: list[Entry] = []
    for piece in pieces:
        found += reader.feed(piece)
    found += reader.close()
    return found, reader.truncated, reader.recognised


@given(data=inputs, cuts=st.lists(st.integers(0, 5000), max_size=20), max_bytes=limits)
@example(
    data=b"<urlset><url><loc>https://a/<![CDATA[1]]></loc><!-- x --><loc>b</loc>", cuts=list(range(80)), max_bytes=1000
)
@example(data=b"<urlset><a b='x>y'><url><loc>https://a/1</loc>", cuts=list(range(50)), max_bytes=1000)
@example(data=b"https://a/1\r\nhttps://a/2", cuts=list(range(30)), max_bytes=1000)
def test_where_the_bytes_are_cut_changes_nothing(data: bytes, cuts: list[int], max_bytes: int) -> None:
    """D3, D4"""
    edges = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    pieces = [data[start:end] for start, end in pairwise(edges)]
    assert read(pieces, max_bytes) == read([data], max_bytes)


@given(data=encoded, max_bytes=limits)
def test_single_bytes_are_enough(data: bytes, max_bytes: int) -> None:
    """D3, D4"""
    assert read([data[at : at + 1] for at in range(len(data))], max_bytes) == read([data], max_bytes)


@given(data=inputs, content_type=st.sampled_from(["", "text/plain", "text/html", "application/xml"]))
def test_no_bytes_make_it_raise_and_all_values_are_sound(data: bytes, content_type: str) -> None:
    """D3"""
    looks_like_sitemap("https://example.com/", content_type, data)
    for entry in read([data], 10**6)[0]:
        assert entry.loc == entry.loc.strip()
        assert 0 < len(entry.loc) <= MAX_LOC
        assert entry.priority is None or 0 <= entry.priority <= 1


locs = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=50).filter(str.strip)


@given(written=st.lists(locs.map("https://a/".__add__), max_size=20), cdata=st.booleans(), packed=st.booleans())
def test_what_was_written_is_what_is_read(written: list[str], cdata: bool, packed: bool) -> None:
    """D3"""

    def escaped(loc: str) -> str:
        if cdata:
            return "<![CDATA[" + loc.replace("]]>", "]]]]><![CDATA[>") + "]]>"
        return loc.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    document = "<urlset>" + "".join(f"<url><loc>{escaped(loc)}</loc></url>" for loc in written) + "</urlset>"
    data = gzip.compress(document.encode()) if packed else document.encode()
    reader = SitemapReader()
    assert [entry.loc for entry in (*reader.feed(data), *reader.close())] == written
