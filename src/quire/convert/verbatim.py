"""Text that must reach the Markdown untouched: a sign and a number stand for it during the conversion."""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Text

_PLACE: Final = re.compile("\x19(\\d{1,9})\x19")
_NO_MARGIN: Final = re.compile(r"[^>\s]")


class Verbatim:
    """The texts of one page, in the order in which they were put away."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def stand_in(self, text: str) -> Text:
        """Put a text away and return what stands for it in the tree."""
        self._texts.append(text)
        return Text(f"\x19{len(self._texts) - 1}\x19")

    def write(self, markdown: str) -> str:
        """Return the Markdown with every text in its place."""
        return _PLACE.sub(self._text, markdown) if self._texts else markdown

    def _text(self, place: re.Match[str]) -> str:
        number = int(place[1])
        text = self._texts[number] if number < len(self._texts) else ""
        return text.replace("\n", "\n" + _margin(place)) if "\n" in text else text


def _margin(place: re.Match[str]) -> str:
    """Return what every line below the first begins with: in a quotation its sign, in a list the item's indent."""
    start = place.string.rfind("\n", 0, place.start()) + 1
    return _NO_MARGIN.sub(" ", place.string[start : place.start()])
