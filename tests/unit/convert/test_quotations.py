import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://e.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p><blockquote class=x> <blockquote class=y><blockquote><p>b</blockquote></blockquote>", "a\n\n> b\n"),
        ("<blockquote class=x><blockquote>a</blockquote><p>b</blockquote>", "> > a\n>\n> b\n"),
        ("<blockquote><blockquote><p>a</blockquote></blockquote>", "> > a\n"),
    ],
)
def test_a_quotation_that_only_indents_another_is_none(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected
