"""Buttons and other controls, which are no content: but for those that say what the text behind them is."""

from __future__ import annotations

from typing import Final

from turbohtml import Element

CONTROLS: Final = ("button", "dialog", "nav", "select", "textarea")
_ROW: Final = "tablist"
_TAB: Final = "tab"
_PANEL: Final = "[role=tabpanel]"
_FARTHEST: Final = 2
_LEAST_WORDS: Final = 4  # less may open a menu


def without_controls(root: Element, css: str) -> Element:
    """Remove what matches, except for buttons that name other text; return the element."""
    for element in root.select(css):
        if is_control(element):
            element.extract()
    return root


def is_control(element: Element) -> bool:
    """Return whether one of `CONTROLS` is not the name of a panel or a question that opens its answer."""
    if element.tag != "button":
        return True
    if element.attr("role") == _TAB:
        row = element.closest(f"[role={_ROW}]")
        return row is None or not names_panels(row)
    words = element.text.split()
    if not words or words[-1][-1] == "?":
        return not words
    return element.attr("aria-expanded") is None or len(words) < _LEAST_WORDS


def names_panels(element: Element) -> bool:
    """Return whether an element is a row of tabs beside the panels that they are the names of."""
    if element.attr("role") != _ROW:
        return False
    around = element.parent
    for _ in range(_FARTHEST):
        if not isinstance(around, Element):
            return False
        if around.select_one(_PANEL) is not None:
            return True
        around = around.parent
    return False
