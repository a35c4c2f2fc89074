"""Sitemaps and feeds, read as they arrive: XML of all kinds and plain lists, packed or not, broken ones too (D3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .entries import MAX_LOC, Entry, MarkupBody, is_root
from .unpacking import Unpacker

__all__ = ["Entry", "SitemapReader", "looks_like_sitemap"]

MAX_BYTES: Final = 52_428_800
MAX_ENTRIES: Final = 1_000_000
_HEAD_BYTES: Final = 65_536
_BLANK: Final = " \t\r\n\f\v\0\ufeff"
_LINE_END: Final = re.compile(r"[\r\n]+")
_URL: Final = re.compile(r"https?://\S+", re.IGNORECASE)
_SHORTEST_URL: Final = len("https://x")


class ListBody:
    """Reads a plain list of URLs, one a line."""

    def __init__(self) -> None:
        self._rest = ""

    def read(self, text: str) -> Iterator[Entry]:
        """Yield the entries of the lines that are complete."""
        *lines, rest = _LINE_END.split(self._rest + text)
        # One character too many is enough to know that a line is too long.
        self._rest = rest[: MAX_LOC + 1]
        for line in lines:
            yield from _entry_of(line)

    def close(self) -> Iterator[Entry]:
        """Yield the last entry."""
        yield from _entry_of(self._rest)


class SitemapReader:
    """Turns the bytes of one sitemap into entries, however they are cut.

    What `feed` and `close` return must be exhausted before the next call: it is read on the way, so that memory stays
    flat. `done` says that nothing more will come, `truncated` why a part of the sitemap was not read.
    """

    def __init__(self, max_bytes: int = MAX_BYTES, max_entries: int = MAX_ENTRIES) -> None:
        self._unpacker = Unpacker(max_bytes)
        self._max_entries = max_entries
        self._count = 0
        self._held = ""
        self._body: MarkupBody | ListBody | None = None

    @property
    def recognised(self) -> bool:
        """Whether this is a sitemap or a feed, be it an empty one."""
        return isinstance(self._body, ListBody) or (self._body is not None and self._body.recognised)

    @property
    def truncated(self) -> str | None:
        if self._count > self._max_entries:
            return f"it has more than {self._max_entries:,} URLs; the first ones were read"
        return self._unpacker.truncated

    @property
    def done(self) -> bool:
        return self.truncated is not None or (isinstance(self._body, MarkupBody) and self._body.is_html)

    def feed(self, chunk: bytes) -> Iterator[Entry]:
        """Yield the entries that are complete."""
        for text in self._unpacker.feed(chunk):
            yield from self._counted(self._read(text, last=False))

    def close(self) -> Iterator[Entry]:
        """Yield the rest; the input ends here."""
        for text in self._unpacker.close():
            yield from self._counted(self._read(text, last=True))
        # A URL that was cut in two is another URL; in markup it would lack its end tag.
        if self._body is not None and not (isinstance(self._body, ListBody) and self._unpacker.truncated):
            yield from self._counted(self._body.close())

    def _read(self, text: str, last: bool) -> Iterator[Entry]:
        if self._body is None:
            # A list of URLs begins with one; all else is markup, whatever stands before its first tag.
            self._held = (self._held + text).lstrip(_BLANK)
            if len(self._held) < _SHORTEST_URL and not last:
                return
            text, self._held = self._held, ""
            self._body = ListBody() if _URL.match(text) else MarkupBody()
        yield from self._body.read(text)

    def _counted(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self._count += 1
            if self._count > self._max_entries:
                return
            yield entry


def looks_like_sitemap(url: str, content_type: str, head: bytes) -> bool:
    """Tell by its beginning whether it is a sitemap or a feed: by what it holds, not by its name (C1)."""
    unpacker = Unpacker(_HEAD_BYTES)
    text = "".join((*unpacker.feed(head), *unpacker.close())).lstrip(_BLANK)
    if not _URL.match(text):
        body = MarkupBody()
        for _ in body.read(text):
            break
        return is_root(body.root)
    if "plain" not in content_type.lower() and not url.partition("?")[0].lower().endswith((".txt", ".txt.gz")):
        return False
    *lines, last = text.rstrip(_BLANK).splitlines()
    # The beginning of a document may end within a line.
    cut = any(scheme.startswith(last.lower()) for scheme in ("http://", "https://"))
    return all(map(_is_url, lines)) and (cut or _is_url(last))


def _is_url(line: str) -> bool:
    return not line.strip(_BLANK) or _URL.fullmatch(line.strip(_BLANK)) is not None


def _entry_of(line: str) -> Iterator[Entry]:
    line = line.strip(_BLANK)
    if len(line) <= MAX_LOC and _URL.fullmatch(line):
        yield Entry(line, "page")
