"""Where the code blocks of a page's Markdown are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

# Not within a longer run: that would be looked through again from each of its marks.
_FENCE: Final = re.compile(r"```(?<!````)(`*+)([^`\n]*+)$", re.MULTILINE)
_BEFORE_FENCE: Final = " >-*+.)0123456789"


def code_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield where fenced code begins and ends."""
    end = 0
    while block := next_code_block(text, end):
        yield block
        end = block[1]


def next_code_block(text: str, position: int) -> tuple[int, int] | None:
    """Return where the first fenced code behind a position begins and ends."""
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text, position):
        line_start = text.rfind("\n", 0, fence.start()) + 1
        if text[line_start : fence.start()].strip(_BEFORE_FENCE):
            continue
        if opening is None:
            opening = fence
        elif fence[1].startswith(opening[1]) and not fence[2]:
            return opening.start(), fence.end()
    return (opening.start(), len(text)) if opening else None
