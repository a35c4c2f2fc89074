"""Signatures of functions and types, written as code; links in it stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turbohtml import Element, Text

_HASKELL: Final = "p.src,td.src,li.src"
_HADDOCK: Final = "selflink"
_NEAR_END: Final = 30  # links
_BESIDE: Final = f"a.link,a.{_HADDOCK}"
_INNER_BLOCKS: Final = frozenset(["div", "dl", "ol", "p", "table", "ul"])
_MARKUP: Final = "span,em,strong,b,i,code,tt,wbr,a:not([href])"


def write_signature(signature: Element) -> None:
    """Make code of all that is in an element."""
    if signature.select_one("a[href]"):
        signature.strip_tags(_MARKUP)
        signature.wrap_children(Element("code"))
    elif text := " ".join(signature.text.split()):
        signature.clear()
        signature.append(Element("code", children=[Text(text)]))


def write_haskell(anchors: Sequence[Element], page: Element) -> None:
    """Make code of Haddock's signatures, on pages with its links from each to itself."""
    # To look for signatures costs a walk, and the links are here: the last ones are of a signature.
    if any(anchor.attr("class") == _HADDOCK for anchor in anchors[-_NEAR_END:]):
        for signature in page.select(_HASKELL):
            _write_first_line(signature)


def _write_first_line(signature: Element) -> None:
    """Make code of what stands before the first block, without the links to its source and itself."""
    signature.remove(_BESIDE)
    nodes = signature.children
    length = next((place for place, node in enumerate(nodes) if _is_block(node)), len(nodes))
    if 0 < length < len(nodes):
        signature = Element("span")
        nodes[0].wrap_siblings(signature, until=nodes[length - 1])
    if length > 0:
        write_signature(signature)


def _is_block(node: object) -> bool:
    return isinstance(node, Element) and node.tag in _INNER_BLOCKS
