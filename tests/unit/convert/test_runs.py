"""Emphasis that goes on in the next element."""

import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://example.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>part-time</b> <b>programs</b> are", "**part-time programs** are\n"),
        ("<b>a</b>&nbsp;<b>b</b>\n<b>c</b>", "**a\u00a0b c**\n"),
        ("<i>(See:</i> <i><a href=x>one</a></i> <i>&amp;</i> <i><a href=y>two</a>.)</i>",
         "*(See: [one](https://example.org/x) & [two](https://example.org/y).)*\n"),
        ("<em>plain</em> <em><strong>How &amp; to</strong></em>", "*plain **How & to***\n"),
        ("x<sup>1</sup> <sup>2</sup>", "x<sup>1</sup> <sup>2</sup>\n"),
    ],
)  # fmt: skip
def test_emphasis_that_a_blank_parts_is_one(html: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<p>{html}</p>") == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>a</b>, <b>b</b>", "**a**, **b**\n"),
        ("<b>a</b> <i>b</i>", "**a** *b*\n"),
        ("<b class=credit>Ada</b> <b class=toggle>more</b>", "**Ada** **more**\n"),
        ("<b>a</b> c <b>b</b>", "**a** c **b**\n"),
    ],
)
def test_what_is_parted_by_more_or_looks_different_is_not(html: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<p>{html}</p>") == expected
