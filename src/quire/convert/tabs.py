"""Tabs: Markdown shows all of them, so each has its name above it, where the page has the names in a row."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from turbohtml import Element, Node, Text

from .breaks import says_something
from .lists import elements

_MKDOCS: Final = "tabbed-set"
_MKDOCS_PARTS: Final = ("tabbed-labels", "tabbed-content")
_SPHINX_LABEL: Final = "sd-tab-label"
_ROW: Final = "[role=tablist]"
_TAB: Final = "[role=tab]"
_PANEL: Final = "[role=tabpanel]"
# Bootstrap's and Butterfly's.
_NAMED_PANEL: Final = re.compile(r"(?<!\S)tab-(?:pane|item-content)(?!\S)")
# Retype's tabs, panels and steps, which Vue draws.
_SLOT: Final = "#title"
_RETYPE: Final = "doc-"
_STEP: Final = "step-number"
_CONTENTS: Final = frozenset(["div", "section"])
_FARTHEST: Final = 2
_MOST_ROWS: Final = 100


def name_tabs(inputs: Iterable[Element], rows: Sequence[Element]) -> None:
    """Put the names of tabs above their contents: MkDocs has radio buttons, Docusaurus and others a row of tabs."""
    radios = [each for each in inputs if each.attr("type") == "radio"]
    for radio in radios:
        label = _behind(radio)
        if isinstance(label, Element) and label.has_class(_SPHINX_LABEL):
            label.replace_with(_heading(label))
    for tabs in dict.fromkeys(each.parent for each in radios):
        if isinstance(tabs, Element):
            _name_set(tabs)
    for names in rows[:_MOST_ROWS]:
        _name_panels(names)


def _behind(radio: Element) -> Node | None:
    behind = radio.next_sibling
    return behind.next_sibling if isinstance(behind, Text) and not behind.data.strip() else behind


def write_slots(hidden: Iterable[Element]) -> list[Element]:
    """Write the names that stand in templates, and return them."""
    names = []
    for each in hidden:
        around = each.parent
        if each.tag != "template" or each.attr(_SLOT) is None or not isinstance(around, Element):
            continue
        if around.tag.startswith(_RETYPE) and (text := " ".join(each.text.split())):
            step = around.attr(_STEP)
            name = Element("strong", children=[Text(f"{step}. {text}" if step else text)])
            each.replace_with(Element("p", children=[name]))
            names.append(name)
    return names


def _name_set(tabs: Element) -> None:
    """Name what radio buttons show: MkDocs has a row of labels, others all of them before or beside the contents."""
    parts = elements(tabs)
    if tabs.has_class(_MKDOCS):
        parts = [each for each in parts if any(map(each.has_class, _MKDOCS_PARTS))]
        if len(parts) == len(_MKDOCS_PARTS):
            _name(parts[0], elements(parts[0]), elements(parts[1]))
        return
    beside = _beside(tabs)
    names, contents = parts[: 2 * len(parts) // 3], parts[2 * len(parts) // 3 :]
    if contents and contents[-1].tag == "label" and beside is not None:
        names, contents = parts, elements(beside)
    labels = names[1::2]
    is_row = [part.tag for part in names] == ["input", "label"] * len(contents)
    if is_row and len(labels) > 1 and all(part.tag in _CONTENTS for part in contents):
        for label, content in zip(labels, contents, strict=True):
            _put_above(content, label)
            label.extract()


def _beside(row: Element) -> Element | None:
    """Return the element behind a row of names: VitePress has the contents of a code group in there."""
    return next((each for each in row.next_siblings if isinstance(each, Element)), None)


def _name_panels(names: Element) -> None:
    tabs = names.select(_TAB) or elements(names)
    # Bootstrap has a `nav` around them.
    outer = names.parent if isinstance(names.parent, Element) and names.parent.tag == "nav" else names
    panels = elements(beside) if (beside := _beside(outer)) else []
    if panels and all(map(_is_panel, panels)) and all(map(_may_name, tabs, panels)):
        _name(names, tabs, panels)
        return
    # An accordion has its panels between the names, and needs no row of them.
    around = None if not names.attr("role") or names.select_one(_PANEL) else names.parent
    for _ in range(_FARTHEST):
        if not isinstance(around, Element):
            return
        if panels := around.select(_PANEL):
            if len(around.select(_ROW)) == 1:
                _name(names, _shown(names, tabs) if len(panels) == 1 else tabs, panels)
            return
        around = around.parent


def _shown(row: Element, tabs: list[Element]) -> list[Element]:
    """Return the tab that names the one panel there is: fumadocs has no others, before they are chosen."""
    selected = [tab for tab in tabs if tab.attr("aria-selected") == "true"]
    return selected if len(selected) == 1 and row.select_one("a[href]") is None else tabs


def _is_panel(element: Element) -> bool:
    return element.attr("role") == "tabpanel" or _NAMED_PANEL.search(element.attr("class") or "") is not None


def _may_name(tab: Element, panel: Element) -> bool:
    """Return whether a tab is no link, or one to the panel."""
    link = tab if tab.tag == "a" else tab.find("a")
    href = link.attr("href") if link else None
    return not href or href.endswith(f"#{panel.attr('id')}")


def _name(row: Element, names: Sequence[Element], contents: Sequence[Element]) -> None:
    if len(names) != len(contents):
        return
    for name, content in zip(names, contents, strict=True):
        if content.attr("hidden") is None or says_something(content):
            _put_above(content, name)
    row.extract()


def _put_above(content: Element, name: Element) -> None:
    """Put a name above a content, instead of one that is there for paper (VuePress), or above its code (vocs)."""
    heading = _heading(name)
    first = _first_said(content)
    while isinstance(first, Element) and first.text.strip() != heading.text:
        inner = _first_said(first)
        first = inner if isinstance(inner, Element) and first.tag == inner.tag == "div" else None
    if isinstance(first, Element):
        first.extract()
    content.insert(0, heading)


def _first_said(element: Element) -> Node | None:
    return next((child for child in element.children if child.text.strip()), None)


def _heading(name: Element) -> Element:
    return Element("p", children=[Element("b", children=[Text(_words(name))])])


def _words(name: Element) -> str:
    """Return a name, or the title of one that is only icons of a font."""
    text = name.text.strip()
    is_icon = any(unicodedata.category(sign) == "Co" for sign in text) and not any(map(str.isalnum, text))
    return name.attr("title") or text if is_icon else text
