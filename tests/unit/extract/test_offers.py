"""Rows of other things that a page offers next."""

import pytest
from turbohtml import parse

from quire.extract.blocks import Layout
from quire.extract.content import content_of
from quire.extract.offers import offered, teasers
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
        "Você também pode gostar",
        "Potrebbero interessarti",
        "Vergelijkbare producten",
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


TEASER = "<li><a href=/{0}>Kettles of {0}</a> They are back in every kitchen, and those who make them say that ...</li>"
TEASERS = "".join(map(TEASER.format, ("glass", "steel", "iron")))


@pytest.mark.parametrize(
    ("html", "count"),
    [
        (f"<ul>{TEASERS}</ul>", 3),
        (f"<ul>{TEASERS.replace(' ...', '…')}</ul>", 3),
        (f"<ul>{TEASERS.replace(' ...', ' they last.')}</ul>", 0),
        (f"<ul>{TEASER.format('glass')}</ul><ul>{TEASER.format('steel')}</ul>", 0),
        (f"<ul>{TEASERS.replace('<a', '<b').replace('/a>', '/b>')}</ul>", 0),
    ],
    ids=["dots", "one sign", "whole sentences", "too few", "no links"],
)
def test_texts_that_break_off_are_the_beginnings_of_other_pages(html: str, count: int) -> None:
    """M3: several of a kind, each with a link to where it goes on"""
    body = parse(f"<body><div>{html}</div><div><h1>Kettle</h1>{SAID * 3}</div>").find("body")
    assert body is not None
    assert len(teasers(Reading(Layout(body), "Kettle"))) == count


def test_beginnings_of_other_pages_outweigh_no_article() -> None:
    """M3: though they are more than it has to say, where its heading is below them; a list of them is all there is"""
    row = f"<div><b>News</b><ul>{TEASERS * 2}</ul></div>"
    navigation = "<nav><a href=/>News</a></nav>"
    article = f"<div><h2>How a kettle boils</h2>{SAID.replace('A kettle', 'It')}{SAID * 6}</div>"
    page = f"<title>How a kettle boils</title><body>{navigation}<div>{row}{article}</div>"
    assert "back in every kitchen" not in content_of(parse(page), "main")[0].text
    alone = parse(f"<title>News</title><body>{navigation}<h1>News</h1>{row}")
    assert content_of(alone, "main")[0].text.count("back in every kitchen") == 6
