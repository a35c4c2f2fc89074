"""Taking everything out of a page but its content."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

from turbohtml import Element

from .blocks import Block, Box, Layout
from .cards import part_cards
from .controls import has_panels
from .nameless import without_nameless
from .placeless import without_placeless
from .rules import drop_idle_rules
from .wholes import is_grid

_CONTAINERS: Final = frozenset(["article", "div", "main", "section"])
_CELLS: Final = frozenset(["td", "th"])


def pruned(layout: Layout, kept: Sequence[Block]) -> Element:
    """Take all other blocks out, and return the smallest element that holds what is left."""
    chosen = set(map(id, kept))
    figures = [box for box in layout.boxes if box.tag == "figure" and _is_between(box, layout, chosen)]
    for holder in (*(block.box for block in kept), *figures):
        holder.kept += 1
    for box in reversed(layout.boxes):
        if box.parent:
            box.parent.kept += box.kept
    for element in layout.frame:
        element.extract()
    grids: dict[int, bool] = {}
    for box in layout.boxes:
        if box.blocks and not box.kept and box.parent and box.parent.kept:
            _take_out(box, grids)
    for block in layout.blocks:
        if block.box.kept and id(block) not in chosen:
            for node in block.nodes:
                node.extract()
    for row in layout.rows:
        if not has_panels(row):
            row.extract()
    content = _smallest(layout.boxes, len(kept) + len(figures)).element
    return part_cards(without_nameless(without_placeless(drop_idle_rules(content))))


def _is_between(figure: Box, layout: Layout, chosen: Set[int]) -> bool:
    """Return whether a figure stands in the content though its caption is none of it."""
    places = (figure.first - 1, figure.first, figure.first + figure.blocks)
    if places[0] < 0 or places[2] >= len(layout.blocks) or figure.element.find("img") is None:
        return False
    return [id(layout.blocks[place]) in chosen for place in places] == [True, False, True]


def _take_out(box: Box, grids: dict[int, bool]) -> None:
    """Take a box out of the page; a cell leaves its place empty, or the others would move into it."""
    table = box.parent if box.tag in _CELLS else None
    while table is not None and table.tag != "table":
        table = table.parent
    if table is not None and id(table) not in grids:
        grids[id(table)] = is_grid(table)
    if table is not None and grids[id(table)]:
        box.element.clear()
    else:
        box.element.extract()


def _smallest(boxes: Sequence[Box], count: int) -> Box:
    """Return the innermost box with all kept blocks that stands for itself."""
    return next(box for box in reversed(boxes) if box.kept == count and (box.tag in _CONTAINERS or not box.parent))
