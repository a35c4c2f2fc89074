"""A heading is judged by what it heads, not by its few words, which may all be a link to itself."""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from .blocks import HEADINGS
from .frame_words import BITS
from .traits import Reading

_HIDDEN: Final = BITS["hidden"]
_LONGEST: Final = 150  # characters
_LEAST: Final = 0.5  # of the words below


def headings_of(reading: Reading, kept: Set[int]) -> set[int]:
    """Return the places of the article's headings below which, up to the next one, most is kept."""
    blocks, article = reading.blocks, reading.article
    found: set[int] = set()
    words = content = 0
    for place in reversed(range(article.first, article.first + article.blocks)):
        block = blocks[place]
        if block.box.tag not in HEADINGS:
            words += block.words
            content += block.words * (place in kept)
            continue
        if content and content >= _LEAST * words and block.length < _LONGEST and not block.box.marks & _HIDDEN:
            found.add(place)
        words = content = 0
    return found
