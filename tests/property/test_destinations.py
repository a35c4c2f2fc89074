"""Links in Markdown: whatever is replaced comes back, and what is code or escaped is never touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.convert.destinations import Destination, edited, edits_of, images_of, unedited
from quire.convert.markdown import to_markdown

PIECES = st.sampled_from(
    ["[", "]", "(", ")", "](", "![", "<", ">", "`", "``", "```", "\n", "\n\n", "\\", "http://h/a", "<table>",
     "</table>", '<a href="http://h/a">', '<img src="http://h/b"', "|", " ", "x", "ä", "#f", "&amp;", "<http://h/a>"]
)  # fmt: skip
MARKDOWN = st.lists(PIECES, max_size=40).map("".join)


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
        ('<a href="mailto:x@y.test">x</a>', "[x](mailto:x@y.test)"),
    ],
)
def test_as_quire_writes_it(html: str, markdown: str) -> None:
    """M7, M1"""
    from turbohtml import parse

    body = parse(f"<body>{html}</body>").select_one("body")
    assert body is not None
    written = to_markdown([body], "http://h/")
    edits = edits_of(written, lambda found: "F" if found.address.startswith("http") else None)
    assert edited(written, edits).strip() == markdown
