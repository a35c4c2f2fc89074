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
        ("<aside class='footnote brackets'><span class=label>[<a href=#r>1</a>]</span>\n<p>a</p></aside>",
         "\\[[1](https://e.org/#r)\\] a\n"),
        ("<aside class=footnote><span class=label>[2]</span> <span class=backrefs>(<a href=#a>1</a>, <a href=#b>2</a>)"
         "</span><p>a</p></aside>", "[2] a\n"),
        ("<dl class='footnote brackets'><dt class=label><span class=brackets>2</span><span class=fn-backref>("
         "<a href=#a>1</a>,<a href=#b>2</a>)</span></dt><dd><p>a</p><p>b</p></dd>"
         "<dt class=label><a class=fn-backref href=#c>3</a><dd>c</dl>",
         "[2] a\n\nb\n\n\\[[3](https://e.org/#c)\\] c\n"),
        ("<dl class=citation><dt class=label>[A]</dt> <dd><p>a</p></dl>", "[A] a\n"),
        ("<dl class=footnote><dt class=label>1</dt></dl>", "**1**\n"),
        ("<table class='docutils footnote'><tr><td class=label><a class=fn-backref href=#a>[1]</a>"
         "<td><em>See</em> b</table>",
         "[\\[1\\]](https://e.org/#a) *See* b\n"),
        ("<table class=footnote><tr><td class=label>[1]<td><em>(<a class=fn-backref href=#a>1</a>, "
         "<a class=fn-backref href=#b>2</a>)</em><p>a</p><p>b</p></table>", "[1] a\n\nb\n"),
        ("<table class=footnote><tr><th>a<th>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |\n"),
        ("<div class=versionchanged><span class=title>Changed in 3.1:</span> <p>a</p></div>", "Changed in 3.1: a\n"),
        ("<aside class=footnote><p>a</p><p>b</p></aside>", "a\n\nb\n"),
        ("<aside class=footnote><span class=label>1</span>a</aside>", "1a\n"),
        ("<aside class=footnote></aside>", "\n"),
        ("<h4>Footnotes</h4><h5><a id=FOOT2 href=#DOCF2>(2)</a></h5>\n<p>a</p>",
         "#### Footnotes\n\n[(2)](https://e.org/#DOCF2) a\n"),
        ("<h5><a href=#a>(2)</a></h5><ul><li>a</ul>", "##### [(2)](https://e.org/#a)\n\n- a\n"),
        ("<h5><a href=#a>f(2)</a></h5><p>a", "##### [f(2)](https://e.org/#a)\n\na\n"),
        ("<h5><b>(2)</b></h5><p>a", "##### (2)\n\na\n"),
        ("<h5>(2)</h5><p>a", "##### (2)\n\na\n"),
        ("<div class=footdef><sup><a class=footnum href=#r>1</a></sup> <div class=footpara><p>\na</p></div></div>",
         "[1](https://e.org/#r) a\n"),
        ("<div class=footdef><sup>1</sup> <div class=footpara>a</div></div>", "<sup>1</sup>\n\na\n"),
        ("<div class=footnote><p><a href=#i class=para><sup class=para>[4] </sup></a>A <sup>x</sup></div>",
         "[\\[4\\]](https://e.org/#i) A <sup>x</sup>\n"),
    ],
)  # fmt: skip
def test_the_number_of_a_footnote_is_in_its_paragraph(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<sup class=fn>10<span class=t>YAP, <b>SICStus</b></span></sup>.", "a<sup>10</sup> (YAP, **SICStus**).\n"),
        ("<p>a<sup>2<span class=t>n</span></sup>", "a<sup>2n</sup>\n"),
        ("<p>a<sup>2<span>exponent of it</span></sup>", "a<sup>2exponent of it</sup>\n"),
        ("<p>a<sup>beside<span class=t>all the others</span></sup>", "a<sup>besideall the others</sup>\n"),
    ],
)
def test_a_note_in_a_superscript_is_behind_its_number(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ol><li><p>a</p><pre>b</pre>\n<a href=#r>↩︎</a></li></ol>", "1. a\n\n   ```\n   b\n   ```\n"),
        ("<p>a</p><p>&#160;<a href=#r>↩</a></p>\n", "a\n"),
        ("<p>a <a href=#r>↩</a></p>", "a [↩](https://e.org/#r)\n"),
        ("<p>a</p><p><a href=#r>↩</a> b</p>", "a\n\n[↩](https://e.org/#r) b\n"),
    ],
)
def test_an_arrow_that_leads_back_is_no_paragraph(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected
