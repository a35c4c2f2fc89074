"""Answers as they arrive: pages that are taken whole, documents that are read piece by piece (E1)."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Final

from quire import urls
from quire.errors import BadResponse, FetchError, Unreachable
from quire.fetch.encodings import GZIP_MAGIC, Unpackable, Unpacker, unpacker
from quire.fetch.heads import Head, read_head
from quire.fetch.transfers import PAUSE, STOP
from quire.settings import Fetch

_HTML: Final = ("text/html", "application/xhtml")
PAGES: Final = (*_HTML, "text/plain", "text/xml", "application/xml", "application/rss",
                "application/atom", "application/gzip", "application/x-gzip")  # fmt: skip
IMAGES: Final = ("image/", "application/octet-stream", "binary/octet-stream")
# To read so much for nothing is cheaper than a new connection, for the server too.
_READ_FOR_NOTHING: Final = 65_536
_SECONDS_FOR_NOTHING: Final = 1.0
# Small bodies may be as empty as they like.
_RATIO_COUNTS_FROM: Final = 1_000_000
_PIECE: Final = 262_144
_HTML_ENDS: Final = re.compile(rb"</(?:html|body)\s*>", re.IGNORECASE).search
_LOOKED_AT: Final = 2_000


class _Arriving:
    """An answer of which nothing has come yet."""

    def __init__(self, url: str, settings: Fetch) -> None:
        self.head: list[bytes] = []
        self.seconds = 0.0
        self.resume: Callable[[], None] = _nothing
        self.trouble: FetchError | None = None
        self._url = url
        self._settings = settings
        self._begun = asyncio.get_running_loop().time()

    def _read_head(self) -> Head | None:
        """The head, if it is whole; what is too large is trouble, whole or not."""
        if sum(map(len, self.head)) > self._settings.max_header:
            self.trouble = head_too_large(self._url, self._settings)
        return read_head(self.head)


class Page(_Arriving):
    """Takes one answer of these kinds, never more than its limit; with `cut_at`, the beginning of any.

    `trouble` says why it was broken off, `settled` that the rest does not matter.
    """

    def __init__(self, url: str, settings: Fetch, cut_at: int | None, kinds: tuple[str, ...]) -> None:
        super().__init__(url, settings)
        self._kinds = kinds
        self._limit = settings.max_body
        self._cut_at = cut_at
        self._known: Head | None = None
        self._left_at: float | None = None
        self._wanted = False
        self._is_html = False
        self._unpack: Unpacker | None = None
        self._enough = False
        self._received = 0
        self._size = 0
        self._body = BytesIO()

    def known(self) -> Head | None:
        """The head, once it is there."""
        if self._known is None:
            self._known = head = self._read_head()
            if head is not None:
                kind = head.content_type.partition(";")[0].strip().lower()
                fits = self._cut_at is not None or not kind or kind.startswith(self._kinds)
                self._wanted = 200 <= head.status < 300 and fits
                self._is_html = kind.startswith(_HTML)
        return self._known

    def is_late(self, now: float) -> bool:
        if self.known() is None:
            return self.trouble is not None or now > self._begun + self._settings.first_byte_timeout
        if self._left_at is None:
            self._left_at = now + _SECONDS_FOR_NOTHING
        return not self._wanted and now > self._left_at

    @property
    def settled(self) -> bool:
        return self.known() is not None and (self._enough or not self._wanted)

    @property
    def body(self) -> bytes:
        body = self._body.getvalue()
        return body[: self._cut_at] if self._enough else body

    def write(self, piece: bytes) -> int | None:
        self._received += len(piece)
        head = self.known()
        if head is None or not self._wanted:
            return STOP if self._received > _READ_FOR_NOTHING else None
        if self.trouble:
            return STOP
        try:
            piece = self._unpacked(piece, head)
        except Unpackable as error:
            self.trouble = unpackable(self._url, error)
            return STOP
        self._body.write(piece)
        self._size += len(piece)
        if self._cut_at is not None and self._size > self._cut_at:
            self._enough = True
            return STOP
        # What unpacks to nothing is counted as it comes.
        if max(self._size, self._received) > self._limit:
            self.trouble = BadResponse(f"{self._url} is larger than --max-body {self._limit} bytes", "too-large")
            return STOP
        most = self._settings.max_ratio
        if self._size > _RATIO_COUNTS_FROM and self._size > self._received * most:
            self.trouble = BadResponse(f"{self._url} unpacks to more than {most} times its size (--max-ratio)", "ratio")
            return STOP
        return None

    def close(self) -> None:
        """Nothing more will come: that the rest of a packed page is missing is trouble.

        Some servers never send the end of what they pack, but their pages have one.
        """
        if self._is_html and not self._enough and self._unpack is not None and not self._unpack.ended:
            self._body.seek(max(0, self._size - _LOOKED_AT))
            if not _HTML_ENDS(self._body.read()):
                self.trouble = self.trouble or unpackable(self._url, Unpackable("it breaks off"))

    def _unpacked(self, piece: bytes, head: Head) -> bytes:
        is_first = self._received == len(piece)
        if is_first and head.encoding:
            self._unpack = unpacker(head.encoding)
        if self._unpack is not None:
            piece = self._unpack(piece, (self._cut_at or self._limit) - self._size + 1)
        if self._is_html and not self._size and piece.startswith(GZIP_MAGIC):
            raise Unpackable("it is packed once more than it says")
        return piece


class Document(_Arriving):
    """Takes a document of any length and holds little of it: the server waits for whoever reads."""

    def __init__(self, url: str, settings: Fetch, deadline: float) -> None:
        super().__init__(url, settings)
        self._deadline = deadline
        self._waiting: deque[bytes] = deque()
        self._held = 0
        self._paused = False
        self._ended = False
        self._news = asyncio.Event()
        self._unpack: Unpacker | None = None

    def write(self, piece: bytes) -> int | None:
        if self._held > _PIECE:
            self._paused = True
            return PAUSE
        self._held += len(piece)
        self._waiting.append(piece)
        self._news.set()
        return None

    def end(self, trouble: FetchError | None) -> None:
        """Nothing more will come."""
        self._ended = True
        self.trouble = self.trouble or trouble
        self._news.set()

    def is_late(self, now: float) -> bool:
        if self._read_head() is None:
            return self.trouble is not None or now > self._begun + self._settings.first_byte_timeout
        # Whoever waits for the head need not wait for the body.
        self._news.set()
        return False

    async def known(self) -> Head:
        """Wait for the head."""
        await self._change()
        while (head := self._read_head()) is None:
            if self._ended:
                raise self.trouble or no_answer(self._url)
            self._news.clear()
            await self._change()
        if self.trouble:
            raise self.trouble
        try:
            self._unpack = unpacker(head.encoding)
        except Unpackable as error:
            raise unpackable(self._url, error) from error
        return head

    async def read(self) -> bytes:
        """Wait for a piece, packed as it came; empty at the end."""
        while not self._waiting:
            if self._ended:
                if self.trouble:
                    raise self.trouble
                return b""
            self._news.clear()
            if self._paused:
                self._paused = False
                self.resume()
            await self._change()
        piece = self._waiting.popleft()
        self._held -= len(piece)
        return piece

    def unpacked(self, piece: bytes) -> Iterator[bytes]:
        """Yield what the piece holds."""
        if self._unpack is None:
            yield piece
            return
        try:
            while unpacked := self._unpack(piece, _PIECE):
                yield unpacked
                piece = b""
        except Unpackable as error:
            raise unpackable(self._url, error) from error

    async def _change(self) -> None:
        # The clock runs while waiting only: time that the reader takes for itself must not cancel the reader.
        async with asyncio.timeout_at(self._deadline):
            await self._news.wait()


def unpackable(url: str, error: Unpackable) -> FetchError:
    return BadResponse(f"{urls.host(url)} sent a body that cannot be unpacked ({error})", "bad-encoding")


def head_too_large(url: str, settings: Fetch) -> FetchError:
    return BadResponse(f"the head of {url} is larger than --max-header {settings.max_header} bytes", "head-too-large")


def no_answer(url: str) -> FetchError:
    return Unreachable(f"{urls.host(url)} broke the connection off before its answer began")


def _nothing() -> None:
    """There is nothing to go on with."""
