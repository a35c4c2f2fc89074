import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode
from quire.extract.text import text_of


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://example.org/")


def test_a_table_is_a_gfm_table() -> None:
    """M1"""
    html = "<table><thead><tr><th>Name<th>Size</thead><tbody><tr><td>a|b<td><code>1</code></tbody></table>"
    assert markdown(html) == "| Name | Size |\n| --- | --- |\n| a\\|b | `1` |\n"


def test_a_table_with_spans_stays_html() -> None:
    """M1"""
    html = """<table class=x><caption>All of <b>it</b></caption><tr><th rowspan=2>a<th colspan=2>b &lt; c<tr><th>c<th>d
        <tr><td onclick="go()"><p>1 <b>é</b></p><td>2<td><a href=x.html class=y>*3*</a></table>"""
    assert markdown(html) == (
        "All of **it**\n\n<table>\n"
        '<tr><th rowspan="2">a</th><th colspan="2">b &lt; c</th></tr>\n'
        "<tr><th>c</th><th>d</th></tr>\n"
        '<tr><td>1 <b>é</b></td><td>2</td><td><a href="https://example.org/x.html">*3*</a></td></tr>\n'
        "</table>\n"
    )


def test_html_tables_keep_to_their_quotation_and_item() -> None:
    """M1"""
    html = "<ul><li><p>x</p><blockquote><table><tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3</table></blockquote></ul>"
    assert markdown(html) == (
        "- x\n\n  > <table>\n"
        '  > <tr><th colspan="2">a</th><th>b</th></tr>\n'
        "  > <tr><td>1</td><td>2</td><td>3</td></tr>\n"
        "  > </table>\n"
    )


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><th colspan=4>a<th colspan=2>b<tr><td colspan=4>1<td colspan=2>2<tr><td colspan=6>all</table>",
        "<table><tr><th rowspan=2>a<th rowspan=2>b<tr></tr><tr><td>1<td>2<tr><td>all</table>",
    ],
)
def test_spans_that_change_nothing_are_none(html: str) -> None:
    """M1"""
    assert markdown(html) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n| all |  |\n"


def test_a_spanned_place_of_a_table_without_heads_is_an_empty_cell() -> None:
    """M1"""
    html = "<table><tr><td rowspan=2>1.<td>a<td>b<tr><td colspan=2>c<tr><td>2.<td>d<td>e</table>"
    assert markdown(html) == "| 1. | a | b |\n| --- | --- | --- |\n|  | c |  |\n| 2. | d | e |\n"


def test_short_rows_are_filled_up() -> None:
    """M1"""
    assert markdown("<table><tr><th>a<tr><td>b<td>c</table>") == "| a |  |\n| --- | --- |\n| b | c |\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table><tr><th>a<th> <th>b<tr><td>1<td>&nbsp;<td>2</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
        ("<table><tr><th><th>a<th>b<tr><td>x<td>1<td>2</table>", "|  | a | b |\n| --- | --- | --- |\n| x | 1 | 2 |\n"),
        ("<table class=menu><tr><td><a href=x>A</a><td>&nbsp;<td>\n<tr><td><a href=y>B</a><td>&nbsp;<td>\n</table>",
         "- [A](https://example.org/x)\n- [B](https://example.org/y)\n"),
        ("<table class=menu><tr><td><a href=x>A</a><td>&nbsp;<td>b\n</table>",
         "| [A](https://example.org/x) | b |\n| --- | --- |\n"),
    ],
)  # fmt: skip
def test_columns_without_anything_go(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


def test_paragraphs_in_a_cell_become_lines() -> None:
    """M1"""
    html = """<table><tr><th>a<th>b<tr><td>x<br>y<td><div>one</div> <div onclick="go()">two</div>
        <tr><td><p>p</p><p>q</p><td><pre>c</pre></table>"""
    assert markdown(html) == "| a | b |\n| --- | --- |\n| x<br>y | one<br>two |\n| p<br>q | `c` |\n"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("<p>a</p><p></p>", "a"),
        ("<span>a<br></span> <br>", "a"),
        ("<a name=k></a><p>a</p><p>b</p>", "a<br>b"),
        ("a<p>b</p>c<pre>d</pre>", "a<br>b<br>c<br>`d`"),
        ("<p>a</p><br><p>b</p>", "a<br>b"),
        ("<details><summary>a</summary><p>b</p> <div><p>c</p><p>d</p></div></details>", "a<br>b<br>c<br>d"),
    ],
)
def test_a_block_in_a_cell_is_a_line(cell: str, expected: str) -> None:
    """M1"""
    html = f"<table><tr><th>x<th>y<tr><td>1<td>{cell}</table>"
    assert markdown(html) == f"| x | y |\n| --- | --- |\n| 1 | {expected} |\n"


