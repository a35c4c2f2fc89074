"""Pictures one after the other, each once: sliders have copies of theirs, and a row of small ones below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from turbohtml import Element, Text

_CELLS: Final = "td,th"
_SHOWN: Final = ("img", "iframe", "input", "svg")
_MANY: Final = 1_000  # more are taken out without what is around them
# What is left without its picture is an empty line, item or link.
_AROUND: Final = frozenset(["a", "div", "figure", "li", "p", "picture", "span"])


def show_once(images: Sequence[Element], page: Element) -> None:
    """Take out pictures that a page has shown, with nothing to read since and the same link around them if any.

    Those beside each other in one element stay: five stars are a grade.
    """
    if len({image.attr("src") for image in images}) == len(images):
        return
    # Some were taken out since they were found.
    copies = _copies(page.find_all("img"))
    for copy in copies[:_MANY]:
        _take_out(copy)
    for copy in copies[_MANY:]:
        copy.extract()


def _copies(images: Sequence[Element]) -> list[Element]:
    copies: list[Element] = []
    first: dict[str | None, Element] = {}
    for before, image in zip((None, *images), images, strict=False):
        if before is not None and _is_text_behind(before):
            first.clear()
        origin = first.setdefault(image.attr("src"), image)
        if origin is not image and _is_copy(image, origin):
            copies.append(image)
    return copies


def _is_text_behind(image: Element) -> bool:
    """Return whether there is something to read before the next picture."""
    for node in image.following:
        if isinstance(node, Text):
            if node.data.strip():
                return True
        elif isinstance(node, Element) and node.tag == "img":
            return False
    return False


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
