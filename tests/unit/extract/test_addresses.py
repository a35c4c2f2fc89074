"""E-mail addresses that Cloudflare hides."""

import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode

PATH = "/cdn-cgi/l/email-protection"
LINK = "[user@example.com](mailto:user@example.com)\n"
CODED = "671214021527021f060a170b024904080a"


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        (
            f'<a href="{PATH}" data-cfemail="{CODED}">[email protected]</a>',
            LINK,
        ),
        (f'<a href="{PATH}#{CODED}">Write to us</a>', "[Write to us](mailto:user@example.com)\n"),
        (
            f'<a href="{PATH}#{CODED}"><span data-cfemail="{CODED}">[x]</span></a>',
            LINK,
        ),
        (f'<pre><a href="{PATH}" data-cfemail="{CODED}">[x]</a></pre>', "```\nuser@example.com\n```\n"),
    ],
)
def test_an_address_is_shown_as_the_page_shows_it(html: str, shown: str) -> None:
    """M2"""
    document, _ = decode(html.encode(), "text/html")
    assert to_markdown(content_of(document, "full"), "https://example.org/") == shown


@pytest.mark.parametrize("coded", ["", "6", "zz", "67" * 5000, "671214", "00ff40", "é" * 8])
def test_what_is_no_address_stays(coded: str) -> None:
    """M2, U10"""
    html = f'<a href="{PATH}#{coded}" data-cfemail="{coded}">[email protected]</a>'
    document, _ = decode(f"<meta charset=utf-8>{html}".encode(), "text/html")
    link = document.find("a")
    assert link is not None
    assert (link.text, "mailto" in (link.attr("href") or "")) == ("[email protected]", False)