def test_rows_that_only_draw_a_line_go() -> None:
    """M1"""
    html = "<table><tr><th>a<th>b<tr><td colspan=2><hr><tr><td>1<td>2<tr><td>&nbsp;<td><hr></table>"
    assert markdown(html) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


def test_an_index_of_modules_is_a_list() -> None:
    """M1: Sphinx"""
    html = """<table class="indextable modindextable"><tr class=pcap><td></td><td>&#160;</td><td></td></tr>
        <tr class=cap><td></td><td>\n<strong>c</strong></td><td></td></tr>
        <tr><td><img src=minus.png class=toggler style="display: none" alt="-"></td>
        <td>\n<code>click</code></td><td>\n<em></em></td></tr>
        <tr class=cg-1><td></td><td>&#160;&#160;\n<a href=x><code>click.core</code></a></td><td><em></em></td></tr>
        <tr class=cg-1><td></td><td>&#160;&#160;&#160;\n<a href=y>click.types</a></td><td>\n<em>Types.</em></td></tr>
        <tr><td></td><td>copy</td><td><strong>Deprecated:</strong>\n<em>No.</em></td></tr></table>"""
    assert markdown(html) == (
        "**c**\n\n- `click`\n  - [`click.core`](https://example.org/x)\n"
        "  - [click.types](https://example.org/y) *Types.*\n"
        "- copy **Deprecated:** *No.*\n"
    )


def test_another_index_of_modules_stays_a_table() -> None:
    """M1"""
    assert markdown("<table class=modindextable><tr><th>a<th>b</table>") == "| a | b |\n| --- | --- |\n"


@pytest.mark.parametrize("numbers", ["<pre>1\n2</pre>", "1<br>\n2", "<pre>\n\n14\n15</pre>", "<pre>7</pre>"])
def test_line_numbers_beside_code_go_whatever_they_are_called(numbers: str) -> None:
    """M1"""
    assert markdown(f"<table><tr><td>{numbers}<td><pre>a\nb</pre></table>") == "```\na\nb\n```\n"


def test_a_number_beside_code_is_no_line_number() -> None:
    """M1"""
    assert markdown("<table><tr><td>1<td><pre>a\nb</pre></table>") == "1\n\n```\na\nb\n```\n"


