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
        (
            '<dl><dt class="sig sig-object py"><em>class </em><span>a_b</span>(<em>*</em>, <em>c</em>)<dd>Text.</dl>',
            "`class a_b(*, c)`\n\nText.\n",
        ),
        (
            '<dl><dt class="sig">\n<em> class </em>\n<a href=t>T</a>.f()'
            "<a href=s#f><span class=viewcode-link>[source]</span></a><dd>x</dl>",
            "`class` [`T`](https://e.org/t)`.f()`\n\nx\n",
        ),
        (
            '<dl><dt class="sig"><span>f</span>(<em><a href=t>T</a></em>)<dd>x</dl>',
            "`f(`[`T`](https://e.org/t)`)`\n\nx\n",
        ),
        (
            "<dl><dt class=sig>template&lt;typename T&gt;<br><b>class</b> L<br></dt><dd>x</dl>",
            "`template<typename T> class L`\n\nx\n",
        ),
        (
            "<dl><dt class=sig>void f(<a href=t>T</a> a) <b>const</b><br></dt><dd>x</dl>",
            "`void f(`[`T`](https://e.org/t) `a) const`\n\nx\n",
        ),
        (
            "<dl><dt class=sig>f(\n\n<dl>\n<dd><a href=t>T</a> a,</dd>\n<dd>int b</dd>\n</dl>\n\n)<br></dt><dd>x</dl>",
            "`f(` [`T`](https://e.org/t) `a, int b )`\n\nx\n",
        ),
        (
            "<dl><dt class=pubdef><span class=pred-tag>[ISO]</span><a id=op><strong>op</strong>(<var>+P</var>)</a><dd>x"
            "<dt class=pubdef><a id=f><strong>f</strong>(<var>+P</var>)</a><dd>y<dt class=multidef><dd>z</dl>",
            "[ISO] **op**(+P)\n\nx\n\n**f**(+P)\n\ny\n\nz\n",
        ),
        ("<dl><dt>a<span class=classifier>b</span><dd>x</dl>", "**a** : b\n\nx\n"),
        ("<dl><dt><b>a</b><span class=classifier>b</span><span class=classifier>c</span></dl>", "**a** : b : c\n"),
        (
            "<dl><dt>a <span class=classifier-delimiter>:</span> <span class=classifier>b</span><dd>x</dl>",
            "**a** : b\n\nx\n",
        ),
        ("<dl><dt><span class=classifier>b</span><dd>x</dl>", "b\n\nx\n"),
        ("<dl><dt>a <em>b</em><dd>x<dt>c <em>d</em> e</dl>", "**a *b***\n\nx\n\n**c *d* e**\n"),
        ("<dl><dt>Since:<dd>1<dt>Größe: <dd>2</dl>", "**Since:**\n\n1\n\n**Größe:**\n\n2\n"),
        ("<dl><dt><code>-v</code>, <code>-q</code><dd>x</dl>", "**`-v`, `-q`**\n\nx\n"),
        ("<dl><dt><span><b>Ctrl</b></span>+N<dd>x</dl>", "**Ctrl+N**\n\nx\n"),
        (
            "<dl><dt><a name=x id=x>Access</a><dd>y<dt><a id=z></a><span>Mode</span></dl>",
            "**Access**\n\ny\n\n**Mode**\n",
        ),
        (
            "<dl><dt><a href=t>T</a><dd>x<dt><em>y</em><dd>z<dt> <dd>q</dl>",
            "**[T](https://e.org/t)**\n\nx\n\n*y*\n\nz\n\nq\n",
        ),
        (
            "<dl><dt><a href=t><code>T</code></a> of <code><a href=u>U</a></code><dd>x</dl>",
            "**[`T`](https://e.org/t) of [`U`](https://e.org/u)**\n\nx\n",
        ),
        (
            "<dl><dt><a href=t>T</a> - Class of <a href=u>U</a><dd>x</dl>",
            "[T](https://e.org/t) - Class of [U](https://e.org/u)\n\nx\n",
        ),
        (
            "<dl><dt><code>\n<span>def <b>f</b></span>(<span>a: A,<br>**b) ‑> B</span>\n</code><dd>x</dl>",
            "**`def f(a: A, **b) ‑> B`**\n\nx\n",
        ),
        (
            "<dl><dt><code>\n<span>def f</span>(<span>a,<br>b) ‑> <a href=t>T</a></span>\n</code><dd>x</dl>",
            "**`def f(a, b) ‑>` [`T`](https://e.org/t)**\n\nx\n",
        ),
        ("<dl><dt><a href=t><em>T</em></a><dd>x</dl>", "[*T*](https://e.org/t)\n\nx\n"),
    ],
)
def test_signatures_are_code_and_terms_are_strong(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("category", "definition", "expected"),
    [
        ("category'>: ", "<em><var>m</var> =</em> <strong>Map</strong> <em>(<var>k</var>)</em>", "`m = Map (k)`\n"),
        ("category'>Function: ", "<strong>f</strong> <em>(<var>x</var>)</em>", "Function: `f (x)`\n"),
        ("category-def'>Function: ", "<strong>f</strong> <code>(x)</code>", "Function: `f (x)`\n"),
        ("category'>Function: ", "<strong>f</strong> <em><br>&nbsp;<tt>f</tt> (x)<br>&nbsp;<tt>f</tt> (y) </em>",
         "Function: `f`\\\n`f (x)`\\\n`f (y)`\n"),
        ("category'>:", "", ":\n"),
        ("x'>A ", "<strong>f</strong>", "**A f**\n"),
    ],
)  # fmt: skip
def test_texinfos_definitions_are_code(category: str, definition: str, expected: str) -> None:
    """M1"""
    anchor = "<a class='copiable-anchor' href='#index-f'> &para;</a>"
    term = f"<dt id='index-f'><span class='{category}</span><span>{definition}{anchor}</span></dt>"
    assert markdown(f"<dl class=def>{term}<dd>Does.</dl>") == f"{expected}\nDoes.\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<dl><dt>license<dd><dl><dt>gpl<dd>x<dt>mit<dt>bsd<dd><p>y</p><dl><dt>2<dd>z</dl></dl><p>Unless.</p></dl>",
         "**license**\n\n- **gpl**\n\n  x\n\n- **mit**\n\n  **bsd**\n\n  y\n\n  - **2**\n\n    z\n\nUnless.\n"),
        ("<dl><dt>a<dd><div><dl><div><dt>b<dd>c</div><div><dt>d<dd>e</div></dl></div></dl>",
         "**a**\n\n- **b**\n\n  c\n\n- **d**\n\n  e\n"),
        ("<dl><dt>a<dd><ul><li><dl><dt>b<dd><ul><li>c</ul></dl></ul></dl>", "**a**\n\n- **b**\n  - c\n"),
        ("<dl><dt id=a>a<dd><dl><dt id=b>b <a href=#b>b</a><dd>c</dl></dl>", "**a**\n\n- **b b**\n\n  c\n"),
    ],
)  # fmt: skip
def test_terms_within_the_meaning_of_a_term_are_a_list(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<dl><dt class=sig>A<dd><dl><dt class=sig>f()<dd>x</dl></dl>",
        "<dl><dt>A<dd><dl class='field-list simple'><dt>Returns<dd>x</dl></dl>",
        "<dl><dt>A<dd><dl class=notes><dt>Since:<dd>x</dl></dl>",
        "<dl><dt>A<dd><dl><dt>B<dd><h4>C</h4>x</dl></dl>",
        "<dl><dd>A<dl><dd>B</dl></dl>",
    ],
)
def test_members_of_a_class_and_what_is_only_indented_are_no_list(html: str) -> None:
    """M1"""
    assert "- " not in markdown(html)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<dl class=toc><dt><span><a href=a>1. A</a></span><dd><dl><dt>1.1. <a href=b>B</a><dt>C</dl>"
         "<dt><a href=d>D</a></dl>",
         "- [1. A](https://e.org/a)\n  - 1.1. [B](https://e.org/b)\n  - C\n- [D](https://e.org/d)\n"),
        ("<div class=toc><dl><dt>A</dl></div>", "- A\n"),
        ("<dl><dt><a href=a>A</a><dd><dl><dt><a href=b>B</a>\n , <a href=c>C</a><dt></dl>"
         "<dt>D<dd><dl><dt>2. <a href=e>E</a></dl></dl>",
         "- [A](https://e.org/a)\n  - [B](https://e.org/b) , [C](https://e.org/c)\n- D\n  - 2\\. [E](https://e.org/e)\n"),
        ("<dl><dt><a href=a>A</a> — one<dt><a href=b>B</a></dl>",
         "- [A](https://e.org/a) — one\n- [B](https://e.org/b)\n"),
        ("<dl><dt>A<dd><dl><dt>B, <a href=b>B b</a>, <a href=c>C</a></dl><dt>D, <a href=d>D</a></dl>",
         "- A\n  - B, [B b](https://e.org/b), [C](https://e.org/c)\n- D, [D](https://e.org/d)\n"),
        ("<dl class=toc><dd>a<dd>b</dl>", "- a\n\n  b\n"),
    ],
)  # fmt: skip
def test_tables_of_contents_are_lists(html: str, expected: str) -> None:
    """M1: DocBook, gtk-doc, Sphinx's index"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<dl><dt><a href=a>A</a><dd>x<dt><a href=b>B</a></dl>",
        "<dl><dt><a href=a>A</a><dd>x<dl><dt><a href=b>B</a></dl></dl>",
        "<dl><dt><a href=a>A</a> method<dt><a href=b>B</a></dl>",
        "<dl><dt><a href=a>A</a><dt>B</dl>",
        "<dl><dt><a href=a>A</a></dl>",
        "<dl><dt><a href=a>A</a><dt><a id=b></a><a href=c></a></dl>",
        "<dl></dl>",
    ],
)
def test_terms_that_are_links_with_a_meaning_are_no_contents(html: str) -> None:
    """M1"""
    assert not markdown(html).startswith("- ")
