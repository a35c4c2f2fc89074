"""`_index.md`: the pages by their place on the site (S12)."""

from __future__ import annotations

from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from quire.report.index import index_lines


def links_in(text: str) -> list[tuple[str, str]]:
    """Each link's label and target, as a reader of Markdown sees them."""
    found = []
    for token in MarkdownIt().parse(text):
        label, target = "", None
        for child in token.children or ():
            if child.type == "link_open":
                target, label = str(child.attrs["href"]), ""
            elif child.type == "link_close" and target is not None:
                found.append((label, unquote(target)))
                target = None
            else:
                label += child.content
    return found


def test_pages_stand_below_their_folders() -> None:
    """S12: a heading for each host, a level for each folder, folders without a page of their own too"""
    pages = [
        ("a.example/index.md", "Home"),
        ("a.example/docs/index.md", "Docs"),
        ("a.example/docs/api/users/index.md", "Users"),
        ("a.example/docs/q__q_12345678.md", "Query"),
        ("a.example/other/deep/index.md", "Deep"),
        ("b.example/index.md", "Other host"),
    ]
    assert "".join(index_lines(pages)) == (
        "\n## a.example\n\n"
        "- [Home](a.example/index.md)\n"
        "- [Docs](a.example/docs/index.md)\n"
        "  - api/\n"
        "    - [Users](a.example/docs/api/users/index.md)\n"
        "  - [Query](a.example/docs/q__q_12345678.md)\n"
        "- other/\n"
        "  - [Deep](a.example/other/deep/index.md)\n"
        "\n## b.example\n\n"
        "- [Other host](b.example/index.md)\n"
    )


def test_a_page_without_a_title_is_called_by_its_name() -> None:
    """S12"""
    pages = [("h/index.md", ""), ("h/guide/index.md", ""), ("h/list__q_abcdef12.md", "")]
    labels = [label for label, _ in links_in("".join(index_lines(pages)))]
    assert labels == ["h", "guide", "list__q_abcdef12.md"]


def test_no_pages_make_no_lines() -> None:
    """S12"""
    assert list(index_lines([])) == []


TITLES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=40)
NAMES = st.text("abc%()[]<>é _-", min_size=1, max_size=8).filter(lambda name: name.strip(" ") == name)


@given(st.lists(st.tuples(st.lists(NAMES, min_size=1, max_size=3), TITLES), max_size=8))
def test_every_page_is_linked_whatever_its_name_and_title(entries: list[tuple[list[str], str]]) -> None:
    """S12, U10: each target is the file's path, in order"""
    pages = [(f"host/{'/'.join(folders)}/index.md", title) for folders, title in entries]
    assert [target for _, target in links_in("".join(index_lines(pages)))] == [path for path, _ in pages]
