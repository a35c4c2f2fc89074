"""The pages of a mirror as they are listed everywhere: a folder's own page before what is below it."""

from __future__ import annotations

import sqlite3

from quire.records import State

KEPT = (State.SAVED, State.UNCHANGED)


def listed(
    database: sqlite3.Connection, crawl: int, columns: str, joined: str = "", most: int | None = None
) -> sqlite3.Cursor:
    """Select columns of the pages (`pages`) and their URLs (`u`), and of what is joined to these."""
    # Ids only are sorted: what belongs to them may be large, and is looked up in their order.
    return database.execute(
        f"""SELECT {columns} FROM
              (SELECT pages.id FROM pages JOIN urls USING (id) WHERE state IN (?, ?) AND crawl = ?
               ORDER BY CASE WHEN path LIKE '%/index.md' THEN substr(path, 1, length(path) - 8) ELSE path END LIMIT ?)
            CROSS JOIN pages USING (id) CROSS JOIN urls u USING (id) {joined}""",  # noqa: S608
        (*KEPT, crawl, -1 if most is None else most),
    )
