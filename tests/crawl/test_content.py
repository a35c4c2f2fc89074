"""What becomes of a page: the fetching and conversion scenarios of content-mirroring, as whole crawls."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Site

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

ARTICLE = """
<style>main { color: red }</style>
<h1>The <em>title</em></h1>
<p>Read <a href="guide?x=1#top">the guide</a>, or <a href="//127.0.0.9/else">else</a>.</p>
<script>document.write("pollution")</script>
<noscript>pollution</noscript><template>pollution</template><!-- pollution -->
<h2>Steps</h2>
<ol><li>One<ul><li>Nested</li></ul></li><li>Two</li></ol>
<pre><code class="language-python">if a &lt; b:
    print("*")</code></pre>
<table><tr><th>Key</th><th>Value</th></tr><tr><td>a</td><td>1 | 2</td></tr></table>
<img src="/images/logo.png"><img src="pic.jpg" alt="A picture">
"""


def test_successful_html_conversion(site: Site, mirror: Mirror) -> None:
    """M1, M4, M5: ATX headings, code, tables, lists; absolute links and images; scripts and styles are gone"""
    site.page(
        "/docs/start",
        ARTICLE,
        title="Start here",
        head='<meta name="description" content="How &quot;it&quot; works"><style>p { pollution: 1 }</style>',
    )
    assert mirror(start="/docs/start").status == 0
    body = mirror.body("/docs/start")
    for line in (
        "# The *title*",
        "## Steps",
        "```python",
        'if a < b:\n    print("*")\n```',
        "1. One",
        "2. Two",
        f"[the guide]({site.url}/docs/guide?x=1#top)",
        "[else](http://127.0.0.9/else)",
        f"![]({site.url}/images/logo.png)",
        f"![A picture]({site.url}/docs/pic.jpg)",
    ):
        assert line in body
    assert re.search(r"^ {2,4}[-*] Nested$", body, re.MULTILINE)
    assert re.search(r"^\| *Key *\| *Value *\|\n\| *-+ *\| *-+ *\|\n\| *a *\| *1 \\\| 2 *\|$", body, re.MULTILINE)
    for noise in ("pollution", "color: red", "<"):
        assert noise not in body.replace("a < b", "")
    page = mirror.pages["/docs/start"]
    head = dict(line.split(": ", 1) for line in mirror.text("/docs/start").split("---\n")[1].splitlines())
    assert head["url"] == f'"{site.url}/docs/start"'
    assert head["title"] == '"Start here"'
    assert head["description"] == r'"How \"it\" works"'
    assert datetime.fromisoformat(head["fetched_at"].strip('"')).tzinfo
    assert head["content_hash"].strip('"') == page["hash"] == f"sha256:{hashlib.sha256(body.encode()).hexdigest()}"
    assert page["size"] == len(mirror.text("/docs/start").encode())
    assert (page["title"], page["description"], page["language"]) == ("Start here", 'How "it" works', "en")


def test_without_front_matter_a_file_is_its_markdown(site: Site, mirror: Mirror) -> None:
    """M5, R7"""
    site.page("/", "<h1>Only this</h1>")
    mirror.crawl(front_matter=False)
    assert mirror.text("/") == "# Only this\n"
    assert mirror.pages["/"]["hash"] == f"sha256:{hashlib.sha256(b'# Only this' + bytes([10])).hexdigest()}"


def test_non_html_content_handling(site: Site, mirror: Mirror) -> None:
    """M6, F7: a placeholder in `_skipped/` tells URL and content type; the body is not downloaded"""
    site.page("/", links=["/paper", "/data?format=json", "/text", "/nameless", "/empty", "/nothing"])
    site.raw("/paper", b"%PDF-1.7" + bytes(10_000), "application/pdf")
    site.raw("/data", b"{}", "application/json; charset=utf-8")
    site.raw("/text", b"just text", "text/plain")
    site.raw("/nameless", b"<!DOCTYPE html><title>It has no type</title><p>but is a page", "")
    site.raw("/empty", b"", "text/html")
    site.page("/nothing", status=204)
    assert mirror().status == 0
    assert mirror.listed("skipped") == {
        "/paper": "content-type",
        "/data?format=json": "content-type",
        "/text": "content-type",
        "/nothing": "no-content",
    }
    placeholder = (mirror.folder / "_skipped" / mirror.host / "paper" / "index.md").read_text()
    assert f"{site.url}/paper" in placeholder
    assert "application/pdf" in placeholder
    (data,) = (mirror.folder / "_skipped" / mirror.host).glob("data__q_*.md")
    assert f"{site.url}/data?format=json" in data.read_text()
    assert set(mirror.pages) == {"/", "/nameless", "/empty"}
    assert "but is a page" in mirror.body("/nameless")


def test_a_page_that_a_proxy_has_changed_is_there(site: Site, mirror: Mirror) -> None:
    """M1, P6: 203, as any good status, comes with the page"""
    site.page("/", links=["/changed"])
    site.page("/changed", "<p>Hardly changed</p>", status=203)
    mirror.crawl()
    assert mirror.body("/changed") == "Hardly changed\n"


def test_a_file_that_is_called_a_page_is_none(site: Site, mirror: Mirror) -> None:
    """M6, F7: programs that hand out files often send the type that they send for pages"""
    site.page("/", links=["/get?file=1"])
    site.raw("/get?file=1", b"%PDF-1.7" + bytes(range(256)), "text/html; charset=utf-8")
    mirror.crawl()
    assert set(mirror.pages) == {"/"}
    (skipped,) = mirror.manifest["skipped"]
    assert (skipped["reason"], skipped["detail"]) == ("content-type", "application/pdf")


def test_a_start_url_that_is_a_pdf_is_asked_for_and_skipped(site: Site, mirror: Mirror) -> None:
    """M6, P2, C9: the user asked for it, so it is looked at; no page at all is not success"""
    site.raw("/report.pdf", b"%PDF-1.7", "application/pdf")
    finished = mirror(start="/report.pdf")
    assert site.count("/report.pdf") == 1
    assert mirror.listed("skipped") == {"/report.pdf": "content-type"}
    assert finished.status == 1


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate"])
def test_compressed_pages_are_read(site: Site, mirror: Mirror, encoding: str) -> None:
    """E1"""
    site.page("/", f"<h1>Packed with {encoding}</h1>" + "<p>text</p>" * 500, encoding=encoding)
    mirror.crawl()
    assert f"# Packed with {encoding}\n" in mirror.body("/")


def test_character_sets_of_whole_crawls(site: Site, mirror: Mirror) -> None:
    """M2, R9: byte order mark, header, meta, then detection"""
    text = "<p>Grüße aus Köln, naïve café</p>"
    site.raw("/", b'<a href="/bom">b</a><a href="/header">h</a><a href="/meta">m</a><a href="/none">n</a>', "text/html")
    site.raw("/bom", text.encode("utf-8-sig"), "text/html; charset=latin-1")
    site.raw("/header", b'<meta charset="utf-8">' + text.encode("latin-1"), 'text/html; charset="ISO-8859-1"')
    site.raw("/meta", b'<meta charset="windows-1252">' + text.encode("latin-1"), "text/html; charset=bogus")
    site.raw("/none", text.encode(), "text/html")
    mirror.crawl()
    for page in ("/bom", "/header", "/meta", "/none"):
        assert "Grüße aus Köln, naïve café" in mirror.body(page), page


def test_a_part_of_the_page_by_selector(site: Site, mirror: Mirror) -> None:
    """M3: main content by default, everything with `full`, the matches of a selector, the body where none match"""
    frame = "<nav>Menu</nav><main><h1>Main</h1><div class=part>Note</div></main><footer>Imprint</footer>"
    site.page("/", frame, raw=True)
    expected = {"main": "# Main\n\nNote\n", ".part": "Note\n"}
    for part, body in expected.items():
        mirror.crawl(content=part, fresh=True)
        assert mirror.body("/") == body
    for part in ("full", ".missing"):
        mirror.crawl(content=part, fresh=True)
        assert all(word in mirror.body("/") for word in ("Menu", "Main", "Note", "Imprint"))


def test_parts_can_be_left_out(site: Site, mirror: Mirror) -> None:
    """M3: what --remove matches is in no file, and its links are followed all the same"""
    menu = '<div class=toc><a href="/a">Menu</a></div>'
    site.page("/", f"<main><h1>Main</h1>{menu}<p>Text <span hidden-note>not this</span></p></main>", raw=True)
    site.page("/a", f"{menu}<p>A</p>")
    mirror.crawl(remove=(".toc", "[hidden-note]"))
    assert mirror.body("/") == "# Main\n\nText\n"
    assert set(mirror.pages) == {"/", "/a"}
    assert "Menu" not in mirror.body("/a")


def test_titles_cannot_break_the_front_matter_or_the_index(site: Site, mirror: Mirror) -> None:
    """M5, S12: quotes, colons, dashes, brackets and line ends"""
    title = '--- "quoted": [link](x)\n---\n\\ \u2028 <b>'
    site.page("/", "<p>Body</p>", title=title, links=["/a"])
    site.page("/a", "<p>Body of a</p>", title="")
    mirror.crawl()
    collapsed = " ".join(title.split())
    assert mirror.pages["/"]["title"] == collapsed
    assert mirror.body("/").startswith("Body\n")
    front = mirror.text("/").split("\n")
    assert front[0] == "---"
    assert front.index("---", 1) == next(n for n, line in enumerate(front) if line.startswith("content_hash")) + 1
    index = (mirror.folder / "_index.md").read_text("utf-8")
    assert f"({mirror.host}/index.md)" in index
    assert "[link](x)" not in index
