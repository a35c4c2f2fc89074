"""Programs as Scribble sets them, the tool of Racket's documentation: in tables, a row for a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from turbohtml import Element, Text

from .complete import say_all
from .lists import elements

_PROGRAM: Final = "RktBlk"
_DEFINITION: Final = "RBoxed"
_ERROR: Final = "RktErr"
_LINE: Final = "SCodeFlow"
# What a definition is of, and what stands beside a paragraph.
_KIND: Final = ".RBackgroundLabel"
_MARGIN: Final = "span.refelem"
_CELLS: Final = "td,th"
_NO_BREAK: Final = "\u00a0"


def write_programs(found: dict[str, list[Element]], page: Element) -> None:
    """Make code of the tables and quotations that are programs."""
    quotations = [each for each in found["blockquote"] if each.has_class(_LINE)]
    tables = [each for each in found["table"] if each.has_class(_PROGRAM) or each.has_class(_DEFINITION)]
    if not quotations and not tables:
        return
    tables += filter(_is_error, found["table"])
    written: set[Element] = set()
    for table in tables:
        if table not in written:
            written.update(_write_table(table, found["pre"]))
    found["table"] = [table for table in found["table"] if table not in written]
    for quotation in quotations:
        _write_quotation(quotation, found["pre"])
    for note in page.select(_MARGIN):
        note.insert_before(Text(" "))


def _is_error(table: Element) -> bool:
    line = None if table.attr("class") else table.find("p")
    return line is not None and line.has_class(_ERROR)


def _write_table(program: Element, blocks: list[Element]) -> list[Element]:
    """Make code of a table, and return it with those in it; none if it says more than its rows are lines for."""
    inner = program.find_all("table")
    kinds = [(kind, kind.parent) for kind in program.select(_KIND)]
    program.remove(_KIND)
    lines = list(_lines(program))
    if "".join("".join(lines).split()) != "".join(program.text.split()):
        for kind, around in kinds:
            if isinstance(around, Element):
                around.insert(0, kind)
        return []
    if _is_block(program):
        _write_block(program, lines)
        blocks.append(program)
    else:
        _write_lines(program, lines)
    if kinds:
        names = dict.fromkeys(" ".join(kind.text.split()) for kind, _ in kinds)
        program.insert_before(Element("p", children=[Text(", ".join(names))]))
    return [program, *inner]


def _is_block(program: Element) -> bool:
    """Tell whether there is nothing beside a program, as there is in rows of several cells."""
    cell = program.closest(_CELLS)
    row = cell.parent if cell is not None else None
    return not isinstance(row, Element) or len(elements(row)) == 1


def _lines(program: Element) -> Iterator[str]:
    """Yield the rows of a table and of those in it, with their cells below one another."""
    rows = [(row, row.closest("table")) for row in program.find_all("tr") if row.find("table") is None]
    cells = [[*map(_plain, elements(row))] for row, _ in rows]
    widths: dict[Element | None, list[int]] = {}
    for (_, table), texts in zip(rows, cells, strict=True):
        widths[table] = [max(each) for each in zip_longest(widths.get(table, []), map(len, texts), fillvalue=0)]
    for (_, table), texts in zip(rows, cells, strict=True):
        yield "".join(text.ljust(width) for text, width in zip(texts, widths[table], strict=False)).rstrip()


def _plain(cell: Element) -> str:
    return cell.text.replace(_NO_BREAK, " ")


def _write_quotation(quotation: Element, blocks: list[Element]) -> None:
    """Make code of a quotation that holds nothing but lines."""
    lines = elements(quotation)
    is_code = lines and all(line.tag == "p" for line in lines) and quotation.find("img") is None
    if is_code and say_all(lines, quotation):
        quotation.set_text("\n".join(_plain(line) for line in lines))
        quotation.tag = "pre"
        blocks.append(quotation)


def _write_block(program: Element, lines: list[str]) -> None:
    around = program.parent
    program.set_text("\n".join(lines))
    program.tag = "pre"
    if isinstance(around, Element) and around.tag == "blockquote" and around.text == program.text:
        around.tag = "div"


def _write_lines(program: Element, lines: list[str]) -> None:
    program.clear()
    program.tag = "div"
    for number, line in enumerate(filter(None, map(str.strip, lines))):
        if number:
            program.append(Element("br"))
        program.append(Element("code", children=[Text(line)]))
