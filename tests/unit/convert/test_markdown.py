import re
import time

import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode

BASE = "https://example.org/docs/page.html"


def markdown(html: str, base: str = BASE, part: str = "full") -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, part), base)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p><h2 class=x></h2><h3><svg></svg></h3><p>b</p>", "a\n\nb\n"),
        ("<ul><li class=x></li><li>a</li></ul>", "- a\n"),
        ("<p>a</p><ul><li></li><li></li></ul>", "a\n"),
        ("<p>a</p><ul><li><div class=icon><svg></svg></div></li></ul>", "a\n"),
        ("<p>a</p><table><tr><td></td><td>&nbsp;</td></tr></table>", "a\n"),
        (
            "<p>a</p><table><tr><td><img src=/i.png></td><td></td></tr></table>",
            "a\n\n| ![](https://example.org/i.png) |  |\n| --- | --- |\n",
        ),
        ("<p>a</p><img src=/t.gif width=1 height=1 alt=x>", "a\n"),
        ("<video>Your browser does not support the video tag.</video><p>a</p>", "a\n"),
        ("<p>a <a role=button tabindex=0>Click to expand...</a></p>", "a\n"),
        ("<p><b>select:</b> <button onclick=fold()>hide</button></p>", "**select:**\n"),
        ("<p>Press <button>Show</button> to see it</p>", "Press Show to see it\n"),
        ("<p><a role=button>How it works</a></p>", "How it works\n"),
        ("<div>First line.<h2></h2>Second line.</div>", "First line.\n\nSecond line.\n"),
        ("<div>First<table><tr><td></td></tr></table>Second</div>", "First\n\nSecond\n"),
        ("<audio>We support <a href=/t>this page</a>.</audio>", "We support [this page](https://example.org/t).\n"),
        ("<table><tr><td><a href=/f aria-label=PDF></a></td></tr></table>", "[PDF](https://example.org/f)\n"),
        ("<img alt=M width=0 height=0 sizes=100vw src=/m.jpg>", "![M](https://example.org/m.jpg)\n"),
    ],
)
def test_what_holds_nothing_is_nothing(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=/x title='Install Python'>Install  python</a>", "[Install python](https://example.org/x)\n"),
        ("<a href=/x title='Permalink to Lamps'>Lamps</a>", "[Lamps](https://example.org/x)\n"),
        ("<h2><a href=/x>Edit this page</a></h2>", "## [Edit this page](https://example.org/x)\n"),
        ("<h2>How to <a href=/x>edit</a></h2>", "## How to [edit](https://example.org/x)\n"),
        ("<a href=/x title=lamps>Lamps</a>", "[Lamps](https://example.org/x)\n"),
        ("<a href=/x title=print><code>print()</code></a>", "[`print()`](https://example.org/x)\n"),
        ("<a href=/x title=io.open><code>open()</code></a>", '[`open()`](https://example.org/x "io.open")\n'),
        ("<a href=https://a.example/ title=https://a.example/>A</a>", "[A](https://a.example/)\n"),
        ("<a href=/x title='How to install it'>Install</a>", '[Install](https://example.org/x "How to install it")\n'),
        ("<img src=/i.png alt='A red kettle' title='A red kettle'>", "![A red kettle](https://example.org/i.png)\n"),
        ("<h1><a href=page.html>A title</a></h1>", "# A title\n"),
        ("<h2><span><b><strong><font>A title</font></strong></b></span></h2>", "## A title\n"),
        ("<h2><a href=/x><strong>A title</strong></a></h2>", "## [A title](https://example.org/x)\n"),
        ("<h2><span>1. <b>A title</b></span></h2>", "## 1. **A title**\n"),
        ("<h2><a href=#c>5 Comments</a></h2>", "## [5 Comments](https://example.org/docs/page.html#c)\n"),
        ("<div role=heading aria-level=2><div>People ask</div></div>", "## People ask\n"),
        ("<h1><a href=other.html>A title</a></h1>", "# [A title](https://example.org/docs/other.html)\n"),
        ("<picture><source srcset='/cat.png 1x'><img alt=Cat></picture>", "![Cat](https://example.org/cat.png)\n"),
        ("<img src=/4Grid-1x1_Asset.jpg alt=x>", "![x](https://example.org/4Grid-1x1_Asset.jpg)\n"),
        ("<div role=heading aria-level=2><h1>A</h1><p>b</p></div>", "# A\n\nb\n"),
        ("<pre class=gatsby-code-jsx><code class=gatsby-code-jsx>a</code></pre>", "```jsx\na\n```\n"),
        ("<p><font><span>one<br><br>two</span></font></p>", "one\n\ntwo\n"),
        ("<p><a href=/x><span>one<br><br>two</span></a></p>", "[one\\\n\\\ntwo](https://example.org/x)\n"),
        ("<p>a<br>&nbsp;</p><p>b</p>", "a\n\nb\n"),
        ("<p>a<span><br></span><span><br></span><span>b</span></p>", "a\n\nb\n"),
        ("<p>a<br><b></b> <i> </i><br>b</p>", "a\n\nb\n"),
    ],
)
def test_nothing_is_said_twice_and_no_sign_is_left_over(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>One</h1><h3>Three</h3>", "# One\n\n### Three\n"),
        ("<p>a <b>b</b> <em>c</em> <del>d</del> <code>e</code></p>", "a **b** *c* ~~d~~ `e`\n"),
        ("<ul><li>a<ul><li>b<ol><li>c</ol></ul></ul>", "- a\n  - b\n    1. c\n"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b\n"),
        ("<p>a<br>b", "a\\\nb\n"),
        ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb\n"),
        ("<ul><li><input type=checkbox checked> done", "- [x] done\n"),
        ("<ul><li><label><input type=checkbox disabled checked> done</label>", "- [x] done\n"),
        ("<ul class=task-list><li><label><input type=checkbox> Pandoc's", "- [ ] Pandoc's\n"),
        ("<ul><li class=todo><input type=checkbox name=t value=1> a wiki's", "- [ ] a wiki's\n"),
        ("<ul><li><input type=checkbox name=brand value=a> of a form", "- of a form\n"),
        ("<ul><li><label><input type=checkbox><span>of a filter</span></label>", "- of a filter\n"),
        ("<form><ul><li><input type=checkbox> of a form", "- of a form\n"),
        ("<ol><li><input type=checkbox id=fold> folds what follows", "1. folds what follows\n"),
        ("<p>*not* _this_ [or](that)</p>", "\\*not\\* \\_this\\_ \\[or\\](that)\n"),
        ("<p>&lt;script&gt;</p>", "\\<script>\n"),
        ("", "\n"),
    ],
)
def test_html_becomes_markdown(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<script>bad()</script>",
        "<style>bad</style>",
        "<noscript>bad</noscript>",
        "<template><p>bad</p></template>",
        "<!-- bad -->",
        "<iframe src=x>bad</iframe>",
        "<svg><title>bad</title><style>bad</style></svg>",
        "<table><tr><th>x<td><script>bad()</script></table>",
        "<pre><script>bad()</script></pre>",
        "<noscript><noscript>bad</noscript></noscript>",
    ],
)
def test_what_is_not_for_readers_is_gone(html: str) -> None:
    """M1"""
    assert "bad" not in markdown(f"<p>good</p>{html}<p>good</p>")


