import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(f'<h1 class="ltx_title">T</h1>{html}'.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://example.org/").removeprefix("# T\n\n")


def equation(*cells: str) -> str:
    return f'<tr class="ltx_equation ltx_eqn_row"><td>{"<td>".join(cells)}</tr>'


def math(tex: str) -> str:
    return f'<math alttext="{tex}"><mi>x</mi></math>'


NUMBER = '<span class="ltx_tag ltx_tag_equation">(1)</span>'


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([equation("", math("a^{2}"), NUMBER)], "$$a^{2} \\tag{1}$$\n"),
        (
            [equation(math("\\displaystyle a"), math("\\displaystyle=b"), NUMBER), equation("", math("=c"))],
            "$$a =b \\tag{1}$$\n\n$$=c$$\n",
        ),
        ([equation(math("a=%&#10;b"), NUMBER.replace("1", "*"))], "$$a=b$$ (\\*)\n"),
        ([equation("and"), equation(math("b"))], "and\n\n$$b$$\n"),
    ],
)
def test_an_equation_is_a_formula_and_no_table(rows: list[str], expected: str) -> None:
    """M1"""
    assert markdown(f'<table class="ltx_equationgroup ltx_eqn_table">{"".join(rows)}</table>') == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("By <em>many</em>", "studied<sup>1</sup> (By *many*) since\n"),
        ('<span class="ltx_note_type">footnotemark: </span>', "studied<sup>1</sup> since\n"),
    ],
)
def test_a_note_has_its_number_once(text: str, expected: str) -> None:
    """M1"""
    mark = '<sup class="ltx_note_mark">1</sup>'
    content = f'<span class="ltx_note_content">{mark}<span class="ltx_tag ltx_tag_note">1</span>{text}</span>'
    note = f'<span class="ltx_note">{mark}<span class="ltx_note_outer">{content}</span></span>'
    assert markdown(f"<p>studied{note} since") == expected


@pytest.mark.parametrize(
    ("tag", "mark", "expected"),
    [("ul", "•", "- one\n"), ("ol", "1.", "1. one\n"), ("ol", "(a)", "1. one\n"), ("ol", "(A1)", "1. (A1) one\n")],
)
def test_an_item_has_one_mark(tag: str, mark: str, expected: str) -> None:
    """M1"""
    item = f'<span class="ltx_tag ltx_tag_item">{mark}</span> <div class="ltx_para"><p>one</p></div>'
    assert markdown(f"<{tag}><li>{item}</li></{tag}>") == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<p>a <span class="ltx_text ltx_font_bold">b</span>', "a **b**\n"),
        ('<p>a <span class="ltx_text ltx_font_italic">b</span>', "a *b*\n"),
        ('<p>a <span class="ltx_text ltx_font_typewriter">b</span>', "a `b`\n"),
        ('<h2>a <span class="ltx_text ltx_font_italic">b</span></h2>', "## a b\n"),
    ],
)
def test_a_font_is_what_it_means(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table class=ltx_eqn_table><tr><td>a é</table>", "a é\n"),
        (
            "<p>a <span class=ltx_note><sup class=ltx_note_mark>1</sup> b <span class=ltx_note_content>é</span></span>",
            "a <sup>1</sup> b é\n",
        ),
    ],
)
def test_equations_and_notes_lose_no_words(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected
