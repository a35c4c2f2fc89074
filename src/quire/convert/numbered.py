"""Code in tables, which have the numbers of its lines beside it."""

from __future__ import annotations

from typing import Final

from turbohtml import Element

from .code import is_count

_LINE_NUMBERS: Final = "td.linenos,td.gutter,td.rouge-gutter,td.lntd:has(.lnt)"
# Pygments, and so MkDocs.
_TITLE: Final = "th.filename:only-child"
_CELLS: Final = "td,th"
_CODE_CELLS: Final = 2


def only_code(table: Element) -> Element | None:
    """Return the code of a table that only puts line numbers beside it."""
    if not table.find("pre"):
        return None
    for cell in table.select(_LINE_NUMBERS):
        # Of some, only every fifth or tenth is written.
        if all(map(str.isdecimal, cell.text.split())):
            cell.extract()
    _free_title(table)
    cells = table.select(_CELLS)
    if len(cells) == _CODE_CELLS and _counts_lines(cells[0]):
        cells[0].extract()
    code = table.find("pre")
    return code if code and code.text.strip() == table.text.strip() else None


def _free_title(table: Element) -> None:
    """Put the title that has a row of its own above the table."""
    title = table.select_one(_TITLE)
    row = title.closest("tr") if title else None
    if title is not None and row is not None and table.parent is not None:
        row.extract()
        title.tag = "div"
        table.insert_before(title)


def _counts_lines(cell: Element) -> bool:
    numbers = cell.text.split()
    # YARD counts as the file does that the code is from.
    return (len(numbers) > 1 or cell.find("pre") is not None) and is_count(numbers)
