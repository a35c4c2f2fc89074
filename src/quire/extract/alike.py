"""Boxes alike, as the posts of a thread or the cards of a shop, are judged and cut alike, part by part."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from operator import mul
from typing import Final

from .blocks import Block, Box
from .frame_texts import is_date
from .frame_words import BITS, FRAME_NAMES, bits_of

_FEWEST: Final = 3  # boxes
# These are judged with their table.
_CELLS: Final = frozenset(["td", "th", "tr"])
_A_LINK: Final = 0.5  # of a text
_MOST: Final = 0.5  # of the boxes
_NEARLY_ALL: Final = 0.8
_NUMBER: Final = re.compile("[0-9]+")
_ALTERNATING: Final = frozenset(["alt", "even", "odd", "thread-alt", "thread-even", "thread-odd"])
_QUOTES: Final = bits_of("blockquote", "pre", "ul")
_HIDDEN: Final = BITS["hidden"]
_ASIDE: Final = FRAME_NAMES | _HIDDEN
_LONGEST_DATE: Final = 80  # characters
_LATELY: Final = "ago"
# When somebody liked a product is no part of what a page says of it.
_UNDATED: Final = FRAME_NAMES | BITS[".review"]


def ways_of(boxes: Iterable[Box]) -> dict[int, int]:
    """Return a number for the way to each box: the same for boxes of one kind in boxes of one kind, and so on.

    What has a name and stands in another of its kind, as an answer in a comment, has the number of that.
    """
    numbers: dict[tuple[int, str], int] = {}
    steps: list[tuple[int, str]] = []
    ways = {id(None): -1}
    for box in boxes:
        step = ways[id(box.parent)], box.kind
        if (way := numbers.get(step)) is None:
            way = numbers[step] = _way(step[0], _without_count(box.kind), steps, numbers)
        ways[id(box)] = way
    return ways


def _way(around: int, kind: str, steps: list[tuple[int, str]], numbers: dict[tuple[int, str], int]) -> int:
    """Return the number of a step from a way to a kind of box, that of a way like it if there is one."""
    if (known := numbers.get((around, kind))) is not None:
        return known
    way = around if " " in kind else -1
    while way >= 0 and steps[way][1] != kind:
        way = steps[way][0]
    if way < 0:
        way = len(steps)
        steps.append((around, kind))
    numbers[around, kind] = way
    return way


def is_one_of_many(box: Box, ways: dict[int, int]) -> bool:
    """Return whether there are several boxes like this one, wherever they stand; cells lay out old pages."""
    return box.tag not in _CELLS and list(ways.values()).count(ways[id(box)]) >= _FEWEST


def parts_alike(blocks: Sequence[Block], holders: Sequence[Box], ways: dict[int, int]) -> list[list[int]]:
    """Return the places of blocks that are the same part of several boxes alike; links, texts and hidden ones apart."""
    places: dict[tuple[int, bool, int], list[int]] = defaultdict(list)
    for place, block in enumerate(blocks):
        if block.box.tag not in _CELLS:
            places[ways[id(block.box)], block.links > _A_LINK, block.box.marks & _HIDDEN].append(place)
    parts = [part for part in places.values() if len(part) >= _FEWEST]
    return [part for part in parts if len({id(holders[place]) for place in part}) >= _FEWEST]


def judge_together(totals: list[float], blocks: Sequence[Block], parts: Iterable[Sequence[int]]) -> None:
    """Let each block of a part have what speaks for all of them, each by its words: a short post is a post."""
    for part in parts:
        words = [blocks[place].words for place in part]
        mean = sum(map(mul, words, [totals[place] for place in part])) / sum(words)
        for place in part:
            totals[place] = mean


def agreed(blocks: Sequence[Block], parts: Iterable[Sequence[int]], kept: Set[int]) -> set[int]:
    """Return what is kept with what few boxes lack of it, what stands inside of that, and the dates beside it."""
    found = set(kept)
    for part in parts:
        if sum(place in kept for place in part) >= _MOST * len(part):
            found.update(part)
            for box in {id(blocks[place].box): blocks[place].box for place in part}.values():
                found.update(_quoted(box, blocks))
        elif _are_dates(blocks, part, kept):
            found.update(part)
    return found


def _quoted(box: Box, blocks: Sequence[Block]) -> Iterable[int]:
    """Yield the places of what a text, as of a post, quotes, lists or shows as code."""
    for place in range(box.first, box.first + box.blocks):
        marks = blocks[place].box.marks & ~box.marks
        if marks & _QUOTES and not marks & _ASIDE and blocks[place].links <= _A_LINK:
            yield place


def _are_dates(blocks: Sequence[Block], part: Sequence[int], kept: Set[int]) -> bool:
    """Return whether a part says of posts or cards when they are from, and what stands beside that is kept."""
    if not _is_date(blocks[part[0]]) or blocks[part[0]].box.marks & _UNDATED:
        return False
    found = [place for place in part if place - 1 in kept or place + 1 in kept]
    return sum(_is_date(blocks[place]) for place in found) >= _NEARLY_ALL * len(part)


def _is_date(block: Block) -> bool:
    words = block.text.lower().split() if block.length < _LONGEST_DATE else []
    return _LATELY not in words and is_date(words)


# The pages of a site share their kinds.
@lru_cache(maxsize=20_000)
def _without_count(kind: str) -> str:
    """Return a kind without what tells one of a row from the next: `post bg1`, `comment odd depth-2`."""
    tag, _, names = kind.partition(" ")
    lasting = [name for name in _NUMBER.sub("", names).split() if name not in _ALTERNATING]
    return " ".join([tag, *lasting])
