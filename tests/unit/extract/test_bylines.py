from __future__ import annotations

import pytest
from turbohtml import Element, parse

from quire.extract.bylines import drop_cards
from quire.extract.content import choose
from quire.extract.decode import decode

CARD = (
    "<div class='avatar margin'><a class=avatar__photo-link href=/ann><img src=/ann.png alt='Ann Ash'></a>"
    "<div class=avatar__intro><div class=avatar__name><a href=/ann><span class=authorName_x>Ann Ash</span></a></div>"
    "<small class=authorTitle_x>Keeper of kettles</small><div class=authorSocials_x>"
    "<a href=https://social.example/ann title=Social><svg></svg></a></div></div></div>"
)
POST = "<article><header><h2>{title}</h2><time>3 May</time>{card}</header><div class=markdown>{text}</div></article>"
TEXT = "<p>Water boils sooner under a lid, and sooner still in a small kettle.</p>"


def left(html: str) -> Element:
    body = parse(f"<!doctype html><body><main>{html}</main>").find("main")
    assert body is not None
    return drop_cards(body)


def posts(*cards: str) -> str:
    return "".join(POST.format(title=f"Kettle {number}", card=card, text=TEXT) for number, card in enumerate(cards))


def test_a_list_of_posts_names_their_authors_and_tells_nothing_else_of_them() -> None:
    """M3"""
    content = left(posts(CARD, CARD))
    assert content.find("img") is None
    assert [link.text for link in content.find_all("a")] == ["Ann Ash", "Ann Ash"]
    assert "Keeper" not in content.text
    assert content.text.count("3 May") == 2


@pytest.mark.parametrize("behind", [" · <!-- -->2 min read", " · One min read", ", 12 minutes to read "])
def test_how_long_a_listed_post_takes_to_read_is_none_of_it(behind: str) -> None:
    """M3"""
    assert "read" not in left(posts("", "").replace("</time>", f"</time>{behind}")).text


@pytest.mark.parametrize("behind", [" · a must read", " by <a href=/ann>Ann</a> · 2 min read", " · 2 min reading"])
def test_what_else_stands_behind_a_day_stays(behind: str) -> None:
    """M3"""
    assert "read" in left(posts("", "").replace("</time>", f"</time>{behind}")).text


def test_a_list_of_one_post_is_one_too() -> None:
    """M3"""
    assert left(posts(CARD)).find("img") is None


def test_the_card_above_the_posts_of_one_author_and_that_of_a_single_post_are_kept() -> None:
    """M3: the page is about them"""
    content = left(f"<header>{CARD}</header>{posts(CARD, CARD)}")
    assert content.text.count("Keeper of kettles") == 1
    assert left(posts(CARD).replace("h2", "h1")).find("img") is not None


def test_names_are_kept_wherever_a_card_has_them() -> None:
    """M3: never losing it"""
    linked = "<div class=author><p>By</p><div class=author-title><a href=/ann>Ann Ash</a></div></div>"
    alone = "<div class=author><div class=author-title>Bob Birch</div></div>"
    drawn = "<a class=author href=/cy><img src=/cy.png alt='Cy Cedar'></a>"
    content = left(posts(linked, alone, drawn))
    assert "Ann Ash" in content.text
    assert "Bob Birch" in content.text
    assert content.find("img") is not None


def test_lists_of_posts_are_without_cards_however_their_content_is_found() -> None:
    """M3: by a landmark, and by the generator's name for it"""
    for foot in ("", "<footer>Tags: kettles</footer>"):
        page = f"<!doctype html><title>T</title><body><main>{posts(CARD, CARD)}</main>"
        document, _ = decode(page.replace("</article>", f"{foot}</article>").encode(), "text/html; charset=utf-8")
        chosen = choose(document, "main")
        text = " ".join(element.text for element in chosen.elements)
        assert not chosen.judged
        assert ("Keeper" in text, text.count("Ann Ash"), "Tags" in text) == (False, 2, False)
