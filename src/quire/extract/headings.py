"""A heading is judged by what it heads, not by its few words, which may all be a link to itself.

What stands above a table of contents goes with it, and so does what heads a part that goes.
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
_LEVELS: Final = {tag: int(tag[1]) for tag in HEADINGS}
# A heading that is longer, or with hardly more below it than a button, says something by itself.
_LONGEST_TITLE: Final = 80  # characters
_LEAST_BELOW: Final = 10  # words
_TIMES_ITSELF: Final = 2
_OF_MANY: Final = 3  # boxes alike, whose headings are what a list lists


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


def bare_headings(reading: Reading, kept: Set[int]) -> set[int]:
    """Return the places of kept headings of parts (up to the next heading of their level) of which nothing is kept."""
    found: set[int] = set()
    words = content = 0
    # What comes after the part below a heading of each level.
    behind = [(0, 0)] * (len(_LEVELS) + 1)
    for place in reversed(range(len(reading.blocks))):
        block = reading.blocks[place]
        is_kept = place in kept
        if level := _LEVELS.get(block.box.tag):
            words_behind, content_behind = behind[level]
            least = words_behind + max(_LEAST_BELOW, _TIMES_ITSELF * block.words)
            if is_kept and content == content_behind and words >= least and _is_title(block):
                found.add(place)
                is_kept = False
        words += block.words
        content += block.words * is_kept
        if level:
            behind[level:] = [(words, content)] * (len(behind) - level)
    return found


def _is_title(block: Block) -> bool:
    of_many = block.box.parent is not None and block.box.parent.similar >= _OF_MANY
    return block.length <= _LONGEST_TITLE and block.links < _A_LINK and not of_many


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
