import re

import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://e.org/")


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<pre class="rust rust-example-rendered">x</pre>', "rust"),
        ('<div class="mw-highlight mw-highlight-lang-lua"><pre>x</pre></div>', "lua"),
        ('<pre class="src src-python">x</pre>', "python"),
        ('<figure class="highlight js"><pre>x</pre></figure>', "js"),
        ('<pre><pre class="playground"><code class="language-rust">x</code></pre></pre>', "rust"),
        ('<pre class="programlisting">x</pre>', ""),
        ('<pre class="prism-code language-undefined">x</pre>', ""),
        ('<div class="highlight hl-ipython3"><pre>x</pre></div>', "python"),
        ('<div class="highlight-ipythontb"><pre>x</pre></div>', ""),
        ('<pre class="r"><code>x</code></pre>', "r"),
        ('<pre><code class="r">x</code></pre>', "r"),
        ('<pre class="r">x</pre>', ""),
        ('<pre class="l r"><code>x</code></pre>', ""),
        ('<pre class="stan"><code>x</code></pre>', "stan"),
        ('<pre class="mermaid">x</pre>', "mermaid"),
        ('<pre class="mermaid-src">x</pre>', "mermaid"),
        ('<pre><code class="mermaid">x</code></pre>', "mermaid"),
        ('<pre class="highlight tab tab-python"><code>x</code></pre>', "python"),
        ('<pre class="highlight tab tab-javascript--nodejs"><code>x</code></pre>', "javascript"),
    ],
)
def test_code_has_the_language_that_its_generator_names(html: str, language: str) -> None:
    """M1"""
    assert markdown(html) == f"```{language}\nx\n```\n"


@pytest.mark.parametrize(
    "html",
    [
        "<pre><i>1</i><b>def f():</b>\n<i>2</i><b>    pass</b></pre>",
        "<pre><div><i class=x>1</i><div>def f():</div></div><div><i class=x>2</i><div>    pass</div></div></pre>",
        "<pre><code><span><i>1</i>def f():\n</span><span><i>2</i>    pass\n</span></code></pre>",
        "<pre><span class=linenumber>1</span>def f():\n    pass</pre>",
        "<pre><span class=linenr>1: </span>def f():\n<span class=linenr>2: </span>    pass</pre>",
        "<div><pre>def f():\n    pass</pre><div class=line-numbers-wrapper><i>1</i><br><i>2</i></div></div>",
        """<div class=highlight><code><table class=rouge-table><tr><td class=rouge-gutter><pre class=lineno>1\n2</pre>
            <td class=rouge-code><pre><b>def</b> f():\n    pass\n</pre></table></code></div>""",
        "<code><div><pre>def f():\n    pass</pre></div></code>",
        """<table><tr><td><pre><code><i style="color:gray"> 9\n</i><i style="color:gray">10\n</i></code></pre>
            <td><pre><code>def f():\n    pass</code></pre></table>""",
    ],
)
def test_line_numbers_go_whatever_they_are_called(html: str) -> None:
    """M1"""
    assert markdown(html) == "```\ndef f():\n    pass\n```\n"


def test_code_with_line_numbers_and_a_title_has_its_language() -> None:
    """M1: Pygments"""
    html = """<div class="language-python highlight"><table class=highlighttable>
        <tr><th colspan=2 class=filename><span class=filename>lamp.py</span></th></tr>
        <tr><td class=linenos><pre>1</pre></td><td class=code><div><pre><code>x = 1</code></pre></div></td></tr>
        </table></div>"""
    assert markdown(html) == "lamp.py\n\n```python\nx = 1\n```\n"


@pytest.mark.parametrize(("start", "end"), [("", "</div>"), ("\n", "</div>\n")])
def test_a_listing_has_the_lines_of_its_source(start: str, end: str) -> None:
    """M1: Sphinx"""
    start = f"<div class=viewcode-block>{start}<a class=viewcode-back href='x.html#A'>[docs]</a>{start}"
    method = f"{start}    def f():\n        pass{end}"
    source = f"import x\n\n{start}class A:\n\n    a = 1\n\n{method}{end}\n\n{start}class B:{end}"
    expected = "import x\n\nclass A:\n\n    a = 1\n\n    def f():\n        pass\n\nclass B:"
    assert markdown(f"<pre>{source}</pre>") == f"```\n{expected}\n```\n"


