import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://e.org/")


def test_javadocs_grid_is_a_table() -> None:
    """M1"""
    html = """<div class="summary-table two-column-summary">
        <div class="table-header col-first">Method</div><div class="table-header col-last">Description</div>
        <div class=col-first><code><a href=f>f</a>()</code></div><div class=col-last><div class=block>One.</div></div>
        <div class=col-first><code>g()</code></div><div class=col-last>&nbsp;</div></div>"""
    assert markdown(html) == (
        "| Method | Description |\n| --- | --- |\n| [`f`](https://e.org/f)`()` | One. |\n| `g()` |  |\n"
    )


def test_javadocs_list_of_summaries_is_none() -> None:
    """M1"""
    html = """<ul class=summary-list><li><div id=package-summary><div class=caption><span>Packages</span></div>
        <div class=summary-table><div class=table-header>A</div><div class=table-header>B</div>
        <div>c</div><div>d</div></div></div></li></ul>"""
    assert markdown(html) == "Packages\n\n| A | B |\n| --- | --- |\n| c | d |\n"


def test_a_grid_that_is_not_filled_is_no_table() -> None:
    """M1"""
    html = (
        """<div class=summary-table><div class=table-header>A</div><div class=table-header>B</div><div>c</div></div>"""
    )
    assert markdown(html) == "A\n\nB\n\nc\n"


def test_doxygens_lines_are_code() -> None:
    """M1"""
    html = """<div class="fragment"><div class="line"><span class=lineno> 1</span><a class=code href=x>f</a>(*a);</div>
        <div class="line">&nbsp; g();</div><div class="ttc">f: tooltip</div></div>"""
    assert markdown(html) == "```\nf(*a);\n  g();\n```\n"


def test_doxygens_lines_that_fold_are_code() -> None:
    """M1"""
    html = """<div class=fragment><div class=line>a {</div><div class=foldopen><div class=line>  b</div></div>
        <div class=line>}</div></div>"""
    assert markdown(html) == "```\na {\n  b\n}\n```\n"


def test_javadocs_signatures_are_code() -> None:
    """M1"""
    html = "<div class=member-signature><span>void</span>&nbsp;<span>f</span><wbr>(<a href=t>T</a>&nbsp;t)</div>"
    assert markdown(html) == "`void f(`[`T`](https://e.org/t) `t)`\n"


def test_rdocs_signatures_are_code() -> None:
    """M1"""
    html = """<div class=method-heading>\n <span class=method-name>ids</span><span\n class=method-args>(a)</span>
        <span class=method-click-advice>click to toggle source</span></div><p>b"""
    assert markdown(html) == "`ids(a)`\n\nb\n"


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("<span>f</span><span>(</span>n: T[])<a href='#f' class=tsd-anchor-icon><svg></svg></a>", "`f(n: T[])`\n"),
        ("<span>f</span>(<br>\u00a0\u00a0...n: T[],<br>)", "```ts\nf(\n  ...n: T[],\n)\n```\n"),
        ("f(<br>\u00a0\u00a0n: <a href=t>T</a>,<br>)", "`f( n:` [`T`](https://e.org/t)`, )`\n"),
    ],
)
def test_typedocs_signatures_are_code(signature: str, expected: str) -> None:
    """M1"""
    assert markdown(f'<div class="tsd-signature tsd-anchor-link" id=f>{signature}</div>') == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div class=col-content><h3><code class=tsd-tag>Readonly</code> <code class=tsd-tag>Beta</code><span>name"
         "</span></h3></div>", "### `Readonly` `Beta` name\n"),
        ("<div class=col-content><h1>Class Stream<code class=tsd-tag>Beta</code></h1><ul><li><span><code class=tsd-tag>"
         "Optional</code><span>next</span>: T</span></ul></div>", "# Class Stream `Beta`\n\n- `Optional` next: T\n"),
        ("<div class=headertitle><div class=title>A Reference<span class=mlabels><span class=mlabel>final</span></span>"
         "</div></div>", "# A Reference final\n"),
        ("<div class=memproto>f() <span class=mlabels><span class=mlabel>inline</span><span class=mlabel>static</span>"
         "</span></div>", "`f() inline static`\n"),
        ('<div class="method-heading attribute-method-heading"><span class=method-name>limit</span><span '
         "class=attribute-access-type>[RW]</span></div>", "`limit [RW]`\n"),
        ("<h4>f<span class=signature>(a, b<span class=signature-attributes>opt</span>)</span></h4>",
         "#### f(a, b (opt))\n"),
        ("<table class=fieldTable><tr><td><span class=fieldArg>a:</span><code>str</code><td>b</table>",
         "| a: `str` | b |\n| --- | --- |\n"),
    ],
)  # fmt: skip
def test_labels_of_generators_are_words_apart(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


def test_lines_that_mdbook_hides_are_no_code() -> None:
    """M1"""
    html = """<pre><pre class=playground><code class="language-rust">
<span class=boring>fn main() {
</span>let x = 1;

<span class=boring>}</span></code></pre></pre>"""
    assert markdown(html) == "```rust\nlet x = 1;\n```\n"


def test_doxygens_title_is_a_heading() -> None:
    """M1"""
    html = "<div class=headertitle><div class=title>Shapes<div>Group</div></div></div><div class=title>x</div>"
    assert markdown(html) == "# Shapes\n\nGroup\n\nx\n"


def test_doxygens_members_are_a_table_below_their_heading_and_prototypes_are_code() -> None:
    """M1"""
    html = """<table class=memberdecls><tr><td colspan=2><h2>Members</h2></td></tr>
        <tr><td align=right>bool&nbsp;</td><td><a href=f>f</a> ()</td></tr>
        <tr><td class=memSeparator colspan=2>&nbsp;</td></tr><tr><td>int&nbsp;</td><td>g ()</td></tr></table>
        <div class=memproto><table class=memname><tr><td>bool K::f </td> <td>(</td> <td>int&nbsp;</td>
        <td><em>x</em></td><td>)</td></tr></table></div>"""
    assert markdown(html) == (
        "## Members\n\n| bool | [f](https://e.org/f) () |\n| ---: | --- |\n| int | g () |\n\n`bool K::f ( int x)`\n"
    )


@pytest.mark.parametrize("gap", ["", "\n"])
def test_sphinx_designs_tabs_have_strong_names(gap: str) -> None:
    """M1"""
    html = f"""<div class=sd-tab-set>
        <input type=radio>{gap}<label class=sd-tab-label>{gap}A</label><div class=sd-tab-content>x</div>
        <input type=radio>{gap}<label class=sd-tab-label>{gap}B</label><div class=sd-tab-content>y</div></div>"""
    assert markdown(html) == "**A**\n\nx\n\n**B**\n\ny\n"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Size", "**[Size](https://e.org/x)**\n\na\n"),
        ("<svg></svg>\n Größe", "**[Größe](https://e.org/x)**\n\na\n"),
        ("<a href=y>Size</a>", "**[Size](https://e.org/y)**\n\na\n\n[of x](https://e.org/x)\n"),
        ("", "a\n\n[of x](https://e.org/x)\n"),
    ],
)
def test_a_cards_title_is_strong_and_leads_where_the_card_does(title: str, expected: str) -> None:
    """M1: sphinx-design"""
    html = f"""<div class="sd-card sd-w-100"><div class=sd-card-body>
        <div class="sd-card-title sd-font-weight-bold">\n{title}</div><p class=sd-card-text>a</p></div>
        <a class="sd-stretched-link sd-hide-link-text" href=x><span>of x</span></a></div>"""
    assert markdown(html) == expected


