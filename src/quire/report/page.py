"""`_report.html`: the crawl to look at, in one file that opens from disk and asks no other host for anything (A8)."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Protocol

from msgspec import json

from quire import urls
from quire.records import State
from quire.report.bundle import policy, script, style
from quire.report.columns import Columns
from quire.surveys import Surveyed

REPORT_FILE = "_report.html"
MOST_PAGES = 100_000
MOST_OTHERS = dict.fromkeys(State, 2_000) | dict.fromkeys((State.FAILED, State.SKIPPED, State.DUPLICATE), 10_000)
_MOST_LINKS = 500_000
_FEWEST_LINKS_A_PAGE = 20
_ROWS_A_PIECE = 1_000


class Rows(Protocol):
    """What is listed, in an order that stays the same from one reading to the next."""

    def keys(self) -> list[int]: ...
    def pages(self) -> Iterator[Surveyed]: ...
    def others(self) -> Iterator[Surveyed]: ...
    def repeated(self) -> frozenset[str]: ...


def report_pieces(heads: Mapping[str, object], rows: Rows) -> Iterator[bytes]:
    """Yield the file piece by piece: the data stand before the program that shows them."""
    crawl = heads["crawl"]
    assert isinstance(crawl, dict)
    top, bottom = _frame(crawl["start"][0] if crawl["start"] else "")
    yield top
    for kind, data in blocks(heads, rows):
        yield _block(kind, data)
    yield bottom


def blocks(heads: Mapping[str, object], rows: Rows) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield what the dashboard's `InlineData` reads: the manifest's heads, then the URLs a thousand at a time."""
    crawl, statistics = heads["crawl"], heads["statistics"]
    assert isinstance(crawl, dict)
    assert isinstance(statistics, dict)
    start, begun = crawl["start"], crawl["started_at"] or ""
    base = _origin(start[0] if start else "")
    keys = rows.keys()
    saved = min(statistics["processed_count"], MOST_PAGES)
    columns = Columns(keys, base, begun, rows.repeated(), links_a_page(saved))
    yield "head", _told(heads) | {"base": base, "pages": saved, "bytes_a_link": columns.bytes_a_link}
    for some in _pieces(rows.pages()):
        yield "pages", columns.pages(some, saved)
    for some in _pieces(rows.others()):
        yield "others", columns.others(some)


def links_a_page(pages: int) -> int:
    """How many links of each page are kept, so that the file stays small enough to open."""
    return max(_FEWEST_LINKS_A_PAGE, _MOST_LINKS // max(pages, 1))


def _pieces(rows: Iterator[Surveyed]) -> Iterator[list[Surveyed]]:
    while some := list(islice(rows, _ROWS_A_PIECE)):
        yield some


def _told(heads: Mapping[str, object]) -> dict[str, object]:
    """The manifest's heads without their long lists."""
    told = {name: value for name, value in heads.items() if name not in ("equal_content", "changes")}
    changes = heads.get("changes")
    if changes is not None:
        told["changes"] = {name: len(getattr(changes, name)) for name in ("added", "changed", "removed")}
    return told


def _block(kind: str, data: object) -> bytes:
    """Data for the program; no text in it can end the block, or begin another one."""
    return b'<script type="application/json" class="data-%b">%b</script>\n' % (
        kind.encode(),
        json.encode(data).replace(b"<", b"\\u003c"),
    )


def _frame(start: str) -> tuple[bytes, bytes]:
    """What stands before the data, and after it."""
    program, looks = script("report.js"), style()
    top = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy(program, looks)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Quire">
<title>Crawl of {html.escape(start)}</title>
<style>{looks}</style>
</head>
<body>
<div id="app"><p class="state">Opening the report…</p></div>
<noscript><p>This report needs JavaScript. _index.md lists the same pages without it.</p></noscript>
"""
    bottom = f'<script type="module">{program}</script>\n</body>\n</html>\n'
    return top.encode(), bottom.encode()


def _origin(url: str) -> str:
    return urls.site_root(url).rstrip("/") if url else ""
