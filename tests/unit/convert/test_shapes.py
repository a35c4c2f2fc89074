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


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<div class=member-signature><span>void</span>&nbsp;<span>f</span><wbr>(<a href=t>T</a>&nbsp;t)</div>",
            "`void f(`[`T`](https://e.org/t)` t)`\n",
        ),
        (
            '<dl><dt class="sig sig-object py"><em>class </em><span>a_b</span>(<em>*</em>, <em>c</em>)<dd>Text.</dl>',
            "`class a_b(*, c)`\n\nText.\n",
        ),
        (
            '<dl><dt class="sig"><span>f</span>(<em><a href=t>T</a></em>)<dd>x</dl>',
            "`f(`[`T`](https://e.org/t)`)`\n\nx\n",
        ),
        ("<dl><dt>Since:<dd>1<dt>Größe: <dd>2</dl>", "**Since:**\n\n1\n\n**Größe:**\n\n2\n"),
        ("<dl><dt><code>-v</code>, <code>-q</code><dd>x</dl>", "**`-v`, `-q`**\n\nx\n"),
        (
            "<dl><dt><a href=t>T</a><dd>x<dt><em>y</em><dd>z<dt> <dd>q</dl>",
            "[T](https://e.org/t)\n\nx\n\n*y*\n\nz\n\nq\n",
        ),
    ],
)
def test_signatures_are_code_and_terms_are_strong(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<div class='admonition note'><p class=admonition-title>Größe</p><p>Mind it.</p></div>",
        "<div class='theme-admonition x'><div class=admonitionHeading_x>Größe</div><div>Mind it.</div></div>",
        "<div class=note><h3 class=title>Größe</h3><p>Mind it.</p></div>",
        "<div class='admonitionblock tip'><table><tr><td class=icon><div class=title>Größe</div>"
        "<td class=content>Mind it.</table></div>",
    ],
)
def test_a_note_is_a_quotation_with_its_title(html: str) -> None:
    """M1"""
    assert markdown(f"<p>a</p>{html}<p>b</p>") == "a\n\n> **Größe**\n>\n> Mind it.\n\nb\n"


@pytest.mark.parametrize(
    "html",
    ["<div class=note><p class=title>x</p></div>", "<div class=warning><h3>x</h3></div>", "<div class=tip>x</div>"],
)
def test_what_only_bears_the_name_of_a_note_is_none(html: str) -> None:
    """M1"""
    assert ">" not in markdown(html)


def test_lines_that_mdbook_hides_are_no_code() -> None:
    """M1"""
    html = """<pre><pre class=playground><code class="language-rust">
<span class=boring>fn main() {
</span>let x = 1;

<span class=boring>}</span></code></pre></pre>"""
    assert markdown(html) == "```rust\nlet x = 1;\n```\n"


def test_doxygens_title_is_a_heading() -> None:
    """M1"""
    html = "<div class=header><div class=headertitle><div class=title>Shapes</div></div></div><div class=title>x</div>"
    assert markdown(html) == "# Shapes\n\nx\n"
