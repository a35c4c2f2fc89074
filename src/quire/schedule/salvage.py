"""Reading what is left of a damaged frontier (S6)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from struct import iter_unpack
from typing import Any

from quire.errors import InUse
from quire.schedule.database import DAMAGE, SENSE, is_sound, open_database, unreadable_pages

_TABLES = ("meta", "hosts", "places", "urls", "pages", "assets", "chores")
_CHUNK = 200
_MOST_GAPS = 1000
"""So often in a row nothing can be read until the rest is given up."""


def open_sound(path: Path, warn: Callable[[str], None], *, alone: bool = False) -> sqlite3.Connection:
    """Open the frontier; one that is damaged is set aside, and what can be read of it goes into a new one (S6)."""
    try:
        database = open_database(path, alone=alone)
        if is_sound(database):
            return database
        database.close()
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            raise InUse(f"{path} is being read by another program; wait for it, and start again") from error
    return _open_salvaged(path, warn, alone=alone)


def _open_salvaged(path: Path, warn: Callable[[str], None], *, alone: bool) -> sqlite3.Connection:
    corrupt = Path(f"{path}.corrupt")
    path.replace(corrupt)
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").replace(f"{corrupt}{suffix}")
    database = open_database(path, alone=alone)
    rescued = _salvage(corrupt, database)
    warn(
        f"the checkpoint {path.name} was damaged: it is kept as {corrupt.name}, {rescued} of its URLs could be read,"
        " and the crawl goes on from there"
    )
    return database


def _salvage(damaged: Path, database: sqlite3.Connection) -> int:
    """Copy every row that can still be read into a new frontier; returns the number of URLs."""
    try:
        old = sqlite3.connect(f"{damaged.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error:
        return 0
    try:
        database.execute("BEGIN")
        for table in _TABLES:
            for row in _readable_rows(old, table):
                marks = ",".join("?" * len(row))
                with suppress(sqlite3.Error):  # Damage can also change what a row is.
                    database.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)  # noqa: S608
        _make_whole(database)
        database.execute("COMMIT")
    finally:
        old.close()
    return int(database.execute("SELECT count(*) FROM urls").fetchone()[0])


def _readable_rows(old: sqlite3.Connection, table: str) -> Iterator[tuple[object, ...]]:
    """Yield rows in order of their id, however far apart, jumping over stretches that cannot be read."""
    if table == "meta":
        try:
            yield from old.execute("SELECT * FROM meta").fetchall()
        except DAMAGE:
            return
        return
    after, gaps = 0, 0
    query = f"SELECT id, * FROM {table} WHERE id > ? ORDER BY id LIMIT {_CHUNK}"  # noqa: S608
    while gaps < _MOST_GAPS:
        rows: list[tuple[Any, ...]] = []
        damaged = False
        try:
            rows.extend(old.execute(query, (after,)))
        except DAMAGE:
            damaged = True
        if not rows and not damaged:
            return
        gaps = 0 if rows else gaps + 1
        last = rows[-1][0] if rows else after
        # Damage may have changed an id: rows that came before would come again, for ever.
        after = last if last > after and not damaged else max(last, after) + _CHUNK
        yield from (row[1:] for row in rows)


def _make_whole(database: sqlite3.Connection) -> None:
    """What is only half there is asked for again, so that nothing it led to is lost."""
    if not database.execute("SELECT 1 FROM meta WHERE name = 'identity'").fetchone():
        for table in _TABLES:
            database.execute(f"DELETE FROM {table}")  # noqa: S608
        return
    for table, condition in SENSE.items():
        database.execute(f"DELETE FROM {table} WHERE ({condition}) IS NOT TRUE")  # noqa: S608
    database.executemany("DELETE FROM pages WHERE id = ?", [(id,) for id in unreadable_pages(database)])
    database.execute("INSERT OR REPLACE INTO meta VALUES ('status', 'running')")
    database.execute("DELETE FROM meta WHERE name = 'seeded' OR name GLOB 'asked:*'")
    database.execute("DELETE FROM pages WHERE id NOT IN (SELECT id FROM urls)")
    database.execute("DELETE FROM urls WHERE host NOT IN (SELECT id FROM hosts)")
    database.execute("UPDATE urls SET state = 0 WHERE state IN (1, 2) AND id NOT IN (SELECT id FROM pages)")
    known = {key for (key,) in database.execute("SELECT key FROM urls")}
    for id, links in database.execute("SELECT id, links FROM pages").fetchall():
        if any(key not in known for (key,) in iter_unpack("<q", links)):
            database.execute("DELETE FROM pages WHERE id = ?", (id,))
            database.execute("UPDATE urls SET state = 0 WHERE id = ?", (id,))
    # A redirect whose target was lost is asked again as well.
    database.execute(
        "UPDATE urls SET state = 0 WHERE state = 3 AND target NOT IN (SELECT key FROM urls) AND target IS NOT NULL"
    )
