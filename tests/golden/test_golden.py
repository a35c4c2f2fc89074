from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode
from quire.extract.links import base_of

PAGES = sorted(source.parent for source in Path(__file__).parent.glob("*/source.html"))
RENDER = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render
UNKNOWN_TO_THE_RENDERER = ("$", "- [ ]")  # formulas and task lists


def is_rendered_whole(page: Path) -> bool:
    markdown = (page / "expected.md").read_text(encoding="utf-8")
    return not any(sign in markdown for sign in UNKNOWN_TO_THE_RENDERER)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_becomes_the_expected_markdown(page: Path) -> None:
    """M1, M2, M3"""
    url = f"https://example.org/{page.name}/page.html"
    document, _ = decode((page / "source.html").read_bytes(), "text/html")
    markdown = to_markdown(content_of(document, "main"), base_of(document, url))
    assert markdown == (page / "expected.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in PAGES if is_rendered_whole(page)], ids=lambda page: page.name)
def test_the_markdown_renders_to_what_it_was_made_from(page: Path) -> None:
    """M1"""
    markdown = (page / "expected.md").read_text(encoding="utf-8")
    document, _ = decode(RENDER(markdown).encode(), "text/html; charset=utf-8")
    assert to_markdown(content_of(document, "full"), "") == markdown
