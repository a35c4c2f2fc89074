"""The pages of a mirror as they are listed everywhere: a folder's own page before what is below it."""

from __future__ import annotations

import sqlite3

from quire.records import State

KEPT = (State.SAVED, State.UNCHANGED)
_DECIDED = f"state IN {tuple(map(int, KEPT))} AND crawl = :crawl"
# Their files are as the crawl before left them, until this one comes to them.
_STILL_THERE = f"""gone IS NULL AND (
    (crawl = :crawl - 1 AND state IN {tuple(map(int, KEPT))}) OR (crawl = :crawl AND state = {int(State.PENDING)}))"""


def listed(
    database: sqlite3.Connection,
    crawl: int,
    columns: str,
    joined: str = "",
    most: int | None = None,
    *,
    with_waiting: bool = False,
) -> sqlite3.Cursor:
    """Select columns of the pages (`pages`) and their URLs (`u`), and of what is joined to these.

    `with_waiting` are those, too, that an update which is not finished has not come to yet.
    """
    wanted = f"({_DECIDED}) OR ({_STILL_THERE})" if with_waiting else _DECIDED
    # Ids only are sorted: what belongs to them may be large, and is looked up in their order.
    return database.execute(
        f"""SELECT {columns} FROM
              (SELECT pages.id FROM pages JOIN urls USING (id) WHERE {wanted} ORDER BY
               CASE WHEN path LIKE '%/index.md' THEN substr(path, 1, length(path) - 8) ELSE path END LIMIT :most)
            CROSS JOIN pages USING (id) CROSS JOIN urls u USING (id) {joined}""",  # noqa: S608
        {"crawl": crawl, "most": -1 if most is None else most},
    )
