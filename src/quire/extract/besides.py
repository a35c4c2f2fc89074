"""What is no part of the one article that a page declares itself to be, though it stands in or beside it."""

from __future__ import annotations

from typing import Final

from turbohtml import Element

from .blocks import Block, Box
from .controls import HEADINGS
from .offers import is_offer
from .traits import Reading

_A_LINK: Final = 0.5  # of a text
_NEARLY_A_LINK: Final = 0.8
_ALL_A_LINK: Final = 0.95
_FEWEST: Final = 2  # links below what announces them
_PROSE: Final = 60  # characters
_SHORTEST, _LONGEST = 4, 30  # words of what a line in capitals leads to
_TAG: Final = "tag"


def besides(reading: Reading) -> set[int]:
    """Return the places of other articles, of links to them, and of what the article is filed under."""
    if not reading.declared:
        return set()
    return _other_articles(reading) | _announced(reading) | _interruptions(reading) | _tags(reading)


def _other_articles(reading: Reading) -> set[int]:
    """Return the places in articles apart from the one that has the page's heading."""
    holders: dict[int, Box | None] = {}
    for box in reading.boxes:
        holders[id(box)] = box if box.tag == "article" else holders.get(id(box.parent))
    own = holders[id(reading.blocks[reading.headline].box)] if reading.headline >= 0 else None
    if own is None:
        return set()
    apart = {
        id(box): not box.first <= own.first < box.first + box.blocks
        and not own.first <= box.first < own.first + own.blocks
        for box in holders.values()
        if box
    }
    held = ((place, holders[id(block.box)]) for place, block in enumerate(reading.blocks))
    return {place for place, holder in held if holder and apart[id(holder)]}


def _announced(reading: Reading) -> set[int]:
    """Return the places of links one below the other, and of the line above them that offers them."""
    blocks = reading.blocks
    found: set[int] = set()
    for place, block in enumerate(blocks):
        if place in found or block.box.tag in HEADINGS or not is_offer(block):
            continue
        end = place + 1
        while end < len(blocks) and blocks[end].links > _NEARLY_A_LINK:
            end += 1
        if end - place > _FEWEST:
            found.update(range(place, end))
    return found


def _interruptions(reading: Reading) -> set[int]:
    """Return the places of links in capitals between two paragraphs."""
    blocks = reading.blocks
    return {
        place + 1
        for place, (before, block, behind) in enumerate(zip(blocks, blocks[1:], blocks[2:], strict=False))
        if block.links > _ALL_A_LINK
        and block.box.tag == "p"
        and _SHORTEST <= block.words <= _LONGEST
        and block.text.isupper()
        and _is_prose(before)
        and _is_prose(behind)
        and not before.text.endswith(":")
    }


def _is_prose(block: Block) -> bool:
    return block.box.tag == "p" and block.length >= _PROSE and block.links < _A_LINK


def _tags(reading: Reading) -> set[int]:
    """Return the places of nothing but links to what is filed under the same words."""
    linked = ((place, _links(block)) for place, block in enumerate(reading.blocks) if block.links > _A_LINK)
    return {place for place, links in linked if links and all(map(_is_tag, links))}


def _links(block: Block) -> list[Element]:
    if block.box.tag == "a":
        return [block.box.element]
    found = (node for node in block.nodes if isinstance(node, Element))
    return [link for node in found for link in ([node] if node.tag == "a" else node.find_all("a"))]


def _is_tag(link: Element) -> bool:
    return _TAG in (link.attr("rel") or "").split()
