import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str, part: str = "full") -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, part), "https://e.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<code><a href=k>K</a></code>", "[`K`](https://e.org/k)\n"),
        ("<code>f(<a href=k>K</a>)</code>", "`f(`[`K`](https://e.org/k)`)`\n"),
        ("<code><a href=k>K</a>, <a href=v>V</a></code>", "[`K`](https://e.org/k), [`V`](https://e.org/v)\n"),
        ("<code>f <a name=k>K</a></code>", "`f K`\n"),
        ("<tt><span class=object_link><a href=k>K</a></span></tt>", "[`K`](https://e.org/k)\n"),
        (
            "<code><span>f : \n  <span><span><a href=k>K</a> -></span>\n  b</span></span></code>",
            "`f :` [`K`](https://e.org/k) `-> b`\n",
        ),
        (
            "<code>f <span>a <a href=k>K</a></span> <span><a href=v>V</a></span></code>",
            "`f a` [`K`](https://e.org/k) [`V`](https://e.org/v)\n",
        ),
        ("<code>  f  <a href=k> K </a> (  x )</code>", "`f` [`K`](https://e.org/k) `( x )`\n"),
        ("<pre><code>f <a href=k>K</a></code></pre>", "```\nf K\n```\n"),
    ],
)
def test_a_link_in_code_stays_a_link(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


def test_selected_code_keeps_its_links() -> None:
    """M1, M3"""
    assert markdown("<p>x <code>f(<a href=k>K</a>)</code>", "code") == "`f(`[`K`](https://e.org/k)`)`\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a <tt>b c</tt> d</p>", "a `b c` d\n"),
        ("<tt><p>a</p></tt>", "a\n"),
        ("<pre>a <tt>b</tt></pre>", "```\na b\n```\n"),
    ],
)
def test_typewriter_letters_are_code(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a <code>Redirect\n    permanent</code> b", "a `Redirect permanent` b\n"),
        ("<h3>a<code> x </code>b</h3>", "### a `x` b\n"),
        ("<p><a href=k><code>x </code></a>b", "[`x`](https://e.org/k) b\n"),
        ("<p>a (<code> x </code>) b", "a (`x`) b\n"),
        ("<p><code>\n  x\n</code></p>", "`x`\n"),
        ("<p>a <code>x  &nbsp;y</code>", "a `x  y`\n"),
        ("<div style='white-space: pre; font: 1em mono'>a <code>x   y</code></div>", "```\na x   y\n```\n"),
        ("<pre>a <code>x   y </code>b</pre>", "```\na x   y b\n```\n"),
        ("<h2>2.1<tt>&nbsp;</tt><a name=k></a>Values</h2>", "## 2.1 Values\n"),
        ("<table><tr><td><code> </code><td>b</table>", "|  | b |\n| --- | --- |\n"),
    ],
)
def test_white_space_in_code_is_what_a_browser_shows(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize("blank", [" a", "a ", "  a", "\u00a0"])
def test_blanks_of_code_that_is_all_there_is_stay(blank: str) -> None:
    """M1"""
    assert markdown(f"<p><code>{blank}</code></p>") == f"`{blank}`\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p><code>\n  a<br>\n  &nbsp;&nbsp;b  c<br/>d\n</code></p>", "```\na\n  b c\nd\n```\n"),
        ("<div> <kbd>a<br><br>b</kbd> </div>", "```\na\n\nb\n```\n"),
        ("<p>x: <code>a<br>b</code></p>", "x: `a`\\\n`b`\n"),
        ("<p><code>a<br></code></p>", "`a`\n"),
        ("<table><tr><td><p><code>a <br>b</code></p><td>c</table>", "| `a`<br>`b` | c |\n| --- | --- |\n"),
        ("<pre><code>a<br>b</code></pre>", "```\na\nb\n```\n"),
    ],
)
def test_code_keeps_its_line_breaks(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('a <span class="docutils literal"><span class=pre>b</span> c</span> d', "a `b c` d\n"),
        ("a <a href=b><span class=code>b/1</span></a>", "a [`b/1`](https://e.org/b)\n"),
        ("a <span class=code>b <b>c</b></span>", "a b **c**\n"),
        ("<pre>a <span class=code>b</span></pre>", "```\na b\n```\n"),
        ("<code>a <span class=literal>b</span></code>", "`a b`\n"),
        (
            "<p><span class='docutils literal'>a</span></p>"
            "<pre class='code python literal-block'><code>b <span class=literal>1</span></code></pre>",
            "`a`\n\n```python\nb 1\n```\n",
        ),
    ],
)
def test_what_a_generator_calls_code_is_code(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a <code>-rpath,</code><code class=filename>dir/lib</code> b", "a `-rpath,dir/lib` b\n"),
        ("<p><kbd>a</kbd><samp>b</samp><code>c</code> d", "`abc` d\n"),
        ("<p><code>f</code><code><a href=k>K</a></code>", "`f`[`K`](https://e.org/k)\n"),
        ("<p><code>a</code> <code>b</code>", "`a` `b`\n"),
        ("<p><code class=x>a</code><code class=x>b</code> <kbd>c</kbd><kbd>d</kbd>", "`a` `b` `c` `d`\n"),
        ("<pre><code>a\n</code><code>b</code></pre>", "```\na\nb\n```\n"),
    ],
)
def test_pieces_of_code_that_touch_are_one(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a ``<code>b-c:</code>'' d", "a \\`\\``b-c:`'' d\n"),
        ("<p>a `<code>b</code><kbd>c</kbd>` d", "a \\``bc`\\` d\n"),
    ],
)
def test_code_beside_a_backtick_is_code(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<code><a href=/x> a <code><a href=/y> c", "[`a`](https://e.org/x) `c`\n"),
        (
            "<code>f(<code><a href=/y>c</a></code> <a href=/x>b</a>)",
            "`f(`[`c`](https://e.org/y) [`b`](https://e.org/x)`)`\n",
        ),
    ],
)
def test_links_may_be_in_code_within_code(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected
