import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://example.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<video src="a.mp4" title="A film">Sorry</video>', "[A film](https://example.org/a.mp4)\n"),
        ("<p>x <audio><source src=a.ogg><source src=a.mp3></audio>", "x <https://example.org/a.ogg>\n"),
        ("<iframe src=//b.example/c></iframe>" * 2, "<https://b.example/c>\n\n<https://b.example/c>\n"),
        ("<video>Only words</video>", "Only words\n"),
        ("<object data=a.pdf>The plan</object>", "The plan\n"),
        ("<object data=a.pdf></object>", "<https://example.org/a.pdf>\n"),
    ],
)
def test_what_cannot_be_shown_is_linked(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<object data=a.svg class=x></object>", "![](https://example.org/a.svg)\n"),
        (
            "<p>x <object type=image/svg+xml data=g title=G><p class=warning>digraph {}</p></object> y",
            "x ![G](https://example.org/g) y\n",
        ),
        ("<p>x <object data=a.svg><img src=a.png alt='A b'></object>", "x ![A b](https://example.org/a.svg)\n"),
        (
            "<iframe src=a.svg frameborder=0><p><b>This browser is not able to show SVG</b></p></iframe>",
            "![](https://example.org/a.svg)\n",
        ),
        ("<p>x <embed src=a.PNG?1>", "x ![](https://example.org/a.PNG?1)\n"),
        ("<p>x <object data='data:image/png;base64,xx'><img src=a.png></object>", "x ![](https://example.org/a.png)\n"),
    ],
)
def test_an_object_that_is_an_image_is_shown(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "attributes",
    ["", "src=about:blank", "src=javascript:bad()", "src=x width=1", "src=x hidden", 'src=x style="display: none"'],
)
def test_a_frame_that_nobody_sees_is_gone(attributes: str) -> None:
    """M1"""
    assert markdown(f"<p>good</p><iframe {attributes}>bad</iframe>") == "good\n"


@pytest.mark.parametrize(
    ("source", "is_there"),
    [
        ("https://www.google.com/recaptcha/api2/anchor?ar=1", False),
        ("https://newassets.hcaptcha.com/captcha/v1/x", False),
        ("https://challenges.cloudflare.com/cdn-cgi/challenge-platform/h/b/turnstile", False),
        ("https://b.example/recaptcha.html", True),
        ("https://b.example/?of=hcaptcha.com/", True),
    ],
)
def test_a_frame_that_keeps_programs_out_is_no_content(source: str, *, is_there: bool) -> None:
    """M1: a page that was shown in a browser has them."""
    assert (
        markdown(f"<iframe title=reCAPTCHA src='{source}'></iframe><p>x")
        == f"[reCAPTCHA]({source})\n\n" * is_there + "x\n"
    )
