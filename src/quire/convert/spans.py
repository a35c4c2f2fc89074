"""Where the cells of a table stand, and how many rows and columns they really span.

Pages span columns in which no cell begins, and rows that have no cells: these are no columns and rows here.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final, NamedTuple

from turbohtml import Element

_MOST_COLUMNS: Final = 500
_MOST_COVERED: Final = 50_000
_SPANS: Final = ("colspan", "rowspan")

Rows = list[tuple[Element, list[Element]]]


class Place(NamedTuple):
    cell: Element
    row: int
    column: int
    width: int
    height: int


def measure(rows: Rows) -> list[Place] | None:
    """Return where every cell stands, in order; None if they span too much."""
    places = _places(rows)
    if places is None:
        return None
    columns = sorted({place.column for place in places})
    filled = sorted({place.row for place in places})
    return [
        Place(
            cell,
            row,
            start := bisect_left(columns, column),
            bisect_left(columns, column + width) - start,
            bisect_left(filled, row + height) - bisect_left(filled, row),
        )
        for cell, row, column, width, height in places
    ]


def are_needed(places: list[Place], rows: Rows) -> bool:
    """Tell whether the table would be another without its spans; a row of one cell is a heading, and needs none."""
    return any(place.height > 1 or (place.width > 1 and len(rows[place.row][1]) > 1) for place in places)


def keep(places: list[Place]) -> None:
    """Have the cells say what they really span."""
    for place in places:
        _clear(place.cell)
        for name, span in zip(_SPANS, (place.width, place.height), strict=True):
            if span > 1:
                place.cell.attrs[name] = str(span)


def fill(places: list[Place], rows: Rows) -> Rows:
    """Return the rows with an empty cell in every place that a span covers, but for those at their ends."""
    filled: list[list[Element]] = [[] for _ in rows]
    for place in places:
        cells = filled[place.row]
        # One by one: as many that are in no row yet would take much memory.
        for _ in range(place.column - len(cells)):
            cells.append(Element("td"))
            place.cell.insert_before(cells[-1])
        cells.append(place.cell)
        _clear(place.cell)
    for (row, _), cells in zip(rows, filled, strict=True):
        row.extend(cells)
    return [(row, cells) for (row, _), cells in zip(rows, filled, strict=True)]


def _places(rows: Rows) -> list[Place] | None:
    ends: dict[int, int] = {}
    places: list[Place] = []
    covered = 0
    for number, (_, cells) in enumerate(rows):
        column = 0
        for cell in cells:
            while ends.get(column, 0) > number:
                column += 1
            width = max(1, min(_wanted(cell, "colspan"), _MOST_COLUMNS - column))
            height = _wanted(cell, "rowspan")
            places.append(Place(cell, number, column, width, height))
            ends.update(dict.fromkeys(range(column, column + width), number + height))
            column += width
        covered += column
        if covered > _MOST_COVERED:
            return None
    return places


def _wanted(cell: Element, name: str) -> int:
    value = cell.attr(name) or "1"
    return max(1, int(value)) if value.isdecimal() and len(value) < 6 else 1


def _clear(cell: Element) -> None:
    for name in _SPANS:
        if name in cell.attrs:
            del cell.attrs[name]
