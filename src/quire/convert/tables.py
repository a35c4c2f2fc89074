"""Tables that Markdown can hold: a cell for every column of every row, and lines instead of blocks in the cells.

turbohtml writes any other table as HTML. How columns are aligned travels through the conversion as signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from turbohtml import Element, Node, Text

_SECTIONS: Final = frozenset(["thead", "tbody", "tfoot"])
_CELLS: Final = "td,th"
_LINE_NUMBERS: Final = "td.linenos,td.gutter,td.rouge-gutter,td.lntd:has(.lnt)"
_LAID_OUT: Final = "ul,ol,dl,h1,h2,h3,h4,h5,h6,pre,blockquote,form"
_LINES: Final = "li,p + p,div + div,pre"
_UNWRAPPED: Final = "ul,ol,li,p,div"
_MOST_COLUMNS: Final = 500
_MOST_ADDED: Final = 50_000
_ALIGNED: Final = "[align],[style*=text-align]"
_ALIGNMENT: Final = re.compile(r"text-align\s*+:\s*+(left|center|right)", re.IGNORECASE)
_SIGNS: Final = {"left": "\x14", "center": "\x15", "right": "\x16"}
_RULES: Final = {"\x14": ":---", "\x15": ":---:", "\x16": "---:"}
_SIGN: Final = re.compile("[\x14-\x16]")
_HEAD: Final = re.compile(r"^(.*[\x14-\x16].*)\n([ >]*+\|(?: --- \|)++)$", re.MULTILINE)
_BAR: Final = re.compile(r"(?<!\\)\|")


def even_tables(tables: Iterable[Element]) -> bool:
    """Complete every table's rows, turn tables that only lay out a page into blocks, and tell whether any has signs."""
    is_any_aligned = False
    for table in tables:
        # The tables inside are asked first: the outermost of many nested ones must not search them all.
        if table.find("table"):
            _lay_out(table)
        elif code := _only_code(table):
            table.clear()
            table.append(code)
            table.tag = "div"
        elif _is_grid(table):
            _write_lines(table)
            is_any_aligned = _align(table) or is_any_aligned
        else:
            _lay_out(table)
    return is_any_aligned


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
    code = table.find("pre")
    return code if code and code.text.strip() == table.text.strip() else None


def _is_grid(table: Element) -> bool:
    """Complete a table's rows; False if it holds no data but the parts of a page."""
    if not table.find("th") and table.select_one(_LAID_OUT):
        return False
    rows = [(row, row.select(_CELLS)) for row in table.find_all("tr")]
    return sum(len(cells) for _, cells in rows) > 1 and _complete(table, rows)


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


def _complete(table: Element, rows: list[tuple[Element, list[Element]]]) -> bool:
    """Fill spanned places and short rows with empty cells; False if there would be too many."""
    if table.select_one("[colspan],[rowspan]"):
        rows = _unspanned(rows)
    width = max((len(cells) for _, cells in rows), default=0)
    if not rows or sum(width - len(cells) for _, cells in rows) > _MOST_ADDED:
        return False
    for row, cells in rows:
        row.extend(Element("td") for _ in range(width - len(cells)))
    return True


def _unspanned(rows: list[tuple[Element, list[Element]]]) -> list[tuple[Element, list[Element]]]:
    """Return the rows with a cell of its own in every place that a span covers; none if there would be too many."""
    covered: dict[int, int] = {}
    added = 0
    whole = []
    for row, cells in rows:
        placed: list[Element] = []
        for cell in (*cells, None):
            while covered.get(len(placed)):
                covered[len(placed)] -= 1
                placed.append(Element("td"))
            if cell is not None:
                wide = max(1, min(_taken(cell, "colspan"), _MOST_COLUMNS - len(placed)))
                covered.update(dict.fromkeys(range(len(placed), len(placed) + wide), _taken(cell, "rowspan") - 1))
                placed += [cell, *(Element("td") for _ in range(wide - 1))]
        added += len(placed) - len(cells)
        if added > _MOST_ADDED:
            return []
        row.extend(placed)
        whole.append((row, placed))
    return whole


def _taken(cell: Element, name: str) -> int:
    """Return how many places a cell takes up, and have it take up one."""
    value = cell.attr(name) or "1"
    if name in cell.attrs:
        del cell.attrs[name]
    return max(1, int(value)) if value.isdecimal() and len(value) < 6 else 1


def _write_lines(table: Element) -> None:
    """Put line breaks where blocks begin in the cells, and take the blocks away."""
    blocks = table.select(_LINES)
    for block in blocks:
        if block.tag == "li":
            block.insert(0, Text("• "))
        block.insert_before(Element("br"))
        if block.tag == "pre":
            block.replace_with(*_code_lines(block))
    if blocks:
        table.strip_tags(_UNWRAPPED)
        table.normalize()
        for line_break in table.find_all("br"):
            if isinstance(before := line_break.previous_sibling, Text):
                before.data = before.data.rstrip()
        for cell in table.select(_CELLS):
            _drop_first_breaks(cell)


def _code_lines(block: Element) -> Iterator[Element]:
    for number, line in enumerate(block.text.strip("\n").split("\n")):
        if number:
            yield Element("br")
        yield Element("code", children=[Text(line)])


def _drop_first_breaks(cell: Element) -> None:
    for child in list(cell.children):
        if isinstance(child, Text) and not child.data.strip():
            continue
        if not isinstance(child, Element) or child.tag != "br":
            return
        child.extract()
