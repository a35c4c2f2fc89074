"""What the fuzzer begins with: files of the kinds that Quire reads, from this repository."""

from __future__ import annotations

import asyncio
import gzip
import sqlite3
import tempfile
from pathlib import Path

from quire import urls
from quire.filter.judge import Judge
from quire.opening import FRONTIER_FILE, open_mirror
from quire.records import Facts, Failed, Link, Outcome, PageRecord, Redirected, Saved, Skipped
from quire.schedule.sqlite import SqliteFrontier
from quire.settings import Mirror, Pace, Settings
from quire.store.paths import page_path
from quire.store.shelf import folded

_TESTS = Path(__file__).parents[2]

ROBOTS = b"""User-agent: *
Disallow: /private/
Allow: /private/open*.html$
Crawl-delay: 2.5
Sitemap: https://example.org/sitemap.xml

User-agent: Quire/0.1
User-agent: other
Disallow: /*?session=*&page=
Disallow: /caf\xc3\xa9/%7Euser
Allow: /
Request-rate: 1/5
Visit-time: 0600-0845
"""
ROBOTS_WORDS = (
    *(b"User-agent: *\n", b"User-agent: Quire\n", b"Disallow: /", b"Allow: /", b"Disallow:\n", b"Sitemap: http://a/"),
    *(b"Crawl-delay: ", b"*", b"$", b"%2F", b"%", b"#", b":", b"\n", b"\r", b"\0", b"\xef\xbb\xbf", b"\xff", b"/a*b*"),
)

HEADS = (
    b'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: W/"1"\r\nContent-Length: 5\r\n\r\nhello',
    b"HTTP/1.1 301 Moved\r\nLocation: /caf\xe9?a=b#c\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 503 Busy\r\nRetry-After: Mon, 06 May 2024 10:00:00 +0200\r\nX-Robots-Tag: noindex\r\n\r\n",
    b"HTTP/1.1 429 Slow\r\nRetry-After: 120\r\n\r\n",
    b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, br, deflate\r\nLast-Modified: Mon, 06 May 2024\r\n\r\nabc",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"<p>Page</p>"),
)
HEAD_WORDS = (
    *(
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 ",
        b"HTTP/",
        b"\r\n",
        b"\n",
        b"\r\n\r\n",
        b":",
        b": ",
        b" ",
        b"\t",
        b",",
        b";",
    ),
    *(b"Retry-After: ", b"Location: ", b"Content-Encoding: ", b"Content-Length: ", b"Content-Type: ", b"ETag: "),
    *(
        b"gzip, ",
        b"br",
        b"zstd",
        b"deflate, ",
        b"chunked",
        b"Transfer-Encoding: ",
        b"304",
        b"100",
        b"\0",
        b"\xff",
        b"+0000",
    ),
    *(
        b"99999999999999999",
        b"Mon, 01 Jan 2024 00:00:00 +",
        b"-",
        b"//",
        b"http://",
        b"?",
        b"#",
        b"9" * 5000,
        b"\xc3\xa9",
    ),
)

