"""Signatures of functions and types, written as code; links in it stay."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Text

HASKELL: Final = "p.src,td.src,li.src"
_HASKELL: Final = "src"
_BESIDE: Final = "a.link,a.selflink"
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


def is_haskell(element: Element) -> bool:
    """Tell whether an element is a signature as Haddock writes them."""
    return (element.attr("class") or "").partition(" ")[0] == _HASKELL


def write_haskell(signature: Element) -> None:
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
