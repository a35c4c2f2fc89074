"""Group commit: what is written within a few milliseconds becomes durable together."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Protocol

from quire.errors import CrawlError
from quire.records import Lease, Outcome
from quire.schedule.database import stop_for

_GATHERED_FOR_EACH = 0.0005
_GATHERED_AT_MOST = 0.008
"""Seconds to wait for more: the more pages are under way, the more will come."""


class Commits(Protocol):
    """How what the frontier writes becomes durable."""

    def writing(self) -> AbstractContextManager[None]:
        """Write within the open transaction; trouble with the disk is a CrawlError."""

    def settled(self, lease: Lease, outcome: Outcome) -> None:
        """Hear of an outcome within the transaction that makes it true."""

    def soon(self, under_way: int) -> asyncio.Future[None]:
        """Commit with what else so many pages write until then; done when it is durable."""

    def flush(self) -> None:
        """Commit now."""


class GroupCommit:
    """One open transaction at a time over a connection."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db = database
        self._committed: asyncio.Future[None] | None = None

    @contextmanager
    def writing(self) -> Iterator[None]:
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN")
            yield
        except sqlite3.Error as error:
            raise stop_for(error) from error

    def settled(self, lease: Lease, outcome: Outcome) -> None: ...

    def soon(self, under_way: int) -> asyncio.Future[None]:
        if self._committed is None:
            loop = asyncio.get_running_loop()
            self._committed = loop.create_future()
            loop.call_later(min(under_way * _GATHERED_FOR_EACH, _GATHERED_AT_MOST), self._flush_quietly)
        return self._committed

    def flush(self) -> None:
        committed, self._committed = self._committed, None
        try:
            if self._db.in_transaction:
                self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if committed is None or committed.done():
                raise stop_for(error) from error
            committed.set_exception(stop_for(error))
        else:
            if committed is not None and not committed.done():
                committed.set_result(None)

    def _flush_quietly(self) -> None:
        # Whoever waited may be gone already; then the next to write meets the same trouble.
        with suppress(CrawlError):
            self.flush()
