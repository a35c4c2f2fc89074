"""Text that must reach the Markdown untouched: a sign and a number stand for it during the conversion."""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Text

_PLACE: Final = re.compile("\x19(\\d{1,9})\x19")
_MARGIN: Final = re.compile(r"(?:[ >]|[-*+] |\d{1,9}[.)] )*+")
_MARKER: Final = re.compile(r"[^ >]")


class Verbatim:
    """The texts of one page, in the order in which they were put away."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._places: list[tuple[Text, str]] = []

    def stand_in(self, text: str, words: str | None = None) -> Text:
        """Put a text away and return what stands for it in the tree; its words are all of it, if none are given."""
        place = Text(f"\x19{len(self._texts)}\x19")
        self._texts.append(text)
        self._places.append((place, text if words is None else words))
        return place

    def write(self, markdown: str) -> str:
        """Return the Markdown with every text in its place."""
        return _PLACE.sub(self._text, markdown) if self._texts else markdown

    def leave_words(self) -> None:
        """Put the words of every text into the tree, for whoever reads that next."""
        for place, words in self._places:
            place.data = words
        self._places.clear()

    def _text(self, place: re.Match[str]) -> str:
        number = int(place[1])
        text = self._texts[number] if number < len(self._texts) else ""
        return text.replace("\n", "\n" + _margin(place)) if "\n" in text else text


def _margin(place: re.Match[str]) -> str:
    """Return what every line below the first begins with: in a quotation its sign, in a list the item's indent."""
    start = place.string.rfind("\n", 0, place.start()) + 1
    margin = _MARGIN.match(place.string, start, place.start())
    return _MARKER.sub(" ", margin[0]) if margin else ""
