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
    ("html", "language"),
    [
        ('<pre class="rust rust-example-rendered">x</pre>', "rust"),
        ('<div class="mw-highlight mw-highlight-lang-lua"><pre>x</pre></div>', "lua"),
        ('<pre class="src src-python">x</pre>', "python"),
        ('<figure class="highlight js"><pre>x</pre></figure>', "js"),
        ('<pre><pre class="playground"><code class="language-rust">x</code></pre></pre>', "rust"),
        ('<pre class="programlisting">x</pre>', ""),
    ],
)
def test_code_has_the_language_that_its_generator_names(html: str, language: str) -> None:
    """M1"""
    assert markdown(html) == f"```{language}\nx\n```\n"
