"""Emphasis around text that does not begin and end in ASCII, which turbohtml leaves as HTML.

It takes such characters for punctuation, which may not stand inside `**` next to a letter. Here the Unicode category
decides. The marks travel through the conversion as control characters, which it does not escape.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from turbohtml import Element, Node, Text

MARKS: Final = (("\x01", "**"), ("\x02", "*"))
EMPHASIS: Final = {"b": "\x01", "strong": "\x01", "i": "\x02", "em": "\x02"}
_NOT_INLINE: Final = "p,div,ul,ol,dl,table,pre,blockquote,hr,br,img,h1,h2,h3,h4,h5,h6,section,article,figure"
_VERBATIM: Final = "pre,code,kbd,samp,tt,textarea"
_LINE_STARTERS: Final = frozenset(
    [
        "p",
        "li",
        "td",
        "th",
        "dd",
        "dt",
        "div",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "figcaption",
        "summary",
    ]
)


def mark_emphasis(elements: Iterable[Element]) -> None:
    """Replace each emphasis that Markdown can express but turbohtml would not by its marks."""
    for emphasis in elements:
        if emphasis.text.isascii() or not _is_plain(emphasis):
            continue
        _shed_space(emphasis)
        text = emphasis.text
        if not text or (text[0].isascii() and text[-1].isascii()):
            continue
        if _holds(text[0], emphasis.previous_sibling, -1, emphasis) and _holds(
            text[-1], emphasis.next_sibling, 0, emphasis
        ):
            sign = EMPHASIS[emphasis.tag]
            emphasis.insert(0, Text(sign))
            emphasis.append(Text(sign))
            emphasis.unwrap()


def _is_plain(emphasis: Element) -> bool:
    """Tell whether the first and last characters are the emphasis's own, and it is prose on one line."""
    edges = emphasis.children[0], emphasis.children[-1]
    return (
        all(isinstance(edge, Text) or (isinstance(edge, Element) and edge.tag in EMPHASIS) for edge in edges)
        and emphasis.select_one(_NOT_INLINE) is None
        and emphasis.closest(_VERBATIM) is None
    )


def _shed_space(emphasis: Element) -> None:
    """Move white space at the edges out of the emphasis, where Markdown cannot have it."""
    first, last = emphasis.children[0], emphasis.children[-1]
    if isinstance(first, Text) and (kept := first.data.lstrip()) != first.data:
        emphasis.insert_before(Text(first.data.removesuffix(kept)))
        first.data = kept
    if isinstance(last, Text) and (kept := last.data.rstrip()) != last.data:
        emphasis.insert_after(Text(last.data.removeprefix(kept)))
        last.data = kept


def _holds(edge: str, neighbour: Node | None, near: int, emphasis: Element) -> bool:
    """Tell whether a mark between `edge` and its neighbour reads as emphasis (CommonMark's flanking rule)."""
    if isinstance(neighbour, Element):
        return neighbour.tag not in EMPHASIS and _is_word(edge)
    if _is_word(edge):
        return True
    if isinstance(neighbour, Text):
        return not _is_word(neighbour.data[near])
    parent = emphasis.parent
    return isinstance(parent, Element) and parent.tag in _LINE_STARTERS


def _is_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"
