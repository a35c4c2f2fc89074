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
        ("<div class=fragment><div class=line>a</div><b>é</b> c</div>", "a\n\n**é** c"),
        ("<div class=fragment><div class=line>a <div class=line>é</div></div></div>", "a\n\né"),
        ("<div class=line-block><div class=line>a</div>é <p>c</p></div>", "a\n\né\n\nc"),
        (
            "<div class=admonitionblock><table><tr><td class=icon>a<td class=content>é<td>c</table><p>d</div>",
            "| a | é | c |\n| --- | --- | --- |\n\nd",
        ),
        ("<blockquote class=SCodeFlow>a<p>é</p></blockquote>", "> a\n>\n> é"),
        ("<div class=colist><table><tr><td>a<td>é</table></div>", "| a | é |\n| --- | --- |"),
        (
            "<div class=colist><table><tr><td>1<td>é<tr><th>a</table></div>",
            "| 1 | é |\n| --- | --- |\n| a |  |",
        ),
        ("<table><tr><td class=linenos>a<td><pre>é</pre></table>", "a\n\n```\né\n```"),
    ],
)
def test_a_block_that_says_more_than_its_parts_keeps_it(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected + "\n"
