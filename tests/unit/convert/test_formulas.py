import time

import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode

TEX = '<annotation encoding="application/x-tex">'


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://example.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<math><semantics><mi>x</mi>{TEX}x_1*y_2</annotation></semantics></math>", "$x_1*y_2$\n"),
        ('<math display="block" alttext="x^2"><mi>x</mi></math>', "$$x^2$$\n"),
        ('<mjx-container><math display="block"><msup><mi>x</mi><mn>2</mn></msup></math></mjx-container>', "$$x^2$$\n"),
        ("<p>a <math><mi>x</mi><annotation>drop</annotation></math> b", "a x b\n"),
        ('<p>a <script type="math/tex">\\alpha</script> b', "a $\\alpha$ b\n"),
        ('<p class="math">\\(a_1\\) and \\(b\\)', "$a_1$ and $b$\n"),
        ('<div class="arithmatex">\\[\na &lt; b\n\\]</div>', "$$a < b$$\n"),
        ("<p>the \\(n\\) of \\(\\ell^p\\)", "the $n$ of $\\ell^p$\n"),
        ("<p>the \\(v^T\\) of <code>\\(a_1\\)</code>", "the $v^T$ of `\\(a_1\\)`\n"),
        ('<p class="formulaDsp">\\[ x \\]</p>', "$$x$$\n"),
        ('<p>in <span class="mathjax">\\(n\\)</span>', "in $n$\n"),
        ("<p>the group \\(name_of\\)", "the group \\\\(name_of\\\\)\n"),
        ("<p>the group \\([^a]\\w\\+\\)", "the group \\\\(\\[^a\\]\\\\w\\\\+\\\\)\n"),
        ("<p>the <code class=reqn>\\mu_1*x*</code> term", "the $\\mu_1*x*$ term\n"),
        (f"<code class=reqn><span class=katex><math><mi>x</mi>{TEX}x_1</annotation></math></span></code>", "$x_1$\n"),
        ("<p style='text-align: center;'><code class=reqn>x_1,\n </code>\n</p>", "$$x_1,$$\n"),
        ("<p>a <code class=reqn> </code>b", "a b\n"),
        ('<p class="math">\\(never closed', "\\\\(never closed\n"),
    ],
)
def test_a_formula_is_tex_between_dollar_signs(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>with $e^{i\\pi}+1=0$ and $a_{1}*b*c$", "with $e^{i\\pi}+1=0$ and $a_{1}*b*c$\n"),
        ("<p>$$\n\\int_0^1 x\\,dx \\\\ y\n$$", "$$\\int_0^1 x\\,dx \\\\ y$$\n"),
        ('<p><span class="math display">$$x*y*z$$</span>', "$$x*y*z$$\n"),
        (
            '<p>in <span class="math inline">e^{i\\pi}</span> of <span class="math inline">n</span>',
            "in $e^{i\\pi}$ of $n$\n",
        ),
        ('<p><span class="math display">\\int_0 x\n\\\\ y</span>', "$$\\int_0 x \\\\ y$$\n"),
        ('<p><span class="math inline">\\(x^2\\)</span>', "$x^2$\n"),
        ('<p><span class="math inline">n</span> of 2^{n}', "n of 2^{n}\n"),
        ('<p><span class="math inline"><i>n</i>^2</span> or <span class="math">x^2</span>', "*n*^2 or x^2\n"),
        ("<p>the $2^*k*$th", "the $2^*k*$th\n"),
        ("<p>costs $5, *and* $x_{1}$", "costs $5, \\*and\\* $x_{1}$\n"),
        (
            "<p>\\begin{align*}\na &amp;= b_1 \\\\\nc\n\\end{align*} x",
            "$$\\begin{align*} a &= b_1 \\\\ c \\end{align*}$$ x\n",
        ),
        (
            "<p>\\begin{equation}x \\begin{gather} y_*z*\\end{gather}",
            "\\\\begin{equation}x $$\\begin{gather} y_*z*\\end{gather}$$\n",
        ),
    ],
)
def test_tex_between_dollar_signs_or_in_an_environment_stays_as_it_is(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "text",
    [
        "$5 *and* $6",
        "$5_{1} *and* $6",
        "US$10^{6} *or* more$",
        "$HOME*/*$x",
        "$TITLE] and \\\\E*[$NAME]",
        "$a_{1}*/*$b",
        "\\$x^{2} *and*$",
        "\\begin{lamp} *x* \\end{lamp}",
        "\\begin{equation} *x*",
    ],
)
def test_other_dollar_signs_mean_nothing(text: str) -> None:
    """M1"""
    assert "\\*" in markdown(f"<p>{text}</p>")


@pytest.mark.parametrize(
    ("number", "tex", "expected"),
    [
        ("(1)<a class='headerlink' href='#e'>¶</a>", "a = b", "$$a = b \\tag{1}$$\n"),
        ("(A.2)", "\\begin{align}a\\\\b\\end{align}\n", "$$\\begin{align}a\\\\b \\tag{A.2} \\end{align}$$\n"),
        ("(1)", "a \\tag{2}", "(1)$$a \\tag{2}$$\n"),
        ("no. 1", "a", "no. 1$$a$$\n"),
    ],
)
def test_an_equation_has_its_number(number: str, tex: str, expected: str) -> None:
    """M1"""
    assert markdown(f'<div class="math"><span class="eqno">{number}</span>\\[{tex}\\]</div>') == expected


@pytest.mark.parametrize(
    "html",
    [
        '<span class="katex"><math alttext="x">a</math><math alttext="y">b</math></span>',
        '<math alttext="x"><math alttext="y">b</math></math>',
        '<div class="katex"><math alttext="x">a</math></div>',
    ],
)
def test_a_formula_takes_the_place_of_its_drawing_only(html: str) -> None:
    """M1"""
    assert markdown(f'<body class="katex mwe-math-element"><p>before</p>{html}<p>after') == "before\n\n$x$\n\nafter\n"


@pytest.mark.parametrize("bar", ["|x|", "\\|x\\|"])
def test_a_formula_does_not_split_its_cell(bar: str) -> None:
    """M1"""
    table = markdown(f'<table><tr><th>a<th>b<tr><td><math alttext="{bar}"></math><td>c</table>')
    assert table.splitlines()[2].count("|") == 3


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("&lt;script&gt;bad()&lt;/script&gt;", "$< script>bad()< /script>$\n"),
        ("[a](javascript:bad())", "$[a] (javascript:bad())$\n"),
    ],
)
def test_a_formula_is_neither_html_nor_a_link(tex: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<math>{TEX}{tex}</annotation></math>") == expected


def test_signs_in_the_page_stand_for_nothing() -> None:
    """M1"""
    page = '<p>a\x197\x19b\x17c\x18d\x14e<math alttext="x"></math></p><ul><li><p>f</p><pre>g</pre></ul>'
    assert markdown(page) == "abcde$x$\n\n- f\n\n  ```\n  g\n  ```\n"


@pytest.mark.parametrize("text", ["$a\\b", "$$a", "\\begin{align}", "\\end{align} ", "$x_1$ % ", "\\(a"])
def test_ten_thousand_signs_take_one_look_each(text: str) -> None:
    """U10"""
    begun = time.process_time()
    markdown(f'<p class="math">$$x^2$$ {text * 10_000}</p>')
    assert time.process_time() - begun < 5
