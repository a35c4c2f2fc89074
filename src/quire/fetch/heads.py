"""The head of an answer: its status, and those of its fields that matter (E1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

_STATUS_LINE: Final = re.compile(rb"HTTP/[0-9](?:\.[0-9])?[ \t]+([0-9]{3})(?!\S)").match
_REDIRECTS: Final = {301, 302, 303, 307, 308}
_FIELDS: Final = {
    b"content-type", b"content-encoding", b"location", b"retry-after", b"etag", b"last-modified", b"x-robots-tag",
    b"set-cookie",
}  # fmt: skip
_VALIDATORS: Final = {b"etag", b"last-modified"}
_NO_TEXT: Final = re.compile("[\udc80-\udcff]")


class Head(Struct, frozen=True):
    """The status of an answer and those of its fields that matter here; the first counts where one is repeated."""

    status: int
    _fields: dict[bytes, str]

    def field(self, name: bytes) -> str | None:
        return self._fields.get(name)

    @property
    def content_type(self) -> str:
        return self._fields.get(b"content-type", "")

    @property
    def encoding(self) -> str:
        return self._fields.get(b"content-encoding", "")

    @property
    def location(self) -> str | None:
        """Where a redirect leads."""
        return self._fields.get(b"location") if self.status in _REDIRECTS else None


def read_head(lines: Iterable[bytes]) -> Head | None:
    """Read the lines of a head, interim answers before it and trailers after it left out; None if it has no end."""
    status = 0
    fields: dict[bytes, str] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if begin := _STATUS_LINE(line):
            status = int(begin[1])
            fields = {}
        elif not colon:
            if status >= 200 and not line.strip():
                return Head(status, fields)
        elif (name := name.lower()) in _FIELDS and name not in fields:
            text = _text(value.strip(), name)
            if text is not None:
                fields[name] = text
    return None


def _text(value: bytes, name: bytes) -> str | None:
    """Return a field's value. What goes back to the server goes as it came: of an address, bytes that are no text are
    escaped; a validator with such bytes is none.
    """
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        if name == b"location":
            text = value.decode("utf-8", "surrogateescape")
            return _NO_TEXT.sub(lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", text)
        return None if name in _VALIDATORS else value.decode("latin-1")
