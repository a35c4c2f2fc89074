"""Backslashes that nobody needs: words are found by what they are."""

from __future__ import annotations

import re
from typing import Final

from .fences import code_blocks

# No emphasis begins or ends inside a word, and no list where no space follows.
_NEEDLESS: Final = re.compile(r"\\(?=[_.])(?:(?<=[^\W_]\\)_(?=[^\W_])|(?<=\d\\)\.(?=[^\s&]))")
# In code a backslash is itself, so that lines with some stay as they are.
_LINE: Final = re.compile(r"^(?:[^`\n\\]++|\\[^\n])++$", re.MULTILINE)


def without_needless(markdown: str) -> str:
    """Return Markdown without needless backslashes; formulas and tables of HTML are none of it yet."""
    if _NEEDLESS.search(markdown) is None:
        return markdown
    pieces = []
    position = 0
    for start, end in code_blocks(markdown):
        pieces += [_LINE.sub(_unescaped, markdown[position:start]), markdown[start:end]]
        position = end
    return "".join(pieces) + _LINE.sub(_unescaped, markdown[position:])


def _unescaped(line: re.Match[str]) -> str:
    return _NEEDLESS.sub(lambda escape: escape[0][1:], line[0])
