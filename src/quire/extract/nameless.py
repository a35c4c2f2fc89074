"""Links with nothing to read or to see in them: laid over a card, or a sign that only a style sheet draws."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Text

_NAMES: Final = ("aria-label", "title")
_SHOWN: Final = "img,svg title,svg text,audio,iframe,input,object,video"
_HEADINGS: Final = ("h2", "h3", "h4", "h5", "h6")
_NOWHERE: Final = ("#", "javascript:")
_LARGEST_CARD: Final = 1_000  # characters
_NEAR: Final = 3  # links: a card has hardly more


def without_nameless(content: Element) -> Element:
    """Take such links out; one that is laid over a card leads on from the card's heading. Return the element.

    A link with a name that is nowhere seen goes where one near it leads to the same place.
    """
    cards: set[Element] = set()
    links = content.find_all("a")
    for place, link in enumerate(links):
        target = link.attr("href")
        if target is None or link.text.strip() or link.select_one(_SHOWN):
            continue
        if name := next(filter(None, map(link.attr, _NAMES)), ""):
            if any(_says_the_same(each, target, name) for each in links[max(0, place - _NEAR) : place + _NEAR + 1]):
                link.extract()
            continue
        card = link.parent
        if isinstance(card, Element) and card not in cards and not target.startswith(_NOWHERE):
            # Where many are in one place, one look at it is enough.
            cards.add(card)
            if (heading := _heading_of(card)) is not None:
                heading.wrap_children(Element("a", {"href": target}))
        if blank := link.text:
            link.replace_with(Text(blank))
        else:
            link.extract()
    return content


def _says_the_same(link: Element, target: str, name: str) -> bool:
    """Return whether a link has words for a place, or is what the name says of it where only the query is another."""
    words = " ".join(link.text.split())
    other = link.attr("href") or ""
    is_same = other == target or (other.partition("?")[0] == target.partition("?")[0] and words in name)
    return bool(words) and is_same


def _heading_of(card: Element) -> Element | None:
    """Return the one heading of a card, if it leads nowhere yet."""
    if len(card.text) > _LARGEST_CARD:
        return None
    headings = list(card.iter_elements(_HEADINGS))
    if len(headings) != 1 or headings[0].find("a") or headings[0].closest("a") or not headings[0].text.strip():
        return None
    return headings[0]
