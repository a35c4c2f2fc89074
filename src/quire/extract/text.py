"""The text that a reader sees of a page (M4), without any marks."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Final

from turbohtml import Element, PlainText, Text

_PLAIN: Final = PlainText(bullet="")
# A text table is as wide as its widest cell in every row; beyond this size it is not drawn.
_LARGEST_TABLE: Final = 2_000_000
_MOST_TABLES: Final = 100
_PHRASES: Final = ("a", "abbr", "b", "cite", "em", "font", "i", "label", "small", "span", "strong", "u")
_BLOCKS: Final = (
    "article", "blockquote", "div", "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "section",
    "table", "ul",
)  # fmt: skip
_BLOCK_IN_PHRASE: Final = f":is({','.join(_PHRASES)}) > :is({','.join(_BLOCKS)})"


def text_of(content: Iterable[Element], without: str = "") -> str:
    """Return the text of elements, its blocks on lines of their own, without those of a selector."""
    parts = (element.remove(without) if without else element for element in content)
    return "\n\n".join(map(_plain, parts))


def _plain(element: Element) -> str:
    for code in element.find_all("pre"):
        _break_lines(code.find_all("div"))
    _open_phrases(element.select(_BLOCK_IN_PHRASE))
    tables = element.find_all("table")
    if len(tables) > _MOST_TABLES or sum(map(_size, tables)) > _LARGEST_TABLE:
        element = deepcopy(element)
        for cell in element.select("table,caption,thead,tbody,tfoot,tr,th,td"):
            cell.tag = "div"
    return element.to_text(_PLAIN)


def _open_phrases(blocks: Iterable[Element]) -> None:
    """Let what is around a block be one, as it is on the page; turbohtml has what follows it on the same line."""
    for block in blocks:
        around = block.parent if block.text.strip() else None
        while isinstance(around, Element) and around.tag in _PHRASES:
            around.tag = "div"
            around = around.parent


def _break_lines(lines: Iterable[Element]) -> None:
    """Let each element of a block of code that stands for a line be one."""
    for line in lines:
        before, after = line.previous_sibling, line.next_sibling
        if before is not None and not before.text.endswith("\n"):
            line.insert_before(Text("\n"))
        if not line.text.endswith("\n") and (after is None or not after.text.startswith("\n")):
            line.append(Text("\n"))


def _size(table: Element) -> int:
    """Return how many characters a drawing of the table has at most."""
    return (len(table.text) + len(table.find_all("td"))) * len(table.find_all("tr"))
