import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode

PROGRAM = (
    "<table class=RktBlk><tr><td><span class=RktPn>(</span><a href=f>f</a>"
    "<tr><td><span class=hspace>&nbsp;&nbsp;</span>x)<tr><td>&nbsp;"
    "<tr><td><table><tr><td><p>1</p><tr><td><p>2</p></table></table>"
)


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://e.org/")


@pytest.mark.parametrize(
    "html",
    [
        f"<blockquote class=SCodeFlow>{PROGRAM}</blockquote>",
        f"<table class=boxed><tr><td>{PROGRAM}</table>",
    ],
)
def test_rows_of_a_program_are_lines_of_code(html: str) -> None:
    """M1"""
    assert markdown(html) == "```\n(f\n  x)\n\n1\n2\n```\n"


def test_a_program_in_a_cell_is_inline_code() -> None:
    """M1"""
    html = f"<table><tr><th>a<th>b<tr><td>{PROGRAM}<td>c</table>"
    assert markdown(html) == "| a | b |\n| --- | --- |\n| `(f`<br>`x)`<br>`1`<br>`2` | c |\n"


def test_a_quotation_keeps_what_it_holds_beside_a_program() -> None:
    """M1"""
    assert markdown(f"<blockquote><p>a</p>{PROGRAM}</blockquote>").startswith("> a\n>\n> ```\n> (f\n")
