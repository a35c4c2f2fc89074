"""Pictures one after the other."""

import pytest
from turbohtml import parse

from quire.convert.markdown import to_markdown

A, B = ("![](https://example.org/a.png)", "![](https://example.org/b.png)")


def markdown(html: str) -> str:
    body = parse(f"<body>{html}").find("body")
    assert body is not None
    return to_markdown([body], "https://example.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div><img src=a.png></div><div><img src=b.png></div><div><img src=a.png></div>", f"{A}\n\n{B}\n"),
        ("<ul><li><img src=a.png></li></ul><ul><li><img src=a.png></li></ul><p>x</p>", f"- {A}\n\nx\n"),
        ("<a href=/to><img src=a.png></a><p><a href=/to><img src=a.png></a></p>", f"[{A}](https://example.org/to)\n"),
        ("<a href=a.png><img src=a.png></a><p><img src=a.png></p>", f"[{A}](https://example.org/a.png)\n"),
    ],
)
def test_a_picture_that_is_shown_again_with_nothing_between_goes(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<div><img src=a.png></div><p>x</p><div><img src=a.png></div>",
        "<div><img src=a.png><img src=a.png></div>",
        "<div><img src=a.png></div><div><a href=/to><img src=a.png></a></div>",
        "<table><tr><th>x<th>y<tr><td><img src=a.png></td><td><img src=a.png></td></table>",
    ],
)
def test_pictures_that_mean_something_where_they_are_stay(html: str) -> None:
    """M1"""
    assert markdown(html).count(A) == 2


def test_many_copies_are_found_in_one_walk() -> None:
    """U10"""
    images = "<div><img src=a.png></div>" * 20_000
    assert markdown(images) == f"{A}\n"
    assert markdown(f"<div>{'<b></b>' * 1000}{images}</div>") == f"{A}\n"
