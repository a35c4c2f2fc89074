"""Links with nothing to read or to see in them: laid over a card, or a sign that only a style sheet draws."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Text

_NAMES: Final = ("aria-label", "title")
_SHOWN: Final = "img,svg title,svg text,audio,iframe,input,object,video"
_HEADINGS: Final = ("h2", "h3", "h4", "h5", "h6")
_NOWHERE: Final = ("#", "javascript:")
_LARGEST_CARD: Final = 1_000  # characters


def without_nameless(content: Element) -> Element:
    """Take such links out; one that is laid over a card leads on from the card's heading. Return the element."""
    for link in content.find_all("a"):
        target = link.attr("href")
        if target is None or link.text.strip() or any(map(link.attr, _NAMES)) or link.select_one(_SHOWN):
            continue
        heading = None if target.startswith(_NOWHERE) else _heading_beside(link)
        link.replace_with(Text(link.text))
        if heading is not None:
            heading.wrap_children(Element("a", {"href": target}))
    return content


def _heading_beside(link: Element) -> Element | None:
    """Return the one heading of the card that a link is in, if it leads nowhere yet."""
    card = link.parent
    if not isinstance(card, Element) or len(card.text) > _LARGEST_CARD:
        return None
    headings = list(card.iter_elements(_HEADINGS))
    if len(headings) != 1 or headings[0].find("a") or headings[0].closest("a") or not headings[0].text.strip():
        return None
    return headings[0]
