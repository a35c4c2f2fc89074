"""One JSON object a line, a page each."""

from __future__ import annotations

from typing import BinaryIO

from msgspec import json

from .pages import About, Pages


def write(pages: Pages, about: About, file: BinaryIO) -> None:
    encode = json.Encoder().encode
    file.writelines(encode(page) + b"\n" for page in pages)
