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
_NO_BREAK: Final = "\u00a0"
_INDENTED: Final = 2 * _NO_BREAK
_SPACE: Final = " \t\n\r\f"
_FEWEST_INDENTED: Final = 2  # lines
_FEWEST_KEPT: Final = 4  # blanks
_KEPT_FOR_ONE: Final = 4
_NOT_IN_CODE: Final = "a[href],img"


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


def keep_layout(breaks: Iterable[Element], blocks: list[Element]) -> None:
    """Make code of paragraphs in which lines and blanks are kept by signs for them: what they show is their layout.

    DocBook's literal layout, Ada's manual: lines are indented, and next to no blank is one that a browser may break at.
    """
    starts: dict[Element, int] = {}
    for each in breaks:
        behind = each.next_sibling
        if type(behind) is Text and _INDENTED in behind.data and behind.data.lstrip(_SPACE).startswith(_INDENTED):
            around = each.parent
            if isinstance(around, Element) and around.tag in _PARAGRAPHS:
                starts[around] = starts.get(around, 0) + 1
    for paragraph, count in starts.items():
        if count >= _FEWEST_INDENTED and _is_laid_out(paragraph) and paragraph.closest(_LINES_ONLY) is None:
            paragraph.set_text("\n".join(_lines(paragraph)).strip("\n"))
            paragraph.tag = "pre"
            blocks.append(paragraph)


def _is_laid_out(paragraph: Element) -> bool:
    """Tell whether blanks between words are kept as well as lines, with nothing in them that code cannot have."""
    lines = _raw_lines(paragraph)
    if paragraph.select_one(_NOT_IN_CODE) or len(paragraph.find_all("br")) >= len(lines):
        return False
    words = "\n".join([line.strip() for line in lines])
    kept = words.count(_NO_BREAK)
    return kept >= _FEWEST_KEPT and kept >= _KEPT_FOR_ONE * words.count(" ")


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
    return [shown(line).rstrip() for line in _raw_lines(code)]


def _raw_lines(code: Element) -> list[str]:
    lines: list[list[str]] = [[]]
    for node in code.children:
        if isinstance(node, Element) and node.tag == "br":
            lines.append([])
        else:
            lines[-1].append(node.text)
    return ["".join(line).strip(_SPACE) for line in lines]


def _part(code: Element) -> Iterator[Element]:
    """Make a piece of code of each line."""
    for is_break, nodes in groupby(code.children, lambda node: isinstance(node, Element) and node.tag == "br"):
        first, *others = nodes
        if not is_break and any(node.text.strip() for node in (first, *others)):
            piece = Element(code.tag)
            first.wrap_siblings(piece, until=others[-1] if others else first)
            yield piece
    code.tag = "span"