@pytest.mark.parametrize("part", ["script", "template", "style"])
def test_even_a_selected_script_is_no_content(part: str) -> None:
    """M1, M3"""
    assert markdown(f"<p>x</p><{part}>bad</{part}>", part=part) == "\n"


def test_a_drawing_keeps_its_words() -> None:
    """M1"""
    assert markdown("<svg><title>bad</title><text>Label</text></svg>") == "Label\n"
    assert markdown("<svg><text>One</text><g><text>or t<tspan>wo</tspan></text></g></svg>") == "One or two\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>by <b>Jane</b><svg></svg>1 minute</p>", "by **Jane** 1 minute\n"),
        ("<p>by <b>Jane</b><span><svg></svg>1 minute</span></p>", "by **Jane** 1 minute\n"),
        ("<p>by Jane<b><svg></svg>Doe</b></p>", "by Jane **Doe**\n"),
        ("<p>by <b>Jane<svg></svg></b>, today</p>", "by **Jane**, today\n"),
        ("<p>Jane<svg></svg>.</p>", "Jane.\n"),
        ("<p><svg></svg>Jane</p>", "Jane\n"),
        ("<p><code>a<svg></svg>b</code></p>", "`ab`\n"),
    ],
)
def test_a_drawing_between_words_parts_them(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("other.html", "https://example.org/docs/other.html"),
        ("/root", "https://example.org/root"),
        ("../up#part", "https://example.org/up#part"),
        ("", "https://example.org/docs/page.html"),
        ("#part", "https://example.org/docs/page.html#part"),
        ("?q=1", "https://example.org/docs/page.html?q=1"),
        ("//cdn.example.com/x", "https://cdn.example.com/x"),
        (" /spaced out ", "https://example.org/spaced%20out"),
        ("https://user:secret@example.org/x", "https://example.org/x"),
        ("mailto:me@example.org", "mailto:me@example.org"),
    ],
)
def test_links_are_absolute(href: str, target: str) -> None:
    """M1, U5"""
    assert markdown(f'<p><a href="{href}">text</a></p>') == f"[text]({target})\n"


@pytest.mark.parametrize(
    "href",
    [
        "#",
        "javascript:go()",
        "java\nscript:go()",
        "http://[bad",
        "http://exa mple.org/",
        "data:text/html,x",
        "vbscript:x",
    ],
)
def test_links_that_lead_nowhere_are_plain_text(href: str) -> None:
    """M1, U10"""
    assert markdown(f'<p>a <a href="{href}">text</a> b</p>') == "a text b\n"


def test_without_a_base_url_links_stay_as_they_were_written() -> None:
    """M1"""
    html = '<a href="x.html">a</a> <a href="http://example.org">b</a> <a href="">c</a> <a href="javascript:x">d</a>'
    assert markdown(html, base="") == "[a](x.html) [b](http://example.org) [c](<>) d\n"


