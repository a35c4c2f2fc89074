"""Which id the URL with a key has.

Keys are random numbers: entered one by one into a large table, each would change a page of its own, and every commit
would write all of these. New keys are therefore kept in memory until there are many, and entered in order. The table of
URLs has them all, so that nothing is lost in a crash.
"""

from __future__ import annotations

import sqlite3

_BATCH = 10_000
_FIND = "SELECT id FROM keys WHERE key = ?"
_FIND_NEW = "SELECT id FROM urls WHERE key = ? AND id > (SELECT coalesce(max(id), 0) FROM keys)"
_CATCH_UP = """
    INSERT OR IGNORE INTO keys SELECT key, id FROM urls WHERE id > (SELECT coalesce(max(id), 0) FROM keys)
    ORDER BY key"""


class Keys:
    """The keys of one frontier file, for the one who writes it."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db = database
        self._new: dict[int, int] = {}
        catch_up(database)

    def find(self, key: int) -> int | None:
        id = self._new.get(key)
        return _one(self._db, _FIND, key) if id is None else id

    def enter(self, key: int, id: int) -> None:
        """Note a new URL; ids come in ascending order."""
        self._new[key] = id
        if len(self._new) >= _BATCH:
            self._db.executemany("INSERT INTO keys VALUES (?, ?)", sorted(self._new.items()))
            self._new.clear()


def catch_up(database: sqlite3.Connection) -> None:
    """Enter the keys that are still missing."""
    database.execute(_CATCH_UP)


def find(database: sqlite3.Connection, key: int) -> int | None:
    """Return the id for a key, whether or not it was entered yet."""
    id = _one(database, _FIND, key)
    return _one(database, _FIND_NEW, key) if id is None else id


def _one(database: sqlite3.Connection, query: str, key: int) -> int | None:
    row = database.execute(query, (key,)).fetchone()
    return None if row is None else int(row[0])
