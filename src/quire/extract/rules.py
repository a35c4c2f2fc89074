"""Lines across the page that part nothing any more, because what was beside them is gone."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Node

_RULE: Final = "hr"
_MOST_LOOKS: Final = 100
_SHOWN: Final = ("audio", "iframe", "img", "input", "object", "video")
_ANY_SHOWN: Final = ",".join(_SHOWN)


def drop_idle_rules(content: Element) -> Element:
    """Take out lines with nothing between them and the last one, the beginning or the end; return the element."""
    rules = content.find_all(_RULE)
    for rule in [each for each in rules if _is_idle(each, content, -1) or _is_idle(each, content, 1)]:
        rule.extract()
    return content


def _is_idle(rule: Element, content: Element, side: int) -> bool:
    """Return whether there is nothing before a line (-1), or nothing but lines behind it (1)."""
    node: Node | None = rule
    looks = 0
    while node is not None and node != content:
        beside = node.next_sibling if side > 0 else node.previous_sibling
        while beside is not None:
            looks += 1
            if looks > _MOST_LOOKS:
                return False
            if isinstance(beside, Element) and beside.tag == _RULE:
                if side < 0:
                    return True
            elif _says_something(beside):
                return False
            beside = beside.next_sibling if side > 0 else beside.previous_sibling
        node = node.parent
    return True


def _says_something(node: Node) -> bool:
    if node.text.strip():
        return True
    return isinstance(node, Element) and (node.tag in _SHOWN or node.select_one(_ANY_SHOWN) is not None)
