"""Emphasis that goes on in the next element, or begins once more within itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from turbohtml import Element, Node, Text

SMALL: Final = ("sub", "sup")
_MOST_SMALL: Final = 3
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


def is_freed_of_own(element: Element, blocks: str, *, is_much: bool) -> bool:
    """Unwrap emphasis within its own kind, which looks like it, all at once: there may be hundreds of levels.

    Smaller signs within small ones stay, unless they are all of them. What is around blocks is left to turbohtml, and
    so is emphasis in emphasis where there is not much of it: Markdown has signs for that, and the page little to lose.
    """
    if element.tag in SMALL:
        smaller = list(islice(element.iter_elements((element.tag,)), _MOST_SMALL + 1))
        if len(smaller) > _MOST_SMALL:
            return False
        twins = [each for each in smaller if each.text.strip() == element.text.strip()]
    elif not is_much or element.select_one(blocks):
        return False
    else:
        twins = element.find_all(element.tag)
    for twin in twins:
        twin.unwrap()
    return True
