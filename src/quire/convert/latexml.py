"""Papers by LaTeXML, which are at arXiv and ar5iv: their equations, footnotes, items and fonts are all by class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from turbohtml import Element, Node, Text

from .complete import say_all
from .formulas import CELL, numbered, tex_in, written
from .inline_code import VERBATIM
from .verbatim import Verbatim

_PREFIX: Final = "ltx_"
# Of each kind, the first few tell.
_TELLING: Final = ("heading", "formula", "div")
_FIRST: Final = 2
_EQUATIONS: Final = "ltx_eqn_table"
_ROW: Final = ".ltx_eqn_row"
_NUMBER: Final = ".ltx_tag_equation,.ltx_tag_equationgroup"
_NOTE: Final = "ltx_note"
_NOTE_MARK: Final = ".ltx_note_mark"
_NOTE_TEXT: Final = ".ltx_note_content"
_BEFORE_NOTE: Final = ".ltx_note_mark,.ltx_tag_note,.ltx_note_type"
_ITEM_MARK: Final = "ltx_tag_item"
_FONTS: Final = {"ltx_font_typewriter": "code", "ltx_font_bold": "strong", "ltx_font_italic": "em"}
_KINDS: Final = {"code": "code", "strong": "mark", "em": "mark"}
_UNMARKED: Final = f"h1,h2,h3,h4,h5,h6,dt,.ltx_listing,.{_ITEM_MARK},{VERBATIM}"
_SHAPED: Final = ",".join([
    f".{_EQUATIONS}", f".{_NOTE}", f"li>.{_ITEM_MARK}", *(f"span.{name}" for name in _FONTS)
])  # fmt: skip
# What Markdown's own signs say; another, such as `(A1)`, is what the text may call its item by.
_USUAL_MARK: Final = re.compile(r"\W*|\(?(?:\d+|[A-Za-z]|[ivxl]+)[.)]*")
_STYLE: Final = re.compile(r"\\displaystyle(?![A-Za-z])\s*+")


def read_latexml(page: Element, found: dict[str, list[Element]], verbatim: Verbatim) -> None:
    """Make of a paper's classes what they mean, before its formulas are written."""
    if not _is_latexml(found):
        return
    marked: set[Element] = set()
    for part in page.select(_SHAPED):
        if part.has_class(_EQUATIONS):
            _write_equations(part, verbatim)
        elif part.has_class(_NOTE):
            _write_note(part)
        elif part.has_class(_ITEM_MARK):
            _write_mark(part, marked)
        elif tag := _font(part):
            part.tag = tag
            found[_KINDS[tag]].append(part)
    found["table"] = [table for table in found["table"] if table.tag == "table"]


def _is_latexml(found: Mapping[str, Sequence[Element]]) -> bool:
    first = [each for kind in _TELLING for each in found[kind][:_FIRST]]
    return any((each.attr("class") or "").startswith(_PREFIX) for each in first)


def _write_equations(table: Element, verbatim: Verbatim) -> None:
    """Make a formula of every row, of which there may be several in one table."""
    rows = table.select(_ROW)
    if not say_all(rows, table):
        return
    is_cell = table.closest(CELL) is not None
    is_block = table.tag == "table"
    equations = Element("div")
    for row in rows:
        if nodes := _equation(row, verbatim, is_cell=is_cell):
            equations.append(Element("p" if is_block else "span", children=nodes))
    table.clear()
    table.extend(list(equations.children))
    table.tag = "div" if is_block else "span"


def _equation(row: Element, verbatim: Verbatim, *, is_cell: bool) -> list[Node]:
    number = row.select_one(_NUMBER)
    label = number.text.strip() if number else ""
    if number:
        number.extract()
    formulas = row.select("math")
    parts = [tex_in(formula) for formula in formulas]
    if not formulas or None in parts or _without_blanks([row]) != _without_blanks(formulas):
        words = [node for cell in row.children if isinstance(cell, Element) for node in (*cell.children, Text(" "))]
        return [*words, Text(label)]
    tex = " ".join(_STYLE.sub("", part, count=1) if _STYLE.match(part) else part for part in parts if part)
    with_number = numbered(tex, label)
    formula = verbatim.stand_in(written(with_number or tex, is_block=True, is_cell=is_cell))
    return [formula] if with_number or not label else [formula, Text(f" {label}")]


def _without_blanks(parts: Iterable[Element]) -> str:
    return "".join("".join(part.text for part in parts).split())


def _write_note(note: Element) -> None:
    """Put a note behind its number, in brackets; the page has it there when it is pointed at, with the number again."""
    mark, text = note.select_one(_NOTE_MARK), note.select_one(_NOTE_TEXT)
    if mark is None or text is None:
        return
    mark.extract()
    if not say_all([text], note):
        note.insert(0, mark)
        return
    text.remove(_BEFORE_NOTE)
    words = [Text(" ("), *text.children, Text(")")] if text.text.strip() else []
    note.clear()
    note.extend([mark, *words])


def _write_mark(mark: Element, marked: set[Element]) -> None:
    """Drop the mark of an item, or put it into the item's text if it says something and is the first to do so."""
    item = mark.parent
    if _USUAL_MARK.fullmatch(mark.text.strip()):
        mark.extract()
    elif isinstance(item, Element) and item not in marked:
        marked.add(item)
        if (paragraph := item.find("p")) is not None:
            paragraph.insert(0, Text(" "))
            paragraph.insert(0, mark)


def _font(text: Element) -> str | None:
    """Return the tag for what a text is set in; None where it says nothing, or nothing new."""
    tag = next(tag for name, tag in _FONTS.items() if text.has_class(name))
    is_formula = tag == "code" and text.find("math") is not None
    return None if is_formula or not text.text.strip() or text.closest(_UNMARKED) is not None else tag
