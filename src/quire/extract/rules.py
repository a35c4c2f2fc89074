"""Lines across the page that part nothing any more, because what was beside them is gone."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Text

_SHOWN: Final = ("audio", "iframe", "img", "input", "object", "video")


def drop_idle_rules(content: Element) -> Element:
    """Take out lines with nothing between them and the last one, the beginning or the end; return the element."""
    if content.find("hr") is None:
        return content
    idle: list[Element] = []
    last: Element | None = None
    is_parting = False
    for node in content.descendants:
        if isinstance(node, Element):
            if node.tag == "hr":
                if not is_parting:
                    idle.append(node)
                else:
                    last, is_parting = node, False
            elif node.tag in _SHOWN:
                is_parting = True
        elif isinstance(node, Text) and not node.data.isspace():
            is_parting = True
    if last is not None and not is_parting:
        idle.append(last)
    for rule in idle:
        rule.extract()
    return content
