"""Signatures of functions and types, written as code; links in it stay."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Text

_HEADER: Final = "module-header"
_CAPTION: Final = "caption"
_FIELD: Final = "dfn"
_HASKELL: Final = f":is(p,td,li,{_FIELD}).src,#{_HEADER}>.{_CAPTION},#description>.{_CAPTION}"
_FIXITY: Final = "fixity"
_HADDOCK: Final = "selflink"
_NEAR_END: Final = 30  # links
_SAMPLES: Final = 64  # links
_BESIDE: Final = f"a.link,a.{_HADDOCK}"
_INNER_BLOCKS: Final = frozenset(["div", "dl", "ol", "p", "table", "ul"])
# The lists are of parameters that Sphinx has on a line each.
_MARKUP: Final = "dl,dd,span,em,strong,b,i,code,tt,wbr,a:not([href])"


def write_signature(signature: Element) -> None:
    """Make code of all that is in an element."""
    if signature.select_one("a[href]"):
        signature.strip_tags(_MARKUP)
        signature.wrap_children(Element("code"))
    elif text := " ".join(signature.text.split()):
        signature.clear()
        signature.append(Element("code", children=[Text(text)]))


def write_haskell(anchors: list[Element], page: Element) -> None:
    """Make code of Haddock's signatures and a title of the module's name, on pages with its links from each to itself.

    It needs nobody to say that a description is one.
    """
    # To look for signatures costs a walk, and the links are here: the last ones are mostly of a signature.
    # An odd step, for they come in pairs with links to the source.
    some = anchors[-_NEAR_END:] + anchors[:: len(anchors) // _SAMPLES | 1]
    if any(anchor.attr("class") == _HADDOCK for anchor in some):
        for part in page.select(_HASKELL):
            if part.attr("class") != _CAPTION:
                _write_first_line(part)
                if part.tag == _FIELD:
                    part.tag = "span"
            elif isinstance(part.parent, Element) and part.parent.attr("id") == _HEADER:
                part.tag = "h1"
                part.parent.insert(0, part)
            else:
                part.extract()


def _write_first_line(signature: Element) -> None:
    """Make code of what stands before the first block, without the links to its source and itself."""
    signature.remove(_BESIDE)
    fixities = [node for node in signature.children if isinstance(node, Element) and node.has_class(_FIXITY)]
    for fixity in fixities:
        fixity.extract()
    nodes = signature.children
    length = next((place for place, node in enumerate(nodes) if _is_block(node)), len(nodes))
    if 0 < length < len(nodes):
        signature = Element("span")
        nodes[0].wrap_siblings(signature, until=nodes[length - 1])
    if length > 0:
        write_signature(signature)
    for fixity in fixities:
        signature.extend([Text(" "), Element("code", children=[Text(fixity.text)])])


def _is_block(node: object) -> bool:
    return isinstance(node, Element) and node.tag in _INNER_BLOCKS