def test_a_table_with_lists_code_or_tables_in_its_cells_stays_html() -> None:
    """M1"""
    html = """<table><thead><tr><th>a<th>b<tbody><tr><td><ul><li><p>one</p></li> <li>two</li></ul>
        <td><div class=highlight-c><pre><b>c</b> &lt;\n\n d</pre></div>
        <tr><td>p<td><table><tr><th>x<th>y<tr><td>1<td>2</table></table>"""
    assert markdown(html) == (
        "<table>\n<thead>\n<tr><th>a</th><th>b</th></tr>\n</thead>\n<tbody>\n"
        "<tr><td><ul><li>one</li><li>two</li></ul></td>"
        '<td><pre><code class="language-c">c &lt;&#10;\n d</code></pre></td></tr>\n'
        "<tr><td>p</td><td><table>\n<tr><th>x</th><th>y</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table></td></tr>\n"
        "</tbody>\n</table>\n"
    )


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table class=params><tr><td>[in]<td>n<td>may be<ul><li>zero<li>more</ul><tr><td>[out]<td>buf<td>the buffer"
         "</table>",
         "<tr><td>[in]</td><td>n</td><td>may be<ul><li>zero</li><li>more</li></ul></td></tr>\n"
         "<tr><td>[out]</td><td>buf</td><td>the buffer</td></tr>"),
        ("<table><tr><td>a<td><pre>b\nc</pre><tr><td colspan=2>d<tr><td>e<td>f<tr><td>g<td>h</table>",
         "<tr><td>a</td><td><pre><code>b\nc</code></pre></td></tr>\n"
         '<tr><td colspan="2">d</td></tr>\n<tr><td>e</td><td>f</td></tr>\n<tr><td>g</td><td>h</td></tr>'),
        ("<table class=params><tr><th>Name<th>Description<tr><td>options<td><p>the options</p><h6>Properties</h6>"
         "<table class=params><tr><th>Name<th>Description<tr><td>limit<td>the limit</table></table>",
         "<tr><th>Name</th><th>Description</th></tr>\n"
         "<tr><td>options</td><td><p>the options</p><h6>Properties</h6><table>\n"
         "<tr><th>Name</th><th>Description</th></tr>\n<tr><td>limit</td><td>the limit</td></tr>\n</table></td></tr>"),
    ],
)  # fmt: skip
def test_blocks_in_a_few_cells_do_not_take_a_table_apart(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == f"<table>\n{expected}\n</table>\n"


def test_headings_in_a_few_cells_are_their_words() -> None:
    """M1"""
    html = "<table><tr><td><h4>Food</h4><td>Amount<tr><td>Onions<td>3<tr><td>Carrots<td>4</table>"
    assert markdown(html) == "| Food | Amount |\n| --- | --- |\n| Onions | 3 |\n| Carrots | 4 |\n"


def test_a_heading_across_a_table_that_stays_html_spans_it() -> None:
    """M1"""
    html = "<table><tr><th colspan=2>A<tr><td>a<td><p></p><ul><li>b<li>c</ul></table>"
    rows = '<tr><th colspan="2">A</th></tr>\n<tr><td>a</td><td><ul><li>b</li><li>c</li></ul></td></tr>'
    assert markdown(html) == f"<table>\n{rows}\n</table>\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table><tr><td><p>alone</table>", "alone\n"),
        ("<table class=tableblock><tr><td>alone</table>", "alone\n"),
        ("<table><tr><td>alone: <a href=x>x</a></table>", "alone: [x](https://example.org/x)\n"),
        (f"<table><tr><td>{'long ' * 101}</table>", f"{'long ' * 101}".rstrip() + "\n"),
        ("<table><tr><td><table><tr><td>alone</table></table>", "alone\n"),
        ("<table><tr><td>a<td><table><tr><td>b<td>c</table></table>", "a\n\n| b | c |\n| --- | --- |\n"),
        ("<table><tr><td><h2>A</h2>x<td><ul><li>b</ul></table>", "## A\n\nx\n\n- b\n"),
        ("<table><tr><td>x<td><ul><li>b</ul><tr><td><blockquote>c</blockquote><td>y</table>", "x\n\n- b\n\n> c\n\ny\n"),
        ("<table></table><p>x", "x\n"),
        ("<table><tr><th>f()<tr><td>Runs:<pre>f(1)\nf(2)</pre></table>", "f()\n\nRuns:\n\n```\nf(1)\nf(2)\n```\n"),
        ("<table class=field-list><tr><th>Returns:<td><ul><li>b</ul></table>", "Returns:\n\n- b\n"),
    ],
)
def test_a_table_that_only_lays_out_the_page_is_no_table(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


def test_a_box_around_a_few_words_stays_a_table() -> None:
    """M1"""
    assert markdown("<p>x<table border=1><tr><td>\n1 &lt; 2 </table>") == (
        "x\n\n<table>\n<tr><td>1 &lt; 2</td></tr>\n</table>\n"
    )


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


def test_the_tree_keeps_the_words_of_what_was_put_away() -> None:
    """M4: formulas, tables that stay HTML, kept tags; whoever reads the page's text later finds them all"""
    html = """<p>Sum <math><annotation encoding="application/x-tex">a+b</annotation></math> of List<string> here</p>
        <table><tr><th rowspan=2>two rows</th><th>b</th></tr><tr><td>one<ul><li>item</ul></td></tr></table>
        <del><p>struck</p></del>"""
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    content = content_of(document, "full")
    to_markdown(content, "https://example.org/")
    words = "Sum $a+b$ of List here two rows b one item struck"
    assert " ".join(text_of(content).replace("*", " ").split()) == words


@pytest.mark.parametrize(
    ("attributes", "rule"),
    [
        ("align=RIGHT", "---:"),
        ('style="text-align: center"', ":---:"),
        ('class="tableblock halign-right valign-top"', "---:"),
        ('class="head text-center"', ":---:"),
        ("class=org-right", "---:"),
        ('class="ltx_td ltx_align_right"', "---:"),
        ('class="col1 centeralign"', ":---:"),
        ('class="halign-left copyright text-right-small"', "---"),
    ],
)
def test_a_column_is_aligned_as_its_head_is(attributes: str, rule: str) -> None:
    """M1"""
    html = f"<table><tr><th>a<th {attributes}>\n b<tr><td>1<td>2</table>"
    assert markdown(html) == f"| a | b |\n| --- | {rule} |\n| 1 | 2 |\n"
