"""A crawl's frontier in memory: filled from the database, watched for changes.

The frontier itself is the one that mirrors use, over SQLite in memory. Triggers note what it changes, so that whatever
it does, the database can be brought to the same state.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from sqlalchemy import Row

from quire import urls
from quire.records import FACTS, PageRecord
from quire.schedule.database import open_database
from quire.schedule.rows import Rows

_WATCH = """
CREATE TEMP TABLE changed (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE settled (id INTEGER PRIMARY KEY);
CREATE TEMP TRIGGER url_added AFTER INSERT ON main.urls BEGIN INSERT OR IGNORE INTO changed VALUES (new.id); END;
CREATE TEMP TRIGGER url_changed AFTER UPDATE ON main.urls BEGIN INSERT OR IGNORE INTO changed VALUES (new.id); END;
CREATE TEMP TRIGGER page_added AFTER INSERT ON main.pages BEGIN INSERT OR IGNORE INTO changed VALUES (new.id); END;
CREATE TEMP TRIGGER note_added AFTER INSERT ON main.meta BEGIN INSERT OR IGNORE INTO changed VALUES (0); END;
CREATE TEMP TRIGGER url_settled AFTER UPDATE OF state ON main.urls WHEN new.state <> old.state AND new.state <> 0
    BEGIN INSERT OR IGNORE INTO settled VALUES (new.id); END;
"""
_COPIED = (
    "id", "key", "url", "state", "rank", "weight", "reason", "detail", "source", "depth", "hops", "redirects", "start",
    "attempts", "listed", "lastmod", "priority", "changefreq", "target",
)  # fmt: skip
_OF_PAGES = ("facts", "links", "size", "hash", "content_type", "fetched_by", "response_ms")
_CHANGED = f"""
    SELECT {", ".join("u." + name for name in _COPIED)}, CASE WHEN u.found_on > 0 THEN u.found_on END, places.url,
           {", ".join("pages." + name for name in _OF_PAGES)}, u.id IN (SELECT id FROM settled)
    FROM changed JOIN urls u USING (id) LEFT JOIN places ON places.id = -u.found_on LEFT JOIN pages ON pages.id = u.id
    ORDER BY u.id"""  # noqa: S608 - column names
_NAMES = (*_COPIED, "parent", "place", *_OF_PAGES)
_TEXTS = ("url", "reason", "detail", "source", "place", "content_type")


class Changes(Struct, frozen=True):
    """What is new since the last time: rows for the table of decisions, which of them were settled, and the notes."""

    rows: list[dict[str, Any]]
    settled: list[dict[str, Any]]
    notes: dict[str, str] | None


def open_frontier(decisions: Iterable[Row[Any]], notes: Mapping[str, str]) -> sqlite3.Connection:
    """A frontier's tables in memory, as an earlier run left them; changes are noted from now on."""
    memory = open_database(":memory:")
    hosts: dict[str, int] = {}
    places: dict[str, int] = {}
    saved: dict[int, PageRecord] = {}
    memory.execute("BEGIN")
    marks = ",".join("?" * (len(_COPIED) + 3))
    for row in decisions:
        host = hosts.setdefault(urls.host(row.url), len(hosts) + 1)
        found_on = -places.setdefault(row.place, len(places) + 1) if row.place else row.parent
        values = (*(getattr(row, name) for name in _COPIED), host, 1, found_on)
        memory.execute(f"INSERT INTO urls ({', '.join(_COPIED)}, host, crawl, found_on) VALUES ({marks})", values)  # noqa: S608
        if row.facts is not None:
            saved[row.id] = _page(row)
    memory.executemany("INSERT INTO hosts VALUES (?, ?)", [(id, name) for name, id in hosts.items()])
    memory.executemany("INSERT INTO places VALUES (?, ?)", [(id, url) for url, id in places.items()])
    memory.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", notes.items())
    tables = Rows(memory)
    for id, page in saved.items():
        tables.keep(id, page, changed=True)
    memory.execute("COMMIT")
    memory.executescript(_WATCH)
    return memory


def _page(row: Row[Any]) -> PageRecord:
    return PageRecord(
        None,
        row.id,
        False,
        row.size or 0,
        row.hash or "",
        FACTS.decode(row.facts),
        content_type=row.content_type or "",
        links=row.links or b"",
        fetched_by=row.fetched_by or "",
        response_ms=row.response_ms,
    )


def changes_of(memory: sqlite3.Connection) -> Changes:
    """Take what changed."""
    rows: list[dict[str, Any]] = []
    settled: list[dict[str, Any]] = []
    for *values, is_settled in memory.execute(_CHANGED):
        row = dict(zip(_NAMES, values, strict=True))
        row |= {name: clean(text) for name in _TEXTS if (text := row[name])}
        rows.append(row)
        if is_settled:
            settled.append(row)
    notes = None
    if memory.execute("SELECT 1 FROM changed WHERE id = 0").fetchone():
        notes = dict(memory.execute("SELECT name, value FROM meta").fetchall())
    memory.execute("DELETE FROM changed")
    memory.execute("DELETE FROM settled")
    return Changes(rows, settled, notes)


def clean(text: str) -> str:
    """The text without what PostgreSQL cannot hold."""
    if "\0" in text:
        text = text.replace("\0", "")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