@pytest.mark.parametrize(
    "html",
    [
        '<h2 id=t>Title<a class="headerlink" href="#t" title="Permalink">¶</a></h2>',
        '<h2><a href="#t" class=anchor aria-label="Permalink: Title"><svg><path/></svg></a>Title</h2>',
        '<h2>Title <a href="#t">#</a></h2>',
        '<h2>Title<a class=hash-link href="#t">\u200b</a></h2>',
        '<h2><a class=toc-backref href="#id3" role=doc-backlink>Title</a><a class=headerlink href="#t">¶</a></h2>',
        '<h2><a id=t href="#t"></a>Title <a href="#top_of_page"><span>top</span></a></h2>',
        '<h2>Title <a href="#t"><svg><title>Link to Title</title></svg></a></h2>',
        '<h2><a id=t></a>Title<a href="https://example.org/docs/page.html#t">§</a></h2>',
        '<h2 id=t>Title<span><a href="#t">¶</a> <a href="#top">↑</a></span></h2>',
        '<h2 id=s/t><div><span><a aria-label="link to s/t" href="/s/t"><span><svg/></span></a></span></div>Title</h2>',
    ],
)
def test_headings_lose_their_permalinks(html: str) -> None:
    """M1"""
    assert markdown(html) == "## Title\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>A</h1><div><span id=x></span><h1> A</h1><p>b</p></div>", "# A\n\nb\n"),
        ("<div><h1>A</h1></div>\n<div><h1>A</h1><p>b</p></div>", "# A\n\nb\n"),
        ("<h1>A</h1><p>b</p><h1>A</h1><p>c</p>", "# A\n\nb\n\n# A\n\nc\n"),
        ("<h1>A</h1><h2>A</h2><p>b</p>", "# A\n\n## A\n\nb\n"),
    ],
)
def test_a_title_that_stands_there_twice_is_written_once(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "line",
    [
        '<div class=top><a href="#page-header"><img alt=top src=up.gif></a></div>',
        '<p> <a href="#start"><img alt="Back to top" src=up.gif></a> </p>',
        '<p><a href="#">Back to top</a></p>',
    ],
)
def test_lines_between_sections_that_lead_to_the_pages_top_go(line: str) -> None:
    """M1"""
    assert markdown(f"<p>One</p>{line}<p>Two</p>") == "One\n\nTwo\n"


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ('<p><a href="#top">top</a></p>', "[top](https://example.org/docs/page.html#top)"),
        ('<p>Go <a href="#a">back to top</a></p>', "Go [back to top](https://example.org/docs/page.html#a)"),
        ('<p><a href="/hill">Back to top</a></p>', "[Back to top](https://example.org/hill)"),
    ],
)
def test_what_may_be_a_name_or_leads_elsewhere_stays(line: str, written: str) -> None:
    """M1"""
    assert markdown(line) == f"{written}\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p><span>1.3</span> · <a class='src rightside' href='s.html#7'>Source</a></p>", "1.3\n"),
        (
            "<p><b>1.3</b> · <a class=srclink href='s.html#7'>source</a> · <a id=toggle-all-docs href=#>-</a></p>",
            "**1.3**\n",
        ),
        ("<div><a class=srclink href='s.html#7'>source</a></div><h3>impl</h3>", "### impl\n"),
        ("<p>The <a href='s.html#7'>source</a></p>", "The [source](https://example.org/docs/s.html#7)\n"),
    ],
)
def test_links_from_documentation_to_source_go(html: str, expected: str) -> None:
    """M1: rustdoc"""
    assert markdown(html) == expected


def test_a_heading_of_nothing_but_a_picture_is_none() -> None:
    """M1"""
    assert markdown("<h2><div><img src=i.png></div></h2>") == "![](https://example.org/docs/i.png)\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<dl><dt id=a><a href="#a"><code>align</code> old</a><dd>b</dl>', "**`align` old**\n\nb\n"),
        ('<dl><dt id=a><code>f</code><a class=headerlink href="#a">¶</a><dd>b</dl>', "**`f`**\n\nb\n"),
    ],
)
def test_terms_lose_links_to_themselves(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "gap"),
    [
        ("<p class=vp-hero-actions><a href=/a>Start</a><a href=/b>Read</a></p>", " "),
        ("<div><a class=btn href=/a>Start</a><a class=btn href=/b>Read</a></div>", " "),
        ("<p><a href=/a>Start</a><a href=/b>Read</a></p>", ""),
    ],
)
def test_links_that_are_buttons_do_not_touch(html: str, gap: str) -> None:
    """M1"""
    assert markdown(html) == f"[Start](https://example.org/a){gap}[Read](https://example.org/b)\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=/a>b<!-- -->&nbsp;<svg></svg></a>", "[b](https://example.org/a)\n"),
        ("c <a href=/a>b<span>&nbsp;</span></a> d", "c [b](https://example.org/a) d\n"),
        ("c<a href=/a>&nbsp;b&nbsp;</a>d", "c\u00a0[b](https://example.org/a)\u00a0d\n"),
        ("c<a href=/a>&nbsp;b</a>d", "c\u00a0[b](https://example.org/a)d\n"),
        ("c <a href=/a>&nbsp;<b>b</b></a>", "c [**b**](https://example.org/a)\n"),
    ],
)
def test_no_link_begins_or_ends_with_a_space(html: str, expected: str) -> None:
    """M1: Nextra has one before the icon of a link to another site"""
    assert markdown(f"<p>{html}</p>") == expected


