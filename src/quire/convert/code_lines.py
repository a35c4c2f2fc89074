"""Lines of inline code: Markdown has it on one line, and blocks for those of several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from turbohtml import Element, Text

from .inline_code import ANY_CODE, CODE, shown

_PARAGRAPHS: Final = frozenset(["div", "p"])
_SIGNATURE: Final = "sig"
_LINES_ONLY: Final = "dt,h1,h2,h3,h4,h5,h6,pre,td,th"


def break_lines(breaks: Iterable[Element], blocks: list[Element]) -> list[Element]:
    """Make a block of code with line breaks that is a paragraph's all; part other such code, and return the parts."""
    parts: list[Element] = []
    for code in dict.fromkeys(each.parent for each in breaks):
        if not isinstance(code, Element) or code.tag not in CODE or code.closest("pre") is not None:
            continue
        around = code.parent
        if isinstance(around, Element) and _is_all(code, around) and around.closest(_LINES_ONLY) is None:
            around.set_text("\n".join(_lines(code)).strip("\n"))
            around.tag = "pre"
            blocks.append(around)
        else:
            parts += _part(code)
    return parts


def join_lines(breaks: Iterable[Element]) -> None:
    """Put a blank for each line break within parts of code and in signatures, as pdoc3 and Sphinx have in long ones."""
    for each in breaks:
        around = each.parent
        if isinstance(around, Element) and (_is_signature(around) or (around.tag == "span" and _is_in_code(around))):
            each.replace_with(Text(" "))


def _is_signature(element: Element) -> bool:
    return element.tag == "dt" and (element.attr("class") or "").startswith(_SIGNATURE)


def _is_in_code(part: Element) -> bool:
    return part.closest(ANY_CODE) is not None and part.closest("pre") is None


def _is_all(code: Element, paragraph: Element) -> bool:
    """Tell whether there is nothing but code of several lines in a paragraph."""
    if paragraph.tag not in _PARAGRAPHS or sum(1 for line in _lines(code) if line) <= 1:
        return False
    # To look at all there is in a paragraph, for each of many pieces of code, would take long.
    if any(other.text.strip() for side in (code.next_siblings, code.previous_siblings) for other in side):
        return False
    return next(paragraph.iter_elements(("img",)), None) is None


def _lines(code: Element) -> list[str]:
    """Return the lines of code without the indentation of the page's source, which no browser shows."""
    lines: list[list[str]] = [[]]
    for node in code.children:
        if isinstance(node, Element) and node.tag == "br":
            lines.append([])
        else:
            lines[-1].append(node.text)
    return [shown("".join(line).strip(" \t\n\r\f")).rstrip() for line in lines]


def _part(code: Element) -> Iterator[Element]:
    """Make a piece of code of each line."""
    for is_break, nodes in groupby(code.children, lambda node: isinstance(node, Element) and node.tag == "br"):
        first, *others = nodes
        if not is_break and any(node.text.strip() for node in (first, *others)):
            piece = Element(code.tag)
            first.wrap_siblings(piece, until=others[-1] if others else first)
            yield piece
    code.tag = "span"
