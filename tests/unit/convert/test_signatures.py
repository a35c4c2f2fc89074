import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode

BESIDE = "<a href=s class=link>Source</a> <a href=#f class=selflink>#</a>"


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://e.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<p class=src><a id=f class=def>f</a> :: a -&gt; a {BESIDE}</p>", "`f :: a -> a`\n"),
        (
            f"<p class=src><a id=f class=def>f</a> :: <a href=t>T</a> -&gt; a {BESIDE}</p>",
            "`f ::` [`T`](https://e.org/t) `-> a`\n",
        ),
        (
            f"<ul><li class='src short'><span>class</span> <a href=t>T</a> a <b>where</b><ul><li>x{BESIDE}</ul></ul>",
            "- `class` [`T`](https://e.org/t) `a where`\n  - x\n",
        ),
        (f"<ul><li class=src><p>a {BESIDE}</p></ul>", "- a\n"),
        (f"<table><tr><td>x<td><p>a</p><p class=src>f {BESIDE}</table>", "| x | a<br>`f` |\n| --- | --- |\n"),
        (f"<p class=src>T {BESIDE}</p><ul><li><dfn class=src>f :: a</dfn></ul>", "`T`\n\n- `f :: a`\n"),
        (
            f"<p class=src>(+) :: a <span class=fixity>infixl 4</span><span class=rightedge></span> {BESIDE}</p>",
            "`(+) :: a` `infixl 4`\n",
        ),
        (
            f"<p class=src>f :: <a href=t>T</a> <span class=fixity>infixl 4</span> {BESIDE}</p>",
            "`f ::` [`T`](https://e.org/t) `infixl 4`\n",
        ),
        (
            "<div id=module-header><table><tr><th>Safe<td>Yes</table><p class=caption>Data.F</p></div>"
            f"<div id=description><p class=caption>Description</p><p>a</p></div><p class=src>f {BESIDE}</p>",
            "# Data.F\n\n| Safe | Yes |\n| --- | --- |\n\na\n\n`f`\n",
        ),
        ("<p class=src>f</p><div id=module-header><p class=caption>F</p></div>", "f\n\nF\n"),
    ],
)
def test_haddocks_signatures_are_code(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


def test_haddocks_signatures_are_found_before_much_prose() -> None:
    """M1"""
    signatures = f"<p class=src>f {BESIDE}</p>" * 10
    assert markdown(signatures + "<a href=x>x</a> " * 100).startswith("`f`\n\n`f`\n")


@pytest.mark.parametrize(
    "summary",
    [
        "Expand",
        "Instance details",
        " Instances details ",
        "\n<span>Expand source code</span>\n",
        "<span>Expand source code</span>\n<a href=x class=git-link>Browse git</a>",
    ],
)
def test_summaries_that_say_nothing_go(summary: str) -> None:
    """M1"""
    assert markdown(f"<details><summary>{summary}</summary><p>a</p></details>") == "a\n"
