"""Code in tables, which have the numbers of its lines beside it."""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element

_LINE_NUMBERS: Final = "td.linenos,td.gutter,td.rouge-gutter,td.lntd:has(.lnt)"
_CELLS: Final = "td,th"
_CODE_CELLS: Final = 2
_NUMBER: Final = re.compile("[0-9]{1,7}")


def only_code(table: Element) -> Element | None:
    """Return the code of a table that only puts line numbers beside it."""
    if not table.find("pre"):
        return None
    table.remove(_LINE_NUMBERS)
    cells = table.select(_CELLS)
    if len(cells) == _CODE_CELLS and _counts_lines(cells[0]):
        cells[0].extract()
    code = table.find("pre")
    return code if code and code.text.strip() == table.text.strip() else None


def _counts_lines(cell: Element) -> bool:
    numbers = cell.text.split()
    is_list = len(numbers) > 1 or cell.find("pre") is not None
    # YARD counts as the file does that the code is from.
    first = int(numbers[0]) if is_list and numbers and _NUMBER.fullmatch(numbers[0]) else None
    return first is not None and numbers == [str(number) for number in range(first, first + len(numbers))]
