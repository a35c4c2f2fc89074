"""`_report.html`: its pieces, its size, and that it is the same each time (A8)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from struct import pack

import pytest

import quire
from quire.records import Facts, State
from quire.report import bundle
from quire.report.page import MOST_PAGES, report_pieces
from quire.surveys import Surveyed

SERVICE = Path(quire.__file__).parent / "service" / "static"
WORDS = ("class", "method", "interface", "returns", "value", "object", "given", "element", "string", "number")


class MadeUp:
    """A site with this many pages, each with as much to say as those of a large manual."""

    def __init__(self, pages: int, links: int = 40, title: str = "") -> None:
        self._pages, self._links, self._title = pages, links, title

    def keys(self) -> list[int]:
        return [*range(self._pages), -1]

    def pages(self) -> Iterator[Surveyed]:
        dice = random.Random(1)
        for key in range(self._pages):
            name = f"{dice.choice(WORDS)}/{dice.choice(WORDS)}/{dice.choice(WORDS)}-{key}.html"
            title = self._title or f"{' '.join(dice.choices(WORDS, k=6))} ({key})"
            facts = Facts(title=title, description=" ".join(dice.choices(WORDS, k=25)), language="en", word_count=key)
            links = pack(f"<{self._links}q", *(dice.randrange(self._pages) for _ in range(self._links)))
            yield Surveyed(
                facts, key, f"https://example.com/manual/{name}", State.SAVED, "", "", "a", 2, 0, None,
                f"example.com/manual/{name}/index.md", 20_000, f"sha256:{key:064x}",
                "2026-05-04T09:00:07Z", "text/html", links,
            )  # fmt: skip

    def others(self) -> Iterator[Surveyed]:
        yield Surveyed(Facts(), -1, "https://example.com/missing", State.SKIPPED, "not-found", "404", "a", 1, 0, None)

    def repeated(self) -> frozenset[str]:
        return frozenset()


def heads(pages: int) -> dict[str, object]:
    crawl = {"start": ["https://example.com/"], "started_at": "2026-05-04T09:00:00Z"}
    return {"crawl": crawl, "statistics": {"processed_count": pages}}


def test_five_thousand_pages_are_one_file_under_five_megabytes() -> None:
    """A8"""
    pieces = list(report_pieces(heads(5_000), MadeUp(5_000)))
    assert sum(map(len, pieces)) < 5_000_000
    assert max(map(len, pieces)) < 1_000_000


def test_it_is_the_same_each_time() -> None:
    """A8: equal crawls make equal reports"""
    first, second = (b"".join(report_pieces(heads(50), MadeUp(50))) for _ in range(2))
    assert first == second


def test_no_text_ends_a_block() -> None:
    """A9: whatever a title says, the file has the blocks that it has anyway"""
    evil = MadeUp(3, title="</script><script>alert(1)</script><!--<script>")
    plain = b"".join(report_pieces(heads(3), MadeUp(3)))
    hurt = b"".join(report_pieces(heads(3), evil))
    assert hurt.count(b"<script") == plain.count(b"<script")
    assert hurt.count(b"</script") == plain.count(b"</script")
    assert hurt.count(b"<!--") == 0


@pytest.mark.parametrize(("pages", "links"), [(50, 400), (5_000, 100), (MOST_PAGES, 20)])
def test_many_links_do_not_make_a_large_file(pages: int, links: int) -> None:
    """A8: all links of a small site are kept, and at least twenty a page of a large one"""
    from quire.report.page import links_a_page

    assert links_a_page(pages) >= links


@pytest.mark.parametrize(("entry", "beside"), [("report.js", None), ("service.js", SERVICE)])
def test_the_program_is_one_text_without_imports(entry: str, beside: Path | None) -> None:
    """A8: modules in the order in which they need each other, each once"""
    text = bundle.script(entry, beside)
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
    names = re.findall(r'^modules\["([\w.-]+)"\] = ', text, re.MULTILINE)
    assert len(names) == len(set(names))
    for position, body in enumerate(re.split(r'^modules\["[\w.-]+"\] = ', text, flags=re.MULTILINE)[1:]):
        assert set(re.findall(r'= modules\["([\w.-]+)"\]', body)) <= set(names[:position])
    assert "</script" not in text
    assert "<!--" not in text
    assert "innerHTML" not in text
