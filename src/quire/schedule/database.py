"""The SQLite file of a frontier: opened, created, checked."""

from __future__ import annotations

import sqlite3
from importlib.resources import files
from pathlib import Path

from quire.errors import CrawlError, GuardStop

SCHEMA_VERSION = 3
_PRAGMAS = (
    "journal_mode=WAL",
    # Survives any crash of the process; after a power cut the last transactions may be missing, and what they said is
    # found out again.
    "synchronous=NORMAL",
    # A page that changes in many transactions is copied from the log once for all of them; the log is 16 MB then.
    "wal_autocheckpoint=4000",
    "cache_size=-8000",
    "temp_store=MEMORY",
)


def open_database(path: str | Path) -> sqlite3.Connection:
    """Open or create the file; raise sqlite3.DatabaseError when it is damaged, CrawlError when it is not ours."""
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, SCHEMA_VERSION):
            raise CrawlError(
                f"{path}: made by another version of Quire (format {version}, this one writes {SCHEMA_VERSION});"
                " use that version, or --fresh to start over"
            )
        for pragma in _PRAGMAS:
            database.execute(f"PRAGMA {pragma}")
        if version == 0:
            schema = files(__package__).joinpath("schema.sql").read_text()
            database.executescript(f"BEGIN; {schema} PRAGMA user_version={SCHEMA_VERSION}; COMMIT;")
    except BaseException:
        database.close()
        raise
    return database


def is_sound(database: sqlite3.Connection) -> bool:
    """Whether the file's structure holds together."""
    try:
        return bool(database.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False


def stop_for(error: sqlite3.Error) -> CrawlError:
    """What an error while writing means for the crawl."""
    if "full" in str(error) or "disk I/O" in str(error):
        return GuardStop(
            f"the disk is full or broken ({error}): free some space and start again; what was saved is safe"
        )
    return CrawlError(f"the frontier cannot be written ({error}); check the disk and start again")