def test_the_edit_button_of_a_page_is_gone() -> None:
    """M1"""
    for name in ("title", "aria-label"):
        assert markdown(f"<a href=e class='md-content__button md-icon' {name}=Edit><svg/></a><h1>x</h1>") == "# x\n"


def test_a_quotation_has_the_name_of_whom_it_is_of() -> None:
    """M1: Discourse"""
    html = """<aside class="quote no-group" data-username=ada><div class=title><img alt="" src=/a.png> ada:</div>
        <blockquote><p>Words.</p></blockquote></aside><p>No.</p>"""
    assert markdown(html) == "> **ada:**\n>\n> Words.\n\nNo.\n"
    assert markdown("<aside class=quote data-username=ada><p>Words.</p></aside>") == "Words.\n"


def test_prompts_of_notebooks_are_none_of_their_words() -> None:
    """M1"""
    html = """<div class="jp-InputPrompt jp-InputArea-prompt">In&nbsp;[1]:</div><pre>a</pre>
        <div class="prompt output_prompt">Out[1]:</div><pre>b</pre>
        <div class="prompt highlight-none"><pre>[ ]:</pre></div>
        <div class=prompt>In words:</div>"""
    assert markdown(html) == "```\na\n```\n\n```\nb\n```\n\nIn words:\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("<div class=line>a <i>b</i></div>\n<div class=line>c</div>", "a *b*\\\nc\n"),
        ("<div class=line>a</div><div class=line-block><div class=line>b</div></div>", "a\\\nb\n"),
        ("<div class=line>a</div><div class=line><br></div><div class=line>b</div>", "a\n\nb\n"),
        ("a", "a\n"),
    ],
)
def test_lines_of_docutils_are_lines(lines: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<div class=line-block>{lines}</div>") == expected


@pytest.mark.parametrize(
    ("name", "href", "expected"),
    [
        ("operation-group-name", "#group-Operations-Queries", "## book\n"),
        ("definition-group-name", "#group-Types", "## book\n"),
        ("operation-group-name", "/x", "[x](https://e.org/x)\n\n## book\n"),
    ],
)
def test_the_name_of_a_group_is_not_said_above_each_of_it(name: str, href: str, expected: str) -> None:
    """M1: SpectaQL"""
    assert markdown(f"<div class={name}><a href='{href}'>x</a></div><h2>book</h2>") == expected


def test_docbooks_prototypes_are_code() -> None:
    """M1: a row of a table for each parameter is how it sets a function that does not fit a line."""
    rows = (
        "<tr><td><code class=funcdef>int <b class=fsfunc>f</b>\n (</code></td><td>int <var>a</var>\n , </td></tr>"
        "<tr><td> </td><td>char *<var>b</var><code>)</code>;</td></tr>"
    )
    html = f"<div class=funcsynopsis><table class=funcprototype-table>{rows}</table><div> </div></div><p>x"
    assert markdown(html) == "`int f (int a, char *b);`\n\nx\n"
