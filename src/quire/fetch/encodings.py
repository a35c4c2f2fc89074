"""Content encodings (E1): gzip, deflate, br and zstd, unpacked as they arrive and never further than asked for."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, Protocol

ACCEPTED: Final = "gzip, deflate, br, zstd"
_MOST_IN_ONE: Final = 3
_PIECE: Final = 65_536
_GZIP_WBITS: Final = 31
GZIP_MAGIC: Final = b"\x1f\x8b"
_ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"


class Unpackable(Exception):
    """The body is not what its encoding says."""


class Unpacker(Protocol):
    """Takes packed bytes and returns not many more unpacked ones than asked for; called without bytes, what is left.

    An end that is missing is no error here: some servers never send it.
    """

    @property
    def ended(self) -> bool:
        """Whether the end was there."""

    def __call__(self, packed: bytes, most: int, /) -> bytes: ...


def unpacker(encoding: str) -> Unpacker | None:
    """Return what unpacks the encoding, or several; None for one that is unknown, whose body is taken as it is."""
    names = [name for each in encoding.split(",") if (name := each.strip().lower()) not in ("", "identity")]
    if not names or any(name not in _UNPACKERS for name in names):
        return None
    if len(names) > _MOST_IN_ONE:
        raise Unpackable(f"it is packed {len(names)} times")
    unpack = _UNPACKERS[names[-1]]()
    for name in names[-2::-1]:
        unpack = _Both(unpack, _UNPACKERS[name]())
    return unpack


class _Both:
    """Unpacks what was packed twice."""

    def __init__(self, outer: Unpacker, inner: Unpacker) -> None:
        self._outer = outer
        self._inner = inner
        self._waiting = b""

    @property
    def ended(self) -> bool:
        return self._outer.ended and self._inner.ended

    def __call__(self, packed: bytes, most: int) -> bytes:
        packed = self._waiting + packed
        unpacked = self._inner(b"", most)
        while len(unpacked) < most:
            # What is left comes first: not every unpacker takes more before it is empty.
            middle = self._outer(b"", _PIECE)
            if not middle:
                middle, packed = self._outer(packed, _PIECE), b""
                if not middle:
                    break
            unpacked += self._inner(middle, most - len(unpacked))
        self._waiting = packed
        return unpacked


class _Frames:
    """Unpacks streams that stand one after the other; what follows them and is none is left out."""

    def __init__(self, new: Callable[[], Any], magic: bytes, error: type[Exception]) -> None:
        self._new = new
        self._magic = magic
        self._error = error
        self._stream = new()
        self._rest = b""

    @property
    def ended(self) -> bool:
        return bool(self._stream.eof)

    def __call__(self, packed: bytes, most: int) -> bytes:
        unpacked = b""
        packed = self._rest + packed
        try:
            while (room := most - len(unpacked)) > 0:
                if self._stream.eof:
                    if not packed.startswith(self._magic):
                        # It may be the first byte of another stream.
                        packed = packed if self._magic.startswith(packed) else b""
                        break
                    self._stream = self._new()
                piece = self._stream.decompress(packed, room)
                unpacked += piece
                # What did not fit zlib gives back, and zstd keeps.
                packed = self._stream.unused_data if self._stream.eof else getattr(self._stream, "unconsumed_tail", b"")
                if len(piece) < room and not self._stream.eof:
                    break
        except self._error as error:
            raise Unpackable(str(error)) from error
        self._rest = packed
        return unpacked


class _Deflate:
    """Unpacks what is called deflate: zlib's format, or the bare stream that some servers send."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None

    @property
    def ended(self) -> bool:
        return self._stream is not None and self._stream.eof

    def __call__(self, packed: bytes, most: int) -> bytes:
        if self._stream is None:
            if not packed:
                return b""
            wrapped = packed[0] & 0x0F == zlib.DEFLATED
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
        try:
            return self._stream.decompress(self._stream.unconsumed_tail + packed, most)
        except zlib.error as error:
            raise Unpackable(str(error)) from error


class _Brotli:
    """Unpacks br."""

    def __init__(self) -> None:
        self._brotli = import_module("brotli")
        self._stream = self._brotli.Decompressor()

    @property
    def ended(self) -> bool:
        return bool(self._stream.is_finished())

    def __call__(self, packed: bytes, most: int) -> bytes:
        if self._stream.is_finished():
            return b""
        try:
            unpacked: bytes = self._stream.process(packed, output_buffer_limit=most)
        except self._brotli.error as error:
            raise Unpackable(str(error)) from error
        return unpacked


def _gzip() -> Unpacker:
    return _Frames(lambda: zlib.decompressobj(_GZIP_WBITS), GZIP_MAGIC, zlib.error)


def _zstd() -> Unpacker:
    zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    return _Frames(zstd.ZstdDecompressor, _ZSTD_MAGIC, zstd.ZstdError)


_UNPACKERS: Final[Mapping[str, Callable[[], Unpacker]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _zstd,
}
