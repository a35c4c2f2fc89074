"""One database, SQLite or PostgreSQL: opened, brought up to date, read and written in transactions."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Float,
    cast,
    create_engine,
    event,
    extract,
    func,
    inspect,
    literal,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from quire.errors import CrawlError, UsageError

FILE_NAME = "quire.sqlite"
SCHEMA_VERSION = "0003"
_MIGRATION_LOCK = 0x71756972
_CONNECTIONS = 10
_BUSY_SECONDS = 30
_PAUSE = 0.01
_PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "cache_size=-16000", "temp_store=MEMORY")


class Database:
    """Connections to one database; safe to use from several threads."""

    def __init__(self, engine: Engine, place: str) -> None:
        self._engine = engine
        self.place = place
        self.is_sqlite = engine.dialect.name == "sqlite"
        # SQLite has one writer at a time: threads of this process wait here, which is fair and wakes them at once.
        self._turn = threading.Lock() if self.is_sqlite else nullcontext()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: all of it becomes true, or nothing."""
        with self._turn, self._engine.connect() as connection:
            if self.is_sqlite:
                connection.execution_options(begin="IMMEDIATE")
            with connection.begin():
                yield connection

    def now(self) -> ColumnElement[float]:
        """Seconds by the clock that all instances share: for leases."""
        if self.is_sqlite:
            return literal(time.time())
        return cast(extract("epoch", func.clock_timestamp()), Float)

    def migrate(self) -> None:
        """Bring the schema up to date; whoever starts at the same time waits, and finds it done."""
        try:
            with self.writing() as connection:
                if not self.is_sqlite:
                    connection.execute(func.pg_advisory_xact_lock(_MIGRATION_LOCK).select())
                if _version(connection) != SCHEMA_VERSION:
                    _upgrade(connection)
        except DBAPIError as error:
            raise CrawlError(f"{self.place} cannot be used ({_first_line(error)}); check that it is up") from error

    def close(self) -> None:
        self._engine.dispose()


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection) -> None:
    # Not needed for a start on a schema that is up to date, and slow to import.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "quire.service.data:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def open_database(url: str | None, folder: Path) -> Database:
    """Connect to the database of this URL, or to the file in the data folder; the schema is left as it is."""
    if url is None:
        return _open_file(folder / FILE_NAME)
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError(f"--database: {url!r} is not a database URL; give one like {_EXAMPLE}") from None
    if parsed.drivername == "sqlite" and parsed.database:
        return _open_file(Path(parsed.database))
    if parsed.drivername not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise UsageError(f"--database: {parsed.drivername} is not supported; give a URL like {_EXAMPLE}")
    engine = create_engine(
        parsed.set(drivername="postgresql+psycopg"),
        pool_size=_CONNECTIONS,
        max_overflow=2 * _CONNECTIONS,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 10},
    )
    return Database(engine, parsed.set(username=None, password=None).render_as_string())


_EXAMPLE = "postgresql://user:password@host/name"


def _open_file(path: Path) -> Database:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--data-dir: {path.parent} cannot be made ({error.strerror}); choose another") from error
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=QueuePool,
        pool_size=_CONNECTIONS,
        max_overflow=4 * _CONNECTIONS,
        connect_args={"timeout": _BUSY_SECONDS, "isolation_level": None, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        for pragma in _PRAGMAS:
            _set(connection, pragma)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        mode: Any = connection.get_execution_options().get("begin", "DEFERRED")
        connection.exec_driver_sql(f"BEGIN {mode}")

    return Database(engine, str(path))


def _set(connection: sqlite3.Connection, pragma: str) -> None:
    """Set it; SQLite does not wait itself where several are the first to ask a new file for a write-ahead log."""
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute(f"PRAGMA {pragma}")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _first_line(error: SQLAlchemyError) -> str:
    cause = getattr(error, "orig", None) or error
    return str(cause).strip().partition("\n")[0]
