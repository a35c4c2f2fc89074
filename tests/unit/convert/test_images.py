"""Images in the midst of words."""

import pytest
from turbohtml import parse

from quire.convert.markdown import to_markdown

IMAGE = "![](https://example.org/i.png)"


def markdown(html: str) -> str:
    body = parse(f"<body>{html}").find("body")
    assert body is not None
    return to_markdown([body], "https://example.org/")


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("<img class='smilie smilie--emoji' src=i.png alt=':)' title='Smile    :)'>", "Fine :)"),
        ("<img class=wp-smiley src=i.png alt='(-:'>", "Fine (-:"),
        ("<img src=i.png alt=;-)>", "Fine ;-)"),
        ("<img class=emoji src=i.png alt=:slight_smile:>", "Fine :slight_smile:"),
        ("<img src=i.png alt=:happy:><img src=i.png alt=:yay:>", "Fine :happy: :yay:"),
        ("<img src=i.png alt='👍🏽'>", "Fine 👍🏽"),
        ("<img src=i.png alt='❤️'>", "Fine ❤️"),
    ],
)
def test_a_smiley_is_the_sign_that_it_stands_for(image: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<p>Fine{image}</p>") == f"{expected}\n"


@pytest.mark.parametrize(
    "image",
    ["<img src=i.png alt=::>", "<img src=i.png alt=é>", "<img class=emoji-picker src=i.png alt=a>", "<img src=i.png>"],
)
def test_other_images_stay(image: str) -> None:
    """M1"""
    assert "(https://example.org/i.png)" in markdown(f"<p>{image}</p>")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("a<img src=i.png>b", f"a {IMAGE} b"),
        ("a<a href=/to><img src=i.png></a>", f"a [{IMAGE}](https://example.org/to)"),
        ("<b>a</b><img src=i.png>", f"**a** {IMAGE}"),
        ("(<img src=i.png>)", f"({IMAGE})"),
    ],
)
def test_no_word_touches_an_image(html: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<p>{html}</p>") == f"{expected}\n"


KETTLE = "[A steel kettle](https://example.org/to)"


@pytest.mark.parametrize(
    "late",
    [
        "data-lazy=i.png",
        "lazy-src=i.png",
        "ng-src=i.png",
        "data-delay-src=i.png",
        "src=site-loader.png data-srcset='\ni.png 300w'",
    ],
)
def test_an_image_that_comes_late_has_its_address_where_its_script_looks(late: str) -> None:
    """M1"""
    assert "(https://example.org/i.png)" in markdown(f"<p><img alt=a {late}></p>")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=/to title=b><img alt=a></a><h3><a href=/to>a</a></h3>", "### [a](https://example.org/to)"),
        ("<a href=/to><img alt=a><img alt=a></a><p><a href=/to> a</a></p>", "[a](https://example.org/to)"),
        ("<a href=/to><img alt='a c'></a><h3><a href=/to>a</a></h3>", "[a c](https://example.org/to)"),
        ("<a href=/to><img alt=a></a><h3><a href=/on>a</a></h3>", "[a](https://example.org/to)"),
        ("<a href=/to><img alt='A steel kettle - 1'></a><a href=/to>A steel kettle</a>", KETTLE),
        ("<a href=/to><img alt='steel kettle'></a><a href=/to>A steel kettle</a>", KETTLE),
        ("<a href=/to><img alt=a>b</a><h3><a href=/to>a</a></h3>", "[a b](https://example.org/to)"),
    ],
)
def test_words_in_place_of_an_image_are_left_to_the_link_that_has_them(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html).split("\n\n")[0].rstrip() == expected


def test_many_such_images_are_read_once() -> None:
    """U10"""
    links = "".join(f"<a href=/{number}><img alt=a></a><a href=/{number}>a</a> " for number in range(10_000))
    assert markdown(f"<p>{links}</p>").count("[a]") == 10_000


def test_a_text_of_blanks_is_none() -> None:
    """M1"""
    assert markdown("<p><img src=a.png alt=' '>") == "![](https://example.org/a.png)\n"
