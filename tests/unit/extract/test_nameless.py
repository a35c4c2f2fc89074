"""Links with nothing in them."""

import pytest
from turbohtml import parse

from quire.extract.nameless import without_nameless


def left_of(html: str) -> str:
    body = parse(f"<body>{html}").find("body")
    assert body is not None
    return without_nameless(body).inner_html


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<div><a href=/a></a><h3>A</h3><p>b</p></div>", '<div><h3><a href="/a">A</a></h3><p>b</p></div>'),
        ("<div><h3>A</h3><a href=#></a></div>", "<div><h3>A</h3></div>"),
        ("<div><h2>A</h2><h2>B</h2><a href=/a></a></div>", "<div><h2>A</h2><h2>B</h2></div>"),
        ("<div><h2><a href=/b>A</a></h2><a href=/a></a></div>", '<div><h2><a href="/b">A</a></h2></div>'),
        ("<div><h1>A</h1><a href=/print></a></div>", "<div><h1>A</h1></div>"),
        (f"<div><h2>A</h2><a href=/a></a>{'b' * 1000}</div>", f"<div><h2>A</h2>{'b' * 1000}</div>"),
        ("<p>a<a href=/b> </a>c</p>", "<p>a c</p>"),
        ("<a href=/share><i class=icon></i></a>", ""),
    ],
)
def test_a_link_with_nothing_in_it_goes_or_leads_on_from_the_heading(html: str, left: str) -> None:
    """M3"""
    assert left_of(html) == left


@pytest.mark.parametrize(
    "html",
    [
        '<a href="/a">a</a>',
        '<a href="/a" title="t"></a>',
        '<a href="/a" aria-label="t"></a>',
        '<a href="/a"><img src="/i.png"></a>',
        '<a href="/a"><svg><title>t</title></svg></a>',
        '<a id="a"></a>',
    ],
)
def test_links_with_a_name_or_a_picture_and_anchors_stay(html: str) -> None:
    """M3"""
    assert left_of(html) == html


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<a href=/a aria-label='Read A'></a><a href=/a>A</a>", '<a href="/a">A</a>'),
        ("<a href=/a>A</a><b>b</b><a href=/a title='Read A'> </a>", '<a href="/a">A</a><b>b</b>'),
        ("<a href=/a?from=1 aria-label='Read A now'></a><a href=/a?from=2>A</a>", '<a href="/a?from=2">A</a>'),
    ],
)
def test_a_link_with_a_name_goes_where_another_has_words_for_the_same_place(html: str, left: str) -> None:
    """M3: one that is laid over a card has a name for those who do not see the card"""
    assert left_of(html) == left


@pytest.mark.parametrize(
    "html",
    [
        '<a href="/a?page=2" aria-label="Next"></a><a href="/a?page=3">3</a>',
        '<a href="/a" aria-label="Read A"></a><a href="/b">A</a>',
        '<a href="/a" aria-label="Read A"></a><a href="/a"><img src="/i.png"></a>',
    ],
)
def test_a_link_with_a_name_stays_where_none_does(html: str) -> None:
    """M3"""
    assert left_of(html) == html


def test_many_in_one_place_take_one_look_at_it() -> None:
    """U10"""
    body = parse(f"<body><p>{'word ' * 200_000}{'<a href=/x></a>' * 20_000}</p>").find("body")
    assert body is not None
    assert without_nameless(body).find("a") is None
