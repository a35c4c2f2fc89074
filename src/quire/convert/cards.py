"""Cards of sphinx-design: a title, and a link that covers all of the card, with words that nobody sees."""

from __future__ import annotations

from typing import Final

from turbohtml import Element

from .lists import elements
from .notes import strengthen

_CARD: Final = "sd-card"
_TITLE: Final = "sd-card-title"
NAMES: Final = frozenset([_CARD, _TITLE])
_COVER: Final = "sd-hide-link-text"


def give_shape(part: Element, name: str, found: dict[str, list[Element]]) -> None:
    """Make the title of a card strong, and let it be where the card leads."""
    if name == _TITLE:
        strengthen(part, found)
        return
    cover = next((each for each in elements(part) if each.has_class(_COVER)), None)
    title = part.select_one(f".{_TITLE}") if cover is not None else None
    if cover is None or title is None or not title.text.strip() or title.find("a"):
        return
    cover.extract()
    cover.clear()
    title.wrap_children(cover)
