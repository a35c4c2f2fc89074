"""What a page offers besides itself: a row of other things, below a heading that says so."""

from __future__ import annotations

import re
from typing import Final

from .blocks import Block, Box
from .controls import HEADINGS
from .traits import Reading

_LONGEST: Final = 60  # characters
_LARGE: Final = 0.5  # of the page's text
_PROSE: Final = 0.5  # of a part's text: more is something to read
_FEWEST: Final = 4  # blocks
_RELATED: Final = re.compile(r"\b(?:related|similar|sponsored|suggested|recommended)\b")
_THINGS: Final = re.compile(
    r"\b(?:accessories|articles?|categories|content|deals|games|items?|links|listings?|models|offers|posts?|products?|"
    r"reading|search(?:es)?|stor(?:y|ies)|styles|topics|videos)\b"
)
_OFFER: Final = re.compile(
    r"\balso (?:be interested|bought|buy|consider|enjoy|interest|like|love|purchas|search|shop|view)|"
    r"\b(?:may|might|could) (?:enjoy|interest|like|love)|\bmore like this\b|\brecently viewed\b|\bbought together\b|"
    r"\b(?:picked|picks|recommendations|recommended|selected) for you\b|^consider these\b|"
    r"\bähnliche (?:artikel|beiträge|produkte)\b|\bkunden \w+ auch\b|\bauch (?:gefallen|interessieren)\b|"
    r"\b(?:articles|produits) (?:associés|similaires)\b|\baimerez (?:aussi|également)\b|\bpourriez aimer\b|"
    r"\b(?:artículos|productos) (?:relacionados|similares)\b|\btambién te (?:podría|puede)"
)


def offered(reading: Reading) -> set[int]:
    """Return the places of blocks in rows of other things; in a manual, what is related is a part of it."""
    if reading.is_manual:
        return set()
    headings = [place for place, block in enumerate(reading.blocks) if block.box.tag in HEADINGS and _is_offer(block)]
    title = reading.headline() if headings else -1
    found: set[int] = set()
    for heading in headings:
        if heading not in found:
            part = _part_below(reading, heading, title)
            if part is not None and part.blocks >= _FEWEST and part.prose <= _PROSE * part.chars:
                found.update(range(part.first, part.first + part.blocks))
    return found


def _is_offer(heading: Block) -> bool:
    if heading.length > _LONGEST:
        return False
    text = heading.text.lower()
    return _OFFER.search(text) is not None or (_RELATED.search(text) is not None and _THINGS.search(text) is not None)


def _part_below(reading: Reading, heading: int, title: int) -> Box | None:
    """Return the largest box that begins with a heading, and holds neither the title nor another part of the page."""
    level = reading.blocks[heading].box.tag
    found, box = None, reading.blocks[heading].box.parent
    while box is not None and heading - box.first <= 1 and box.chars <= _LARGE * reading.total:
        inside = reading.blocks[heading + 1 : box.first + box.blocks]
        if box.first <= title < box.first + box.blocks or any(_parts(block, level) for block in inside):
            break
        found, box = box, box.parent
    return found


def _parts(block: Block, level: str) -> bool:
    """Return whether a block begins another part than a heading of this level does."""
    return block.box.tag in HEADINGS and block.box.tag <= level and not _is_offer(block)
