"""Buttons and other controls, which are no content: but for those that say what the text behind them is."""

from __future__ import annotations

import re
from collections.abc import Set
from itertools import islice
from typing import Final

from turbohtml import Element, Node, Text

from .rules import drop_idle_rules

CONTROLS: Final = ("button", "dialog", "nav", "select", "textarea")
# Bootstrap's name for one, which NexT and Butterfly have without the role.
_ROW: Final = "[role=tablist],.nav-tabs"
_TAB: Final = "[role=tab]"
_PANEL: Final = "[role=tabpanel]"
_NAMED_PANEL: Final = re.compile(r"(?<!\S)tab-(?:pane|item-content)(?!\S)")
HEADINGS: Final = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_ACCORDION: Final = "accordion"
_QUESTION: Final = "schema.org/Question"
_LONGEST_QUESTION: Final = 300  # characters
_COMMAND: Final = re.compile("(?:show|hide|open|close|expand|collapse|toggle|read|menu)\\b", re.IGNORECASE)
_FARTHEST_HEADING: Final = 4
_MOST_ROWS: Final = 100
_FARTHEST: Final = 2
_LEAST_WORDS: Final = 4  # less may open a menu
_PHRASES: Final = frozenset(["a", "abbr", "b", "dfn", "em", "i", "span", "strong", "u"])
_LONGEST_PHRASE: Final = 100  # characters
_OPENS: Final = frozenset(',(“‘"')
_GOES_ON: Final = frozenset(",.;:?!)’”")
# A sentence does not end with these.
_JOINS: Final = frozenset([
    "a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "our", "see", "the", "to", "via", "with", "your",
])  # fmt: skip


def without_controls(root: Element, css: str) -> Element:
    """Remove what matches, except for buttons that name other text; return the element."""
    found = root.select(css)
    rows = rows_of_names(root) if any(map(_is_tab, found)) else frozenset()
    for element in [each for each in found if is_control(each, rows)]:
        element.extract()
    return drop_idle_rules(root)


def rows_of_names(root: Element) -> Set[Element]:
    """Return the rows of tabs that have as many panels beside them; javadoc's tabs choose what one panel shows."""
    rows = root.select(_ROW)
    return {row for row in rows if has_panels(row)} if len(rows) <= _MOST_ROWS else frozenset()


def is_control(element: Element, rows: Set[Element]) -> bool:
    """Return whether one of `CONTROLS` is not a name in one of those rows, nor a question that opens its answer."""
    if element.tag == "nav" and rows:
        return rows.isdisjoint(element.select(_ROW))
    if element.tag != "button":
        return True
    if rows and element.closest(_ROW) in rows:
        return False
    words = element.text.split()
    if not words or words[-1][-1] == "?":
        return not words
    if element.attr("aria-expanded") is not None and len(words) >= _LEAST_WORDS:
        return False
    return not is_title(element) and not is_of_sentence(element)


def is_of_sentence(button: Element) -> bool:
    """Return whether a button is words of a sentence, as a term that tells what it means: the sentence needs them."""
    if len(button.text) > _LONGEST_PHRASE:
        return False
    node: Node = button
    while node.previous_sibling is None and node.next_sibling is None:
        if not isinstance(around := node.parent, Element) or around.tag not in _PHRASES:
            return False
        node = around
    before, behind = node.previous_sibling, node.next_sibling
    if not isinstance(before, Text) or len(words := before.data[-_LONGEST_PHRASE:].split()) < 2:
        return False
    if not isinstance(behind, Text) or not (rest := behind.data.lstrip()):
        return words[-1] in _JOINS
    return (words[-1][-1].isalnum() or words[-1][-1] in _OPENS) and (rest[0].islower() or rest[0] in _GOES_ON)


def is_title(button: Element) -> bool:
    """Return whether a button is called one of an accordion, or is all of a heading: it opens what it heads."""
    if _ACCORDION in (button.attr("class") or "").lower():
        return _COMMAND.match(button.text.strip()) is None
    path: list[Node] = [button, *islice(button.ancestors, _FARTHEST_HEADING)]
    # Much may stand beside what no heading is around.
    steps = next((steps for steps, node in enumerate(path) if isinstance(node, Element) and node.tag in HEADINGS), 0)
    return steps > 0 and not any(map(_has_words_beside, path[:steps]))


def _has_words_beside(node: Node) -> bool:
    beside = (node.previous_sibling, node.next_sibling)
    return any(each is not None and each.text.strip() for each in beside)


def is_question(element: Element) -> bool:
    """Return whether an element says of itself that it is what was asked, and is short."""
    if element.attr("itemprop") != "name" or not isinstance(around := element.parent, Element):
        return False
    return (around.attr("itemtype") or "").endswith(_QUESTION) and len(element.text) < _LONGEST_QUESTION


def has_panels(row: Element) -> bool:
    """Return whether a row of tabs stands beside as many panels; an accordion has them between its tabs."""
    tabs = len(row.select(_TAB) or _elements(row))
    # Bootstrap has a `nav` around it.
    outer = row.parent if isinstance(row.parent, Element) and row.parent.tag == "nav" else row
    behind = next((each for each in outer.next_siblings if isinstance(each, Element)), None)
    panels = _elements(behind) if behind is not None else []
    if panels and len(panels) == tabs and all(map(_is_panel, panels)):
        return True
    around = None if row.select_one(_PANEL) else row.parent
    for _ in range(_FARTHEST):
        if not isinstance(around, Element):
            break
        if panels := around.select(_PANEL):
            return len(panels) == tabs and len(around.select(_ROW)) == 1
        around = around.parent
    return False


def _elements(around: Element) -> list[Element]:
    return [child for child in around.children if isinstance(child, Element)]


def _is_tab(element: Element) -> bool:
    return element.attr("role") == "tab" or element.has_class("tab")


def _is_panel(element: Element) -> bool:
    return element.attr("role") == "tabpanel" or _NAMED_PANEL.search(element.attr("class") or "") is not None