@pytest.mark.parametrize("text", ["one{}", "{}", "<img src=/i.png>{}"])
def test_links_beside_other_text_or_pictures_touch(text: str) -> None:
    """M1"""
    html = f"<p class=x>{text.format('<a href=/a>Sta</a><a href=/b>rt</a><b>!</b>')}</p>"
    assert "/a)[rt]" in markdown(html)


def test_other_links_with_a_sign_stay() -> None:
    """M1"""
    assert markdown('<p><a href="#symbols">#</a> <a href="/law">§</a></p>') == (
        "[#](https://example.org/docs/page.html#symbols) [§](https://example.org/law)\n"
    )
    assert markdown("<h2>About C#</h2>") == "## About C#\n"


def test_a_link_without_text_takes_its_label() -> None:
    """M1"""
    html = '<a href="https://code.example" aria-label="Source code"><svg><path/></svg></a>'
    assert markdown(html) == "[Source code](https://code.example/)\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<img src="a b.png" alt="An image">', "![An image](https://example.org/docs/a%20b.png)"),
        ('<img src="/x.png" alt="two\n lines" title="T">', '![two lines](https://example.org/x.png "T")'),
        ('<img alt="only words">', "only words"),
        (
            '<img src="data:image/gif;base64,R0" data-src="/real.png" alt="late">',
            "![late](https://example.org/real.png)",
        ),
        ('<img srcset="/small.png 1x, /large.png 2x">', "![](https://example.org/small.png)"),
        (f'<img src="data:image/png;base64,{"A" * 2000}" alt="large">', "large"),
        ('<img src="data:image/png;base64,AAAA" alt="small">', "![small](data:image/png;base64,AAAA)"),
        ('<img src="javascript:x" alt="words">', "words"),
        ('<a href="/to"><img src="/x.png" alt="A"></a>', "[![A](https://example.org/x.png)](https://example.org/to)"),
        ('<a href="#to"><img src="/x.png" alt=""></a>', f"[![](https://example.org/x.png)]({BASE}#to)"),
    ],
)
def test_images_are_absolute_or_leave_their_words(html: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<p>{html}</p>") == expected + "\n"


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<pre><code class='language-python'>x</code></pre>", "python"),
        ("<pre class='language-python'><code>x</code></pre>", "python"),
        ("<pre><code class='lang-py'>x</code></pre>", "py"),
        ("<pre class='prettyprint lang-py'>x</pre>", "py"),
        ("<pre><code class='hljs python'>x</code></pre>", "python"),
        ("<pre><code class='python hljs'>x</code></pre>", "python"),
        ("<pre><code class='hljs language-c++'>x</code></pre>", "c++"),
        ("<pre class='brush: js; gutter: false'>x</pre>", "js"),
        ("<pre class='sourceCode haskell'><code>x</code></pre>", "haskell"),
        ("<pre data-lang='Go'>x</pre>", "go"),
        ("<div class='highlight-python3 notranslate'><div class='highlight'><pre>x</pre></div></div>", "python3"),
        ("<div class='highlight highlight-source-shell'><pre>x</pre></div>", "shell"),
        (
            "<div class='language-rb highlighter-rouge'><div class='highlight'><pre><code>x</code></pre></div></div>",
            "rb",
        ),
        ("<div class='highlight-default'><div class='highlight'><pre>x</pre></div></div>", ""),
        ("<pre><code class='language-none'>x</code></pre>", ""),
        ("<pre class='language-\"><script>'>x</pre>", ""),
        ("<section class='language-x'><pre>x</pre></section>", ""),
        ("<pre>x</pre>", ""),
    ],
)
def test_code_blocks_are_fenced_with_their_language(html: str, language: str) -> None:
    """M1"""
    assert markdown(html) == f"```{language}\nx\n```\n"


def test_code_is_kept_to_the_letter() -> None:
    """M1"""
    assert markdown("<pre>a  \n\n\n\n\tb ```\n</pre>") == "````\na  \n\n\n\n\tb ```\n````\n"


@pytest.mark.parametrize(
    "html",
    [
        "<pre><span class=linenos>1</span>a\n<span class=linenos>2</span>b<button>Copy</button></pre>",
        "<table><tr><td class=linenos><pre>1\n2</pre><td class=code><div><pre>a\nb</pre></div></table>",
        "<figure><table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>a\nb</pre></table></figure>",
    ],
)
def test_line_numbers_and_buttons_are_no_code(html: str) -> None:
    """M1"""
    assert markdown(html) == "```\na\nb\n```\n"


def test_the_text_is_clean() -> None:
    """M1"""
    html = "<p>a\x01b\x7f\u0085c\r\nd</p><span id=x></span><div></div><span></span><h2>e</h2><ul><li></li></ul>"
    assert markdown(html) == "abc d\n\n## e\n\n-\n"


def test_several_elements_are_converted_in_order() -> None:
    """M1, M3"""
    assert markdown("<p>a</p><div>x</div><p></p><p>b</p>", part="p") == "a\n\nb\n"


