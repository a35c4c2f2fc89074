"""URLs in columns: the compact form in which `_report.html` holds them."""

from __future__ import annotations

import base64
from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from struct import unpack

from quire.surveys import Surveyed

_LONGEST_TEXT = 200
NOWHERE = -1
"""Stands for a URL that is not listed."""


class Columns:
    """Turns rows into columns; URLs are named by their number in the whole listing."""

    def __init__(self, keys: Sequence[int], base: str, begun: str, repeated: frozenset[str], most_links: int) -> None:
        self._numbers = {key: number for number, key in enumerate(keys)}
        self._base = base
        self._begun = _seconds(begun) or 0
        self._repeated = repeated
        self._most_links = most_links
        self._code = "H" if len(keys) <= 0xFFFF else "I"

    def pages(self, rows: Sequence[Surveyed], pages: int) -> dict[str, object]:
        """The columns of pages; the first `pages` numbers are pages, the others URLs without one."""
        links = [self._links(row.links, pages) for row in rows]
        targets = array(self._code, [number for found, _ in links for number in found])
        return {
            **self._shared(rows),
            "path": ["" if row.path == _plain_path(row.url) else row.path for row in rows],
            "title": [_short(row.facts.title) for row in rows],
            "description": [_short(row.facts.description) for row in rows],
            "language": _coded(row.facts.language or "" for row in rows),
            "type": _coded(row.content_type for row in rows),
            "fetcher": _coded(row.fetched_by for row in rows),
            "words": [row.facts.word_count for row in rows],
            "size": [row.size for row in rows],
            "time": [_since(row.fetched_at, self._begun) for row in rows],
            "response": [row.response_ms for row in rows],
            "same": [row.hash[-8:] if row.hash in self._repeated else "" for row in rows],
            "links": [len(found) for found, _ in links],
            "cut": sum(cut for _, cut in links),
            "targets": base64.b64encode(targets.tobytes()).decode(),
        }

    def others(self, rows: Sequence[Surveyed]) -> dict[str, object]:
        """The columns of URLs that are no pages of the mirror."""
        return {
            **self._shared(rows),
            "reason": _coded(row.reason for row in rows),
            "detail": [_short(row.detail) for row in rows],
            "target": self._numbered(row.target for row in rows),
        }

    @property
    def bytes_a_link(self) -> int:
        return array(self._code).itemsize

    def _shared(self, rows: Sequence[Surveyed]) -> dict[str, object]:
        return {
            "url": [self._shown(row.url) for row in rows],
            "state": [int(row.state) for row in rows],
            "source": _coded(row.source for row in rows),
            "depth": [row.depth for row in rows],
            "parent": self._numbered(row.parent for row in rows),
        }

    def _shown(self, url: str) -> str:
        return url[len(self._base) :] if url.startswith(f"{self._base}/") else url

    def _numbered(self, keys: Iterable[int | None]) -> list[int]:
        get: Mapping[int | None, int] = self._numbers  # type: ignore[assignment]
        return [get.get(key, NOWHERE) for key in keys]

    def _links(self, packed: bytes, pages: int) -> tuple[list[int], bool]:
        """The numbers a page links to, and whether some were left out; links that lead to no page never are."""
        named = map(self._numbers.get, unpack(f"<{len(packed) // 8}q", packed))
        found = [number for number in named if number is not None]
        if len(found) <= self._most_links:
            return found, False
        kept = found[: self._most_links]
        return kept + [number for number in found[self._most_links :] if number >= pages], True


def _coded(values: Iterable[str]) -> list[object]:
    """The different values, and for each row which of them it has."""
    names: dict[str, int] = {}
    codes = [names.setdefault(value, len(names)) for value in values]
    return [list(names), codes]


def _short(text: str | None) -> str:
    if not text:
        return ""
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


def _plain_path(url: str) -> str:
    """The path that most pages have: the host, a port after an underscore, and the URL's path as it is."""
    host, _, rest = url.partition("://")[2].partition("/")
    return f"{host.replace(':', '_')}/{rest}/index.md" if rest else f"{host.replace(':', '_')}/index.md"


def _since(moment: str, begun: int) -> int | None:
    seconds = _seconds(moment)
    return None if seconds is None else seconds - begun


def _seconds(moment: str) -> int | None:
    try:
        return int(datetime.fromisoformat(moment).timestamp())
    except ValueError:
        return None
