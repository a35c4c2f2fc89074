"""A page's heading that is left out of its Markdown (M1)."""

from __future__ import annotations

import pytest

from quire.convert.markdown import converted, finished
from quire.convert.tidy import tidied
from quire.extract.content import content_of
from quire.extract.decode import decode
from quire.extract.headline import headline_of
from quire.extract.page import heading_text
from quire.targets import Targets
from quire.urls import UrlPolicy

BASE = "https://example.com/a/"


def without_heading(html: str, title: str = "The title") -> tuple[str, str | None]:
    content = content_of(decode(f"<body>{html}".encode(), "text/html")[0], "full")
    heading = headline_of(content, title)
    markdown, _ = tidied(finished(converted(content, Targets(UrlPolicy()).of_page(BASE, BASE), heading)))
    return markdown, None if heading is None else heading_text(heading)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h1>The title</h1><p>Text<h2>Part</h2>", "Text\n\n## Part\n"),
        ("<p>Home<h1>The title</h1><p>Text", "Home\n\nText\n"),
        ("<h1>The title</h1><h1>The title</h1><p>Text", "Text\n"),
        ("<h1>The title</h1><p>Text<h2>The title</h2><p>More", "Text\n\n## The title\n\nMore\n"),
        ("<a href='/b'><h1>The title</h1></a><p>Text", "Text\n"),
        ("<h1><a href='/b'>The title</a></h1><p>Text", "Text\n"),
        ("<a href='/b'><h1>The title</h1>A card</a>", "[A card](https://example.com/b)\n"),
        ("<h1>The title <img src=a.png alt=Map></h1><p>Text", "![Map](https://example.com/a/a.png)\n\nText\n"),
        (
            "<ul class=slides><li><img src=a.png><h1>The title</h1><p>Text</ul>",
            "![](https://example.com/a/a.png)\n\nText\n",
        ),
        ("<h1>The title</h1>", "\n"),
    ],
)
def test_a_dropped_heading_leaves_the_rest_as_it_was(html: str, markdown: str) -> None:
    """M1: it goes where it stands and once, also from links and sliders; pictures in it stay"""
    assert without_heading(html) == (markdown, "The title")


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<h1 id=t>The <code>title</code><a href='#t'>¶</a></h1><p>Text", "The title"),
        ("<h1>The <b>title</b> <span class=mw-editsection>[edit]</span></h1><p>Text", "The title"),
        ("<h1>The title <button>Copy to clipboard</button></h1><p>Text", "The title"),
        ("<h1>The title of \\(x^2\\)</h1><p>Text", "The title of \\(x^2\\)"),
    ],
)
def test_a_dropped_heading_has_the_words_that_it_would_have_had(html: str, words: str) -> None:
    """M1, M5: without links to itself, to its editor, and buttons"""
    assert without_heading(html) == ("Text\n", words)


def test_a_heading_that_is_nobodys_stays() -> None:
    """M1"""
    html = "<h1>A cat</h1><p>Meows</p><h1>A dog</h1><p>Barks</p>"
    assert without_heading(html, "Animals") == ("# A cat\n\nMeows\n\n# A dog\n\nBarks\n", None)
