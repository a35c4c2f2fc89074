"""Emphasis that goes on in the next element, or begins once more within itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turbohtml import Element, Node, Text

SMALL: Final = ("sub", "sup")
_TWINS: Final = (("b", "strong"), ("i", "em"))


def joined(elements: Sequence[Element]) -> list[Element]:
    """Make one of emphasis and what follows it in the same tag, at once or behind a blank; return what is left."""
    left = []
    before: Element | None = None
    for element in elements:
        if before is not None and element.tag == before.tag and (between := _between(before, element)) is not None:
            before.extend([*between, *element.children])
            element.extract()
            continue
        left.append(element)
        before = element if element.tag not in SMALL else None
    return left


def _between(before: Element, element: Element) -> list[Node] | None:
    """Return what parts an element from that before it: nothing, or a blank if they look alike; None if it is more."""
    beside = element.previous_sibling
    if beside == before:
        return []
    is_blank = isinstance(beside, Text) and beside.data.isspace() and beside.previous_sibling == before
    return [beside] if beside and is_blank and element.attr("class") == before.attr("class") else None


def free_of_twins(elements: Sequence[Element]) -> None:
    """Unwrap what is emphasised already by the other tag of its kind: `**` inside `**` would end it."""
    tags = {element.tag for element in elements}
    for pair in _TWINS:
        if tags.issuperset(pair):
            for element in elements:
                if element.tag in pair and element.parent and element.closest(pair[element.tag == pair[0]]):
                    element.unwrap()
