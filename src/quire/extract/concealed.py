"""What a page hides for good: neither behind a tab, nor below a title, nor until its turn in a row of its like."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final

from turbohtml import Element, Node

from .controls import HEADINGS
from .frame_words import BITS, INVISIBLE, lasting
from .traits import Reading

_HIDDEN: Final = BITS["hidden"]
_LARGE: Final = 0.5  # of the page's text
# What is called so is opened by readers, or comes after others of its kind.
_UNFOLDS: Final = re.compile(
    r"accordion|answer|carousel|collaps|detail|expand|faq|fold|more|panel|question|reveal|slick|slid|spoiler|step|"
    r"swiper|tab(?:s|bed|content|pane|panel|[-_]|\b)|toggle|trigger",
    re.IGNORECASE,
)
_CONTROLLING: Final = ("aria-controls", "data-target", "data-bs-target", "href")
_CONTROLS: Final = "[aria-controls],[data-target],[data-bs-target],[href^='#']"
_TITLES: Final = frozenset(["button", "dt", "label", "legend", "summary", *HEADINGS])
_TITLES_INSIDE: Final = ("button", *HEADINGS)
_LONGEST_TITLE: Final = 200  # characters


def concealed(reading: Reading) -> set[int]:
    """Return the places of blocks that nobody sees, whatever they do; names for screen readers alone do not say so."""
    hidden = [box for box in reading.boxes if box.own & _HIDDEN and box.chars < _LARGE * reading.total]
    hidden = [box for box in hidden if _is_hidden(box.element)]
    if not hidden:
        return set()
    controlled = _controlled(reading.boxes[0].element)
    seen = {around: _kinds_seen(around) for around in {box.element.parent for box in hidden}}
    return {
        place
        for box in hidden
        if not _unfolds(box.element, controlled) and _kind(box.element) not in seen[box.element.parent]
        for place in range(box.first, box.first + box.blocks)
    }


def _is_hidden(element: Element) -> bool:
    """Return whether no reader sees an element; one that is hidden from screen readers is seen."""
    style = element.attr("style")
    return element.attr("hidden") is not None or (style is not None and INVISIBLE.search(style) is not None)


def _controlled(root: Element) -> Set[str]:
    """Return the ids of what a control or a link on the page shows."""
    values = (control.attr(name) for control in root.select(_CONTROLS) for name in _CONTROLLING)
    return {id.lstrip("#") for value in values if value for id in value.split()}


def _unfolds(element: Element, controlled: Set[str]) -> bool:
    around = element.parent
    if _is_called_so(element) or (isinstance(around, Element) and _is_called_so(around)):
        return True
    return element.attr("id") in controlled or _has_title(element)


def _is_called_so(element: Element) -> bool:
    return any(_UNFOLDS.search(element.attr(name) or "") for name in ("class", "id"))


def _has_title(element: Element) -> bool:
    """Return whether what stands right before an element looks like what opens it."""
    before = next((each for each in element.previous_siblings if isinstance(each, Element) or each.text.strip()), None)
    if not isinstance(before, Element) or not 0 < len(before.text.strip()) < _LONGEST_TITLE:
        return False
    if before.tag in _TITLES or before.attr("role") == "button" or _is_called_so(before):
        return True
    if before.attr("aria-expanded") is not None or before.attr("onclick") is not None:
        return True
    return next(before.iter_elements(_TITLES_INSIDE), None) is not None


def _kinds_seen(around: Node | None) -> Set[tuple[str, str]]:
    """Return the kinds of what is seen in an element: others of a kind are further tabs, or the rest of a list."""
    children = [each for each in (around.children if around else ()) if isinstance(each, Element)]
    return {_kind(each) for each in children if not _is_hidden(each) and each.text.strip()}


def _kind(element: Element) -> tuple[str, str]:
    return element.tag, lasting(element.attr("class") or "")