SITEMAP = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE urlset [<!ENTITY a "b">]>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>https://example.org/a?b=1&amp;c=2</loc><lastmod>2024-05-01T10:00:00Z</lastmod><priority>0.8</priority></url>
<url><loc><![CDATA[https://example.org/b]]></loc><changefreq>daily</changefreq><image:image><image:loc>https://x/y.png
</image:loc></image:image></url><!-- a comment --></urlset>
"""
INDEX = (
    b"<sitemapindex><sitemap><loc>https://example.org/1.xml.gz</loc><lastmod>2024</lastmod></sitemap></sitemapindex>"
)
FEED = (
    b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://example.org/e"/><updated>2024-01-01</updated>'
    b'</entry></feed><rss><channel><item><link>https://example.org/r</link><guid isPermaLink="true">https://g/</guid>'
    b"<pubDate>Mon, 06 May 2024 10:00:00 GMT</pubDate></item></channel></rss>"
)
LIST = b"https://example.org/1\nhttps://example.org/2\r\nhttp://example.org/3?a=b\n"
SITEMAPS = (SITEMAP, INDEX, FEED, LIST, gzip.compress(SITEMAP * 20), SITEMAP.decode().encode("utf-16"))
SITEMAP_WORDS = (
    *(
        b"<url>",
        b"</url>",
        b"<loc>",
        b"</loc>",
        b"<loc",
        b"<![CDATA[",
        b"]]>",
        b"<!--",
        b"-->",
        b"<!ENTITY x '",
        b"&lt;",
    ),
    *(
        b"&#x41;",
        b"&",
        b"<?",
        b"?>",
        b"'",
        b'"',
        b"<",
        b">",
        b"/>",
        b"\n",
        b"\0",
        b"https://a/",
        b"<lastmod>",
        b"<a b='",
    ),
    *(b"<sitemap>", b"<urlset>", b"<entry>", b"<link href='", b"\x1f\x8b", b"\xff\xfe", b"]]", b"--", b" ", b"x:url "),
)

URLS = b"""https://example.org/docs/index.html?page=2&utm_source=x#top
HTTP://User:Pass@EXAMPLE.org:80/a/../b/./%7euser/%2e%2E/c;jsessionid=1F2E?q=%C3%A9
http://[2001:db8::1]:8080/p%20a%2Fth//x?;;&&==
//b\xc3\xbccher.example/stra\xc3\x9fe\\..\\x
/con/aux.txt/nul./COM1/..%5c..%5cetc/passwd%00
http://0x7f.1/a?b=1&b=2&a[]=3&f%5B0%5D=x
../../../%252e%252e/index.md
/2024/05/31/12345/9f8e7d6c5b4a/xyz
"""
URL_WORDS = (
    *(
        b"http://",
        b"https://",
        b"//",
        b"/",
        b"..",
        b"/../",
        b"%2e",
        b"%2F",
        b"%",
        b"%00",
        b"\\",
        b"?",
        b"#",
        b"&",
        b"=",
        b";",
    ),
    *(
        b"@",
        b":",
        b"[",
        b"]",
        b"\xc3\xa9",
        b"e\xcc\x81",
        b"\xf0\x9f\x98\x80",
        b"\xff",
        b"\0",
        b"\t",
        b" ",
        b"con",
        b"aux.",
    ),
    *(b"index.md", b"_failed", b"/a", b"/1", b"2024/", b"xn--", b".", b"~", b"a1b2c3d4", b"jsessionid="),
)

PATTERNS = rb"""docs
^https?://[^/]+/(api|guide)/.*\.html$
(?i)\bREADME\b
[?&]page=\d{1,3}(&|$)
\p{Greek}+|[[:alpha:]_]
(a|aa)+$
"""
PATTERN_WORDS = (
    *(
        b"(",
        b")",
        b"[",
        b"]",
        b"{1000}",
        b"{2,}",
        b"*",
        b"+",
        b"?",
        b"|",
        b"\\",
        b"^",
        b"$",
        b".",
        b"(?=",
        b"(?P<x>",
        b"\\1",
    ),
    *(b"(?i)", b"\\d", b"\\pL", b"[^", b"-", b"\\x{10ffff}", b",", b"a", b"{", b"}", b"\\Q", b"\xc3\xa9", b"\xff"),
)

HTML_WORDS = (
    *(b"<div>", b"</div>", b"<p>", b"<a href='/x'>", b"</a>", b"<ul><li>", b"</li>", b"<table><tr><td>", b"</table>"),
    *(b"<td rowspan=65534 colspan=1000>", b"<pre><code class=language-x>", b"</pre>", b"<b>", b"<i>", b"<!--", b"-->"),
    *(b"<script>", b"</script>", b"<style>", b"<svg>", b"<math>", b"<select>", b"<template>", b"<frameset>", b"<main>"),
    *(b"<title>", b"<base href='//x'>", b"<meta charset=utf-16>", b"&lt;", b"&#x10ffff;", b"&", b"<", b">", b'"', b"'"),
    *(
        b"```",
        b"|",
        b"\\(",
        b"\\)",
        b"$$",
        b"*",
        b"_",
        b"[",
        b"](",
        b"\n",
        b"\0",
        b"\xff",
        b"\xe2\x80\xae",
        b"<br>",
        b"<dl><dt>",
    ),
    *(b"<h1>", b"<blockquote>", b"<details><summary>", b"<sup>", b"<span class=", b"<input>", b"<img src=x alt='"),
    *(
        b"<a onclick=\"location='/o'\">",
        b'<script type="application/ld+json">{"url":"/j"}</script>',
        b"<font>",
        b"<nobr>",
    ),
)

SETTINGS = b"""max_pages = 100
include_pattern = ["docs", "api"]
exclude_paths = "/private,/tmp"
delay = 0.5
front_matter = false
user_agent = "Quire \\u00e9"
on_error = "retry"
timeout = 1e1
"""
BODY = (
    b'{"max_pages": 5, "include_pattern": ["a"], "delay": 0, "content": "main", "min_free_disk": 1e3, "update": true}'
)
SETTINGS_WORDS = (
    *(
        b"[",
        b"]",
        b"{",
        b"}",
        b"=",
        b"'''",
        b'"""',
        b"\n",
        b",",
        b"1e999",
        b"inf",
        b"-",
        b"true",
        b"[[a]]",
        b"a.b.c=1\n",
    ),
    *(
        b"\\u0000",
        b"\\ud800",
        b"1979-05-27",
        b"#",
        b"max_pages",
        b"include_pattern",
        b"\xff",
        b"\0",
        b"null",
        b"9" * 5000,
    ),
)


