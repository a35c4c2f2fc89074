"""What Asciidoctor shows by style sheets: titles of blocks, explanations of code, boxes that are checked."""

from __future__ import annotations

from itertools import chain
from typing import Final

from turbohtml import Element, Text

from .complete import say_all
from .lists import elements
from .notes import strengthen

_TITLED: Final = frozenset([
    "listingblock", "literalblock", "exampleblock", "openblock", "sidebarblock", "quoteblock", "verseblock",
])  # fmt: skip
_CALLOUTS: Final = "colist"
_LIST: Final = "ulist"
NAMES: Final = _TITLED | {_CALLOUTS, _LIST}
_TITLE: Final = "title"
_CONTENT: Final = "content"
_CELLS: Final = 2
_CHECKLIST: Final = "checklist"
_CHECKED_ICON: Final = "fa-check-square-o"
_EMPTY_ICON: Final = "fa-square-o"
_CHECKED: Final = "✓"
_EMPTY: Final = "❏"


def give_shape(block: Element, name: str, found: dict[str, list[Element]]) -> None:
    """Make the title of a block strong, a list of explanations, and boxes of the icons before items."""
    if name == _CALLOUTS:
        _list_callouts(block)
    elif name == _LIST:
        if block.has_class(_CHECKLIST):
            # Those in the items have blocks of their own.
            for item in chain.from_iterable(map(elements, elements(block))):
                _check(item)
    else:
        first = next(iter(elements(block)), None)
        if first is not None and first.has_class(_CONTENT):
            first = next(iter(elements(first)), None)
        if first is not None and first.attr("class") == _TITLE:
            strengthen(first, found)


def _list_callouts(block: Element) -> None:
    """Make a list of the table that has the numbers as icons."""
    table = block.find("table")
    rows = [row.find_all("td") for row in table.find_all("tr")] if table else []
    if table is None or not rows or any(len(cells) != _CELLS for cells in rows):
        return
    # Those that are pictures have no text.
    are_numbered = all(not (text := number.text.strip()) or text.isdecimal() for number, _ in rows)
    if not are_numbered or not say_all(chain.from_iterable(rows), table):
        return
    items = Element("ol")
    for _, said in rows:
        items.append(Element("li", children=list(said.children)))
    table.replace_with(items)


def _check(item: Element) -> None:
    paragraph = next(iter(elements(item)), None)
    sign = paragraph.children[0] if paragraph is not None and paragraph.children else None
    if isinstance(sign, Text) and sign.data.startswith((_CHECKED, _EMPTY)):
        is_checked = sign.data.startswith(_CHECKED)
        sign.data = sign.data[1:]
    elif isinstance(sign, Element) and (sign.has_class(_CHECKED_ICON) or sign.has_class(_EMPTY_ICON)):
        is_checked = sign.has_class(_CHECKED_ICON)
        sign.extract()
    else:
        return
    item.insert(0, Element("input", {"type": "checkbox", **({"checked": ""} if is_checked else {})}))
