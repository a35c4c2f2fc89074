"""Links that hand a page on to others."""

import pytest
from turbohtml import parse

from quire.convert.markdown import to_markdown

SHARER = "https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fexample.org%2F"


def markdown(html: str) -> str:
    body = parse(f"<body>{html}").find("body")
    assert body is not None
    return to_markdown([body], "https://example.org/")


@pytest.mark.parametrize(
    "href",
    [
        SHARER,
        "//facebook.com/dialog/feed?app_id=1&link=x",
        "https://twitter.com/intent/tweet?url=x",
        "https://x.com/intent/post?text=x",
        "http://twitter.com/home?status=x",
        "https://www.linkedin.com/shareArticle?mini=true&url=x",
        "https://www.pinterest.co.uk/pin/create/button/?url=x",
        "https://www.reddit.com/submit?url=x",
        "https://api.whatsapp.com/send?text=x",
        "whatsapp://send?text=x",
        "https://t.me/share/url?url=x",
        "https://share.flipboard.com/bookmarklet/popout?url=x",
        "mailto:?subject=a&body=https%3A%2F%2Fexample.org%2F",
    ],
)
def test_a_button_that_shares_the_page_is_gone(href: str) -> None:
    """M1"""
    assert markdown(f"<p>a</p><ul><li><a href='{href}'>Share on it</a></li></ul><p>b</p>") == "a\n\nb\n"


@pytest.mark.parametrize(
    "link",
    ["<svg><path/></svg>", "<img src=f.png alt=Facebook>", "<img src=f.png alt='' title=Facebook>"],
)
def test_such_a_button_may_be_a_picture(link: str) -> None:
    """M1"""
    assert markdown(f"<p>a</p><div><a href='{SHARER}' aria-label='Share on Facebook'>{link}</a></div>") == "a\n"


@pytest.mark.parametrize(
    "html",
    [
        "<p>If you like it, <a href='{}'>share it</a></p>",
        "<p><a href='{}'>Share it</a> with your friends.</p>",
        "<p><a href='{}'>A sentence that somebody is to quote, with some words more.</a></p>",
        "<p><a href='{}'>facebook.com/sharer/sharer.php</a></p>",
        "<p><a href='{}'><img src=cake.jpg></a></p>",
    ],
)
def test_a_link_that_says_something_stays(html: str) -> None:
    """M1"""
    assert SHARER in markdown(html.format(SHARER))


@pytest.mark.parametrize(
    "href",
    [
        "https://www.facebook.com/quire",
        "https://x.com/quire",
        "https://netflix.com/share",
        "https://wa.me/4915112345678",
        "https://www.reddit.com/r/submit",
        "mailto:?to=a@example.org",
        "mailto:a@example.org",
    ],
)
def test_a_link_to_somebody_on_a_network_stays(href: str) -> None:
    """M1"""
    assert markdown(f"<p><a href='{href}'>Follow us</a></p>") == f"[Follow us]({href})\n"
