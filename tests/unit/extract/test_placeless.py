"""Images that a page has no address for."""

import pytest
from turbohtml import parse

from quire.extract.placeless import without_placeless


def left_of(html: str) -> str:
    body = parse(f"<body>{html}").find("body")
    assert body is not None
    return without_placeless(body).inner_html


@pytest.mark.parametrize(
    "html",
    [
        "<img alt='A cat'>",
        "<img alt='A cat' class='a/b' width=1024 loading=lazy>",
        "<img alt='A cat' :src='pictures[1] || \"/a.png\"'>",
        "<img alt='A cat' src='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='>",
        "<picture><source media=x><img alt='A cat'></picture>",
        "<figure><a><span><img alt='A cat'></span></a></figure>",
        "<h2>Cats</h2><img alt='A cat'><p>They sleep.</p>",
    ],
)
def test_one_that_stands_alone_goes(html: str) -> None:
    """M3: nobody sees what it describes"""
    assert "A cat" not in left_of(f"<div>{html}</div>")


@pytest.mark.parametrize(
    "html",
    [
        '<img alt="A cat" src="/a.png">',
        '<img alt="A cat" data-hi-res="a.png">',
        '<picture><source srcset="/a.png 2x"><img alt="A cat"></picture>',
        '<p>It is <img alt="A cat">.</p>',
        '<p><img alt="A cat"> <b>sleeps</b></p>',
        '<a href="/cat"><img alt="A cat"></a>',
        '<table><tbody><tr><td><div><img alt="A cat"></div></td></tr></tbody></table>',
        '<ul><li><img alt="A cat"></li></ul>',
    ],
)
def test_others_stay(html: str) -> None:
    """M3: with an address, or where the words may be all that is said"""
    assert left_of(html) == html


def test_deep_ones_are_no_burden() -> None:
    """U10"""
    assert "A cat" in left_of("<span><img alt='A cat'>" * 20_000)