def test_a_drawing_has_none_of_the_pages_indentation() -> None:
    """M1: sphinxcontrib-mermaid"""
    html = "<pre class=mermaid>\n        graph TD\n  A --&gt; B\n    </pre>"
    assert markdown(html) == "```mermaid\ngraph TD\n  A --> B\n```\n"


@pytest.mark.parametrize("style", ["user-select:none", "color:gray"])
def test_line_numbers_are_told_from_numbers_in_code_by_their_style(style: str) -> None:
    """M1"""
    lines = ['x = <span style="color:red">1</span>', "y"]
    numbered = [f'<span><span style="{style}"> {9 + place}</span>{line}\n</span>' for place, line in enumerate(lines)]
    assert markdown(f"<pre><code>{''.join(numbered)}</code></pre>") == "```\nx = 1\ny\n```\n"


def test_numbers_beside_code_in_a_table_of_more_rows_stay() -> None:
    """M1"""
    rows = "<tr><td><pre>1</pre><td><pre>a</pre><tr><td><pre>2</pre><td><pre>b</pre>"
    assert re.findall("[12ab]", markdown(f"<table>{rows}</table>")) == ["1", "a", "2", "b"]


@pytest.mark.parametrize(
    "code",
    [
        "<i>1</i>\n<i>2</i>\n<i>3</i>",
        "<i>1</i> a\n<i>3</i> b",
        "<i>1</i> a\n<i class=x>2</i> b",
        "<i>1</i> + <i>2</i> = <i>3</i> + <i>0</i>",
        "<i>1</i> a",
        "1 a\n2 b",
    ],
)
def test_numbers_that_do_not_count_the_lines_are_code(code: str) -> None:
    """M1"""
    plain = re.sub("<[^>]*>", "", code)
    assert markdown(f"<pre>{code}</pre>") == f"```\n{plain}\n```\n"


@pytest.mark.parametrize(
    "html",
    [
        "<pre><code><span class='line '>a</span><span class='line '>b</span></code></pre>",
        "<pre><span class=highlight-line>a</span>b</pre>",
        "<pre><span class=line>a</span>\n<span class=line>b</span></pre>",
        "<pre><span class=token-line>a<br></span><span class=token-line>b<br></span></pre>",
    ],
)
def test_lines_that_a_style_sheet_breaks_are_lines(html: str) -> None:
    """M1"""
    assert markdown(html) == "```\na\nb\n```\n"


@pytest.mark.parametrize(
    "code",
    [
        '<span class="mf">1</span><span class="w"> </span><span class="o">+</span> <span class="mf">2</span>; // 3',
        '<span class="hljs-number">1</span> row\n<span class="hljs-number">2</span> rows',
    ],
)
def test_numbers_of_a_program_are_code(code: str) -> None:
    """M1"""
    assert markdown(f"<pre>{code}</pre>") == f"```\n{re.sub('<[^>]*>', '', code)}\n```\n"


