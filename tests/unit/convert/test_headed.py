import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://e.org/a.html")


@pytest.mark.parametrize(
    "html",
    [
        "<h2><a href=a.html>A b</a></h2>",
        "<h2 class=title><a name=x.a></a><a class=link href=a.html title='A b'>A b</a></h2>",
        "<h2 class=title><a name=x.a></a><a class=link href=a.html#x.a title='A b'>A b</a></h2>",
        "<h2><a id=x></a><a href=#x>A b</a></h2>",
    ],
)
def test_a_heading_that_is_a_link_to_itself_is_its_text(html: str) -> None:
    """M1: blogs, Quickbook"""
    assert markdown(html) == "## A b\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2><a name=x></a><a href=b.html>A</a></h2>", "## [A](https://e.org/b.html)\n"),
        ("<h2><a name=x></a><a href=a.html#y>A</a></h2>", "## [A](https://e.org/a.html#y)\n"),
        ("<h2><a href=a.html>A</a> b</h2>", "## [A](https://e.org/a.html) b\n"),
    ],
)
def test_a_heading_that_links_to_elsewhere_does(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected
