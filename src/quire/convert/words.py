"""How many words a page has (M4), counted in its Markdown."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_MARKS: Final = b"#*_`~>|-+=:\\"
_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
# Of the characters above, all but a few rare ones begin with these bytes, and hardly any other character does.
_CJK_BYTES: Final = range(0xE3, 0xEA)
_TARGET: Final = re.compile(r"\]\([^()\s]*+\)")
# One pass over the bytes tells them all apart; counting in the result is many times faster than splitting.
_KINDS: Final = bytes(
    ord(" ") if byte in b" \t\n\r\f\v" else ord("c") if byte in _CJK_BYTES else ord("x") for byte in range(256)
)


def count_words(markdown: bytes) -> int:
    """Count what stands between spaces and is more than a mark; where a script has no spaces, its characters."""
    kinds = b" " + markdown.translate(_KINDS, _MARKS)
    if b"c" in kinds:
        return len(_word().findall(_TARGET.sub("]", markdown.decode())))
    return kinds.count(b" x")


@cache
def _word() -> re.Pattern[str]:
    # Ranges of so many characters take milliseconds, which other pages need not wait for.
    return re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