def test_what_the_parser_leaves_beside_the_page_is_read_too() -> None:
    """M3: it nests no deeper than that"""
    html = f"{'<div>' * 508}</div><table><td><b>K</a></td></tr><tr><td>y</td>"
    assert markdown(html, part="td") == "y\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=a title='The feed'></a>", "[The feed](https://example.org/docs/a)\n"),
        ("<a href=a><svg><title>The feed</title><path/></svg></a>", "[The feed](https://example.org/docs/a)\n"),
        (
            "<a href=a><svg><title>a</title></svg> <svg><title>The feed</title></svg></a>",
            "[The feed](https://example.org/docs/a)\n",
        ),
        ("<a href=a aria-label=Feed><svg><title>icon</title></svg></a>", "[Feed](https://example.org/docs/a)\n"),
        ("<p>x <a href=a> </a><p><a href=a>A</a>", "x\n\n[A](https://example.org/docs/a)\n"),
        ("<p>x <a href=''><i class=up></i></a><a href='#y'></a>", "x\n"),
        ("<a href=a></a>", "[](https://example.org/docs/a)\n"),
        ("<a href=a><img src=b></a>", "[![](https://example.org/docs/b)](https://example.org/docs/a)\n"),
    ],
)
def test_links_without_text_have_a_name_or_go_where_another_leads(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Title<button title='Copy item path to clipboard'>x</button></h1>",
        "<h1>Title <button class=copy-btn></button></h1>",
        "<h1>Title</h1><button>Copied</button>",
        "<h1>Title<div><button>Expand all</button></div></h1>",
        "<h1>Title</h1><a>Click to shrink...</a>",
        "<h1>Title <a href=/post-1 aria-label=Share><i></i></a></h1>",
        "<h1>Title</h1><a href=# class=tooltip title='This example panics'>ⓘ</a>",
        "<h1>Title<span class=notable-traits>Notable</span></h1>",
        "<h1>Title <small><a href=# class=summary_toggle>collapse</a></small></h1>",
        "<h1>Title</h1><a href=# class=inheritanceTree>show all</a>",
        "<h1>Title</h1><input class=view-source-toggle-state type=checkbox aria-hidden=true>"
        "<label class=view-source-button><span>View Source</span></label>",
        "<h1>Title<a href=/edit/p.md class=post-edit-link title='Edit this post'><i></i></a></h1>",
        "<h1>Title<a href=/edit/p.md title='Edit this page'><i></i></a></h1>",
        "<h1>Title <a href=/edit/p.md>Edit this page</a></h1>",
        "<h1>Title</h1><details><summary class=hideme>Expand description</summary></details>",
    ],
)
def test_what_works_on_a_page_only_is_gone(html: str) -> None:
    """M1"""
    assert markdown(html) == "# Title\n"


def test_other_buttons_and_summaries_are_text() -> None:
    """M1"""
    html = "<h2><button>Is it copyable?</button></h2><details><summary>More</summary>text</details>"
    assert markdown(html) == "## Is it copyable?\n\nMore\n\ntext\n"


@pytest.mark.parametrize(
    "html",
    [
        """<div><ul role=tablist><li role=tab>npm<li role=tab>Yarn</ul>
            <div><div role=tabpanel>a</div><div role=tabpanel hidden>b</div></div></div>""",
        """<div><div><ul role=tablist><li><a role=tab href="#">npm</a><li><a role=tab href="#">Yarn</a></ul></div>
            <div role=tabpanel>a</div><div role=tabpanel>b</div></div>""",
        """<div><div role=tablist><button role=tab>npm</button><button role=tab>Yarn</button></div>
            <div role=tabpanel>a</div><div role=tabpanel>b</div></div>""",
        """<div class=tabbed-set><input type=radio><input type=radio>
            <div class=tabbed-labels><label>npm</label><label>Yarn</label></div>
            <div class=tabbed-content><div>a</div><div>b</div></div></div>""",
        """<div class=vp-code-group><div class=tabs><input type=radio><label>npm</label><input type=radio><label>Yarn
            </label></div><div class=blocks><div>a</div><div>b</div></div></div>""",
        """<div><div role=tablist><button role=tab>npm</button><button role=tab>Yarn</button></div>
            <div role=tabpanel><div>npm</div>a</div><div role=tabpanel><div>Yarn</div>b</div></div>""",
        """<ul class=nav-tabs><li class=tab><a href="#i-1">npm</a><li class=tab><a href="#i-2"><i></i>Yarn</a></ul>
            <div class=tab-content><div class=tab-pane id=i-1>a</div><div class=tab-pane id=i-2>b</div></div>""",
        """<div class=tabs><div class=nav-tabs><button class=tab>npm</button><button class=tab>Yarn</button></div>
            <div class=tab-contents><div class="tab-item-content x">a</div><div class=tab-item-content>b</div></div>
            <div class=tab-to-top><button><i></i></button></div></div>""",
    ],
)
def test_tabs_have_their_names_above_them(html: str) -> None:
    """M1"""
    assert markdown(html) == "**npm**\n\na\n\n**Yarn**\n\nb\n"