def pages() -> list[bytes]:
    """HTML of many shapes."""
    return [file.read_bytes() for file in sorted((_TESTS / "golden").glob("*/source.html"))]


def checkpoints() -> list[bytes]:
    """Frontiers as crawls leave them: one begun, one in the middle."""
    return [checkpoint(3), checkpoint(200)]


def checkpoint(settled: int) -> bytes:
    """The frontier of a crawl that has settled so many URLs."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(("http://127.0.0.1:9/",), mirror=Mirror(output=folder), pace=Pace(delay=0.0))
        judge = Judge(settings)
        mirror = open_mirror(settings, judge, lambda _: None)
        asyncio.run(_crawl(SqliteFrontier(mirror.database, judge, settings.pace), settled))
        mirror.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        mirror.close()
        with sqlite3.connect(Path(folder) / FRONTIER_FILE) as database:
            database.execute("PRAGMA journal_mode=DELETE")
        database.close()
        return (Path(folder) / FRONTIER_FILE).read_bytes()


def _link(number: int) -> Link:
    url = f"http://127.0.0.1:9/p/{number}" if number else "http://127.0.0.1:9/"
    found_on = None if number % 3 else "http://127.0.0.1:9/sitemap.xml"
    source = "a" if number % 3 else "sitemap"
    return Link(url, urls.fingerprint(url), source, found_on, number % 7, start=not number, lastmod="2024-01-01")


async def _crawl(frontier: SqliteFrontier, settled: int) -> None:
    frontier.pace("127.0.0.1:9", 0.0)
    await frontier.add([_link(0)])
    for number in range(settled):
        lease = await frontier.lease()
        assert lease is not None
        found = [_link(2 * number + 1), _link(2 * number + 2), _link(number % 5)]
        path = page_path(lease.link.url)
        links = b"".join(link.key.to_bytes(8, "little", signed=True) for link in found)
        facts = Facts(title=f"Page {number}", headings=((1, "Heading"),), word_count=number)
        page = PageRecord(path, folded(path), False, 10, "sha256:0", facts, links=links, etag='"x"')
        outcomes: dict[int, Outcome] = {
            7: Failed("http-500", "broken"),
            8: Skipped("gone", "410"),
            9: Redirected(found[0]),
        }
        await frontier.settle(lease, outcomes.get(number % 10, Saved(page)), found)
