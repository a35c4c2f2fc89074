"""Cards that are one link each, beside each other: a reader sees blocks, though links are parts of a line."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Node, Text

_LINK: Final = "a"
_BLOCKS: Final = frozenset(["article", "div", "figure", "p", "section"])


def part_cards(content: Element) -> Element:
    """Put a block around each link that holds blocks and has another such link beside it. Return the element."""
    cards = {link for link in content.find_all(_LINK) if any(map(_is_block, link.children))}
    for card in cards:
        if _beside(card, -1) in cards or _beside(card, 1) in cards:
            card.wrap(Element("div"))
    return content


def _is_block(node: Node) -> bool:
    return isinstance(node, Element) and node.tag in _BLOCKS


def _beside(card: Element, side: int) -> Node | None:
    """Return what stands beside a card but for white space, wrapped already or not."""
    node: Node | None = card
    while node is not None:
        node = node.next_sibling if side > 0 else node.previous_sibling
        if not isinstance(node, Text) or node.data.strip():
            break
    if isinstance(node, Element) and node.tag == "div" and not node.attrs:
        inner = node.children[0] if len(node.children) == 1 else None
        return inner if isinstance(inner, Element) and inner.tag == _LINK else node
    return node
