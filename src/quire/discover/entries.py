"""From tags to entries: which elements of sitemaps and feeds say where a page is, and what is said about it (D3)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from .markup import ELEMENT, END, START, TEXT, Markup, Token, attribute, unescape

MAX_LOC: Final = 8_192
_MAX_CHANGEFREQ: Final = 32
_MAX_RFC822_DATE: Final = 64
_W3C_DATE: Final = re.compile(
    r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])"
    r"(?:[Tt ][0-2]\d:[0-5]\d(?::[0-6]\d(?:\.\d{1,9})?)? ?(?:[Zz]|[+-]\d\d:?\d\d)?)?)?)?",
    re.ASCII,
).fullmatch

EntryKind = Literal["page", "sitemap"]


class Entry(Struct, frozen=True):
    """One URL of a sitemap, as written there."""

    loc: str
    kind: EntryKind
    lastmod: str | None = None
    priority: float | None = None
    changefreq: str | None = None


class _Format(Struct, frozen=True):
    """Which elements are entries, and which of their children are read; `bare`: what these are outside of any entry."""

    entries: dict[str, EntryKind]
    fields: frozenset[str]
    bare: EntryKind | None = None


_SITEMAP_ENTRIES: Final[dict[str, EntryKind]] = {"url": "page", "sitemap": "sitemap"}
_SITEMAP_FIELDS: Final = frozenset(("loc", "lastmod", "priority", "changefreq"))
_URLSET: Final = _Format(_SITEMAP_ENTRIES, _SITEMAP_FIELDS, bare="page")
_INDEX: Final = _Format(_SITEMAP_ENTRIES, _SITEMAP_FIELDS, bare="sitemap")
_RSS: Final = _Format({"item": "page"}, frozenset(("link", "guid", "pubdate", "date")))
_ATOM: Final = _Format({"entry": "page"}, frozenset(("updated",)))
_UNKNOWN: Final = _Format({}, frozenset())
_FORMATS: Final = {"urlset": _URLSET, "sitemapindex": _INDEX, "rss": _RSS, "rdf": _RSS, "feed": _ATOM}
# A sitemap whose beginning is lost can still be read.
_FORMATS_OF_PARTS: Final = {"url": _URLSET, "sitemap": _INDEX}
_HTML: Final = frozenset(("html", "head", "body"))


class MarkupBody:
    """Reads the entries of an XML document, or of what is left of one, as its text arrives."""

    def __init__(self) -> None:
        self.root: str | None = None
        self.is_html = False
        self._markup = Markup()
        self._ready: list[Entry] = []
        self._format = _UNKNOWN
        self._kind: EntryKind | None = None
        self._values: dict[str, str] = {}
        self._foreign: str | None = None
        self._field: str | None = None
        self._pieces: list[str] = []
        self._room = 0

    @property
    def recognised(self) -> bool:
        """Whether this is a sitemap or a feed, be it an empty one."""
        return self._format is not _UNKNOWN

    def read(self, text: str, last: bool = False) -> Iterator[Entry]:
        """Yield the entries that are complete."""
        for token in self._markup.feed(text, last):
            if self.is_html:
                return
            self._take(token)
            if self._ready:
                yield from self._ready
                self._ready.clear()

    def close(self) -> Iterator[Entry]:
        """Yield the last entry; a field that was cut off says nothing."""
        yield from self.read("", last=True)
        self._field = None
        self._complete_entry()
        yield from self._ready

    def _take(self, token: Token) -> None:
        before, kind, name, attributes, content = token
        if self._field is not None:
            self._append(before)
        elif kind == ELEMENT and not attributes and self._reads(name):
            # Most of a sitemap is this, so it is worth a shorter way to the same end.
            if len(content) <= MAX_LOC:
                self._set(name, content)
            return
        if kind == TEXT:
            return
        name = name.lower()
        if kind != END:
            self._start(name, attributes)
            if self._field is not None:
                self._append(content)
        if kind != START:
            self._end(name)

    def _reads(self, name: str) -> bool:
        return name in self._format.fields and self._foreign is None and self._kind is not None

    def _start(self, name: str, attributes: str) -> None:
        self._complete_field()
        if self._format is _UNKNOWN:
            self._recognise(name)
        closed = attributes.endswith("/")
        if name in _FORMATS:
            self._complete_entry()
        elif name in self._format.entries:
            self._complete_entry()
            self._kind = self._format.entries[name]
        elif self._reads(name):
            if not closed and attribute(attributes, "ispermalink") != "false":
                self._field, self._pieces, self._room = name, [], MAX_LOC
        elif self._kind is not None and self._foreign is None:
            if self._format is _ATOM and name == "link" and attribute(attributes, "rel") in (None, "alternate"):
                self._values.setdefault("loc", (attribute(attributes, "href") or "").strip())
            if not closed:
                # What an image or a video says is not said about the page.
                self._foreign = name

    def _end(self, name: str) -> None:
        self._complete_field()
        if name == self._foreign:
            self._foreign = None
        elif name in self._format.entries:
            self._complete_entry()

    def _recognise(self, name: str) -> None:
        self.root = self.root or name
        self.is_html = name in _HTML
        self._format = _FORMATS.get(name) or _FORMATS_OF_PARTS.get(name) or _UNKNOWN
        self._kind = self._format.bare

    def _append(self, text: str) -> None:
        self._room -= len(text)
        if self._room >= 0:
            self._pieces.append(text)

    def _complete_field(self) -> None:
        if self._field is not None:
            name, self._field = self._field, None
            if self._room >= 0:
                self._set(name, "".join(self._pieces))

    def _set(self, name: str, text: str) -> None:
        text = unescape(text).strip()
        if name == "loc" and "loc" in self._values:
            # The tag between two entries is missing.
            kind = self._kind
            self._complete_entry()
            self._kind = kind
        if text:
            self._values.setdefault(name, text)

    def _complete_entry(self) -> None:
        values, kind = self._values, self._kind
        self._kind, self._foreign = self._format.bare, None
        if not values:
            return
        self._values = {}
        loc = values.get("loc") or values.get("link") or values.get("guid")
        if not loc or kind is None:
            return
        lastmod = _w3c_date(values.get("lastmod") or values.get("updated") or values.get("date"))
        if lastmod is None and "pubdate" in values:
            lastmod = _from_rfc822(values["pubdate"])
        self._ready.append(
            Entry(loc, kind, lastmod, _priority(values.get("priority")), _changefreq(values.get("changefreq")))
        )


def is_root(name: str | None) -> bool:
    """Tell whether a document with this root element is a sitemap or a feed."""
    return name in _FORMATS


def _w3c_date(text: str | None) -> str | None:
    return text if text and _W3C_DATE(text) else None


def _from_rfc822(text: str) -> str | None:
    """Return the date of a feed the way sitemaps write it."""
    if len(text) > _MAX_RFC822_DATE:
        return None
    # Late, because only feeds need it.
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, OverflowError):
        return None


def _priority(text: str | None) -> float | None:
    try:
        value = float(text) if text else math.nan
    except ValueError:
        return None
    return min(max(value, 0.0), 1.0) if math.isfinite(value) else None


def _changefreq(text: str | None) -> str | None:
    return text.lower() if text and len(text) <= _MAX_CHANGEFREQ else None
