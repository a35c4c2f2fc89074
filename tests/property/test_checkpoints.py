"""A checkpoint that a disk has changed: it is read as far as it can be, and never stops a crawl for good."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, nullcontext
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quire_fuzz.seeds import checkpoint

from quire.errors import CrawlError
from quire.filter.judge import Judge
from quire.opening import open_mirror
from quire.records import State
from quire.schedule.ledger import Ledger
from quire.schedule.salvage import open_sound
from quire.schedule.sqlite import SqliteFrontier
from quire.settings import Mirror, Settings

COLUMNS = [
    *(("urls", name) for name in ("key", "url", "host", "crawl", "state", "reason", "depth", "weight", "priority")),
    *(("pages", name) for name in ("path", "hash", "facts", "links", "first", "size", "response_ms")),
    *(("meta", "value"), ("hosts", "name"), ("places", "url")),
]
VALUES = st.sampled_from([-1, 7, 2**62, 0.5, "", "x", "{", "[]", b"", b"\xff\x00", b"\x93\x01"])


@cache
def whole() -> bytes:
    return checkpoint(40)


def open_and_read(data: bytes) -> list[str]:
    """Open a mirror that has this checkpoint, twice; return what was warned about."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "_frontier.sqlite").write_bytes(data)
        settings = Settings(("http://127.0.0.1:9/",), mirror=Mirror(output=folder))
        warnings: list[str] = []
        for _ in range(2):
            judge = Judge(settings)
            mirror = open_mirror(settings, judge, warnings.append)
            try:
                SqliteFrontier(mirror.database, judge, settings.pace)
                ledger = Ledger(mirror.database)
                assert all(number >= 0 for number in ledger.counts().values())
                list(ledger.pages())
                list(ledger.decisions(State.SAVED, State.FAILED))
            finally:
                mirror.close()
        return warnings


@given(st.lists(st.tuples(st.integers(0, 200_000), st.integers(0, 255)), max_size=30), st.integers(0, 200_000))
def test_changed_bytes_and_a_lost_end(changes: list[tuple[int, int]], end: int) -> None:
    """S6"""
    data = bytearray(whole())
    for place, byte in changes:
        # The version: a frontier of another one is for that version to read.
        if place % len(data) not in range(60, 64):
            data[place % len(data)] = byte
    open_and_read(bytes(data[: max(100, end)]))


def is_another(data: bytes) -> bool:
    """Whether the checkpoint holds no longer what the mirror was made with, but something that could be it."""
    before, now = (_identity(each) for each in (whole(), data))
    return now != before and isinstance(now, dict)


def _identity(data: bytes) -> object:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "read.sqlite"
        file.write_bytes(data)
        database = sqlite3.connect(file)
        (found,) = database.execute("SELECT value FROM meta WHERE name = 'identity'").fetchone()
        database.close()
    try:
        return json.loads(found)
    except ValueError:
        return None


@given(st.sampled_from(COLUMNS), VALUES, st.integers(1, 40))
def test_rows_that_make_no_sense(column: tuple[str, str], value: object, number: int) -> None:
    """S6"""
    table, name = column
    with TemporaryDirectory() as folder:
        file = Path(folder) / "changed.sqlite"
        file.write_bytes(whole())
        database = sqlite3.connect(file)
        with database:
            row = "name = (SELECT name FROM meta LIMIT 1 OFFSET ? % 6)" if table == "meta" else "id = ?"
            database.execute(f"UPDATE OR IGNORE {table} SET {name} = ? WHERE {row}", (value, number))
        database.close()
        data = file.read_bytes()
    # What the mirror was made with may have been changed: then it is another mirror, and --fresh is the way out.
    expected = pytest.raises(CrawlError, match="--fresh") if is_another(data) else nullcontext()
    with expected:
        open_and_read(data)


def test_what_is_no_checkpoint_at_all() -> None:
    """S6"""
    for data in (b"", b"\0" * 5000, b"SQLite format 3\0", whole()[:4096], b"garbage" * 1000):
        open_and_read(data)
    assert any("damaged" in warning for warning in open_and_read(b"garbage" * 1000))


def test_rows_far_apart_are_all_read() -> None:
    """S6: pages are, where most URLs are none; a frontier is salvaged as a whole because one row makes no sense"""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "_frontier.sqlite"
        file.write_bytes(whole())
        database = sqlite3.connect(file)
        with database:
            for table in ("urls", "pages"):
                database.execute(f"UPDATE {table} SET id = id + 50000 WHERE id > 20")
            database.execute("DELETE FROM keys")
            (last,) = database.execute("SELECT max(id) FROM pages").fetchone()
            database.execute("UPDATE pages SET links = x'00' WHERE id = ?", (last,))
            database.execute("UPDATE pages SET links = x''  WHERE id <> ?", (last,))
            (pages,) = database.execute("SELECT count(*) FROM pages").fetchone()
        database.close()
        warnings: list[str] = []
        database = open_sound(file, warnings.append)
        (read,) = database.execute("SELECT count(*) FROM pages").fetchone()
        database.close()
    assert "could be read" in warnings[0]
    assert read == pages - 1


def test_rows_that_are_out_of_order_are_read_once() -> None:
    """S6: an id that damage made smaller leads back to rows that were read, for ever"""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "_frontier.sqlite"
        file.write_bytes(whole())
        with closing(sqlite3.connect(file)) as database, database:
            database.executemany("INSERT INTO places VALUES (?, ?)", [(id, f"place {id}") for id in range(101, 106)])
        data = bytearray(file.read_bytes())
        # Before a row's text stand its id and three bytes that tell what the row has.
        place = data.index(b"place 105") - 4
        assert data[place] == 105
        data[place] = 102
        file.write_bytes(data)
        warnings: list[str] = []
        with closing(open_sound(file, warnings.append)) as database:
            read = [url for (url,) in database.execute("SELECT url FROM places WHERE id > 100 ORDER BY id")]
    assert "could be read" in warnings[0]
    assert read == ["place 101", "place 102", "place 103", "place 104"]