def test_tabs_named_by_icons_have_their_titles_above_them() -> None:
    """M1"""
    label = "<input id=u type=radio>\n<label for=u title=Linux>&#xf17c/&#xf179</label>"
    other = "<input id=w type=radio>\n<label for=w>Windows</label>"
    html = f"<div>{label}\n{other}\n<section><pre>a</pre></section><section><pre>b</pre></section></div>"
    assert markdown(html) == "**Linux**\n\n```\na\n```\n\n**Windows**\n\n```\nb\n```\n"


@pytest.mark.parametrize(
    "row",
    [
        "<ul class='nav nav-tabs' role=tablist><li><button role=tab>{}</button><li><button role=tab>{}</button></ul>",
        "<nav><div class=nav-tabs role=tablist><button role=tab>{}</button><button role=tab>{}</button></div></nav>",
    ],
)
def test_each_row_of_tabs_names_what_is_behind_it(row: str) -> None:
    """M1"""
    panels = "<div class=tab-content><div role=tabpanel><p>{}</div><div role=tabpanel><p>{}</div></div>"
    html = row.format("npm", "Yarn") + panels.format(1, 2) + row.format("Mac", "Linux") + panels.format(3, 4)
    assert markdown(html) == "**npm**\n\n1\n\n**Yarn**\n\n2\n\n**Mac**\n\n3\n\n**Linux**\n\n4\n"


@pytest.mark.parametrize("href", ["/a", "#other"])
def test_tabs_that_lead_elsewhere_stay_a_list(href: str) -> None:
    """M1"""
    html = f"<ul class=nav-tabs><li><a href={href}>npm</a></ul><div><div class=tab-pane id=i>a</div></div>"
    assert markdown(html).startswith("- [npm](https://example.org/")


def test_tabs_without_their_contents_stay_a_list() -> None:
    """M1"""
    html = "<div><ul role=tablist><li role=tab>npm<li role=tab>Yarn</ul><div role=tabpanel>a</div></div>"
    assert markdown(html) == "- npm\n- Yarn\n\na\n"


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "`" * 200_000 + " end</p>\n\n\n<p>end </p>",
        "<b><br></b>" * 50_000,
        "<p><span><br></span>" * 50_000,
        "<b><i><br></i></b>" * 30_000,
        "<br><a onclick=x><input><br>" * 30_000,
        f"<img src={'blank_' * 50_000}!>",
    ],
    ids=["backticks", "bold", "spans", "nested", "inputs", "name"],
)
def test_pages_of_nothing_much_take_no_longer_than_others(html: str) -> None:
    """M1, U10"""
    begun = time.process_time()
    markdown(html)
    assert time.process_time() - begun < 2


def test_elements_with_nothing_in_them_are_chosen_for_nothing() -> None:
    """M1, M3, U10: a selector may choose as many as a page has room for"""
    begun = time.process_time()
    assert markdown("<p>" * 200_000 + "<p>Word", part="p") == "Word\n"
    assert time.process_time() - begun < 2


def test_words_and_empty_lines_between_many_breaks_stay() -> None:
    """M1: two breaks in a row are how old pages part their paragraphs"""
    lines = [f"line {number}" for number in range(600)]
    text = markdown("<p>" + "<br><br>".join(lines) + "<br><br><span></span><br><i><br></i><br>end</p>")
    assert [line.strip("\\") for line in text.split("\n") if line.strip("\\")] == [*lines, "end"]
    assert text == markdown("<p>" + "<br><br>".join([*lines, "end"]) + "</p>")


