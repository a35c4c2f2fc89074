"""Tables: those that Markdown can hold, with a cell for every column of every row and lines for paragraphs in cells.

Others stay HTML, or become blocks where they only lay out a page. How columns are aligned travels through the
conversion as signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final

from turbohtml import Element, Node, Text

from . import spans
from .cells import write_lines
from .prepare import INVISIBLE, leave_gap

_SECTIONS: Final = frozenset(["thead", "tbody", "tfoot"])
_CELLS: Final = "td,th"
_LINE_NUMBERS: Final = "td.linenos,td.gutter,td.rouge-gutter,td.lntd:has(.lnt)"
_CODE_CELLS: Final = 2
_PAGE_PARTS: Final = "h1,h2,h3,h4,h5,h6,form"
_BLOCKS_IN_CELLS: Final = "ul,ol,dl,pre,blockquote"
_BLOCKS: Final = f"{_PAGE_PARTS},{_BLOCKS_IN_CELLS}"
_FIELDS: Final = "field-list"
_MEMBERS: Final = "memberdecls"
_MENU: Final = "menu"
_FEWEST_CELLS: Final = 2
_FEWEST_COLUMNS: Final = 2
_LONGEST_BOX: Final = 500  # characters
_MOST_ADDED: Final = 50_000
_SHOWN: Final = "a[href],img,input,math,object,svg,video,audio,embed,iframe"
_ALIGNED: Final = "[align],[style*=text-align]"
_ALIGNMENT: Final = re.compile(r"text-align\s*+:\s*+(left|center|right)", re.IGNORECASE)
_SIGNS: Final = {"left": "\x14", "center": "\x15", "right": "\x16"}
_RULES: Final = {"\x14": ":---", "\x15": ":---:", "\x16": "---:"}
_SIGN: Final = re.compile("[\x14-\x16]")
_HEAD: Final = re.compile(r"^(.*[\x14-\x16].*)\n([ >]*+\|(?: --- \|)++)$", re.MULTILINE)
_BAR: Final = re.compile(r"(?<!\\)\|")


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
        if table in settled:
            continue
        if not table.text.strip(INVISIBLE) and table.select_one(_SHOWN) is None:
            leave_gap(table)
            continue
        kind = _kind(table, is_alone=table not in inner)
        if kind is _Kind.WHOLE:
            whole.append(table)
            settled.update(table.find_all("table"))
        elif kind is _Kind.GRID:
            write_lines(table)
            is_any_aligned = _align(table) or is_any_aligned
        elif kind is _Kind.LAYOUT:
            if table not in inner:
                inner.update(table.find_all("table"))
            _lay_out(table)
    return whole, is_any_aligned


def write_alignment(text: str) -> str:
    """Return the Markdown with columns aligned as the signs in their heads say."""
    return _SIGN.sub("", _HEAD.sub(_aligned, text))


def _aligned(head: re.Match[str]) -> str:
    columns = zip(_BAR.split(head[1]), head[2].split("|"), strict=False)
    rules = (f" {_RULES[sign[0]]} " if (sign := _SIGN.search(cell)) else rule for cell, rule in columns)
    return f"{head[1]}\n{'|'.join(rules)}"


def _align(table: Element) -> bool:
    """Put a sign into the head of every column that has an alignment."""
    row = table.find("tr")
    heads = row.select(_ALIGNED) if row else []
    is_any_aligned = False
    for head in heads:
        named = (head.attr("align") or "").lower()
        if styled := _ALIGNMENT.search(head.attr("style") or ""):
            named = styled[1].lower()
        if head.tag in ("th", "td") and named in _SIGNS:
            head.insert(0, Text(_SIGNS[named]))
            is_any_aligned = True
    return is_any_aligned


def _only_code(table: Element) -> Element | None:
    """Return the code of a table that only puts line numbers beside it."""
    if not table.find("pre"):
        return None
    table.remove(_LINE_NUMBERS)
    cells = table.select(_CELLS)
    if len(cells) == _CODE_CELLS and _counts_lines(cells[0]):
        cells[0].extract()
    code = table.find("pre")
    return code if code and code.text.strip() == table.text.strip() else None


def _counts_lines(cell: Element) -> bool:
    numbers = cell.text.split()
    is_list = len(numbers) > 1 or cell.find("pre") is not None
    return is_list and numbers == [str(number) for number in range(1, len(numbers) + 1)]


def _kind(table: Element, *, is_alone: bool) -> _Kind:
    """Tell what to make of a table, which is alone or in one that lays out a page, and complete the rows of a grid."""
    if table.find("table"):
        return _Kind.WHOLE if _is_data_with_tables(table) else _Kind.LAYOUT
    if table.has_class(_MEMBERS):
        _free_heading(table)
    if code := _only_code(table):
        table.clear()
        table.append(code)
        table.tag = "div"
        return _Kind.CODE
    is_headed = table.find("th") is not None
    has_blocks = table.select_one(_BLOCKS) is not None
    if has_blocks and (not is_headed or table.has_class(_FIELDS)):
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
    for rule in table.find_all("hr"):
        row = rule.closest("tr")
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
    """Tell whether a table of data, with heads and columns, has tables of data in its cells, of one level."""
    if any(map(_is_no_data, table.iter_elements(("table",)))) or table.select_one(_PAGE_PARTS):
        return False
    rows = [part for part in _parts(table) if part.tag == "tr"]
    cells = [[cell.tag for cell in _elements(row)] for row in rows]
    return any("th" in tags for tags in cells) and any(len(tags) > 1 for tags in cells)


def _is_no_data(inner: Element) -> bool:
    return inner.find("table") is not None or len(inner.select(_CELLS)) < _FEWEST_CELLS


def _is_block(element: Element) -> bool:
    return element.tag != "pre" or "\n" in element.text.strip("\n")


def _is_box(table: Element) -> bool:
    """Tell whether a table of one cell is a box around a few words, as pages have for quotations and diagrams."""
    cell = table.select_one(_CELLS)
    if cell is None or any(isinstance(child, Element) for child in cell.children):
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
        empty = {column for column in empty if column >= len(cells) or _is_empty(cells[column])}
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
    items = [Element("li", children=list(cells[0].children)) for _, cells in rows]
    table.clear()
    table.extend(items)
    table.tag = "ul"


def _complete(rows: spans.Rows) -> bool:
    """Fill short rows with empty cells, and drop those without any; False if there would be too many."""
    width = max(len(cells) for _, cells in rows)
    if sum(width - len(cells) for _, cells in rows) > _MOST_ADDED:
        return False
    for row, cells in rows:
        if cells:
            row.extend(Element("td") for _ in range(width - len(cells)))
        else:
            row.extract()
    return True
