"""Tabs: Markdown shows all of them, so each has its name above it, where the page has the names in a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from turbohtml import Element, Text

_MKDOCS: Final = "tabbed-set"
_MKDOCS_PARTS: Final = ("tabbed-labels", "tabbed-content")
_SPHINX_LABEL: Final = "sd-tab-label"
_ROW: Final = "[role=tablist]"
_TAB: Final = "[role=tab]"
_PANEL: Final = "[role=tabpanel]"
_FARTHEST: Final = 2
_MOST_ROWS: Final = 100


def name_tabs(inputs: Iterable[Element], rows: Sequence[Element]) -> None:
    """Put the names of tabs above their contents: MkDocs has radio buttons, Docusaurus and others a row of tabs."""
    radios = [each for each in inputs if each.attr("type") == "radio"]
    for radio in radios:
        if isinstance(label := radio.next_sibling, Element) and label.has_class(_SPHINX_LABEL):
            label.replace_with(_heading(label))
    sets = (each.parent for each in radios)
    for tabs in {each for each in sets if isinstance(each, Element) and each.has_class(_MKDOCS)}:
        parts = [each for each in _elements(tabs) if any(map(each.has_class, _MKDOCS_PARTS))]
        if len(parts) == len(_MKDOCS_PARTS):
            _name(parts[0], _elements(parts[0]), _elements(parts[1]))
    for names in rows[:_MOST_ROWS]:
        _name_panels(names)


def _name_panels(names: Element) -> None:
    tabs = names.select(_TAB)
    # An accordion has its panels between the names, and needs no row of them.
    around = None if names.select_one(_PANEL) else names.parent
    for _ in range(_FARTHEST):
        if not isinstance(around, Element):
            return
        if panels := around.select(_PANEL):
            if len(around.select(_ROW)) == 1:
                _name(names, tabs, panels)
            return
        around = around.parent


def _name(row: Element, names: Sequence[Element], contents: Sequence[Element]) -> None:
    if len(names) != len(contents):
        return
    for name, content in zip(names, contents, strict=True):
        content.insert(0, _heading(name))
    row.extract()


def _heading(name: Element) -> Element:
    return Element("p", children=[Element("b", children=[Text(name.text.strip())])])


def _elements(parent: Element) -> list[Element]:
    return [child for child in parent.children if isinstance(child, Element)]
