"""Blocks of which only the known parts are written: only where nothing else is said in them."""

from __future__ import annotations

from collections.abc import Iterable

from turbohtml import Element


def say_all(parts: Iterable[Element], block: Element) -> bool:
    """Tell whether parts of a block, in order and none in another, have all of its words."""
    words = _without_blanks(block)
    place = 0
    for part in parts:
        own = _without_blanks(part)
        if not words.startswith(own, place):
            return False
        place += len(own)
    return place == len(words)


def _without_blanks(element: Element) -> str:
    return "".join(element.text.split())
