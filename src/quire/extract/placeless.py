"""Images that a page has no address for: a script was to bring them, and their description stands for nothing here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turbohtml import Element, Node, Text

_NO_ADDRESSES: Final = frozenset(
    ["alt", "aria-label", "class", "decoding", "height", "id", "loading", "sizes", "style", "title", "width"]
)
_ADDRESS_SIGNS: Final = ("/", ".")
_SETS: Final = ("srcset", "data-srcset")
# What a script is to work out, and what holds a picture of nothing until then.
_UNKNOWN: Final = (":", "v-")
_DATA: Final = "data:"
_DEEPEST: Final = 8
_PHRASES: Final = frozenset(["a", "b", "em", "font", "i", "picture", "span", "strong"])
# In a cell or a link the description may be all that is said, and so it may in an item.
_SAYING: Final = "a[href],button,td,th"
_BLOCKS: Final = frozenset(["article", "body", "center", "div", "figure", "main", "p", "section"])


def without_placeless(content: Element) -> Element:
    """Take such images out that stand alone; in a line, their description is a part of it. Return the element."""
    for image in content.find_all("img"):
        if image.attr("alt") and not _has_address(image) and _stands_alone(image):
            image.extract()
    return content


def _has_address(image: Element) -> bool:
    around = image.parent
    sources = around.find_all("source") if isinstance(around, Element) and around.tag == "picture" else []
    if any(source.attr(name) for source in sources for name in _SETS):
        return True
    named = ((name, str(value)) for name, value in image.attrs.items() if name not in _NO_ADDRESSES)
    values = [value for name, value in named if not name.startswith(_UNKNOWN) and not value.startswith(_DATA)]
    return any(sign in value for value in values for sign in _ADDRESS_SIGNS)


def _stands_alone(image: Element) -> bool:
    element: Node = image
    for _ in range(_DEEPEST):
        if element.parent is None or any(map(_is_in_line, _beside(element))):
            return False
        element = element.parent
        if not isinstance(element, Element) or element.tag not in _PHRASES:
            break
    return isinstance(element, Element) and element.tag in _BLOCKS and image.closest(_SAYING) is None


def _beside(element: Node) -> Iterator[Node | None]:
    """Yield what stands before and behind an element, and behind blanks there."""
    for step in ("previous_sibling", "next_sibling"):
        node: Node | None = getattr(element, step)
        yield getattr(node, step) if isinstance(node, Text) and not node.data.strip() else node


def _is_in_line(beside: Node | None) -> bool:
    """Return whether something stands in the same line; to read all that is in an element may take long."""
    if isinstance(beside, Element):
        return beside.tag in _PHRASES and bool(beside.children)
    return beside is not None and bool(beside.text.strip())
