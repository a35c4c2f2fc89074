import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://example.org/")


def test_a_table_is_a_gfm_table() -> None:
    """M1"""
    html = "<table><thead><tr><th>Name<th>Size</thead><tbody><tr><td>a|b<td><code>1</code></tbody></table>"
    assert markdown(html) == "| Name | Size |\n| --- | --- |\n| a\\|b | `1` |\n"


def test_a_spanned_place_is_an_empty_cell() -> None:
    """M1"""
    html = """<table><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>1<td>2<td>3
        <tr><td colspan=3>all</table>"""
    assert markdown(html) == ("| a | b |  |\n| --- | --- | --- |\n|  | c | d |\n| 1 | 2 | 3 |\n| all |  |  |\n")


def test_short_rows_are_filled_up() -> None:
    """M1"""
    assert markdown("<table><tr><th>a<tr><td>b<td>c</table>") == "| a |  |\n| --- | --- |\n| b | c |\n"


def test_blocks_in_a_cell_become_lines() -> None:
    """M1"""
    html = """<table><tr><th>a<th>b<tr><td>x<br>y<td><ul><li>one</li> <li onclick="go()">two</li></ul>
        <tr><td><p>p</p><p>q</p><td><pre>c\nd</pre></table>"""
    assert markdown(html) == ("| a | b |\n| --- | --- |\n| x<br>y | • one<br>• two |\n| p<br>q | `c`<br>`d` |\n")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table><tr><td>alone</table>", "alone\n"),
        ("<table><tr><td>a<td><table><tr><td>b<td>c</table></table>", "a\n\n| b | c |\n| --- | --- |\n"),
        ("<table><tr><td><h2>A</h2>x<td><ul><li>b</ul></table>", "## A\n\nx\n\n- b\n"),
        ("<table></table><p>x", "x\n"),
    ],
)
def test_a_table_that_only_lays_out_the_page_is_no_table(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "<tr><td colspan=99999 rowspan=99999>x" * 300 + "</table>",
        "<table><tr>" + "<td>x" * 3000 + "<tr><td>y" * 3000 + "</table>",
        "<table><tr><th>" * 300 + "x",
        "<table><tr><td rowspan=-1 colspan=x>a<td colspan=0 rowspan=''>b<td colspan=٣>c</table>",
    ],
)
def test_no_table_is_too_much(html: str) -> None:
    """M1, U10"""
    text = markdown(html)
    assert "<t" not in text
    assert len(text) < 5_000_000
