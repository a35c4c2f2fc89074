"""Cards that are one link each."""

import pytest
from turbohtml import parse

from quire.convert.markdown import to_markdown
from quire.extract.cards import part_cards

A = "<a href=/a><div><img src=/a.png></div><div><span>A</span></div></a>"
B = "<a href=/b><div><p>B</p></div></a>"


def markdown(html: str) -> str:
    body = parse(f"<body>{html}").find("body")
    assert body is not None
    return to_markdown([part_cards(body)], "https://e.org/")


@pytest.mark.parametrize("between", ["", "\n "])
def test_cards_side_by_side_are_blocks(between: str) -> None:
    """M3"""
    assert markdown(f"<div>{A}{between}{B}{between}{B}</div>") == (
        "[![](https://e.org/a.png) A](https://e.org/a)\n\n[B](https://e.org/b)\n\n[B](https://e.org/b)\n"
    )


@pytest.mark.parametrize(
    "html", ["<p><a href=/a>A</a> <a href=/b>B</a></p>", "<p>x <a href=/a><span>A</span></a> y</p>"]
)
def test_links_in_a_line_stay_in_it(html: str) -> None:
    """M3"""
    assert markdown(html).count("\n") == 1
