from pathlib import Path

import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode
from quire.extract.links import base_of

PAGES = sorted(source.parent for source in Path(__file__).parent.glob("*/source.html"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_becomes_the_expected_markdown(page: Path) -> None:
    """M1, M2, M3"""
    url = f"https://example.org/{page.name}/page.html"
    document, _ = decode((page / "source.html").read_bytes(), "text/html")
    markdown = to_markdown(content_of(document, "main"), base_of(document, url))
    assert markdown == (page / "expected.md").read_text(encoding="utf-8")
