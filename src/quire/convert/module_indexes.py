"""Sphinx's indexes of modules, which are tables of one column, with more for icons and what some modules are about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from turbohtml import Element, Node, Text

from .lists import elements

_INDEX: Final = "modindextable"
_LETTER: Final = "cap"
_COLUMNS: Final = 3
_NO_BREAK: Final = "\u00a0"


def list_modules(table: Element) -> bool:
    """Make a list of an index, with modules below their package; False if a table is none."""
    if not table.has_class(_INDEX):
        return False
    rows = [(row, elements(row)) for row in table.find_all("tr")]
    if any(len(cells) != _COLUMNS for _, cells in rows):
        return False
    parts = _listed([(row, cells) for row, cells in rows if row.text.strip()])
    table.clear()
    table.extend(parts)
    table.tag = "div"
    return True


def _listed(rows: Iterable[tuple[Element, list[Element]]]) -> list[Element]:
    """Return a list of what begins with each letter, below that."""
    parts: list[Element] = []
    package: Element | None = None
    inner: Element | None = None
    for row, (_, name, about) in rows:
        if row.has_class(_LETTER):
            parts.append(Element("p", children=list(name.children)))
            package = None
            continue
        is_inner = name.text.startswith(_NO_BREAK)
        item = Element("li", children=_line(name, about))
        if is_inner and package is not None:
            if inner is None:
                inner = Element("ul")
                package.append(inner)
            inner.append(item)
        else:
            if not parts or parts[-1].tag != "ul":
                parts.append(Element("ul"))
            parts[-1].append(item)
            package, inner = item, None
    return parts


def _line(name: Element, about: Element) -> list[Node]:
    """Return the words of an item, without the blanks that indent it on the page."""
    nodes = list(name.children)
    if nodes and isinstance(first := nodes[0], Text):
        first.data = first.data.lstrip()
    return [*nodes, Text(" "), *about.children] if about.text.strip() else nodes
