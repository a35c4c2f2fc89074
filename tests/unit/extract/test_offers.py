"""Rows of other things that a page offers next."""

import pytest
from turbohtml import parse

from quire.extract.blocks import Layout
from quire.extract.content import content_of
from quire.extract.offers import offered
from quire.extract.traits import Reading

SAID = (
    "<p>A kettle of steel, for a litre and a half of water, which boils in three minutes and stays hot for an hour.</p>"
)
CARDS = "".join(f"<div class=c><h3>Kettle {number}</h3><div>of glass, $2{number}</div></div>" for number in range(6))


def offers(html: str) -> set[str]:
    body = parse(f"<body><h1>Kettle</h1>{SAID * 6}{html}{SAID * 2}").find("body")
    assert body is not None
    reading = Reading(Layout(body), "Kettle")
    return {reading.blocks[place].text for place in offered(reading)}


@pytest.mark.parametrize(
    "heading",
    [
        "Similar items",
        "People who viewed this item also viewed",
        "Products related to this item",
        "You may also like",
        "Explore related items",
        "Recently viewed",
        "Frequently bought together",
        "Das könnte dir auch gefallen",
        "Vous aimerez aussi",
        "También te puede gustar",
    ],
)
@pytest.mark.parametrize(
    "row", ["<div><h2>{}</h2>{}</div>", "<div><div><div><h2>{}</h2></div><a href=/all>All</a></div><div>{}</div></div>"]
)
def test_a_row_of_other_things_is_known_by_its_heading(heading: str, row: str) -> None:
    """M3: whatever its boxes are called, and however deep the heading stands in it"""
    found = offers(row.format(heading, CARDS))
    assert {heading, "Kettle 0", "of glass, $25"} <= found
    assert not any(text.startswith("A kettle of steel") for text in found)


@pytest.mark.parametrize(
    "part",
    [
        f"<div><h2>What is in the box</h2>{CARDS}</div>",
        f"<div><h2>Similar items</h2>{SAID * 3}{CARDS}</div>",
        f"<div><h2>Similar items</h2>{CARDS}<h2>Parts of this one</h2>{CARDS}</div>",
        f"<div><p>It is sold since 2020.</p><p>In steel.</p><h2>Similar items</h2>{CARDS}</div>",
        f"<div><h2>Similar items</h2>{CARDS}</div><dl><dt>Kettle</dt><dd>Boils water.</dd></dl>",
    ],
    ids=["another heading", "text", "another part behind it", "text before it", "a manual"],
)
def test_what_may_be_the_pages_own_is_none(part: str) -> None:
    """M3"""
    assert offers(part) == set()


def test_rows_of_other_things_are_left_out_where_a_page_says_enough() -> None:
    """M3"""
    row = f"<div class=row><h2>Similar items</h2>{CARDS}</div>"
    for said, is_kept in ((SAID * 2, False), ("<p>A kettle of steel.</p>", True)):
        document = parse(f"<body><nav><a href=/>Shop</a></nav><div><h1>Kettle</h1>{said}{row}</div>")
        text = " ".join(element.text for element in content_of(document, "main"))
        assert "A kettle of steel" in text
        assert ("of glass, $25" in text) is is_kept
