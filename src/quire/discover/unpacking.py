"""The bytes of a sitemap to text: gzip by content, character set by BOM and declaration, and never too much of it."""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Iterator
from typing import Final

PIECE: Final = 65_536
_GZIP: Final = b"\x1f\x8b"
_GZIP_WBITS: Final = 31
_DECLARATION_BYTES: Final = 512
_DECLARED: Final = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
# The character sets that contain ASCII and whose decoders take errors; others would be a way to make decoding fail.
_KNOWN_CODECS: Final = ("iso8859", "cp125", "cp8", "cp9", "koi8", "gb", "big5", "shift_jis", "euc_", "mac-")


class Unpacker:
    """Turns bytes into text, in pieces, however they are cut; each result must be exhausted before the next call."""

    def __init__(self, max_bytes: int) -> None:
        self.truncated: str | None = None
        self._max_bytes = max_bytes
        self._room = max_bytes
        self._head = b""
        self._gzipped: bool | None = None
        self._inflater: zlib._Decompress | None = None
        self._undecoded = b""
        self._decoder: codecs.IncrementalDecoder | None = None

    def feed(self, chunk: bytes) -> Iterator[str]:
        """Yield what can be read so far; nothing more once `truncated` is set."""
        for start in range(0, len(chunk), PIECE):
            if self.truncated is not None:
                return
            yield from self._unpack(chunk[start : start + PIECE])

    def close(self) -> Iterator[str]:
        """Yield the rest."""
        if self._inflater is not None:
            self.truncated = self.truncated or "its gzip data ends too early; what came before was read"
        if self._gzipped is None:
            self._gzipped = False
            yield from self._text(self._head)
        if self._decoder is None:
            self._decoder = _decoder_for(self._undecoded)
        yield self._decoder.decode(self._undecoded, final=True)

    def _unpack(self, data: bytes) -> Iterator[str]:
        if self._gzipped is None:
            self._head += data
            if len(self._head) < len(_GZIP):
                return
            data = self._head
            self._gzipped = data.startswith(_GZIP)
        if not self._gzipped:
            yield from self._text(data)
            return
        for piece in self._inflate(data):
            yield from self._text(piece)

    def _inflate(self, data: bytes) -> Iterator[bytes]:
        """Yield the content in pieces: one packed byte can stand for a thousand."""
        while self.truncated is None:
            if self._inflater is None:
                data = data.lstrip(b"\0")
                if not data:
                    return
                self._inflater = zlib.decompressobj(_GZIP_WBITS)
            before = self._inflater.copy()
            try:
                piece = self._inflater.decompress(data, PIECE)
            except zlib.error:
                yield from _sound_part(before, data)
                self.truncated = self.truncated or "its gzip data is damaged; what came before was read"
                return
            yield piece
            if self._inflater.eof:
                data = self._inflater.unused_data
                self._inflater = None
            else:
                data = self._inflater.unconsumed_tail
                if not data and len(piece) < PIECE:
                    return

    def _text(self, data: bytes) -> Iterator[str]:
        if len(data) > self._room:
            data = data[: self._room]
            self.truncated = f"it is larger than {self._max_bytes:,} bytes; what came before was read"
        self._room -= len(data)
        if self._decoder is None:
            self._undecoded += data
            if b">" not in self._undecoded and len(self._undecoded) < _DECLARATION_BYTES:
                return
            self._decoder = _decoder_for(self._undecoded)
            data, self._undecoded = self._undecoded, b""
        yield self._decoder.decode(data)


def _sound_part(inflater: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """Yield what comes before the damage: a decompressor that raises keeps what it had unpacked in the same call."""
    for byte in data:
        try:
            yield inflater.decompress(bytes((byte,)))
        except zlib.error:
            return


def _decoder_for(head: bytes) -> codecs.IncrementalDecoder:
    return codecs.getincrementaldecoder(_encoding_of(head))("replace")


def _encoding_of(head: bytes) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if head.startswith(b"<\0"):
        return "utf-16-le"
    if head.startswith(b"\0<"):
        return "utf-16-be"
    declared = _DECLARED.match(head[:_DECLARATION_BYTES])
    if declared and not head.startswith(codecs.BOM_UTF8):
        try:
            name = codecs.lookup(declared[1].decode()).name
        except LookupError:
            return "utf-8-sig"
        if name.startswith(_KNOWN_CODECS):
            return name
    return "utf-8-sig"