@pytest.mark.parametrize("number", range(2, 8))
def test_several_breaks_on_lines_of_their_own_part_paragraphs_once(number: int) -> None:
    """M1: forums write them so"""
    breaks = "<br>\n" * number
    assert markdown(f"<div>a{breaks}b</div>") == "a\n\nb\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div><i>a<br>\n<br>\nb</i> c</div>", "*a*\n\n*b* c\n"),
        ("<p>x <b>ä<br><br><br>b<br>c<br><br>ö</b></p>", "x **ä**\n\n**b\\\nc**\n\n**ö**\n"),
        ("<p><i>a<br><br></i>b</p>", "*a*\n\nb\n"),
        ("<table><tr><th>a<tr><td><i>b<br><br>c</i></table>", "| a |\n| --- |\n| *b<br><br>c* |\n"),
    ],
)
def test_paragraphs_in_one_emphasis_have_one_each(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p><br>a<br>b<br></p>", "a\\\nb\n"),
        ("<div><p>a</p><br>b</div>", "a\n\nb\n"),
        ("<p><b><br>ä</b></p>", "**ä**\n"),
        ("<p><b>77 – ä<br>\n <br> </b></p>", "**77 – ä**\n"),
        ("<p><a href=/to>a<br></a>b</p>", "[a](https://example.org/to)\\\nb\n"),
        ("<p>a<b><br>ä</b></p>", "a\\\n**ä**\n"),
        ("<pre><b>a<br> </b>b</pre>", "```\na\n b\n```\n"),
        ("<p><strong><br>\n</strong><span>a</span></p>", "a\n"),
        ("<p><i></i><br>a<br>b</p>", "a\\\nb\n"),
        ("<p><b>a<br>b<br>c</b></p>", "**a\\\nb\\\nc**\n"),
        ("<p>x <b><em>a<br>\nb<br>\nc</em></b></p>", "x ***a\\\nb\\\nc***\n"),
        ("<p><img src=i><br>a</p>", "![](https://example.org/docs/i)\\\na\n"),
    ],
)
def test_line_breaks_stand_between_lines(html: str, expected: str) -> None:
    """M1: not at the start of a block, and not at the edge of emphasis, which they would undo"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b><strong>a</strong></b>", "**a**\n"),
        ("<strong>a <b>c</b> d</strong>", "**a c d**\n"),
        ("<em>ä <i>ö</i></em>", "*ä ö*\n"),
        ("<strong><span>ä – b </span></strong>c", "**ä – b** c\n"),
    ],
)
def test_emphasis_inside_its_own_kind_is_one(html: str, expected: str) -> None:
    """M1"""
    assert markdown(f"<p>{html}</p>") == expected


PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<img src='{PIXEL}' alt=a><noscript><img src=/real.png></noscript>", "![a](https://example.org/real.png)\n"),
        ("<img src=/a.png alt=a> <noscript><img src=/b.png></noscript>", "![a](https://example.org/a.png)\n"),
        ("<img src=/lazy.gif alt=a> <noscript><img src=/b.png></noscript>", "![a](https://example.org/b.png)\n"),
        ("<img src=/blurred.png data-src=/b.png>", "![](https://example.org/b.png)\n"),
        ("<img src=/i/blank.gif data-src='' alt=a>", "a\n"),
        ("<img src=/i/blank.gif alt=a aria-hidden=true>", "\n"),
        ("<img src=/placeholder.60f9b1840c.svg alt=a>", "a\n"),
        ("<img src=/place-holder-170x213.jpg alt=a>", "a\n"),
        ("<img src=/a.png width=0 height=0>", "\n"),
        ("<img src=/a.png width=0 height=0 data-nimg=1>", "![](https://example.org/a.png)\n"),
        ("<img src=/a.png style='display: none'>", "\n"),
        ("<img src=/a.png style='display: none' alt=a>", "![a](https://example.org/a.png)\n"),
        ("<p><img src=/i/closed.png alt=+> a <img src=/minus.png class=toggler alt=-></p>", "a\n"),
        ("<p><img src=/sum.png alt=+> a</p>", "![+](https://example.org/sum.png) a\n"),
        ("<img src=/a.png alt=null>", "![](https://example.org/a.png)\n"),
        ("<img src=/a.png alt='No description has been provided for this image'>", "![](https://example.org/a.png)\n"),
        ("<img src='data:image/png;base64,iVBORw0K' alt=a><img src=/a.png alt=a>", "![a](https://example.org/a.png)\n"),
        (f"<a href=/to><img src='{PIXEL}' alt=Gifts><h3>Gifts</h3></a>", "### [Gifts](https://example.org/to)\n"),
        ("<img src=/i/blank_1x1.png alt=a>", "a\n"),
        ("<img src=/i/ajax-loader.gif alt=a>", "a\n"),
        ("<img src=/shop-placeholder-400x400.png alt=a>", "a\n"),
        ("<img src=/google-pixel.png>", "![](https://example.org/google-pixel.png)\n"),
        ("<img src=/logo-transparent.png>", "![](https://example.org/logo-transparent.png)\n"),
        ("<img src=/empty-room-2.jpg>", "![](https://example.org/empty-room-2.jpg)\n"),
        ("<img src=/loading-truck.jpg>", "![](https://example.org/loading-truck.jpg)\n"),
        ("<div><img src=/a.png><span>Photo: b</span></div>", "![](https://example.org/a.png) Photo: b\n"),
        (f"<p>x<img src='{PIXEL}' alt=a>y</p>", "x a y\n"),
        ("<p>x <img src='data:image/svg+xml,%3Csvg%3E'> y</p>", "x y\n"),
        (f"<a href=/to><img src='{PIXEL}' alt='Oil Paint'> Oil  Paint</a>", "[Oil Paint](https://example.org/to)\n"),
    ],
)
def test_images_that_show_nothing_are_none(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=/to title=t><h3>A</h3></a>", '### [A](https://example.org/to "t")\n'),
        ("<a href=/to><h3>A</h3><p>b</p></a>", "### [A](https://example.org/to)\n\nb\n"),
        ("<a href=/to><div><h3>A</h3></div><h4>B</h4></a>", "### [A](https://example.org/to)\n\n#### B\n"),
        ("<a href=/to><img src=/i.png><h3> </h3></a>", "[![](https://example.org/i.png)](https://example.org/to)\n"),
        ("<a href=#a id=a><h3>A</h3></a>", "### A\n"),
        ("<a name=a><h3>A</h3></a>", "### A\n"),
    ],
)
def test_a_heading_in_a_link_is_a_heading_with_a_link(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p style='white-space:pre-wrap'>a <b>b</b> <a href=/to>c</a></p>", "a **b** [c](https://example.org/to)\n"),
        ("<p><span style='white-space: pre'>a </span>b</p>", "a b\n"),
        ("<div style='font-family: Menlo; white-space: pre'>a\n  b</div>", "```\na\n  b\n```\n"),
        ("<div role=heading aria-level=3>A</div><p>b</p>", "### A\n\nb\n"),
        ("<div role=heading aria-level=9>A</div>", "## A\n"),
        ("<div><p class='h2 x'>A</p></div><p>b</p>", "## A\n\nb\n"),
        ("<p class=hero>A</p><p class=h2></p>", "A\n"),
        ("<blockquote><p class=h4>A</p></blockquote>", "> A\n"),
        ("<p class=rubric>Notes</p><p>b</p><p class=rubric><b>c</b></p>", "**Notes**\n\nb\n\n**c**\n"),
        ("<p class='example rubric'>Notes</p><p>b</p>", "**Notes**\n\nb\n"),
        ("<h2><b>A</b></h2><h2><b>A</b> b</h2>", "## A\n\n## **A** b\n"),
        ("<h2>&nbsp;</h2><p>a</p>", "a\n"),
        (f"<div role=heading><p>{'word ' * 50}</p></div>", f"{('word ' * 50).strip()}\n"),
    ],
)
def test_elements_are_what_their_attributes_and_contents_say(html: str, expected: str) -> None:
    """M1: editors keep white space in all their prose, and have headings of nothing"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<br><br>b</p>", "a\n\nb\n"),
        ("<p>a<br> <br><br>b<br>c</p>", "a\n\nb\\\nc\n"),
        ("<blockquote>a<br><br>b</blockquote>", "> a\n>\n> b\n"),
        ("<table><tr><th>h<tr><td>a<br><br>b</table>", "| h |\n| --- |\n| a<br><br>b |\n"),
        ("<pre>a<br><br>b</pre>", "```\na\n\nb\n```\n"),
        ("<p>text <a href='#top'><br></a> more</p>", "text more\n"),
        ("<ul><li>a<li><a href='javascript:x'><i></i></a><li>b</ul>", "- a\n- b\n"),
        ("<ul><li>a<li><img src=/i.png></ul>", "- a\n- ![](https://example.org/i.png)\n"),
        ("<p>US!<strong>&nbsp;</strong></p><p><strong>é</strong>: x</p>", "US!\n\n**é**: x\n"),
        ("<p><b>é.</b><br>a</p>", "**é.**\\\na\n"),
        ("<p>a<b><span> </span><span> é</span></b>b</p>", "a **é**b\n"),
    ],
)
def test_what_parts_paragraphs_and_what_holds_nothing(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        """<div role=tablist><div role=tab>A</div><div role=tabpanel>one</div>
            <div role=tab>B</div><div role=tabpanel>two</div></div>""",
        "<div class=note>Please <em>note</em>: A one B two</div>",
        "<div class=alert><strong class=alert-title>A</strong> one B two</div>",
        "<a href=#t class=line><h2>A</h2></a><p>one B two",
    ],
)
def test_what_looks_like_tabs_notes_or_cards_keeps_its_words(html: str) -> None:
    """M1"""
    assert {"A", "B", "one", "two"} <= set(re.findall(r"\w+", markdown(html)))


