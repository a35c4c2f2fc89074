"""Pictures one after the other, each once: sliders have copies of theirs, and a row of small ones below."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from turbohtml import Element, Text

_CELLS: Final = "td,th"
_SHOWN: Final = ("img", "iframe", "input", "svg")
_MANY: Final = 1_000  # more are taken out without what is around them
# What is left without its picture is an empty line, item or link.
_AROUND: Final = frozenset(["a", "div", "figure", "li", "p", "picture", "span"])


def show_once(images: Iterable[Element], page: Element) -> None:
    """Take out pictures that a page has shown, with nothing to read since and the same link around them if any.

    Those beside each other in one element stay: five stars are a grade.
    """
    seen: set[str | None] = set()
    repeated: set[str | None] = set()
    for image in images:
        if image.parent is not None:
            source = image.attr("src")
            (repeated if source in seen else seen).add(source)
    if not repeated:
        return
    copies = _copies(page, repeated)
    for copy in copies[:_MANY]:
        _take_out(copy)
    for copy in copies[_MANY:]:
        copy.extract()


def _copies(page: Element, repeated: set[str | None]) -> list[Element]:
    copies: list[Element] = []
    first: dict[str | None, Element] = {}
    for node in page.descendants:
        if isinstance(node, Text):
            if node.data.strip():
                first.clear()
        elif isinstance(node, Element) and node.tag == "img" and (source := node.attr("src")) in repeated:
            origin = first.setdefault(source, node)
            if origin is not node and _is_copy(node, origin):
                copies.append(node)
    return copies


def _is_copy(image: Element, origin: Element) -> bool:
    if image.parent == origin.parent or image.closest(_CELLS) is not None:
        return False
    target = _target(image)
    return target is None or target == _target(origin)


def _target(image: Element) -> str | None:
    link = image.closest("a")
    return link.attr("href") if link else None


def _take_out(image: Element) -> None:
    around = image
    while isinstance(outer := around.parent, Element) and outer.tag in _AROUND:
        if len(list(islice(outer.iter_elements(_SHOWN), 2))) > 1 or outer.text.strip():
            break
        around = outer
    around.extract()
