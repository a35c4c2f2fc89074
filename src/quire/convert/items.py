"""What items of lists begin with."""

from __future__ import annotations

from collections.abc import Iterable

from turbohtml import Element, Node, Text


def trim_items(blocks: Iterable[Element]) -> None:
    """Drop the white space that items begin with, of lists with blocks: it would move them to the right."""
    items = (block.closest("li") for block in blocks)
    for around in {item.parent for item in items if item is not None}:
        for item in around.children if isinstance(around, Element) else ():
            first = _first(item)
            if isinstance(first, Text):
                first.data = first.data.lstrip()


def _first(item: Node) -> Node | None:
    return item.children[0] if isinstance(item, Element) and item.children else None
