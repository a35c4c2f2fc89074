"""What the test site can answer, as frozen values: an answer, a page, a sitemap."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import html
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from email.message import Message
from email.utils import format_datetime, parsedate_to_datetime
from importlib import import_module
from itertools import islice
from xml.sax.saxutils import escape

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Headers = Mapping[str, str] | Sequence[tuple[str, str]]
Entry = str | Mapping[str, object]

_brotli = import_module("brotli")  # It has no types.
_SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_ENCODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, compresslevel=6, mtime=0),
    "deflate": zlib.compress,
    "br": lambda data: bytes(_brotli.compress(data, quality=4)),
    "zstd": zstd.compress,
}


def encoded(data: bytes, encoding: str) -> bytes:
    """Return the data in a content encoding: gzip, deflate, br or zstd."""
    return _ENCODERS[encoding](data)


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP answer and the way it is delivered; a callable body is streamed in chunks."""

    status: int = 200
    body: bytes | Callable[[], Iterable[bytes]] = b""
    headers: Headers = field(default_factory=dict)
    conditional: bool = False
    """Answer 304 where the request's conditions hold."""
    delay: float = 0.0
    """Seconds before the first byte."""
    held: asyncio.Event | None = None
    """Wait for this before the first byte."""
    bytes_per_second: float | None = None
    cut: int | None = None
    """End the connection after this many bytes of the body; -1 for before the head."""
    reset: bool = False
    """Cut with a TCP reset, not with an orderly end."""
    stalls: bool = False
    """Where it is cut, keep the connection and say nothing more."""
    hangs_up: bool = False
    """Close the connection after the answer without having said so."""

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.pairs() if key.lower() == name.lower()), None)

    def pairs(self) -> list[tuple[str, str]]:
        return list(self.headers.items() if isinstance(self.headers, Mapping) else self.headers)

    def is_known_to(self, conditions: Message) -> bool:
        """Tell whether the client that sent these headers has this answer already (RFC 9110 §13.2.2)."""
        if not self.conditional or self.status != 200:
            return False
        if "If-None-Match" in conditions:
            tags = [tag.strip().removeprefix("W/") for tag in conditions["If-None-Match"].split(",")]
            return "*" in tags or (self.header("ETag") or "-").removeprefix("W/") in tags
        modified = self.header("Last-Modified")
        if modified is None or "If-Modified-Since" not in conditions:
            return False
        try:
            return parsedate_to_datetime(modified) <= parsedate_to_datetime(conditions["If-Modified-Since"])
        except (ValueError, TypeError):
            return False


@dataclass(frozen=True, slots=True)
class Page:
    """A page as a test describes it; `raw` leaves the body as it is, without a document around it."""

    body: str | bytes
    title: str = "A page"
    links: Sequence[str] = ()
    head: str = ""
    status: int = 200
    headers: Headers = field(default_factory=dict)
    etag: bool | str = False
    last_modified: datetime | None = None
    content_type: str = "text/html; charset=utf-8"
    encoding: str | None = None
    raw: bool = False

    def answer(self) -> Answer:
        body = self.document()
        headers = {"Content-Type": self.content_type} if self.content_type else {}
        if self.etag:
            headers["ETag"] = f'"{hashlib.sha256(body).hexdigest()[:16]}"' if self.etag is True else self.etag
        if self.last_modified:
            headers["Last-Modified"] = format_datetime(self.last_modified, usegmt=True)
        if self.encoding:
            headers["Content-Encoding"] = self.encoding
            body = encoded(body, self.encoding)
        own = list(self.headers.items() if isinstance(self.headers, Mapping) else self.headers)
        overridden = {name.lower() for name, _ in own}
        pairs = [(name, value) for name, value in headers.items() if name.lower() not in overridden]
        return Answer(self.status, body, [*pairs, *own], conditional=True)

    def document(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        if self.raw:
            return self.body.encode()
        items = "".join(f'<li><a href="{html.escape(link)}">{html.escape(link)}</a></li>\n' for link in self.links)
        links = f"<ul>\n{items}</ul>\n" if items else ""
        return (
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(self.title)}'
            f"</title>\n{self.head}\n</head>\n<body>\n<main>\n{self.body}\n{links}</main>\n</body>\n</html>\n"
        ).encode()


def urlset(entries: Iterable[Entry], base: str) -> Iterator[bytes]:
    """Yield a sitemap piece by piece; a loc that starts with `/` is put on the base."""
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_SITEMAPS}">\n'.encode()
    yield from _elements("url", entries, base)
    yield b"</urlset>\n"


def sitemap_index(entries: Iterable[Entry], base: str) -> Iterator[bytes]:
    """Yield a sitemap index; a loc that starts with `/` is put on the base."""
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{_SITEMAPS}">\n'.encode()
    yield from _elements("sitemap", entries, base)
    yield b"</sitemapindex>\n"


def gzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Compress piece by piece, so that a huge sitemap stays a stream."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    for piece in pieces:
        if packed := packer.compress(piece):
            yield packed
    yield packer.flush()


def _elements(tag: str, entries: Iterable[Entry], base: str) -> Iterator[bytes]:
    remaining = iter(entries)
    while some := list(islice(remaining, 500)):
        yield "".join(
            _element(tag, {"loc": entry} if isinstance(entry, str) else entry, base) for entry in some
        ).encode()


def _element(tag: str, fields: Mapping[str, object], base: str) -> str:
    inner = "".join(f"<{name}>{escape(_text(value, base))}</{name}>" for name, value in fields.items())
    return f"<{tag}>{inner}</{tag}>\n"


def _text(value: object, base: str) -> str:
    if isinstance(value, date):
        return value.isoformat()
    text = str(value)
    return base + text if text.startswith("/") else text
