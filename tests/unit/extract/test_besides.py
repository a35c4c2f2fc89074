"""What is no part of the article that a page declares itself to be."""

import pytest
from turbohtml import parse

from quire.extract.besides import besides
from quire.extract.blocks import Layout
from quire.extract.content import content_of
from quire.extract.traits import Reading

SAID = "<p>The bridge was closed on Monday, because the river had risen by two metres since the day before.</p>"
OTHER = "<p>The mayor opened a school on Friday, and many people came to see it in spite of the rain.</p>"
DECLARED = "<meta property=article:published_time content=2026-05-01>"


def found_in(html: str, *, declared: bool = True) -> list[str]:
    body = parse(f"<body>{html}").find("body")
    assert body is not None
    reading = Reading(Layout(body), "A bridge is closed", declared=declared)
    return [reading.blocks[place].text for place in sorted(besides(reading))]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (f"<article><h1>A bridge is closed</h1>{SAID}</article><article><h2>A school</h2></article>", ["A school"]),
        (f"<div><h1>A bridge is closed</h1>{SAID}</div><article><h2>A school</h2></article>", []),
        (f"<article><h1>A bridge is closed</h1>{SAID}<article><p>A note</article></article>", []),
        (f"<article><p>Before<article><h1>A bridge is closed</h1>{SAID}</article></article>", []),
    ],
    ids=["beside it", "no article of its own", "in it", "around it"],
)
def test_other_articles_are_none_of_the_page(html: str, found: list[str]) -> None:
    """M3: the page's own has its heading"""
    assert found_in(html) == found


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>You may also like…<p><a href=/1>A school</a><p><a href=/2>A play</a><p>More", 3),
        ("<p>You may also like…<p><a href=/1>A school</a><p>More", 0),
        ("<p>See these<p><a href=/1>A school</a><p><a href=/2>A play</a><p>More", 0),
        (f"{SAID}<p><a href=/1>WHO MAY USE THE BRIDGE</a></p>{SAID}", 1),
        (f"{SAID}<p><a href=/1>Who may use the bridge</a></p>{SAID}", 0),
        (f"{SAID}<p><a href=/1>WHO MAY USE THE BRIDGE</a><p><a href=/2>AND WHO MAY NOT DO SO</a></p>{SAID}", 0),
        (f"{SAID}<p>Tags: <a href=/t/1 rel=tag>bridges</a>, <a href=/t/2 rel='category tag'>rivers</a></p>", 1),
        (f"{SAID}<ul><li><a href=/t/1 rel=tag>bridges</a></li></ul>", 1),
        (f"{SAID}<p><a href=/t/1 rel=tag>bridges</a>, <a href=/2>the report</a></p>", 0),
        (f"{SAID}<p>It is one of <a href=/t/1 rel=tag>three bridges</a> that cross the river in town.</p>", 0),
    ],
)
def test_links_to_other_pages_are_none_of_the_article(html: str, found: int) -> None:
    """M3: those that are announced, those in capitals between paragraphs, and what the article is filed under"""
    page = f"<h1>A bridge is closed</h1>{html}"
    assert len(found_in(page)) == found
    assert found_in(page, declared=False) == []


def test_the_text_of_an_article_is_kept_whatever_is_longer_beside_it() -> None:
    """M3"""
    said = "".join(SAID.replace("two", number) for number in ("two", "three", "four"))
    own = f"<article><h1>A bridge is closed</h1>{said}</article>"
    days = ("Friday", "Monday", "Tuesday", "Thursday", "Sunday")
    others = "".join(f"<article class=post>{OTHER.replace('Friday', day)}</article>" for day in days)
    page = f"<head>{DECLARED}<title>A bridge is closed</title></head><body><div>{own}{others}</div>"
    text = content_of(parse(page), "main")[0].text
    assert "The bridge was closed" in text
    assert "The mayor" not in text
