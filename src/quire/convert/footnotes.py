"""Footnotes begin with their number: docutils' have it beside them, in a list or a table in its older versions.

Texinfo's and Org's have it above them, and DocBook's in superscript.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from turbohtml import Element, Node, Text

from .lists import elements
from .marks import BLOCKS

# Org.
_ORG_NOTE: Final = "footdef"
NAMES: Final = frozenset(["footnote", "citation", _ORG_NOTE])
_LABEL: Final = "label"
_LABELS: Final = (_LABEL, "title")
_DOCBOOK_LINK: Final = "para"
_NUMBER: Final = re.compile(r"\s*+\(\d++\)\s*+")
_CELLS: Final = 2
_WAY_BACK: Final = "↩"
_BEFORE_WAY_BACK: Final = frozenset(["blockquote", "div", "dl", "figure", "ol", "p", "pre", "table", "ul"])
_BACK: Final = "a.fn-backref"
# What newer versions have around several of them.
_SEVERAL_BACK: Final = "span.fn-backref,span.backrefs"
_LONGEST_NUMBER: Final = 5  # characters
_SHORTEST_NOTE: Final = 8  # characters


def join_label(note: Element) -> None:
    """Put the number of a footnote, or what else is beside a paragraph, into it."""
    _drop_several_references(note)
    label = next(iter(elements(note)), None)
    if label is None:
        return
    _lower_number(label)
    beside = _behind(label)
    if note.has_class(_ORG_NOTE) and isinstance(beside, Element) and (number := label.find("a")):
        _begin(_first_paragraph(beside), [number])
        label.extract()
        return
    if any(map(label.has_class, _LABELS)) and isinstance(beside, Element) and beside.tag == "p":
        _begin(beside, [label])


def join_number(heading: Element) -> bool:
    """Put a heading that is nothing but a footnote's number (Texinfo) into the paragraph behind it, if there is one."""
    link, paragraph = next(iter(elements(heading)), None), _behind(heading)
    if link is None or not _NUMBER.fullmatch(heading.text) or not (link.attr("href") or "").startswith("#"):
        return False
    if not isinstance(paragraph, Element) or paragraph.tag != "p":
        return False
    _begin(paragraph, [link])
    heading.extract()
    return True


def free_notes(lists: Iterable[Element]) -> None:
    """Make paragraphs of the footnotes that are definition lists."""
    for each in lists:
        if (each.attr("class") or "").partition(" ")[0] in NAMES:
            for label in [part for part in elements(each) if part.tag == "dt"]:
                _free_note(label)


def without_notes(tables: Iterable[Element]) -> list[Element]:
    """Make paragraphs of the footnotes that are tables, and return the others."""
    return [table for table in tables if not _is_note(table) or not _untable(table)]


def free_superscripts(marked: Iterable[Element]) -> None:
    """Put a note that stands in the superscript with its number behind that, in brackets."""
    for each in [each for each in marked if each.tag == "sup"]:
        match each.children:
            case [Text() as number, Element() as note] if _is_note_of(number, note):
                each.insert_after(Text(" ("), *note.children, Text(")"))
                note.extract()


def line_to_reference(anchor: Element) -> Element | None:
    """Return what is but an arrow that leads back from a footnote, on a line of its own below code or a list."""
    if not anchor.text.startswith(_WAY_BACK):
        return None
    around = anchor.parent
    line = around if isinstance(around, Element) and _is_alone(anchor) else anchor
    after, before = line.next_sibling, line.previous_sibling
    while isinstance(before, Text) and not before.data.strip():
        before = before.previous_sibling
    is_last = after is None or (after.next_sibling is None and not after.text.strip())
    is_below = isinstance(before, Element) and before.tag in _BEFORE_WAY_BACK
    return line if is_last and is_below else None


def _is_alone(anchor: Element) -> bool:
    return not any(node.text.strip() for node in chain(anchor.previous_siblings, anchor.next_siblings))


def _lower_number(paragraph: Element) -> None:
    """Part the number that a footnote of DocBook begins with from its words, beside which it is in superscript."""
    match paragraph.children:
        case [Element(tag="a") as link, *_] if link.attr("class") == _DOCBOOK_LINK and (raised := link.find("sup")):
            number = raised.text.strip()
            link.set_text(number)
            link.insert_after(Text(" "))


def _behind(element: Element) -> Node | None:
    """Return what stands behind an element, past blanks."""
    beside = element.next_sibling
    while isinstance(beside, Text) and not beside.data.strip():
        beside = beside.next_sibling
    return beside


def _is_note_of(number: Text, note: Element) -> bool:
    if not note.attr("class") or len(number.data.strip()) > _LONGEST_NUMBER:
        return False
    return len(note.text.strip()) >= _SHORTEST_NOTE and note.select_one(BLOCKS) is None


def _free_note(label: Element) -> None:
    beside = _behind(label)
    if not isinstance(beside, Element) or beside.tag != "dd":
        return
    _drop_several_references(label)
    is_bracketed = label.text.strip().startswith("[")
    number = label.children if is_bracketed else [Text("["), *label.children, Text("]")]
    _begin(_first_paragraph(beside), number)
    label.extract()


def _is_note(table: Element) -> bool:
    return any(map(table.has_class, NAMES))


def _untable(table: Element) -> bool:
    """Make a block of a table with a number and a text beside it; False if it is another."""
    cells = table.select("td")
    if len(cells) != _CELLS or not cells[0].has_class(_LABEL):
        return False
    label, text = cells
    _drop_several_references(text)
    content = Element("div", children=list(text.children))
    _begin(_first_paragraph(content), label.children)
    table.clear()
    table.append(content)
    table.tag = "div"
    return True


def _drop_several_references(part: Element) -> None:
    """Drop the numbers that lead back to several places, in brackets before the text."""
    links = part.select(_BACK)
    several = links[0].parent if len(links) > 1 else part.select_one(_SEVERAL_BACK)
    if isinstance(several, Element) and several is not part:
        several.extract()


def _first_paragraph(part: Element) -> Element:
    first = next((child for child in part.children if child.text.strip()), None)
    return first if isinstance(first, Element) and first.tag == "p" else part


def _begin(paragraph: Element, nodes: Sequence[Node]) -> None:
    for node in [Text(" "), *reversed(nodes)]:
        paragraph.insert(0, node)
