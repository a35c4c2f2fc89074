"""Links in Markdown: whatever is replaced comes back, and what is code or escaped is never touched."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from turbohtml import parse

from quire.convert.destinations import Destination, edited, edits_of, images_of, unedited
from quire.convert.markdown import to_markdown

PIECES = st.sampled_from(
    ["[", "]", "(", ")", "](", "![", "<", ">", "`", "``", "```", "\n", "\n\n", "\\", "http://h/a", "<table>",
     "</table>", '<a href="http://h/a">', '<img src="http://h/b"', "|", " ", "x", "ä", "#f", "&amp;", "<http://h/a>"]
)  # fmt: skip
SNIPPETS = st.sampled_from(
    ['<a href="http://h/a">x</a>', '<a href="http://h/a(b)" title="`](http://h/b)">x</a>', "!", "`", "a b", "ä", "$",
     '<a href="http://h/a">http://h/a</a>', '<img src="http://h/i.png" alt="[`]">', '<code>`[x](http://h/a)</code>',
     '<a href="/c"><img src="/i(1).png" title="&lt;http://h/a&gt;"></a>', "[", "](http://h/a)", "\\", "|", "*", "~~",
     "&lt;table&gt;", "<code>&lt;table&gt;</code>", "<pre>[x](http://h/a)\n```</pre>", "<p>", "<ul><li>",
     "<blockquote>", "<table><tr><th>a<th>b<tr><td>", "<td>", "</table>", '<a href="http://other/x">y</a>', "&amp;",
     '<a href="http://h/a)b">]</a>']
)  # fmt: skip
ADDRESS = re.compile('="http://h/[^"]*"')
PARSER = MarkdownIt().enable(["table", "strikethrough"])
MARKDOWN = st.lists(PIECES, max_size=40).map("".join)


def written_by_quire(html: str) -> str:
    body = parse(f"<body>{html}</body>").select_one("body")
    assert body is not None
    return to_markdown([body], "http://h/")


def to_file(found: Destination) -> str | None:
    return "../a/index.md" if found.address.startswith("http://h/a") else None


@given(MARKDOWN)
def test_what_was_edited_comes_back(markdown: str) -> None:
    """M7"""
    edits = edits_of(markdown, to_file)
    assert unedited(edited(markdown, edits), edits) == markdown


@given(MARKDOWN)
def test_nothing_is_edited_twice(markdown: str) -> None:
    """M7: a local link leads to no page of the site"""
    edits = edits_of(markdown, to_file)
    assert edits_of(edited(markdown, edits), lambda found: None) == ()
    assert len(list(images_of(markdown))) >= len(list(images_of(edited(markdown, edits)))) - len(edits)


def seen_by_a_parser(markdown: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """What a parser of Markdown makes of a text; addresses on the site are all the same."""
    found = []
    for token in PARSER.parse(markdown):
        for each in (token, *(token.children or ())):
            attributes = [
                (name, "F" if str(value).startswith("http://h/") else str(value)) for name, value in each.attrs.items()
            ]
            content = "" if each.children else each.content
            if each.type == "html_block":
                content = ADDRESS.sub('="F"', content)
            found.append((each.type, content, attributes))
    return found


@given(st.lists(SNIPPETS, max_size=12).map("".join))
def test_other_addresses_and_nothing_else(html: str) -> None:
    """M7: as a parser of Markdown reads the page, every address on the site is replaced, and all else is as it was"""
    written = written_by_quire(html)
    edits = edits_of(written, lambda found: "F" if found.address.startswith("http://h/") else None)
    new = edited(written, edits)
    assert seen_by_a_parser(new) == seen_by_a_parser(written)
    seen = [value for token in PARSER.parse(new) for each in token.children or () for value in each.attrs.values()]
    assert not any(str(value).startswith("http://h/") for value in seen)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<a href="http://h/a">x</a>', "[x](F)"),
        ('<a href="http://h/a">http://h/a</a>', "[http://h/a](F)"),
        ('<a href="http://h/a_b*c">http://h/a_b*c</a>', "[http://h/a\\_b\\*c](F)"),
        ('<a href="http://h/a(1)" title="t">x</a>', '[x](F "t")'),
        ('<a href="http://h/a"><img src="http://h/b.png" alt="[i]"></a>', "[![\\[i\\]](F)](F)"),
        ("<code>[x](http://h/a)</code>", "`[x](http://h/a)`"),
        ("<code>`[x](http://h/a)</code>", "`` `[x](http://h/a) ``"),
        ("<pre>[x](http://h/a)</pre>", "```\n[x](http://h/a)\n```"),
        ("<ul><li><pre>[x](http://h/a)</pre></ul>", "-\n  ```\n  [x](http://h/a)\n  ```"),
        ("[x](http://h/a)", "\\[x\\](http://h/a)"),
        ('<a href="http://h/a(1)" title="<http://h/b> [c](http://h/c)">x</a>', '[x](F "<http://h/b> [c](http://h/c)")'),
        ('<a href="mailto:x@y.test">x</a>', "[x](mailto:x@y.test)"),
        (
            '<a href="http://h/a(b(c))">x</a> <a href="http://h/a)b">y</a> <a href="http://h/a(b">z</a>',
            "[x](F) [y](F) [z](F)",
        ),
        ('<a href="http://h/?a=1&amp;copy;2">x</a> <a href="http://h/?a\\b">y</a>', "[x](F) [y](F)"),
        (
            '<a href="http://h/a" title="[b](http://h/b) `">x</a> <code>[z](http://h/a)</code>',
            '[x](F "[b](http://h/b) `") `[z](http://h/a)`',
        ),
        ('Hurra!<a href="http://h/a">http://h/a</a>', "Hurra\\![http://h/a](F)"),
        ('<code>&lt;table&gt;</code> <a href="http://h/a">x</a>', "`<table>` [x](F)"),
        ('<code>&lt;table&gt;&lt;a href="http://h/a"&gt;</code>', '`<table><a href="http://h/a">`'),
        (
            '<table><tr><th rowspan=2>A<td><ul><li><img alt="z" src="http://h/i.png"><a title=t href="http://h/a">x</a></ul>'
            "<tr><td>[y](http://h/b)</table>",
            '<table>\n<tr><th rowspan="2">A</th><td><ul><li><img alt="z" src="F"> <a title="t" href="F">x</a></li></ul>'
            "</td></tr>\n<tr><td>[y](http://h/b)</td></tr>\n</table>",
        ),
    ],
)
def test_as_quire_writes_it(html: str, markdown: str) -> None:
    """M7, M1"""
    written = written_by_quire(html)
    edits = edits_of(written, lambda found: "F" if found.address.startswith("http") else None)
    assert edited(written, edits).strip() == markdown


def test_backticks_without_a_partner_take_no_longer_than_others() -> None:
    """M7: each of so many would otherwise be looked for to the end of the page"""
    ticks = " ".join("`" * length for length in range(1, 2000))
    markdown = written_by_quire(f'<p><a href="http://h/a" title="{ticks}">x</a>{"word " * 500_000}')
    assert len(edits_of(markdown, to_file)) == 1
    raw = f"{ticks} [x](http://h/a) {'word ' * 500_000}"
    assert len(edits_of(raw, to_file)) == 1
    assert edits_of("](" * 200_000 + "![" * 200_000 + '](x "' * 100_000, to_file) == ()
