import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode


def markdown(html: str) -> str:
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "https://example.org/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>A List<String> of names</p><p>x", "A List<string> of names\n\nx"),
        ("<p><name>_node and <name>_row", "<name>\\_node and <name>\\_row"),
        ("<p>a <foo>b</foo> c", "a <foo>b</foo> c"),
        ("<p>Map<Key, Name> or <name>", "Map or <name>"),
        ("<p>say <foo bar>", "say <foo>"),
        ("<p><b></b><foo></p><p>x", "<foo></foo>\n\nx"),
        ("<ul><li><p>a <foo>b</ul>", "- a <foo>b"),
        (
            "<table><tr><th>a<th>b<tr><td><p>x <foo>y</foo> z<td>1</table>",
            "| a | b |\n| --- | --- |\n| x <foo>y</foo> z | 1 |",
        ),
    ],
)
def test_words_in_angle_brackets_that_nobody_escaped_stay(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected + "\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a <my-icon>b</my-icon> <o:p>c</o:p>", "a b c"),
        ("<p>a <h style='display: none'>b</h> <date class=x>c</date>", "a b c"),
        ("<p>a <nobr>b</nobr> <noindex>c</noindex>", "a b c"),
        ("<date>a</date><block><p>b</p></block>", "a\n\nb"),
        ("<p>a <foo><code>b<bar>c</bar></code></foo> d", "a <foo>`bc`</foo> d"),
        ("<pre><p>a <foo>b</foo> c</pre>", "```\na b c\n```"),
        ("<p><foo> </foo></p><p>x", "x"),
    ],
)
def test_other_elements_that_html_does_not_have_leave_their_text(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected + "\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<del><p>a <b>é</b></p><p>b</p></del>c", "<del>\n\na **é**\n\nb\n\n</del>\n\nc"),
        ("<ul><li>x<s><p>a</p></s><li>y</ul>", "- x\n\n  <del>\n\n  a\n\n  </del>\n\n- y"),
        ("<blockquote><strike><h2>a</h2></strike></blockquote>", "> <del>\n>\n> ## a\n>\n> </del>"),
        ("<p>a <del>\n<em>b</em>\n</del> c", "a <del> *b* </del> c"),
        ("<p>a<div><del>\n1 &lt; *2*\n\n</del></div>", "a\n\n<del>\n1 &lt; *2*\n</del>"),
    ],
)
def test_struck_blocks_and_lines_keep_their_tags(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected + "\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div><del>a</del></div>", "~~a~~"),
        ("<div>was <s> $2 </s></div>", "was ~~$2~~"),
        ("<div><span><s> $2 </s></span></div>", "~~$2~~"),
        ("<table><tr><th>a<th>b<tr><td><del><p>c</p></del><td>d</table>", "| a | b |\n| --- | --- |\n| ~~c~~ | d |"),
        (
            "<table><tr><th>a<th>b<tr><td><div><s> c </s></div><td>d</table>",
            "| a | b |\n| --- | --- |\n| ~~c~~ | d |",
        ),
        ("<ul><del><li>a</li></del></ul>", "- a"),
        ("<p>a<del> </del>b", "a b"),
    ],
)
def test_other_struck_text_has_markdowns_signs(html: str, expected: str) -> None:
    """M1"""
    assert markdown(html) == expected + "\n"


def test_a_link_without_text_in_which_the_page_ends_is_left_open() -> None:
    """M1"""
    tag = '<a href="https://example.org/b?c&amp;d">'
    assert markdown('<p>a <a href="b?c&amp;d"></p>\n') == f"a {tag}</a>\n\n{tag}\n"
    assert markdown('<p>a</p><a href="b?c&amp;d">\n') == f"a\n\n{tag}\n"


def test_links_in_which_the_page_does_not_end_are_closed() -> None:
    """M1"""
    assert markdown("<p>a <a href=b> </a></p>\n") == "a [](https://example.org/b)\n"
    assert markdown("<p>a <a href=b>c\n") == "a [c](https://example.org/b)\n"


def test_struck_text_is_on_no_line_of_its_own_in_a_cell() -> None:
    """M1"""
    html = "<table><tr><td><div><s> x </s></div><td>c<tr><td>a<td>b</table>"
    assert markdown(html) == "| ~~x~~ | c |\n| --- | --- |\n| a | b |\n"
