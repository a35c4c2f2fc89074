"""What a page offers besides itself: a row of other things, below a heading that says so, and beginnings of texts."""

from __future__ import annotations

import re
from typing import Final

from .blocks import Block, Box
from .controls import HEADINGS
from .frame_texts import breaks_off
from .traits import Reading

_LONGEST: Final = 60  # characters
_LARGE: Final = 0.5  # of the page's text
_PROSE: Final = 0.5  # of a part's text: more is something to read
_FEWEST: Final = 4  # blocks
_FEWEST_TEASERS: Final = 3
_LEAST_OF_TEASER: Final = 12  # words
_A_TEXT: Final = 0.6  # of links in it at most
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
    r"\b(?:artículos|productos) (?:relacionados|similares)\b|\btambién te (?:podría|puede)|"
    r"\b(?:artigos|posts|produtos) (?:relacionados|semelhantes)\b|\bvocê (?:também )?pode (?:gostar|se interess)|"
    r"\b(?:articoli|prodotti) (?:correlati|simili)\b|\bpotrebbe(?:ro)? (?:anche )?(?:interessart|piacert)i\b|"
    r"\b(?:gerelateerde|vergelijkbare) (?:artikelen|berichten|producten)\b|\bmisschien ook (?:interessant|leuk)\b"
)


def offered(reading: Reading) -> set[int]:
    """Return the places of blocks in rows of other things; in a manual, what is related is a part of it."""
    if reading.is_manual:
        return set()
    headings = [place for place, block in enumerate(reading.blocks) if block.box.tag in HEADINGS and is_offer(block)]
    title = reading.headline if headings else -1
    found: set[int] = set()
    for heading in headings:
        if heading not in found:
            part = _part_below(reading, heading, title)
            if part is not None and part.blocks >= _FEWEST and part.prose <= _PROSE * part.chars:
                found.update(range(part.first, part.first + part.blocks))
    return found


def teasers(reading: Reading) -> set[int]:
    """Return the places of blocks alike that lead to a text and break off, outside the page's own."""
    alike: dict[tuple[int, str], list[int]] = {}
    first, end = reading.article.first, reading.article.first + reading.article.blocks
    for place, block in enumerate(reading.blocks):
        if 0 < block.links < _A_TEXT and block.words >= _LEAST_OF_TEASER and breaks_off(block.text):
            alike.setdefault((id(block.box.parent), block.box.kind), []).append(place)
    rows = [places for places in alike.values() if len(places) >= _FEWEST_TEASERS]
    return {place for places in rows for place in places if not first <= place < end}


def is_offer(label: Block) -> bool:
    """Return whether a text says that other things follow."""
    if label.length > _LONGEST:
        return False
    text = label.text.lower()
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
    return block.box.tag in HEADINGS and block.box.tag <= level and not is_offer(block)
