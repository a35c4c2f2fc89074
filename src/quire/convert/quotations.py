"""Quotations: those that only indent another."""

from __future__ import annotations

from collections.abc import Iterable

from turbohtml import Element


def unnest(quotations: Iterable[Element]) -> None:
    """Take quotations away that hold nothing but another, where they have a style: it is what they are there for."""
    for inner in quotations:
        outer = inner.parent
        if not isinstance(outer, Element) or outer.tag != "blockquote" or not outer.attrs or outer.parent is None:
            continue
        if all(child is inner or not child.text.strip() for child in outer.children):
            outer.unwrap()