def test_a_part_of_a_listing_may_be_converted_alone() -> None:
    """M1: Sphinx"""
    html = "<pre>x\n<div class=viewcode-block>\n<a class=viewcode-back href='x.html#y'>[docs]</a>\ny</div></pre>"
    assert markdown(html, part=".viewcode-block") == "```\ny\n```\n"


@pytest.mark.parametrize("part", ["a", "table", "h2"])
def test_what_is_converted_alone_is_never_taken_away(part: str) -> None:
    """M1, U10: turbohtml ends the process over an inline element without any parent"""
    html = "<p>a <a role=button>Show more&nbsp;</a><a href=#x>&nbsp;</a></p><table><tr><td></table><h2></h2>"
    assert markdown(html, part=part)


@pytest.mark.parametrize(
    "html",
    [
        f"<p>x</p><video>{'browser ' * 20_000}</video>",
        f"<picture>{'<source srcset=x>' * 20_000}{'<img src=data:x>' * 20_000}</picture>",
        f"<p><b>{'<small> </small>' * 20_000}é</b></p>",
        f"<p>x</p>{'<h2></h2>' * 20_000}{'<ul><li></li></ul>' * 20_000}",
        f"<p>{'<b>é</b>' * 20_000}</p>",
    ],
)
def test_many_of_a_kind_take_one_look_each(html: str) -> None:
    """U10"""
    begun = time.process_time()
    assert markdown(html)
    assert time.process_time() - begun < 20


@pytest.mark.parametrize("tag", ["center", "dialog", "fieldset", "form", "hgroup", "legend", "search"])
def test_words_beside_a_block_are_words_apart(tag: str) -> None:
    """M1: these are blocks to browsers."""
    assert markdown(f"<div>x<{tag} open>y<br><br>z</{tag}>b</div>") == "x\n\ny\n\nz\n\nb\n"


def test_a_form_without_a_word_is_no_item() -> None:
    """M1"""
    assert markdown("<ul><li>a</li><li><form><p></p></form></li><li>b</li></ul>") == "- a\n- b\n"


@pytest.mark.parametrize("tag", ["address", "aside", "details", "figcaption", "footer", "header"])
def test_two_line_breaks_part_paragraphs_in_any_block(tag: str) -> None:
    """M1"""
    assert markdown(f"<p>x</p><{tag}><br>a<br><br>b</{tag}>") == "x\n\na\n\nb\n"
