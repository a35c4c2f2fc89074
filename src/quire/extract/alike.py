"""Boxes alike, as the cards of a shop, are cut alike: what most of them keep in a place, all do."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from .blocks import Block, Box
from .traits import Reading

_FEWEST: Final = 4  # cards
_LARGEST: Final = 30  # blocks; what has more is no card
_MOST: Final = 0.7  # of the cards
# Cells are judged with their table, and each of these is a text of its own.
_NO_CARDS: Final = frozenset(["td", "th", "tr", "p"])


def agreed(reading: Reading, kept: set[int]) -> set[int]:
    """Return what is kept with what few cards lack of it."""
    missing: set[int] = set()
    for cards in _rows(reading.boxes):
        for places in _places(cards, reading.blocks):
            is_common = len(places) >= max(_FEWEST, len(cards) / 2)
            if is_common and sum(place in kept for place in places) >= _MOST * len(places):
                missing.update(places)
    return kept | missing


def _rows(boxes: Sequence[Box]) -> Iterable[list[Box]]:
    """Return the boxes that are alike and stand beside each other."""
    rows: dict[tuple[int, str], list[Box]] = defaultdict(list)
    for box in boxes:
        is_single = box.blocks == 1 and box.tag == "li"
        if box.parent and 0 < box.blocks <= _LARGEST and box.tag not in _NO_CARDS and not is_single:
            rows[id(box.parent), box.kind].append(box)
    return [row for row in rows.values() if len(row) >= _FEWEST]


def _places(cards: Iterable[Box], blocks: Sequence[Block]) -> Iterable[list[int]]:
    """Return the places of blocks that have the same place in their cards."""
    places: dict[tuple[tuple[str, ...], int], list[int]] = defaultdict(list)
    for card in cards:
        count: Counter[tuple[str, ...]] = Counter()
        for place in range(card.first, card.first + card.blocks):
            way = tuple(_way(blocks[place].box, card))
            places[way, count[way]].append(place)
            count[way] += 1
    return places.values()


def _way(box: Box | None, card: Box) -> Iterable[str]:
    while box is not None and box is not card:
        yield box.kind
        box = box.parent
