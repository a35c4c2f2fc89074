"""Parts of a page that React sent late."""

from __future__ import annotations

import pytest

from quire.extract.content import content_of
from quire.extract.decode import decode


def text(html: str) -> str:
    document, _ = decode(f"<body>{html}".encode(), "text/html; charset=utf-8")
    return " ".join(content_of(document, "full")[0].text.split())


def test_what_came_late_is_where_it_belongs() -> None:
    """M3"""
    html = """<p>Run</p><!--$?--><template id="B:3"></template><p>Loading</p><!--/$--><p>done.</p>
        <div hidden id="S:3"><b>quire</b> <template id="P:4"></template></div><div hidden id="S:4"><i>demo</i></div>"""
    assert text(html) == "Runquire demodone."


def test_a_part_that_holds_its_own_place_is_left() -> None:
    """M3, U10"""
    html = '<div hidden id="S:1">a<template id="B:1"></template>b</div><template id="B:2"></template><p id="S:">c</p>'
    assert text(html) == "abc"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<p>a</p><template id="B:0"></template><p>b</p><p id="S:0">c</p>', "acb"),
        ('<p>a</p><template id="B:0"></template><!--/$-->b<template id="B:1"></template>c<p id="S:1">d</p>', "abdc"),
    ],
)
def test_without_an_end_nothing_was_there_only_meanwhile(html: str, expected: str) -> None:
    """M3"""
    assert text(html) == expected


def test_a_place_before_all_words_is_none() -> None:
    """M3"""
    document, _ = decode(b'<template id="B:0"></template><p>a</p><p id="S:0">b</p>', "text/html")
    assert content_of(document, "full")[0].text == "ab"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_what_came_late_is_found_however_the_page_is_written(encoding: str) -> None:
    """M3, R9"""
    html = "<p>a</p><template id=B:0></template><p>c</p><p id='S:0'>b</p>"
    document, _ = decode(html.encode(encoding), f"text/html; charset={encoding}")
    assert content_of(document, "full")[0].text == "abc"
