"""Tables: those that Markdown can hold, with a cell for every column of every row and lines for paragraphs in cells.

Others stay HTML, or become blocks where they only lay out a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final

from turbohtml import Element, Node, Text

from . import spans
from .alignment import align
from .cells import write_lines
from .module_indexes import list_modules
from .numbered import only_code
from .prepare import INVISIBLE, leave_gap

_SECTIONS: Final = frozenset(["thead", "tbody", "tfoot"])
_CELLS: Final = "td,th"
_PAGE_PARTS: Final = "h1,h2,h3,h4,h5,h6,form"
# JSDoc calls the table of an object's properties by a small heading.
_LARGE_PARTS: Final = "h1,h2,h3,h4,form"
_BLOCKS_IN_CELLS: Final = "ul,ol,dl,pre,blockquote"
_BLOCKS: Final = f"{_PAGE_PARTS},{_BLOCKS_IN_CELLS}"
_FIELDS: Final = "field-list"
_MEMBERS: Final = "memberdecls"
_MENU: Final = "menu"
# pydoctor's, which a style sheet parts from their types.
_ARGUMENTS: Final = "fieldTable"
_ARGUMENT: Final = ".fieldArg"
_FEWEST_CELLS: Final = 2
_FEWEST_COLUMNS: Final = 2
_FEWEST_ROWS: Final = 2
_LEAST_PLAIN: Final = 2  # cells for each with blocks
_LONGEST_BOX: Final = 500  # characters
_MOST_ADDED: Final = 50_000
_SHOWN: Final = "a[href],img,input,math,object,svg,video,audio,embed,iframe"


class _Kind(Enum):
    GRID = 1
    WHOLE = 2
    LAYOUT = 3
    CODE = 4
    LIST = 5


def even_tables(tables: Iterable[Element]) -> tuple[list[Element], bool]:
    """Make every table one that Markdown can hold; return those that cannot be, and whether any other has signs.

    Tables that only lay out a page become blocks.
    """
    is_any_aligned = False
    whole: list[Element] = []
    settled: set[Element] = set()
    inner: set[Element] = set()
    for table in tables:
        if table in settled or list_modules(table):
            continue
        if not table.text.strip(INVISIBLE) and table.select_one(_SHOWN) is None:
            leave_gap(table)
            continue
        if table.has_class(_ARGUMENTS):
            for name in table.select(_ARGUMENT):
                name.insert_after(Text(" "))
        kind = _kind(table, is_alone=table not in inner)
        if kind is _Kind.WHOLE:
            whole.append(table)
            settled.update(table.find_all("table"))
        elif kind is _Kind.GRID:
            write_lines(table)
            is_any_aligned = align(table) or is_any_aligned
        elif kind is _Kind.LAYOUT:
            if table not in inner:
                inner.update(table.find_all("table"))
            _lay_out(table)
    return whole, is_any_aligned


def _kind(table: Element, *, is_alone: bool) -> _Kind:
    """Tell what to make of a table, which is alone or in one that lays out a page, and complete the rows of a grid."""
    if table.find("table"):
        return _Kind.WHOLE if _is_data_with_tables(table) else _Kind.LAYOUT
    if table.has_class(_MEMBERS):
        _free_heading(table)
    if code := only_code(table):
        table.clear()
        table.append(code)
        table.tag = "div"
        return _Kind.CODE
    is_headed = table.find("th") is not None
    has_blocks = table.select_one(_BLOCKS) is not None
    if has_blocks and (table.has_class(_FIELDS) if is_headed else not _is_data(table)):
        return _Kind.LAYOUT
    _drop_rules(table)
    rows = [(row, row.select(_CELLS)) for row in table.find_all("tr")]
    width = max((len(cells) for _, cells in rows), default=0)
    has_blocks = has_blocks and any(map(_is_block, table.select(_BLOCKS_IN_CELLS)))
    if sum(len(cells) for _, cells in rows) < _FEWEST_CELLS:
        return _Kind.WHOLE if is_alone and _is_box(table) else _Kind.LAYOUT
    if has_blocks and (width == 1 or table.select_one(_PAGE_PARTS)):
        return _Kind.LAYOUT
    if table.select_one("[colspan],[rowspan]"):
        places = spans.measure(rows)
        if places is None:
            return _Kind.LAYOUT
        if has_blocks or (is_headed and spans.are_needed(places, rows)):
            spans.keep(places)
            return _Kind.WHOLE
        rows = spans.fill(places, rows)
    if has_blocks:
        return _Kind.WHOLE
    is_menu = table.has_class(_MENU)
    rows = _without_empty_columns(rows, fewest=1 if is_menu else _FEWEST_COLUMNS)
    if is_menu and all(map(_is_link, rows)):
        _list(table, rows)
        return _Kind.LIST
    return _Kind.GRID if _complete(rows) else _Kind.LAYOUT


def _drop_rules(table: Element) -> None:
    """Drop rows that only draw a line across the table, as Texinfo's indexes have between letters."""
    for row in dict.fromkeys(rule.closest("tr") for rule in table.find_all("hr")):
        if row is not None and not row.text.strip(INVISIBLE) and row.select_one(_SHOWN) is None:
            row.extract()


