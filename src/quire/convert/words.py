"""How many words a page has (M4), counted in its Markdown."""

from __future__ import annotations

import re
from typing import Final

_MARKS: Final = b"#*_`~>|-+=:\\"
_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
# Of the characters above, all but a few rare ones begin with these bytes, and hardly any other character does.
_CJK_BYTES: Final = range(0xE3, 0xEA)
_OTHER_BYTES: Final = bytes(set(range(256)).difference(_CJK_BYTES))
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_TARGET: Final = re.compile(r"\]\([^()\s]*+\)")


def count_words(markdown: bytes) -> int:
    """Count what stands between spaces and is more than a mark; where a script has no spaces, its characters."""
    if markdown.translate(None, _OTHER_BYTES):
        return len(_WORD.findall(_TARGET.sub("]", markdown.decode())))
    return len(markdown.translate(None, _MARKS).split())
