"""Quotations: those that only indent what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from turbohtml import Element, Node, Text

from .breaks import says_something

_LISTS: Final = frozenset(["ol", "ul"])
# docutils, where what is indented is a quotation; its definition lists may have no class.
_LIST_STYLES: Final = frozenset([
    "simple", "arabic", "docutils", "loweralpha", "upperalpha", "lowerroman", "upperroman", "auto-toc",
])  # fmt: skip
# Sphinx has a block more around what is quoted. In there, these are never what somebody said.
_INDENTED: Final = frozenset(["blockquote", "div", "dl", "ol", "pre", "table", "ul"])
# nginx.
_EXAMPLE: Final = "example"
# Themes of Hexo have it in their style sheets.
_BEFORE_SOURCE: Final = " — "
_UNNAMED: Final = frozenset(["div", "p", "span"])
_PICTURED: Final = frozenset(["a", "div", "p"])


def free_indented(quotations: Iterable[Element]) -> None:
    """Take quotations away that only indent lists or code, as docutils and Texinfo do, or with a style another.

    Blocks that say nothing, at the end of one, go as well.
    """
    for quotation in quotations:
        if quotation.parent is None:
            continue
        _drop_end(quotation)
        match _parts(quotation):
            case [Element(tag="blockquote")]:
                # Without a style it may be meant.
                if quotation.attrs:
                    quotation.unwrap()
            case [Element(tag="div") as block] if not block.attrs:
                inner = _parts(block)
                if not quotation.attrs and inner and all(map(_is_indented, inner)):
                    block.unwrap()
                    quotation.unwrap()
            case [Element(tag="pre")] if quotation.has_class(_EXAMPLE):
                quotation.unwrap()
            case [_, *_] as parts if not quotation.attrs:
                if all(map(_is_styled_list, parts)) or _is_styled_code(parts):
                    quotation.unwrap()


def _drop_end(quotation: Element) -> None:
    """Take out what a quotation ends with if there is nothing to see, as XenForo's mark of the end."""
    last = quotation.children[-1] if quotation.children else None
    while isinstance(last, Text) or (isinstance(last, Element) and last.tag in _UNNAMED):
        before = last.previous_sibling
        if before is None or says_something(last):
            break
        last.extract()
        last = before


def name_sources(quotations: Iterable[Element]) -> None:
    """Part who said something from where, at the end of a quotation, if nothing does."""
    for quotation in quotations:
        last = quotation.children[-1] if quotation.children else None
        if isinstance(last, Element) and last.tag == "footer":
            for source in last.find_all("cite"):
                if isinstance(before := source.previous_sibling, Element) and before.tag != "br":
                    source.insert_before(Text(_BEFORE_SOURCE))


def _parts(block: Element) -> list[Node]:
    return [child for child in block.children if isinstance(child, Element) or child.text.strip()]


def _is_indented(part: Node) -> bool:
    return isinstance(part, Element) and part.tag in _INDENTED


def _is_styled_list(part: Node) -> bool:
    if not isinstance(part, Element):
        return False
    if part.tag == "dl":
        return True
    return part.tag in _LISTS and not _LIST_STYLES.isdisjoint((part.attr("class") or "").split())


def _is_styled_code(parts: Sequence[Node]) -> bool:
    """Return whether there is nothing but code with a class, and pictures of what it does."""
    is_any_code = False
    for part in parts:
        if not isinstance(part, Element):
            return False
        is_code = part.tag == "pre" and bool(part.attr("class"))
        is_any_code = is_any_code or is_code
        if not is_code and (part.tag not in _PICTURED or part.text.strip() or part.find("img") is None):
            return False
    return is_any_code
