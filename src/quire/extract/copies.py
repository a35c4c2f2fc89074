"""Text that a page has twice is kept once: pages have it for small and for large screens, or under each picture."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from turbohtml import Element

from .blocks import Block, Box
from .controls import HEADINGS
from .frame_words import BITS
from .traits import OF_MANUALS, Reading

_QUOTE: Final = BITS["blockquote"]
_QUOTED: Final = "[class*=quote i]"
# Cells mean something by their place, and a line may be said twice on purpose.
_CELLS: Final = frozenset(["td", "th", "tr"])
_SINGLE: Final = frozenset(["li", "p"])
_LEAST: Final = 12  # characters; less is a label, as of a price
_HEAD: Final = 60  # characters that two texts begin with, where one is the other cut short
_CUT_SHORT: Final = re.compile(r"[\s.]*[\[(]?(?:\.\.\.|…)[\])]?(?:\s*\w+){0,3}\Z")


def without_copies(reading: Reading, kept: list[int], telling: int) -> list[int]:
    """Return the places of the kept blocks without copies; manuals repeat themselves on purpose."""
    blocks = reading.blocks
    if any(blocks[place].box.tag in OF_MANUALS for place in kept):
        return kept
    headline = reading.headline
    if headline >= 0 and blocks[headline].length >= _LEAST:
        title = blocks[headline].text
        kept = [place for place in kept if place == headline or blocks[place].text != title or blocks[place].links]
    return _boxes_once(reading.boxes, blocks, _texts_once(blocks, _whole_texts(blocks, kept), telling))


def _whole_texts(blocks: Sequence[Block], kept: list[int]) -> list[int]:
    """Leave out beginnings of texts, until somebody asks for more, that are there as a whole too."""
    begun: dict[str, list[str]] = {}
    for place in kept:
        if blocks[place].length > _HEAD:
            begun.setdefault(blocks[place].text[:_HEAD], []).append(blocks[place].text)
    wholes = {head: sorted(map(_without_cut, texts)) for head, texts in begun.items() if len(texts) > 1}
    return [place for place in kept if not _is_cut_short(blocks[place].text, wholes.get(blocks[place].text[:_HEAD]))]


def _is_cut_short(text: str, wholes: list[str] | None) -> bool:
    if wholes is None or (said := _without_cut(text)) == text:
        return False
    longer = bisect_right(wholes, said)
    return longer < len(wholes) and wholes[longer].startswith(said)


def _without_cut(text: str) -> str:
    cut = _CUT_SHORT.search(text, max(_HEAD, len(text) - _HEAD))
    return text[: cut.start()] if cut else text


def _texts_once(blocks: Sequence[Block], kept: list[int], telling: int) -> list[int]:
    """Leave out longer texts that came before."""
    first: dict[str, Block] = {}
    copies: set[int] = set()
    for place in kept:
        block = blocks[place]
        if block.length > telling and not block.box.marks & _QUOTE:
            origin = first.setdefault(block.text, block)
            if origin is not block and not any(each.box.element.closest(_QUOTED) for each in (block, origin)):
                copies.add(place)
    whole: dict[int, bool] = {}
    for place in copies:
        box = _list_of(blocks[place])
        if box and id(box) not in whole:
            whole[id(box)] = copies.issuperset(
                kept[bisect_left(kept, box.first) : bisect_left(kept, box.first + box.blocks)]
            )
    # An item of a list that is no copy itself may say what another said.
    return [place for place in kept if place not in copies or not whole.get(id(_list_of(blocks[place])), True)]


def _list_of(block: Block) -> Box | None:
    """Return the list that a block is an item of, or all of one."""
    box = block.box if block.box.tag == "li" else block.box.parent
    outer = box.parent if box and box.tag == "li" else None
    # Some have an element of their own around each item.
    return outer.parent if outer and outer.blocks == 1 and outer.tag == "div" else outer


def _boxes_once(boxes: Sequence[Box], blocks: Sequence[Block], kept: list[int]) -> list[int]:
    """Leave out boxes that have nothing but what the box beside them has, links and all."""
    texts = [blocks[place].text for place in kept]
    count = Counter(texts)
    if len(count) == len(texts):
        return kept
    single = [0, *accumulate(count[text] == 1 for text in texts)]
    beside: dict[int, tuple[Box, int, int]] = {}
    copies: set[int] = set()
    for box in boxes:
        first, end = bisect_left(kept, box.first), bisect_left(kept, box.first + box.blocks)
        if first == end or box.parent is None or box.tag in _CELLS or (box.tag in _SINGLE and end - first == 1):
            continue
        if box.tag in HEADINGS:
            # What the contents of a page list is said again where it begins.
            continue
        one, other = beside.get(id(box.parent)), (box, first, end)
        beside[id(box.parent)] = other
        if one is None:
            continue
        for copy, origin in ((other, one), (one, other)):
            start, stop = copy[1:]
            if single[start] == single[stop] and _is_copy(copy, origin, texts, blocks, kept):
                copies.update(kept[start:stop])
                break
    return [place for place in kept if place not in copies]


def _is_copy(
    copy: tuple[Box, int, int], origin: tuple[Box, int, int], texts: list[str], blocks: Sequence[Block], kept: list[int]
) -> bool:
    own, others = texts[slice(*copy[1:])], texts[slice(*origin[1:])]
    if sum(map(len, own)) < _LEAST or not _is_in_order(own, others):
        return False
    if any(blocks[place].box.marks & _QUOTE for _, start, stop in (copy, origin) for place in kept[start:stop]):
        return False
    return _targets(copy[0].element) <= _targets(origin[0].element)


def _is_in_order(texts: Sequence[str], others: Sequence[str]) -> bool:
    remaining = iter(others)
    return all(text in remaining for text in texts)


def _targets(element: Element) -> set[str | None]:
    """Return where the links of an element lead, and what it shows."""
    shown = {each.attr("src") for each in element.iter_elements(("img", "iframe"))}
    return ({link.attr("href") for link in (element, *element.find_all("a"))} | shown) - {None}
