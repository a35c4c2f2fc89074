"""What programs have on their pages and show to nobody, or with each post."""

import pytest
from turbohtml import parse

from quire.extract.unseen import drop_unseen


def left_of(html: str) -> str:
    body = parse(f"<body>{html}").find("body")
    assert body is not None
    return drop_unseen(body).text


@pytest.mark.parametrize(
    "html",
    [
        "<div class=w-form-done>Thank you!</div>",
        "<ul><li id=a11y-refresh-page-message>Choosing a selection results in a full page refresh.</ul>",
        "<div class='price price--on-sale'><div class=price__container><s class=price__regular>9</s></div></div>",
        '<div component="post/parent">What was answered</div>',
        "<div class=bbCodeBlock-expandLink><a>Click to expand...</a></div>",
        "<div id=TOC><ul><li>Introduction</ul></div>",
        "<div><ul><li class=toctree-l1>Tutorial</ul></div>",
        "<i class=accordion-icon>+</i>",
        "<span class=et-pb-icon>Z</span>",
        "<h5 class='userTitle message-userTitle'>Well-known member</h5>",
        "<div class=message-userExtras><dl><dt>Joined<dd>Feb 8, 2017</dl></div>",
        "<dl class=postprofile><dd class=profile-posts>Posts: 2</dd></dl>",
        "<div class=codebox><p>Code: Select all</p></div>",
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
        ("<p>was <span class=sr-only>$20</span> once</p>", "was $20 once"),
        ("<span class=icon-label>Two words</span>", "Two words"),
        ("<span class=step-icon>1</span> First", "1 First"),
        ("<h2 id=a11y-testing>Testing</h2>", "Testing"),
    ],
)
def test_words_for_screen_readers_are_words_apart(html: str, text: str) -> None:
    """M3"""
    assert left_of(html) == text
