"""Posts of a thread, and whatever else is alike, are kept alike."""

from __future__ import annotations

import time

import pytest

from quire.extract.content import content_of
from quire.extract.decode import decode

LINKS = "<ul>{}</ul>".format("".join(f"<li><a href=/x/{number}>Elsewhere {number}</a></li>" for number in range(20)))
LONG = "The path along the river is the better one, as it has shade, and a place to rest at each of its bridges. " * 3
SHORT = ["Why? {}", "Thanks, that worked {}", "Same here {}", "It did not {}"]
SAID = [SHORT[number % 4].format(number) if number % 4 else f"{LONG}{number}" for number in range(12)]
ACTIONS = "<ul class=actions><li><a href=/r>Reply</a></li><li><a href=/q>Quote</a></li></ul>"


def kept(posts: str) -> str:
    html = f"<title>Which path?</title><body>{LINKS}<h1>Which path?</h1><div>{posts}</div>{LINKS}</body>"
    found = content_of(decode(html.encode(), "text/html; charset=utf-8")[0], "main")
    return " ".join(" ".join(element.text.split()) for element in found)


def post(number: int, said: str, date: str = "") -> str:
    return (
        f"<div class=avatar>walker{number}</div><ul class=meta><li>{date}</li></ul>"
        f"<div class=reply-text>{said}</div>{ACTIONS}"
    )


@pytest.mark.parametrize(
    "outline",
    [
        "<div class='reply bg{0}'>{1}</div>",
        "<div class='reply odd'>{1}</div><hr>",
        "<div><div class=reply>{1}</div></div>",
    ],
)
def test_short_posts_are_kept_with_long_ones(outline: str) -> None:
    """M3"""
    text = kept("".join(outline.format(number % 2, post(number, said)) for number, said in enumerate(SAID)))
    assert [said for said in SAID if said not in text] == []
    assert "Elsewhere" not in text
    assert "Quote" not in text


def test_answers_in_answers_are_kept_as_those_around_them() -> None:
    """M3"""
    answer = f"<ul><li class=reply>{post(0, 'Thanks for that')}</li></ul>"
    text = kept("".join(f"<li class=reply>{post(number, said)}{answer}</li>" for number, said in enumerate(SAID[::4])))
    assert text.count("Thanks for that") == 3


def test_a_thread_is_more_than_its_longest_post() -> None:
    """M3"""
    said = [LONG * 12, *SAID]
    text = kept("".join(f"<div class=post><div class=who>Ada</div><div class=body>{each}</div></div>" for each in said))
    assert [each for each in said if each.strip() not in text] == []


def test_the_longest_of_several_sections_is_not_the_one_article_of_a_page() -> None:
    """M3"""
    remark = "As for the path along the river, it is closed since the last flood, and nobody knows when it opens again."
    sections = [LONG * 2, f"Good, thanks for it.<div class=remark>{remark}</div>", "Good."]
    assert remark in kept("".join(f"<div class=entry>{each}</div>" for each in sections))


def test_the_names_above_posts_are_kept_of_all_or_of_none() -> None:
    """M3"""
    said = "<p><a href=/x>Elsewhere</a></p>{}<p>{}</p>"
    posts = [
        f"<div class=reply><h4><a href=/u>walker{number}</a></h4>{said.format(ACTIONS * (number % 3), each)}</div>"
        for number, each in enumerate(SAID)
    ]
    text = kept("".join(posts))
    assert [f"walker{number}" in text for number in range(12)] in ([True] * 12, [False] * 12)


@pytest.mark.parametrize(
    ("name", "date", "is_kept"),
    [("reply", "Mar {}, 2025", True), ("reply", "{} days ago", False), ("reply reviews", "Mar {}, 2025", False)],
)
def test_posts_have_their_dates(name: str, date: str, is_kept: bool) -> None:
    """M3"""
    dates = [date.format(number + 10) for number in range(12)]
    posts = [post(number, said, dates[number]) for number, said in enumerate(SAID)]
    text = kept("".join(f"<div class='{name}'>{each}</div>" for each in posts))
    assert SAID[1] in text
    assert [date in text for date in dates] == [is_kept] * 12


@pytest.mark.parametrize(("opening", "closing"), [("<blockquote>", "</blockquote>"), ("<ul><li>", "</li></ul>")])
def test_what_a_post_quotes_is_kept_with_it(opening: str, closing: str) -> None:
    """M3"""
    quoted = "As for the path along the river, it is closed since the last flood"
    said = [LONG * 3, f"{opening}{quoted}{closing} I see", "Good"]
    text = kept("".join(f"<div class=reply>{post(number, each)}</div>" for number, each in enumerate(said)))
    assert quoted in text
    assert "Good" in text


def test_what_is_hidden_is_no_part_of_what_is_seen() -> None:
    """M3"""
    hidden = f"<div class=reply style='display:none'>{post(0, 'Nothing here')}</div>"
    text = kept(
        "".join(f"<div class=reply>{post(number, said)}</div>" for number, said in enumerate(SAID)) + hidden * 3
    )
    assert SAID[1] in text
    assert "Nothing here" not in text


def test_many_boxes_that_are_not_alike_take_no_long_time() -> None:
    """M3"""
    deep = "".join(f"<div class={name}>Some words of {name}" for name in ("a" * length for length in range(1, 140)))
    wide = "".join(f"<div class={'ab' * (number % 50)}-{'c' * (number // 50)}>Text</div>" for number in range(10_000))
    start = time.process_time()
    assert "Text" in kept(deep + wide + "</div>" * 140)
    assert time.process_time() - start < 5
