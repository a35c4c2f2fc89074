"""What programs have on their pages and show to nobody, or with each post."""

import pytest
from turbohtml import parse

from quire.extract.names import names_in
from quire.extract.unseen import drop_unseen


def left_of(html: str) -> str:
    body = parse(f"<body>{html}").find("body")
    assert body is not None
    return drop_unseen(body, names_in(body)).text


@pytest.mark.parametrize(
    "html",
    [
        "<div class=w-form-done>Thank you!</div>",
        "<ul><li id=a11y-refresh-page-message>Choosing a selection results in a full page refresh.</ul>",
        "<div class='price price--on-sale'><div class=price__container><s class=price__regular>9</s></div></div>",
        "<div class=product-form__input><label><span class=visually-hidden>Variant sold out</span></label></div>",
        """<div class='card card--standard card--media'>
           <div class=card__inner><div class=card__information><h3>b</h3></div></div>
           <div class=card__content><h3 class=card__heading></h3><div class=card__badge>New</div></div></div>""",
        '<div component="post/parent">What was answered</div>',
        "<div class=bbCodeBlock-expandLink><a>Click to expand...</a></div>",
        "<a href=/tom class='avatar avatar--default avatar--default--dynamic'><span>T</span></a>",
        "<div class=codebox><p>Code: <a href=#>Select all</a></p></div>",
        "<div class=codeheader><span>Code</span> <a href=# class=codeoperation>Select</a></div>",
        "<div id=TOC><ul><li>Introduction</ul></div>",
        "<div><ul><li class=toctree-l1>Tutorial</ul></div>",
        "<i class=accordion-icon>+</i>",
        "<span class=et-pb-icon>Z</span>",
        "<h5 class='userTitle message-userTitle'>Well-known member</h5>",
        "<div class=message-userExtras><dl><dt>Joined<dd>Feb 8, 2017</dl></div>",
        "<dl class=postprofile><dd class=profile-posts>Posts: 2</dd></dl>",
        "<div class=poster><ul class=user_info><li>Posts: 3,760</ul></div>",
        "<ul class='ipsEntry__authorStats'><li>2.8k posts</ul>",
    ],
)
def test_what_programs_add_to_what_a_page_says_goes(html: str) -> None:
    """M3"""
    assert left_of(f"<p>a</p>{html}").strip() == "a"


def test_the_names_of_posters_stay() -> None:
    """M3"""
    assert left_of("<dl class=postprofile><dt>Ada</dt><dd>Posts: 2</dd></dl>") == "Ada"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<a>Details<span class=sr-only>on coverage</span></a>", "Details on coverage"),
        ("<p><span class=visually-hidden>was</span>$20.11</p>", "was $20.11"),
        ("<figcaption><span class=off-screen>Media caption</span>Who is it?</figcaption>", "Media caption Who is it?"),
        ("<p>was <span class=sr-only>$20</span> once</p>", "was $20 once"),
        ("<span class=icon-label>Two words</span>", "Two words"),
        ("<span class=step-icon>1</span> First", "1 First"),
        ("<h2 id=a11y-testing>Testing</h2>", "Testing"),
    ],
)
def test_words_for_screen_readers_are_words_apart(html: str, text: str) -> None:
    """M3"""
    assert left_of(html) == text


def test_what_a_link_shows_when_somebody_points_at_it_goes() -> None:
    """M3: a card with pictures or links of its own; words alone may be a note, and without a link nothing shows it"""
    card = "<span class='person-rollover'><img src=a.png><a href=/ada>Ada Byron</a> has two articles</span>"
    assert left_of(f"<p>So says <a href=/ada>Ada</a>{card}, who knows.</p>") == "So says Ada, who knows."
    assert "two articles" in left_of(f"<p>So says {card}, who knows.</p>")
    note = "<p>It runs on <a href=#n>WSGI</a><span class=tooltip>a way to serve pages</span>.</p>"
    assert left_of(note) == "It runs on WSGIa way to serve pages."


def test_a_card_that_has_its_title_once_keeps_it() -> None:
    """M3"""
    card = "<div class=card__inner><div class=card__information><h3>a</h3></div></div>"
    assert left_of(f"<div class='card card--standard card--media'>{card}</div>") == "a"
