"""A heading is judged by what it heads, not by its few words, which may all be a link to itself.

What stands above a table of contents goes with it.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from .blocks import Block, Box
from .controls import HEADINGS
from .frame_words import BITS
from .traits import Reading

_HIDDEN: Final = BITS["hidden"]
_LONGEST: Final = 150  # characters
_LEAST: Final = 0.5  # of the words below
_ABOVE_CONTENTS: Final = frozenset([
    "table of contents", "on this page", "in this article", "jump to", "jump to section",
])  # fmt: skip
_A_LINK: Final = 0.5  # of a text
_LISTS: Final = frozenset(["li", "ul", "ol", "dl", "table"])
_NEAR: Final = 4  # boxes


def headings_of(reading: Reading, kept: Set[int]) -> set[int]:
    """Return the places of headings below which, up to the next one, most is kept.

    On a page that declares itself an article only those in it with kept text right before and behind them.
    """
    blocks, article = reading.blocks, reading.article
    found: set[int] = set()
    words = content = 0
    first, end = (article.first, article.first + article.blocks) if reading.declared else (0, len(blocks))
    for place in reversed(range(first, end)):
        block = blocks[place]
        if block.box.tag not in HEADINGS:
            words += block.words
            content += block.words * (place in kept)
            continue
        if content and content >= _LEAST * words and block.length < _LONGEST and not block.box.marks & _HIDDEN:
            found.add(place)
        words = content = 0
    return {place for place in found if not reading.declared or {place - 1, place + 1} <= kept}


def idle_labels(reading: Reading, kept: Set[int]) -> set[int]:
    """Return the places of what is kept and says that the page's contents follow, where no list or links do."""
    blocks, places = reading.blocks, sorted(kept)
    labels = [at for at, place in enumerate(places) if blocks[place].text.rstrip(": ").lower() in _ABOVE_CONTENTS]
    following = {at: places[at + 1] for at in labels if at + 1 < len(places)}
    return {places[at] for at in labels if at not in following or not _is_entry(blocks[following[at]])}


def _is_entry(block: Block) -> bool:
    box: Box | None = block.box
    if block.links > _A_LINK and block.box.tag not in HEADINGS:
        return True
    for _ in range(_NEAR):
        if box is None:
            return False
        if box.tag in _LISTS:
            return True
        box = box.parent
    return False
