import pytest
from turbohtml import Element, Text

from quire.convert.markdown import to_markdown
from quire.convert.marks import mark
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://example.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>un <b>été</b> à la mer", "un **été** à la mer"),
        ("<p>слово <em>важное</em>, да", "слово *важное*, да"),
        ("<p>日<strong>本</strong>語", "日**本**語"),
        ("<p>كلمة <b>مهمة</b> هنا", "كلمة **مهمة** هنا"),
        ("<p>हिन्दी <i>हिन्दी</i> है", "हिन्दी *हिन्दी* है"),
        ("<p><b>Прим.: </b>текст", "**Прим.:** текст"),
        ("<p>a<i>\u00a0é\u00a0</i>b", "a\u00a0*é*\u00a0b"),
        ("<p><b>“é”</b> x", "**“é”** x"),
        ("<p>x <b><i>é</i></b> y", "x ***é*** y"),
        ("<p>x <b>é <i>y</i></b> z", "x **é *y*** z"),
        ("<p>x <del>é</del> y", "x ~~é~~ y"),
        ("<p>x <b><a href='/y'>é</a></b> z", "x **[é](https://example.org/y)** z"),
        ("<p>x <a href='/y'><b>é</b></a> z", "x [**é**](https://example.org/y) z"),
        ("<p>x <b>can’t</b> y", "x **can’t** y"),
        ("<p><em><strong>a’s of </strong></em>x", "***a’s of*** x"),
        ("<p>x <strong><em>y,\u00a0</em></strong>z", "x ***y,***\u00a0z"),
        ("<p><strong><a href='/y'>é\u00a0</a></strong>z", "**[é](https://example.org/y)**\u00a0z"),
        ("<p><a href='/y'>x</a><em>, it’s</em>", "[x](https://example.org/y)*, it’s*"),
        ("<p>x<code>y</code><em>, it’s</em>", "x`y`*, it’s*"),
        ("<p><strong><span><a href='/y'>x</a></span></strong>’s", "**[x](https://example.org/y)**’s"),
        ("<p>“<em><code>x</code></em>”", "“*`x`*”"),
        ("<figure>x<figcaption><em>© é</em></figcaption></figure>", "x\n\n*© é*"),
        ("<section><b>“é”</b> x</section>", "**“é”** x"),
        ("<p>x<a>y</a><em>, é</em>", "xy<em>, é</em>"),
    ],
)
def test_emphasis_beyond_ascii_is_markdown(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected + "\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>是<b>“重要”</b>的", "是<strong>“重要”</strong>的"),
        ("<p><i>é</i><b>à</b>", "<em>é</em>**à**"),
    ],
)
def test_emphasis_that_markdown_cannot_have_there_stays_html(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected + "\n"


def test_one_word_beyond_ascii_does_not_change_the_rest_of_the_page() -> None:
    """M1"""
    html = '<p><b>é</b> x</p><p>See <a href="/y"><b>PEP</b></a> and <i>(x)</i>.</p>'
    assert markdown(html) == "**é** x\n\nSee [**PEP**](https://example.org/y) and *(x)*.\n"


def test_sub_and_superscripts_keep_their_meaning() -> None:
    """M1"""
    assert markdown("<p>2<sup>10</sup> H<sub>2</sub>O<sup> </sup>") == "2<sup>10</sup> H<sub>2</sub>O\n"


def test_nothing_is_marked_in_code() -> None:
    """M1"""
    html = "<p><code>x<sup>2</sup> <b>é</b></code></p><pre>y<sup>2</sup> <b>é</b></pre>"
    assert markdown(html) == "`x2 é`\n\n```\ny2 é\n```\n"


def test_emphasis_around_blocks_is_left_to_the_converter() -> None:
    """M1"""
    assert "é" in markdown("<b><p>é</p><p>à</p></b>")


def test_what_was_taken_out_of_the_page_is_passed_over() -> None:
    """M1, U10"""
    assert mark([Element("sup", children=[Text("é")])]) is False


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>see <span><b>foo é.</b></span></p>", "see **foo é.**\n"),
        ("<p>a<span><b>foo é.</b></span>b</p>", "a<strong>foo é.</strong>b\n"),
        ("<p><a href=x><b>Explore →</b></a></p>", "[**Explore →**](https://example.org/x)\n"),
        ("<p>“<em>a test,</em>” I</p>", "“*a test,*” I\n"),
        ("<p>is:<strong><u> what é</u></strong>?</p>", "is: **what é**?\n"),
        ("<p><em>plain</em>, <em><strong>How &amp; to</strong></em></p>", "*plain*, ***How & to***\n"),
        ("<p><b>Us$</b><b>14.99</b> a <i>month</i></p>", "**Us$14.99** a *month*\n"),
        ("<p><b>one</b>, <b>two</b><i>three</i></p>", "**one**, **two**_three_\n"),
        ("<p><strong><a href=x>Foo </a></strong>– bar</p>", "**[Foo](https://example.org/x)** – bar\n"),
        ("<p><b><em><code>x</code></em></b></p>", "**_`x`_**\n"),
        ("<p><b><span><em><code>x</code></em></span></b>, y</p>", "**_`x`_**, y\n"),
        ("<p><b>f <em>(x)</em></b></p>", "**f *(x)***\n"),
        ("<p>a<b><em><code>x</code></em></b>b</p>", "a<strong>_`x`_</strong>b\n"),
        ("<p>x <em><code>y</code></em>. <b><code>a=<em><code>b|c</code></em></code></b></p>", "x *`y`*. **`a=b|c`**\n"),
    ],
)
def test_signs_are_written_wherever_they_are_read(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>the field <var>field</var>, a <dfn>term</dfn>, the <var>n</var>th <var>à</var>",
         "the field *field*, a *term*, the *n*th *à*"),
        ("<p><em>a <var>b</var></em> <i><dfn>c</dfn></i> <var>d <em>e</em></var> <var><i>f</i></var>",
         "*a b* *c* d *e* *f*"),
        ("<p><code>f(<var>x</var>)</code> <code><span><var>y</var></span></code><pre>a <var>b</var></pre>",
         "`f(x)` `y`\n\n```\na b\n```"),
        ("<dl><dt><code>-o</code> <var>FILE</var><dt><dfn>weir</dfn></dl>", "**`-o` FILE**\n\n**weir**"),
        ("<p>x-<var>&lt;</var>name<var>&gt;</var>", "x-\\<name>"),
        ("<p><dfn class=src>mode :: Mode</dfn>", "mode :: Mode"),
        ("<table><tr><th>a<th>b<tr><td rowspan=2><var>c</var><td>d<tr><td>e</table>",
         '<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td rowspan="2"><em>c</em></td><td>d</td></tr>\n'
         "<tr><td>e</td></tr>\n</table>"),
    ],
)  # fmt: skip
def test_variables_and_definitions_are_emphasis_as_browsers_show_them(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected + "\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div>a <em>b</div><div>c<p>d</p><p>e</p></div>", "a *b*\n\nc\n\nd\n\ne"),
        ("<b><h2>a</h2><ul><li>b</ul></b>", "## a\n\n- b"),
        ("<b><p>a</p></b>", "**a**"),
        ("<div class=summary-table><div class=table-header>A</div><div class=table-header>B</div>"
         "<em><div>x</div><div>y</div></em></div>", "| A | B |\n| --- | --- |\n| x | y |"),
    ],
)  # fmt: skip
def test_emphasis_around_blocks_is_none(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected + "\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul class=x><b>é</b><li><h1>T</h1></ul>", "**é**\n\n# T\n"),
        ("<ul class=x><sup>2</sup><li><h1>T</h1></ul>", "<sup>2</sup>\n\n# T\n"),
        ("<ul><b>é</b><li><section><h2>T</h2></section></ul>", "**é**\n\n## T\n"),
        ("<ul><s>é</s><li><section><h2>T</h2></section></ul>", "~~é~~\n\n## T\n"),
        (
            "<div class=summary-table><div class=table-header>a</div><b class=table-header>é</b><div>c</div>"
            "<s>d</s></div>",
            "| a | é |\n| --- | --- |\n| c | d |\n",
        ),
        (
            "<ul class=summary-list><b>é</b><li><div class=summary-table><div class=table-header>a</div>"
            "<div class=table-header>b</div></div></ul>",
            "**é**\n\n| a | b |\n| --- | --- |\n",
        ),
    ],
)
def test_emphasis_among_items_and_cells_is_no_such(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>\\</b><i>nnn</i>", "<strong>\\\\</strong>*nnn*"),
        ("<b><i>a | b</i></b>", "***a | b***"),
        ("<b><i>C:\\x</i></b>", "***C:\\\\x***"),
        ("<b> <i>R&amp;D</i></b>", "***R&D***"),
        ("<b>x <b>y</b> z</b>", "**x y z**"),
        ("<strong>Function <strong><em><code>f</code></em></strong>. </strong>x", "**Function *`f`*.** x"),
        ("x<sup>2<sup>3</sup></sup>", "x<sup>2<sup>3</sup></sup>"),
        ("x<sup><sup>®</sup></sup>", "x<sup>®</sup>"),
    ],
)
def test_one_odd_emphasis_does_not_turn_that_of_the_page_into_tags(html: str, expected: str) -> None:
    """M1: as in bash's own manual, where 2,000 lines had tags because of one `\\`."""
    page = "<p>a <b>b</b> c</p>" * 10
    assert markdown(f"{page}<p>{html}</p>") == "a **b** c\n\n" * 10 + f"{expected}\n"


def test_emphasis_in_emphasis_stays_where_it_costs_no_other_its_signs() -> None:
    """M1: Markdown can have it."""
    assert markdown("<p><em>x <em>y</em> z</em></p>") == "*x *y* z*\n"
