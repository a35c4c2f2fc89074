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


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<blockquote>a <div class=end>&nbsp;</div> <p></p> </blockquote>", "> a\n"),
        ("<blockquote><pre><code></code></pre> <p></p></blockquote>", "> ```\n> ```\n"),
        ("<blockquote>a <p><img src=i.png></p> </blockquote>", "> a\n>\n> ![](https://e.org/i.png)\n"),
    ],
)
def test_a_quotation_ends_with_what_there_is_to_see(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<blockquote>\n<div><ul class=simple><li><p>a</p><li><p>b</p></ul>\n</div></blockquote>", "- a\n- b\n"),
        ("<blockquote><div><p>a</p><ul class=simple><li>b</ul></div></blockquote>", "> a\n>\n> - b\n"),
        ("<blockquote><div>a<ul><li>b</ul></div></blockquote>", "> a\n>\n> - b\n"),
        ("<blockquote><div><table><tr><th>a<tr><td>b</table></div></blockquote>", "| a |\n| --- |\n| b |\n"),
        ("<blockquote><div><blockquote><div><p>a</p></div></blockquote></div></blockquote>", "> a\n"),
        ("<blockquote><ol class='arabic simple'><li>a<li>b</ol></blockquote>", "1. a\n2. b\n"),
        ("<blockquote><ul class=simple><li>a</ul>b</blockquote>", "> - a\n>\n> b\n"),
        ("<blockquote><dl><dt>a<dd>b</dl></blockquote>", "**a**\n\nb\n"),
        ("<blockquote><ul><li>a</ul></blockquote>", "> - a\n"),
        ("<blockquote class=x><div><ul><li>a</ul></div></blockquote>", "> - a\n"),
        ("<ul><li><p>a</p><blockquote><div><ul class=simple><li>b</ul></div></blockquote></ul>", "- a\n  - b\n"),
        ("<blockquote><pre class=example>a</pre></blockquote>", "```\na\n```\n"),
        ("<blockquote><pre class=verbatim>a</pre><p><a href=b><img src=c alt=d></a></p></blockquote>",
         "```\na\n```\n\n[![d](https://e.org/c)](https://e.org/b)\n"),
        ("<blockquote><pre class=verbatim>a</pre><p>b</p></blockquote>", "> ```\n> a\n> ```\n>\n> b\n"),
        ("<blockquote><pre class=verbatim>a</pre>b</blockquote>", "> ```\n> a\n> ```\n>\n> b\n"),
        ("<blockquote><p><img src=a alt=b></p></blockquote>", "> ![b](https://e.org/a)\n"),
        ("<blockquote class=example><pre>a</pre></blockquote>", "```\na\n```\n"),
        ("<blockquote class=example><pre>a</pre><p>b</p></blockquote>", "> ```\n> a\n> ```\n>\n> b\n"),
        ("<blockquote class=gmail_quote><pre>a</pre></blockquote>", "> ```\n> a\n> ```\n"),
        ("<blockquote><pre>a</pre></blockquote>", "> ```\n> a\n> ```\n"),
        ("<p>a</p><blockquote></blockquote>", "a\n\n>\n"),
    ],
)  # fmt: skip
def test_a_quotation_that_only_indents_lists_or_code_is_none(html: str, expected: str) -> None:
    """M1: docutils, Sphinx, Texinfo, nginx"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("footer", "expected"),
    [
        ("<strong>Ann</strong><cite><a href=/w>Lamps</a></cite>", "**Ann** — [Lamps](https://e.org/w)"),
        ("<strong>Ann</strong> <cite>Lamps</cite>", "**Ann** Lamps"),
        ("Ann, <cite>Lamps</cite>", "Ann, Lamps"),
        ("<cite>Lamps</cite>", "Lamps"),
    ],
)
def test_who_said_something_is_parted_from_where(footer: str, expected: str) -> None:
    """M1"""
    html = f"<blockquote><p>a</p><footer>{footer}</footer></blockquote>"
    assert markdown(html) == f"> a\n>\n> {expected}\n"
