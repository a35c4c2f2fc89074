"""What is exported: one page of a mirror with all that is known of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import BinaryIO

from msgspec import Struct


class ExportedPage(Struct, frozen=True):
    """A page as an export has it: its Markdown has absolute links, and no front matter, which the other fields are."""

    url: str
    path: str
    title: str
    h1: str | None
    description: str | None
    language: str | None
    author: str | None
    published: str | None
    modified: str | None
    lastmod: str | None
    fetched_at: str
    content_hash: str
    word_count: int
    markdown: str


class About(Struct, frozen=True):
    """What an export says about the mirror as a whole."""

    start: tuple[str, ...]
    generator: str


Pages = Iterable[ExportedPage]
Export = Callable[[Pages, About, BinaryIO], None]
"""Writes pages to a file, one after the other: a mirror may be larger than memory."""