def _free_heading(members: Element) -> None:
    """Put the heading that Doxygen has in a table above it, and drop the rows that only part the others."""
    members.remove(".memSeparator")
    for cell in members.select(_CELLS):
        if cell.children and isinstance(last := cell.children[-1], Text):
            last.data = last.data.rstrip()
    heading = members.find("h2")
    row = heading.closest("tr") if heading else None
    if heading is not None and row is not None and members.parent is not None:
        members.insert_before(heading)
        row.extract()


def _is_data_with_tables(table: Element) -> bool:
    """Tell whether a table of data, with heads and columns, has tables of data in its cells, of two levels."""
    if any(map(_is_no_data, table.iter_elements(("table",)))) or table.select_one(_LARGE_PARTS):
        return False
    rows = [part for part in _parts(table) if part.tag == "tr"]
    cells = [[cell.tag for cell in _elements(row)] for row in rows]
    return any("th" in tags for tags in cells) and any(len(tags) > 1 for tags in cells)


def _is_no_data(inner: Element) -> bool:
    return inner.select_one("table table") is not None or len(inner.select(_CELLS)) < _FEWEST_CELLS


def _is_data(table: Element) -> bool:
    """Tell whether a table without heads has rows and columns, and only a few of its cells have blocks.

    Doxygen and pydoctor have parameters in such tables.
    """
    filled = [[cell for cell in row.select(_CELLS) if not _is_empty(cell)] for row in table.find_all("tr")]
    if sum(1 for cells in filled if len(cells) >= _FEWEST_COLUMNS) < _FEWEST_ROWS:
        return False
    blocks = [cell.select_one(_BLOCKS) is not None for cells in filled for cell in cells]
    return sum(blocks) * _LEAST_PLAIN < len(blocks) - sum(blocks)


def _is_block(element: Element) -> bool:
    return element.tag != "pre" or "\n" in element.text.strip("\n")


def _is_box(table: Element) -> bool:
    """Tell whether a table of one cell is a box around a few words, as pages have for quotations and diagrams.

    Tables that a program writes have a class, and boxes that somebody draws by hand have none.
    """
    cell = table.select_one(_CELLS)
    if (
        cell is None
        or table.attr("class")
        or cell.attr("class")
        or any(isinstance(child, Element) for child in cell.children)
    ):
        return False
    return 0 < len(cell.text.strip()) <= _LONGEST_BOX


def _lay_out(table: Element) -> None:
    """Make a table's parts plain blocks; those of the tables in its cells stay."""
    for part in list(_parts(table)):
        part.tag = "div"


def _parts(table: Element) -> Iterator[Element]:
    yield table
    for part in _elements(table):
        rows = list(_elements(part)) if part.tag in _SECTIONS else [part]
        yield part
        for row in rows:
            yield row
            if row.tag == "tr":
                yield from _elements(row)


def _elements(node: Node) -> Iterator[Element]:
    return (child for child in node.children if isinstance(child, Element))


def _without_empty_columns(rows: spans.Rows, fewest: int) -> spans.Rows:
    """Return the rows without columns in which there is nothing, if enough are left.

    gtk-doc has them beside parameters, and texi2html in menus.
    """
    empty = {column for column, cell in enumerate(rows[0][1]) if _is_empty(cell)}
    for _, cells in rows[1:]:
        if not empty:
            return rows
        empty -= {column for column, cell in enumerate(cells) if column in empty and not _is_empty(cell)}
    if not empty or len(empty) + fewest > max(len(cells) for _, cells in rows):
        return rows
    for _, cells in rows:
        for column in empty.intersection(range(len(cells))):
            cells[column].extract()
    return [(row, [cell for column, cell in enumerate(cells) if column not in empty]) for row, cells in rows]


def _is_empty(cell: Element) -> bool:
    return not cell.text.strip(INVISIBLE) and all(isinstance(node, Text) for node in cell.children)


def _is_link(row: tuple[Element, list[Element]]) -> bool:
    """Tell whether a row is one cell, and that a link."""
    _, cells = row
    link = cells[0].find("a") if len(cells) == 1 else None
    return link is not None and link.text.strip() == cells[0].text.strip()


def _list(table: Element, rows: spans.Rows) -> None:
    table.clear()
    for _, cells in rows:
        table.append(Element("li", children=list(cells[0].children)))
    table.tag = "ul"


def _complete(rows: spans.Rows) -> bool:
    """Fill short rows with empty cells, and drop those without any; False if there would be too many."""
    width = max(len(cells) for _, cells in rows)
    if sum(width - len(cells) for _, cells in rows) > _MOST_ADDED:
        return False
    for row, cells in rows:
        if cells:
            # One by one: as many that are in no row yet would take much memory.
            for _ in range(width - len(cells)):
                row.append(Element("td"))
        else:
            row.extract()
    return True
