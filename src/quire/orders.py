"""What is asked of a page worker."""

from __future__ import annotations

from msgspec import Struct


class Order(Struct, array_like=True):
    """What a page worker is to make of one response."""

    url: str
    content_type: str
    body: bytes
    path: str | None
    fetched_at: str
    lastmod: str | None = None
    known_hash: str | None = None
    routes: tuple[tuple[str, str], ...] = ()
    may_be_shell: bool = False
    """Whether a page that is nothing without its scripts is to be told from others, and then not written."""
    robots_tag: str | None = None
    known_heading: str | None = None
    """The heading that is no part of what `known_hash` is of."""
    least_words: int = 0
    """A page that says less is not written: another one of the same URL is kept."""
    name: str = ""
    """The URL by which the mirror knows the page, where it was asked for by another."""
