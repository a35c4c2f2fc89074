"""Backslashes that nobody needs: words are found by what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .fences import code_blocks

# No emphasis begins or ends inside a word or between blanks, none that is struck ends behind a blank, and neither list
# nor heading begins where no space follows. Words in brackets are a link only where some line says where to, and those
# that could keep their backslashes: what a colon follows. A box of a list, a footnote and a note's kind are others.
_NEEDLESS: Final = re.compile(
    r"\\(?=[_.~*#+\[-])(?:(?<=[^\W_]\\)_(?:\\_)*+(?=[^\W_])|(?<=\d\\)\.(?=[^\s&])|(?<!\S\\)~(?=[^\W_]|[$€£])"
    r"|(?<=[^\W_] \\)\*(?=[ \n])|(?<![^\n >]\\)[#+-](?=[^\s\\&#+=*_-])"
    r"|\[(?<![\\!\[\]]\\\[)(?![!^]|[ xX]\\\])(?=(?:[^\[\]\\\n`]|\\[^\[\]\n`]){1,500}+(\\\])(?![(\[\]:{\\])))"
)
# An escaped sign, or inline code.
_SPAN: Final = re.compile(r"\\[^\n]|(?<!`)(`++)[^\n]*?[^`\n]\1(?!`)")
_CODE: Final = "`"
_LONGEST_LINE: Final = 5_000  # characters, of those with code; others are left as they are


def without_needless(markdown: str) -> str:
    """Return Markdown without needless backslashes; formulas and tables of HTML are none of it yet."""
    escapes = list(_NEEDLESS.finditer(markdown))
    if not escapes:
        return markdown
    closing = [escape.start(1) for escape in escapes if escape[1]]
    # Several underscores in a row have one each.
    found = sorted([*(place for escape in escapes for place in range(escape.start(), escape.end(), 2)), *closing])
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
    """Return where inline code begins and ends on a line: all of it may be, if some is not closed there."""
    if markdown.find(_CODE, start, end) < 0:
        return []
    if end - start > _LONGEST_LINE:
        return [(start, end)]
    found = list(_SPAN.finditer(markdown, start, end))
    if markdown.count(_CODE, start, end) > sum([each[0].count(_CODE) for each in found]):
        return [(start, end)]
    return [each.span() for each in found if each[1]]
