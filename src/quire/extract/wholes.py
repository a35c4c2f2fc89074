"""Lists and tables are whole: where enough of one is kept, nothing is cut out of its middle.

Of a table or a list of terms of which less is kept nothing is: single cells say nothing, or something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turbohtml import Element

from .blocks import Block, Box
from .controls import HEADINGS
from .frame_words import BITS, FRAME_NAMES
from .traits import Reading

_HIDDEN: Final = BITS["hidden"]
_COMMENT: Final = BITS[".comment"]
_ENOUGH: Final = 1 / 3  # of the words
_MOST_LINKS: Final = 0.8  # of the characters
_BLOCKS_OF_ITEM: Final = 1.2
# Cards of a shop and posts of a forum are items too, each with parts to be judged.
_IN_CARDS: Final = ("img", *HEADINGS)
_FEWEST: Final = 2  # columns
_FEWEST_ROWS: Final = 3
_MOST_ROWS: Final = 0.5  # of all
_WIDEST: Final = 1000  # columns
_NO_DATA: Final = FRAME_NAMES | _HIDDEN | _COMMENT | BITS["form"]
_MOST_LINKS_OF_DATA: Final = 0.5  # of the characters
_LONGEST_CELL: Final = 300  # characters; more is a column of a page
_LONGEST_OF_ROW: Final = 100  # of a table of one row, as pages were laid out
_LONGEST_OF_MANY: Final = 1_000  # in rows and columns that no page is laid out in
_NEAR: Final = 3  # blocks: headings stand between a table and the text
_LISTS: Final = frozenset(["ol", "ul"])
_PAIRED: Final = frozenset(["table", "dl"])
_ANNOUNCED: Final = _LISTS | _PAIRED
_ANNOUNCING: Final = (":", "：")
_IN_LAYOUT: Final = ("table", "form", "h1", "h2")


def completed(reading: Reading, kept: set[int]) -> set[int]:
    """Return what is kept with the missing parts of lists and tables, and without what is left of others."""
    blocks = reading.blocks
    missing: set[int] = set()
    stray: set[int] = set()
    for box in reading.boxes:
        if box.tag not in _ANNOUNCED or box.link_chars > _MOST_LINKS * box.chars or box.marks & _COMMENT:
            continue
        places: Sequence[int] = range(box.first, box.first + box.blocks)
        found = [place for place in places if place in kept]
        # What is hidden belongs to what is seen no more than to anything else.
        if not any(blocks[place].box.marks & _HIDDEN for place in found):
            places = [place for place in places if not blocks[place].box.marks & _HIDDEN]
        words = sum(blocks[place].words for place in places)
        count = sum(blocks[place].words for place in found)
        if not 0 < count < words or not _is_whole(box, blocks):
            continue
        if count >= _ENOUGH * words:
            missing.update(places)
        elif box.tag in _PAIRED:
            stray.update(places)
    return (kept | missing) - stray


def bridged(reading: Reading, kept: set[int]) -> set[int]:
    """Return what is kept with paragraphs of one link between two others; in an article such lead away from it."""
    if reading.declared:
        return kept
    return kept | {place for place in range(1, len(reading.blocks) - 1) if _is_bridge(reading.blocks, place, kept)}


def tabulated(reading: Reading, kept: set[int]) -> set[int]:
    """Return what is kept with tables of data, which have heads; in an article they may be about others."""
    if reading.declared:
        return kept
    tables = [box for box in reading.boxes if box.tag == "table" and (_is_data(box) or _is_amid(box, reading, kept))]
    return kept.union(*(range(table.first, table.first + table.blocks) for table in tables))


def _is_data(table: Box) -> bool:
    if table.marks & _NO_DATA or table.link_chars > _MOST_LINKS_OF_DATA * table.chars:
        return False
    return _has_head(table)


def _is_amid(table: Box, reading: Reading, kept: set[int]) -> bool:
    """Return whether a table, of links even, has a head and stands in the midst of a text that is kept."""
    if table.marks & _NO_DATA or not _has_head(table) or not is_grid(table):
        return False
    around = table.parent
    while around is not None and around.blocks == table.blocks:
        around = around.parent
    if around is None:
        return False
    first, end = around.first, around.first + around.blocks
    before = _next_text(reading.blocks, range(table.first - 1, first - 1, -1))
    behind = _next_text(reading.blocks, range(table.first + table.blocks, end))
    return before in kept and behind in kept


def _next_text(blocks: Sequence[Block], places: range) -> int:
    """Return the first of some places that is no heading; -1 if there is none near."""
    return next((place for place in places[:_NEAR] if blocks[place].box.tag not in HEADINGS), -1)


def _has_head(table: Box) -> bool:
    return table.element.find("th") is not None and len(table.element.find_all("tr")) >= _FEWEST_ROWS


def embraced(reading: Reading, kept: set[int]) -> set[int]:
    """Return what is kept with lists and tables that a kept paragraph announces, or that are between two."""
    blocks = reading.blocks
    found = set(kept)
    for box in reading.boxes:
        before, end = box.first - 1, box.first + box.blocks
        if box.tag not in _ANNOUNCED or before not in kept or not _is_plain_part(box, reading):
            continue
        if blocks[before].box.parent is not box.parent or blocks[before].box.tag != "p":
            continue
        is_between = end in kept and blocks[end].box.parent is box.parent
        if is_between or blocks[before].text.endswith(_ANNOUNCING):
            found.update(range(box.first, end))
    return found


def _is_plain_part(box: Box, reading: Reading) -> bool:
    """Return whether a list or table has neither a name of frame nor cards, and does not lead away from an article."""
    if box.marks & _NO_DATA:
        return False
    if box.tag == "table":
        return _has_head(box)
    leads_away = reading.declared and box.link_chars > _MOST_LINKS_OF_DATA * box.chars
    return not leads_away and next(box.element.iter_elements(_IN_CARDS), None) is None


def captioned(reading: Reading, kept: set[int]) -> set[int]:
    """Return what is kept with the captions of figures that are tables of which something is kept."""
    found = set(kept)
    for box in reading.boxes:
        if box.tag == "figure" and box.element.find("table") is not None:
            places = range(box.first, box.first + box.blocks)
            if not kept.isdisjoint(places):
                found.update(place for place in places if reading.blocks[place].box.tag == "figcaption")
    return found


def labelled(reading: Reading, kept: set[int]) -> set[int]:
    """Return what is kept with the texts of items that have nothing else but a list of which something is kept."""
    items = [box for box in reading.boxes if box.tag == "li" and box.blocks > 1 and box.first not in kept]
    return kept | {item.first for item in items if _has_kept_list(item, reading.blocks, kept)}


def _has_kept_list(item: Box, blocks: Sequence[Block], kept: set[int]) -> bool:
    if blocks[item.first].box.marks & (FRAME_NAMES | _HIDDEN):
        return False
    others = range(item.first + 1, item.first + item.blocks)
    return any(place in kept for place in others) and all(_is_in_list(blocks[place].box, item) for place in others)


def _is_in_list(box: Box, item: Box) -> bool:
    inner: Box | None = box
    while inner is not None and inner is not item and inner.tag not in _LISTS:
        inner = inner.parent
    return inner is not item


def _is_bridge(blocks: Sequence[Block], place: int, kept: set[int]) -> bool:
    if place in kept or place - 1 not in kept or place + 1 not in kept:
        return False
    block = blocks[place]
    if block.box.tag != "p" or block.links < _MOST_LINKS or block.box.marks & FRAME_NAMES:
        return False
    return block.box.parent is blocks[place - 1].box.parent is blocks[place + 1].box.parent


def _is_whole(box: Box, blocks: Sequence[Block]) -> bool:
    if box.tag == "table":
        return is_grid(box)
    return box.tag != "ul" or _is_plain_list(box, blocks)


def _is_plain_list(box: Box, blocks: Sequence[Block]) -> bool:
    """Return whether there is nothing to be seen but a text in each item of a list."""
    seen = [block for block in blocks[box.first : box.first + box.blocks] if not block.box.marks & _HIDDEN]
    if len(seen) > _BLOCKS_OF_ITEM * len(box.element.find_all("li")) or box.element.find("img") is not None:
        return False
    return not any(block.box.tag in HEADINGS for block in seen)


def is_grid(box: Box) -> bool:
    """Return whether a table has rows and columns, and does not lay out a page."""
    if next(box.element.iter_elements(_IN_LAYOUT), None) is not None:
        return False
    rows = [[cell for cell in row.children if isinstance(cell, Element)] for row in box.element.find_all("tr")]
    widths = [sum(map(_columns, row)) for row in rows if len(row) >= _FEWEST]
    # A cell over all columns is a title of rows; one over several rows leaves the later ones shorter.
    if not widths or widths.count(max(widths)) < _MOST_ROWS * len(rows):
        return False
    longest = _LONGEST_CELL if len(widths) > 1 else _LONGEST_OF_ROW
    if len(widths) >= _FEWEST_ROWS and (max(widths) > _FEWEST or rows[0][0].tag == "th"):
        longest = _LONGEST_OF_MANY
    return all(len(cell.text) <= longest for row in rows for cell in row)


def _columns(cell: Element) -> int:
    """Return over how many columns a cell reaches."""
    span = cell.attr("colspan") or ""
    return min(int(span), _WIDEST) if span.isdecimal() and span.isascii() else 1
