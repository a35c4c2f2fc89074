"""Programs as Scribble sets them, the tool of Racket's documentation: in tables, a row for a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turbohtml import Element, Text

_PROGRAM: Final = "RktBlk"
_CELLS: Final = "td,th"
_NO_BREAK: Final = "\u00a0"


def write_programs(tables: list[Element], blocks: list[Element]) -> list[Element]:
    """Make code of the tables that are programs, add its blocks to the others, and return the other tables."""
    programs = [table for table in tables if table.has_class(_PROGRAM)]
    if not programs:
        return tables
    written: set[Element] = set()
    for program in programs:
        if program in written:
            continue
        written.add(program)
        written.update(program.find_all("table"))
        lines = list(_lines(program))
        if _is_block(program):
            _write_block(program, lines)
            blocks.append(program)
        else:
            _write_lines(program, lines)
    return [table for table in tables if table not in written]


def _is_block(program: Element) -> bool:
    """Tell whether there is nothing beside a program, as there is in rows of several cells."""
    cell = program.closest(_CELLS)
    row = cell.parent if cell is not None else None
    return row is None or sum(1 for part in row.children if isinstance(part, Element)) == 1


def _lines(program: Element) -> Iterator[str]:
    for row in program.find_all("tr"):
        if row.find("table") is None:
            yield row.text.replace(_NO_BREAK, " ").rstrip()


def _write_block(program: Element, lines: list[str]) -> None:
    around = program.parent
    program.set_text("\n".join(lines))
    program.tag = "pre"
    if isinstance(around, Element) and around.tag == "blockquote" and around.text == program.text:
        around.tag = "div"


def _write_lines(program: Element, lines: list[str]) -> None:
    program.clear()
    program.tag = "div"
    for line in filter(None, map(str.strip, lines)):
        if program.children:
            program.append(Element("br"))
        program.append(Element("code", children=[Text(line)]))