def test_numbers_may_be_set_to_the_right() -> None:
    """M1"""
    code = "<pre><i>          1</i>a\n<i>          2</i>b</pre>"
    assert markdown(code) == "```\na\nb\n```\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<div><div class=example-header><span>js</span></div>\n<pre class='brush: js'>a</pre></div>",
            "```js\na\n```\n",
        ),
        ("<div class=code-lang>js</div><div><pre class=language-js>a</pre></div>", "```js\na\n```\n"),
        ("<div class=code-lang>css</div><pre class=language-js>a</pre>", "css\n\n```js\na\n```\n"),
        ("<p>js</p><pre class=language-js>a</pre>", "js\n\n```js\na\n```\n"),
    ],
)
def test_a_language_is_named_once(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p><pre>\n  \n</pre><p>b</p>", "a\n\nb\n"),
        ("<ul><li>a<pre></pre><li>b</ul>", "- a\n- b\n"),
        ("<pre>a\n</pre><pre>\n\n</pre><pre>b\n</pre><pre>\n\n</pre><pre>c</pre>", "```\na\n\nb\n\nc\n```\n"),
        ("<pre>a\n</pre><pre>b</pre>", "```\na\n```\n\n```\nb\n```\n"),
        ("<pre><img src=a.png></pre>", "![](https://e.org/a.png)\n"),
    ],
)
def test_an_empty_block_is_no_code(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize("code", ["a\n  b\n    ", "<b>a\n  b\n \t</b>", "<code>a\n  b\n  </code>"])
def test_the_indentation_of_an_end_tag_is_no_code(code: str) -> None:
    """M1"""
    assert markdown(f"<pre>{code}</pre>") == "```\na\n  b\n```\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("<a href='#' class=sql_link>sql</a>a", "a"),
        ("<a class=viewcode-back href=x#y>[docs]</a>a", "a"),
        ("<a href='#' class=struct>A</a> b", "A b"),
    ],
)
def test_buttons_that_are_links_are_no_code(code: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<pre>{code}</pre>") == f"```\n{expected}\n```\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a   <img class=callout src=7.png alt=7>\nb", "a   (7)\nb"),
        ("<img src=dir.gif alt='[DIR]'> a", "[DIR] a"),
        ("a<img src=b.png>", "a"),
    ],
)
def test_pictures_in_code_are_their_words(code: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<pre>{code}</pre>") == f"```\n{expected}\n```\n"


@pytest.mark.parametrize(
    "html",
    [
        "<pre><code class=language-js><span class=line>a</span>\n<span class='line diff remove'>b</span>\n"
        "<span class='line diff add'>  c</span></code></pre>",
        "<pre data-language=js><code><div class=ec-line><div class=code>a</div></div>"
        "<div class='ec-line highlight del'><div class=code>b</div></div>"
        "<div class='ec-line highlight ins'><div class=code>  c</div></div></code></pre>",
    ],
)
def test_lines_that_came_or_went_have_their_signs(html: str) -> None:
    """M1: VitePress, Expressive Code"""
    assert markdown(html) == "```diff\n a\n-b\n+  c\n```\n"


def test_a_sign_of_a_comparison_stays_on_its_line() -> None:
    """M1: Prism"""
    html = (
        "<pre><code class=language-diff><span class='token deleted'><span class='token prefix'>-</span>"
        "<span class='token line'> old\n</span></span><span class='token inserted'><span class='token prefix'>+</span>"
        "<span class='token line'> new\n</span></span></code></pre>"
    )
    assert markdown(html) == "```diff\n- old\n+ new\n```\n"


def test_code_in_no_language_has_no_label_that_says_so() -> None:
    """M1: VitePress"""
    assert markdown("<div class=language-text><span class=lang>text</span><pre>x</pre></div>") == "```\nx\n```\n"


def test_lines_and_blanks_that_are_kept_by_signs_are_code() -> None:
    """M1: DocBook's literal layout and Ada's manual have no `pre`, and their indentation was lost."""
    lines = ("<b>package</b>&nbsp;X&nbsp;is", "&nbsp;&nbsp;A&nbsp;:&nbsp;B;", "&nbsp;&nbsp;C&nbsp;:&nbsp;D;", "end;")
    html = "<br>\n".join(lines)
    assert markdown(f"<div>{html}</div>") == "```\npackage X is\n  A : B;\n  C : D;\nend;\n```\n"


@pytest.mark.parametrize(
    "html",
    [
        "<p>Acme Street 7<br>&nbsp;&nbsp;Old Town<br>&nbsp;&nbsp;Far Land and Sea<br>&nbsp;&nbsp;The Moon</p>",
        "<p>a&nbsp;b&nbsp;c<br>&nbsp;&nbsp;<a href='/d'>d</a>&nbsp;e&nbsp;f<br>&nbsp;&nbsp;g&nbsp;h&nbsp;i</p>",
        "<p>a&nbsp;b&nbsp;c&nbsp;d<br>&nbsp;&nbsp;e&nbsp;f&nbsp;g</p>",
        "<p>a&nbsp;b&nbsp;c<b>x<br>y</b><br>&nbsp;&nbsp;e&nbsp;f<br>&nbsp;&nbsp;g&nbsp;h</p>",
    ],
)
def test_lines_are_no_code_for_a_few_blanks(html: str) -> None:
    """M1: an address that is indented, a line that is, and links, which code cannot have."""
    assert "```" not in markdown(html)
