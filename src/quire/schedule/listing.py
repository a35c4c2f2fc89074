"""The pages of a mirror as they are listed everywhere: a folder's own page before what is below it."""

from __future__ import annotations

import sqlite3

from quire.records import State

KEPT = (State.SAVED, State.UNCHANGED)
_KEPT = tuple(map(int, KEPT))


def still_there(urls: str = "urls", pages: str = "pages") -> str:
    """The condition for pages that a crawl (`:crawl`) has not come to: their files are as an earlier one left them.

    It was stopped or reached a limit before, or something kept it from being sure that they are gone.
    """
    before = f"{urls}.state IN {_KEPT} OR {urls}.reason = 'not-reached'"
    return f"""({pages}.gone IS NULL AND (
        ({urls}.crawl < :crawl AND ({before})) OR ({urls}.crawl = :crawl AND {urls}.state = {int(State.PENDING)})))"""


def in_mirror(urls: str = "urls", pages: str = "pages") -> str:
    """The condition for all pages that the mirror holds after a crawl (`:crawl`), or in the middle of it."""
    return f"(({urls}.crawl = :crawl AND {urls}.state IN {_KEPT}) OR {still_there(urls, pages)})"


def state_of(urls: str = "urls") -> str:
    """The column that tells of such a page whether this crawl has written it."""
    is_decided = f"{urls}.crawl = :crawl AND {urls}.state IN {_KEPT}"
    return f"CASE WHEN {is_decided} THEN {urls}.state ELSE {int(State.UNCHANGED)} END"


def listed(
    database: sqlite3.Connection, crawl: int, columns: str, joined: str = "", most: int | None = None
) -> sqlite3.Cursor:
    """Select columns of the pages (`pages`) and their URLs (`u`), and of what is joined to these."""
    # Ids only are sorted: what belongs to them may be large, and is looked up in their order.
    return database.execute(
        f"""SELECT {columns} FROM
              (SELECT pages.id FROM pages JOIN urls USING (id) WHERE {in_mirror()} ORDER BY
               CASE WHEN path LIKE '%/index.md' THEN substr(path, 1, length(path) - 8) ELSE path END LIMIT :most)
            CROSS JOIN pages USING (id) CROSS JOIN urls u USING (id) {joined}""",  # noqa: S608
        {"crawl": crawl, "most": -1 if most is None else most},
    )
