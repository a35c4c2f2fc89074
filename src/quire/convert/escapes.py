"""Backslashes that nobody needs: words are found by what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .fences import code_blocks

# No emphasis begins or ends inside a word, and no list where no space follows.
_NEEDLESS: Final = re.compile(r"\\(?=[_.])(?:(?<=[^\W_]\\)_(?=[^\W_])|(?<=\d\\)\.(?=[^\s&]))")
_ESCAPED: Final = re.compile(r"\\[^\n]")
_CODE: Final = "`"


def without_needless(markdown: str) -> str:
    """Return Markdown without needless backslashes; formulas and tables of HTML are none of it yet."""
    found = [escape.start() for escape in _NEEDLESS.finditer(markdown)]
    if not found:
        return markdown
    pieces = []
    position = 0
    for place in _outside_code(markdown, found):
        pieces.append(markdown[position:place])
        position = place + 1
    return "".join(pieces) + markdown[position:]


def _outside_code(markdown: str, places: list[int]) -> Iterator[int]:
    """Yield those of the places that are in no block of code, nor on a line with some: a backslash is itself there."""
    blocks = code_blocks(markdown)
    block = next(blocks, None)
    line_end, has_code = -1, False
    for place in places:
        while block is not None and block[1] <= place:
            block = next(blocks, None)
        if block is not None and block[0] <= place:
            continue
        if place > line_end:
            line_start = markdown.rfind("\n", 0, place) + 1
            line_end = markdown.find("\n", place)
            line_end = len(markdown) if line_end < 0 else line_end
            line = markdown[line_start:line_end]
            has_code = _CODE in line and _CODE in _ESCAPED.sub("", line)
        if not has_code:
            yield place
