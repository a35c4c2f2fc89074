"""Shadow trees that a page declares in its HTML: what a browser shows in place of their hosts' children (D7)."""

from __future__ import annotations

from typing import Final

from turbohtml import Document, Element, Node, Text

_DECLARED: Final = "template[shadowrootmode]"


def show_shadows(document: Document) -> None:
    """Put each declared tree in its place, and the children of its host where its slots are; outer ones come first."""
    shown: set[Element] = set()
    for template in document.select(_DECLARED):
        host = template.parent
        if isinstance(host, Element) and host not in shown:
            shown.add(host)
            _show(host, template)


def _show(host: Element, template: Element) -> None:
    """Have a host show its tree; a child that no slot is for is shown by no browser either."""
    template.extract()
    assigned: dict[str, list[Node]] = {}
    for child in host.children:
        if isinstance(child, Element | Text):
            name = child.attr("slot") if isinstance(child, Element) else None
            assigned.setdefault(name or "", []).append(child)
    slots = [slot for slot in template.find_all("slot") if slot.closest(_DECLARED) is template]
    host.clear()
    for fragment in template.children:
        for node in fragment.children:
            host.append(node)
    for slot in slots:
        if nodes := assigned.pop(slot.attr("name") or "", None):
            slot.clear()
            for node in nodes:
                slot.append(node)
