"""Backslashes that nobody needs: words are found by what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .fences import code_blocks

# No emphasis begins or ends inside a word, and no list where no space follows.
_NEEDLESS: Final = re.compile(r"\\(?=[_.])(?:(?<=[^\W_]\\)_(?=[^\W_])|(?<=\d\\)\.(?=[^\s&]))")
_SIGNS: Final = re.compile(r"\\[^\n]|`++")
_CODE: Final = "`"
_MOST_SPANS: Final = 100  # on a line; one of more is left as it is


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
    """Yield those of the places that are in no code, where a backslash is itself."""
    blocks = code_blocks(markdown)
    block = next(blocks, None)
    line_end = -1
    spans: list[tuple[int, int]] = []
    for place in places:
        while block is not None and block[1] <= place:
            block = next(blocks, None)
        if block is not None and block[0] <= place:
            continue
        if place > line_end:
            line_start = markdown.rfind("\n", 0, place) + 1
            line_end = markdown.find("\n", place)
            line_end = len(markdown) if line_end < 0 else line_end
            spans = _code_of_line(markdown, line_start, line_end)[::-1]
        while spans and spans[-1][1] <= place:
            spans.pop()
        if not spans or place < spans[-1][0]:
            yield place


def _code_of_line(markdown: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where inline code begins and ends on a line; what is not closed there may go on to its end."""
    if markdown.find(_CODE, start, end) < 0:
        return []
    spans: list[tuple[int, int]] = []
    while (opening := _opening(markdown, start, end)) is not None:
        closing = re.compile(f"(?<!`){opening[0]}(?!`)").search(markdown, opening.end(), end)
        if closing is None or len(spans) == _MOST_SPANS:
            return [*spans, (opening.start(), end)]
        spans.append((opening.start(), closing.end()))
        start = closing.end()
    return spans


def _opening(markdown: str, start: int, end: int) -> re.Match[str] | None:
    return next((sign for sign in _SIGNS.finditer(markdown, start, end) if sign[0][0] == _CODE), None)
