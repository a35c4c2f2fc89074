"""Pages that are there already: what a crawl would make of them, without one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from quire_test_site import Site

import quire
from quire.convert.front_matter import split

URL = "https://example.com/docs/a"
PAGE = """<html lang=en><head><title>Kettles</title></head><body>
<nav><a href=/>Home</a></nav>
<main><h1>Kettles</h1><p>They boil <a href=water>water</a>.<p class=ad>Buy two.<pre><code class=language-sh>boil
</code></pre></main></body></html>"""


def test_it_is_what_a_crawl_writes(site: Site, mirror_dir: Path) -> None:
    """M1, M3, M4: the Markdown of the file, the facts of the event, and nothing is asked for"""
    site.page("/", PAGE, raw=True)
    saved: list[quire.PageSaved] = []
    quire.crawl_sync(
        f"{site.url}/",
        output=str(mirror_dir),
        delay=0,
        workers=1,
        max_pages=1,
        on_event=lambda event: saved.append(event) if isinstance(event, quire.PageSaved) else None,
    )
    asked = len(site.hits)
    page = quire.convert_page(PAGE, f"{site.url}/")
    assert saved[0].path is not None
    assert page.markdown == split((mirror_dir / saved[0].path).read_text("utf-8"))[1]
    assert page.facts == saved[0].facts
    assert page.links == (f"{site.url}/water",)
    assert len(site.hits) == asked


def test_settings_hold_as_in_a_crawl() -> None:
    """M3, U5: by their names; links are resolved against the page's URL"""
    page = quire.convert_page(PAGE, URL)
    assert page.markdown == (
        "# Kettles\n\nThey boil [water](https://example.com/docs/water).\n\nBuy two.\n\n```sh\nboil\n```\n"
    )
    assert page.text.split() == ["Kettles", "They", "boil", "water.", "Buy", "two.", "boil"]
    assert (page.url, page.facts.title, page.facts.language) == (URL, "Kettles", "en")
    shorter = quire.convert_page(PAGE, URL, remove=[".ad", "pre"], heading="drop")
    assert shorter.markdown == "They boil [water](https://example.com/docs/water).\n"
    assert quire.convert_page(PAGE, URL, content="full").markdown.startswith("[Home](https://example.com/)")


@pytest.mark.parametrize(
    ("html", "content_type"),
    [
        ("<p>Käse", "text/html"),
        ("<meta charset=latin-1><p>Käse", "text/html"),
        ("<p>Käse".encode("latin-1"), "text/html; charset=latin-1"),
        ("<meta charset=latin-1><p>Käse".encode("latin-1"), "text/html"),
        ("<p>Käse".encode(), "text/html"),
        ("<p>Käse\udcff".encode("utf-8", "replace").decode(), "text/html"),
    ],
)
def test_text_is_read_as_it_is_and_bytes_by_what_they_say(html: bytes | str, content_type: str) -> None:
    """M2"""
    assert quire.convert_page(html, URL, content_type).text.startswith("Käse")


def test_addresses_that_nobody_wrote_are_no_text() -> None:
    """M4: those of films without a name; others are"""
    films = "<video src=/a.mp4></video><video src=/b.mp4 title=Boiling></video>"
    page = quire.convert_page(f"<p>See <a href=/x>https://example.com/x</a></p>{films}", URL)
    assert page.text.split() == ["See", "https://example.com/x", "Boiling"]
    assert "<https://example.com/a.mp4>" in page.markdown


def test_a_page_that_sends_its_readers_on_says_where() -> None:
    """D6"""
    page = quire.convert_page('<meta http-equiv=refresh content="0; url=/b"><p>Moved', URL)
    assert (page.leads_to, page.markdown) == ("https://example.com/b", "")


def test_nothing_is_made_of_what_is_no_page() -> None:
    """M2, P7: nothing but a clear error where there is too much of it"""
    for empty in (b"", "", b"\x00", "<!-- -->", "<script>x()</script>"):
        assert quire.convert_page(empty, URL).text == ""
    with pytest.raises(quire.PageError, match="larger than --max-markdown 1000 bytes"):
        quire.convert_page("<p>word " * 1_000, URL, max_markdown=1_000)


@pytest.mark.parametrize(
    ("url", "options", "message"),
    [
        ("mailto:a@example.com", {}, "is not a web address"),
        (URL, {"content": "p["}, "is neither main, full nor a CSS selector"),
        (URL, {"remove": ["p["]}, "is not a CSS selector"),
        (URL, {"colour": "red"}, "colour: there is no such setting"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(url: str, options: dict[str, Any], message: str) -> None:
    """C9"""
    with pytest.raises(quire.UsageError, match=message):
        quire.convert_page(PAGE, url, **options)
