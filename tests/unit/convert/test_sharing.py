"""Links that tell others of a page."""

import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://example.org/")


@pytest.mark.parametrize(
    "button",
    [
        "<a href='https://www.facebook.com/sharer/sharer.php?u=x'>Share on Facebook</a>",
        "<a href='http://twitter.com/share?url=x'>tweet</a>",
        "<a href='https://x.com/intent/post?text=a&url=x'><img src=x.svg alt=X></a>",
        "<a href='//www.linkedin.com/shareArticle?url=x' aria-label='Auf LinkedIn teilen'></a>",
        "<a href='https://pinterest.com/pin/create/button/?url=x'></a>",
        "<a href='https://api.whatsapp.com/send?text=x'>WhatsApp</a>",
        "<a href='whatsapp://send?text=x'>WhatsApp</a>",
        "<a href='mailto:?subject=a&body=x'>Send by e-mail</a>",
        "<a href='https://www.addtoany.com/add_to/facebook?linkurl=x'>Facebook</a>",
    ],
)
def test_buttons_that_share_a_page_are_gone(button: str) -> None:
    """M1"""
    assert markdown(f"<p>a {button}</p><p>{button}</p>") == "a\n"
    assert markdown(f"<p>a</p><ul><li><div class=b></div><ul><li>{button}</li></ul></li></ul><p>b</p>") == "a\n\nb\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href='https://twitter.com/somebody'>Twitter</a>", "[Twitter](https://twitter.com/somebody)\n"),
        ("<a href='https://wa.me/4930123'>WhatsApp</a>", "[WhatsApp](https://wa.me/4930123)\n"),
        (
            "<a href='https://api.whatsapp.com/send?text=x&phone=4930123'>WhatsApp</a>",
            "[WhatsApp](https://api.whatsapp.com/send?text=x&phone=4930123)\n",
        ),
        ("<a href='mailto:a@example.org?subject=b'>Mail</a>", "[Mail](mailto:a@example.org?subject=b)\n"),
        (
            "<a href='https://x.com/share?text=x'>Laws of physics apply to business as well as to bodies: tweet</a>",
            "[Laws of physics apply to business as well as to bodies: tweet](https://x.com/share?text=x)\n",
        ),
        (
            "<a href='https://pinterest.com/pin/create/?url=x'><img src=lake.jpg></a>",
            "[![](https://example.org/lake.jpg)](https://pinterest.com/pin/create/?url=x)\n",
        ),
        (
            "<a href='https://pinterest.com/pin/create/?url=x'><img src=lake.jpg alt='The lake at night'></a>",
            "[![The lake at night](https://example.org/lake.jpg)](https://pinterest.com/pin/create/?url=x)\n",
        ),
    ],
)
def test_other_links_to_the_same_services_stay(html: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<p>{html}</p>") == expected
