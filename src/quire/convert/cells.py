"""Cells of Markdown's tables, which have lines for blocks."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Node, Text

from .breaks import says_something
from .lists import HEADINGS

_BLOCKS: Final = ("p", "div", "details", "summary", "pre", "section", "article", "figure", "figcaption")
_UNWRAPPED: Final = ",".join(_BLOCKS)
_PARTING: Final = frozenset([*_BLOCKS, "br"])


def write_lines(table: Element) -> None:
    """Put line breaks where blocks begin and end in the cells, and take the blocks away."""
    is_any_parted = False
    for block in list(table.iter_elements(_BLOCKS)):
        if block.tag != "pre" and _is_end(block.previous_sibling) and _is_end(block.next_sibling):
            continue
        if not says_something(block):
            block.replace_with(Text(" "))
            continue
        before, after = _beside(block, -1), _beside(block, 1)
        is_any_parted = is_any_parted or before is not None or after is not None
        if before is not None and not _is_break(before) and not _is_heading_of_caption(before):
            block.insert_before(Element("br"))
        if after is not None and not (isinstance(after, Element) and after.tag in _PARTING):
            block.insert_after(Element("br"))
        if block.tag == "pre":
            block.replace_with(Element("code", children=[Text(block.text.strip("\n"))]))
    if is_any_parted:
        table.strip_tags(_UNWRAPPED)
        table.normalize()
        for line_break in table.find_all("br"):
            if isinstance(before := line_break.previous_sibling, Text):
                before.data = before.data.rstrip()
            if isinstance(after := line_break.next_sibling, Text):
                after.data = after.data.lstrip()


def _is_end(beside: Node | None) -> bool:
    """Tell whether there is nothing beside a block, or the line break of the page's source, where cells end."""
    if not isinstance(beside, Text):
        return beside is None
    return beside.data.isspace() and (beside.previous_sibling is None or beside.next_sibling is None)


def _beside(block: Element, side: int) -> Node | None:
    """Return the nearest of what stands before (-1) or behind (1) a block and can be seen."""
    node: Node | None = block
    while node is not None:
        node = node.next_sibling if side > 0 else node.previous_sibling
        if node is not None and (_is_break(node) or says_something(node)):
            break
    return node


def _is_heading_of_caption(node: Node) -> bool:
    """Return whether a node is a heading above a table, which is a block of its own."""
    around = node.parent
    return (
        isinstance(around, Element) and around.tag == "caption" and isinstance(node, Element) and node.tag in HEADINGS
    )


def _is_break(node: Node) -> bool:
    return isinstance(node, Element) and node.tag == "br"
