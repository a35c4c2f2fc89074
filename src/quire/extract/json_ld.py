"""The structured data of a page (JSON-LD)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from turbohtml import Element

SELECTOR: Final = 'script[type*="ld+json" i]'
_MOST_TEXT: Final = 1_000_000
_MOST_VALUES: Final = 20_000


def objects(script: Element) -> Iterator[dict[str, Any]]:
    """Yield every object in the script in document order, nested ones too; nothing if it is not JSON."""
    text = script.text
    if len(text) > _MOST_TEXT:
        return
    try:
        # Not strict: raw line breaks inside strings are the commonest mistake on real pages.
        value = json.loads(text, strict=False)
        if "\\ud" in text.lower():
            # Half a surrogate pair is a string to JSON, but to nothing that comes after.
            value = json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError):
        return
    stack = [value]
    for _ in range(_MOST_VALUES):
        if not stack:
            return
        value = stack.pop()
        if isinstance(value, dict):
            yield value
            stack.extend(reversed(value.values()))
        elif isinstance(value, list):
            stack.extend(reversed(value))
