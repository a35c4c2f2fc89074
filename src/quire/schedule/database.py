"""The SQLite file of a frontier: opened, created, checked."""

from __future__ import annotations

import sqlite3
import zlib
from collections import deque
from collections.abc import Mapping
from pathlib import Path

from msgspec import MsgspecError

from quire.errors import CrawlError, GuardStop
from quire.records import FACTS
from quire.schedule.edits import edits_in
from quire.schedule.frames import cuts_in, ends_in

SCHEMA_VERSION = 5
DAMAGE = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file may raise."""
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


def _typed(kind: str, *columns: str) -> str:
    return " AND ".join(f"typeof({column}) = '{kind}'" for column in columns)


def _perhaps(kind: str, *columns: str) -> str:
    return " AND ".join(f"typeof({column}) IN ('{kind}', 'null')" for column in columns)


def _json(kind: str) -> str:
    return f"CASE WHEN json_valid(value) THEN json_type(value) = '{kind}' ELSE FALSE END"


SENSE: Mapping[str, str] = {
    "meta": f"""{_typed("text", "name", "value")}
        AND CASE name WHEN 'crawl' THEN value GLOB '[1-9]*' AND CAST(CAST(value AS INTEGER) AS TEXT) = value
                      WHEN 'start' THEN {_json("array")}
                      WHEN 'identity' THEN {_json("object")}
                      WHEN 'scope' THEN {_json("object")} ELSE TRUE END""",
    "hosts": _typed("text", "name"),
    "places": _typed("text", "url"),
    "urls": f"""{_typed("integer", "key", "host", "crawl", "state", "rank", "depth", "hops", "redirects", "start")}
        AND {_typed("integer", "attempts", "listed")} AND {_typed("text", "url", "reason", "detail", "source")}
        AND {_perhaps("integer", "found_on", "target")} AND {_perhaps("text", "lastmod", "changefreq")}
        AND {_perhaps("real", "priority")} AND {_typed("real", "weight")} AND state BETWEEN 0 AND 8
        AND redirects BETWEEN 0 AND 1000000 AND attempts BETWEEN 0 AND 1000000 AND host IN (SELECT id FROM hosts)""",  # noqa: S608
    "keys": _typed("integer", "id"),
    "pages": f"""{_typed("integer", "folded", "contested", "size", "status", "first", "changed")}
        AND {_typed("text", "path", "hash", "content_type", "fetched_at")} AND {_typed("blob", "facts", "links")}
        AND {_perhaps("text", "plain", "etag", "last_modified")}
        AND {_perhaps("integer", "canonical", "gone", "response_ms")} AND length(links) % 8 = 0""",
    "assets": f"""{_typed("integer", "key", "crawl", "state", "hops", "attempts", "size")}
        AND {_typed("text", "url", "host", "reason", "detail", "content_type")}
        AND {_perhaps("integer", "folded")} AND {_perhaps("text", "target", "path", "etag", "last_modified")}
        AND state BETWEEN 0 AND 8 AND attempts BETWEEN 0 AND 1000000""",
    "chores": f"{_typed('text', 'old')} AND {_perhaps('text', 'new')}",
}
"""What every row of each table in a mirror's frontier is like."""


def open_database(path: str | Path, *, alone: bool = False) -> sqlite3.Connection:
    """Open or create the file; raise sqlite3.DatabaseError when it is damaged, CrawlError when it is not ours.

    `alone` keeps everybody else out. Then SQLite needs no memory that processes share, which no network folder has.
    """
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        if alone:
            database.execute("PRAGMA locking_mode=EXCLUSIVE")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, SCHEMA_VERSION):
            raise CrawlError(
                f"{path}: made by another version of Quire (format {version}, this one writes {SCHEMA_VERSION});"
                " use that version, or --fresh to start over"
            )
        if version == 0:
            _create(database)
        for pragma in _PRAGMAS:
            database.execute(f"PRAGMA {pragma}")
    except UnicodeDecodeError as error:
        # So damaged that SQLite's own message about it cannot be read.
        database.close()
        raise sqlite3.DatabaseError(f"{path} is damaged") from error
    except BaseException:
        database.close()
        raise
    return database


def _create(database: sqlite3.Connection) -> None:
    """Make the tables, without waiting for the disk: there is nothing yet that a power cut could take."""
    schema = Path(__file__).with_name("schema.sql").read_text()
    database.execute("PRAGMA synchronous=OFF")
    database.execute("PRAGMA journal_mode=WAL")
    database.executescript(f"BEGIN; {schema} PRAGMA user_version={SCHEMA_VERSION}; COMMIT;")


def is_sound(database: sqlite3.Connection) -> bool:
    """Whether the file's structure holds together, and its rows are such as Quire writes."""
    try:
        if database.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            return False
        for table, condition in SENSE.items():
            if database.execute(f"SELECT 1 FROM {table} WHERE ({condition}) IS NOT TRUE LIMIT 1").fetchone():  # noqa: S608
                return False
            # Whatever is no text in UTF-8 raises here, and not in the middle of the crawl.
            deque(database.execute(f"SELECT * FROM {table}"), maxlen=0)  # noqa: S608
        return not unreadable_pages(database)
    except DAMAGE:
        return False


def unreadable_pages(database: sqlite3.Connection) -> list[int]:
    """The ids of pages whose facts, ends, cuts or edits are not what Quire writes."""
    found = []
    for id, facts, ends, cuts, edits in database.execute("SELECT id, facts, ends, cuts, edits FROM pages"):
        try:
            FACTS.decode(facts)
            ends_in(ends), cuts_in(cuts), edits_in(edits)
        except (MsgspecError, UnicodeDecodeError, zlib.error, TypeError):
            found.append(id)
    return found


def stop_for(error: sqlite3.Error) -> CrawlError:
    """What an error while writing means for the crawl."""
    if "full" in str(error) or "disk I/O" in str(error):
        return GuardStop(
            f"the disk is full or broken ({error}): free some space and start again; what was saved is safe"
        )
    return CrawlError(f"the frontier cannot be written ({error}); check the disk and start again")
