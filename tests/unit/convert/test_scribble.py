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


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<blockquote class=SCodeFlow><p><span class=RktPn>(</span>go&nbsp;x)</p></blockquote>", "```\n(go x)\n```\n"),
        ("<blockquote class=SVInsetFlow><table class='boxed RBoxed'><tr><td><blockquote class=SubFlow>"
         "<div class=RBackgroundLabel><p>procedure</p></div><table class=prototype>"
         "<tr><td>(open<td>&nbsp;<td>port<tr><td>&nbsp;<td>&nbsp;<td>name)</table></blockquote>"
         "<tr><td>&nbsp;&nbsp;port : any/c</table></blockquote>",
         "procedure\n\n```\n(open port\n      name)\n  port : any/c\n```\n"),
        ("<table class=RBoxed><tr><td><div class=RBackgroundLabel>value</div>a<table><tr><td>b<td>c</table></table>",
         "value\n\na\n\n| b | c |\n| --- | --- |\n"),
        (f"{PROGRAM}<table><tr><td><p class=RktErr>in: x</p><tr><td><p class=RktErr>&nbsp;y</p></table>",
         "```\n(f\n  x)\n\n1\n2\n```\n\n```\nin: x\n y\n```\n"),
        (f"{PROGRAM}<p>See.<span class=refelem>Note</span>", "```\n(f\n  x)\n\n1\n2\n```\n\nSee. Note\n"),
    ],
)  # fmt: skip
def test_lines_definitions_and_errors_are_code_too(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected
