"""The crawls of this instance: claimed from the queue, some at once, taken over from instances that died (A7)."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID, uuid4

from sqlalchemy.exc import DBAPIError

from quire.service.data import crawls
from quire.service.data.database import Database
from quire.service.data.values import Claim, PhaseStatus
from quire.service.options import Options
from quire.service.running import CrawlRun

log = logging.getLogger("quire.service.crawls")

_LOOK_EVERY = 1.0
"""Seconds after which the queue is looked at, for what other instances put there or left."""


class Crawls:
    """Runs up to `max_crawls` crawls at once; the others wait in the table."""

    def __init__(self, database: Database, options: Options, changed: Callable[[UUID], None]) -> None:
        self._database = database
        self._options = options
        self._changed = changed
        self._runs: dict[UUID, tuple[CrawlRun, asyncio.Task[None]]] = {}
        self._wake = asyncio.Event()
        self._stopping = False
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"

    @property
    def running(self) -> int:
        return len(self._runs)

    def look(self) -> None:
        """There is a new crawl in the queue."""
        self._wake.set()

    def cancel(self, crawl_id: UUID) -> None:
        """Cancel the crawl at once if it runs here; elsewhere its instance finds the wish in the table."""
        if found := self._runs.get(crawl_id):
            found[0].cancel()

    async def serve(self) -> None:
        """Take crawls from the queue until `stop` is called."""
        while not self._stopping:
            try:
                await self._fill()
            except DBAPIError as problem:
                log.warning("the queue cannot be read: %s", str(problem.orig).partition("\n")[0])
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY):
                    await self._wake.wait()
            self._wake.clear()

    async def stop(self) -> None:
        """Leave every crawl so that it can be resumed."""
        self._stopping = True
        self.look()
        for run, _ in list(self._runs.values()):
            run.stop()
        await asyncio.gather(*(task for _, task in list(self._runs.values())), return_exceptions=True)

    async def _fill(self) -> None:
        while not self._stopping and len(self._runs) < self._options.max_crawls:
            claim = await asyncio.to_thread(self._claim)
            if claim is None:
                return
            self._start(claim)

    def _claim(self) -> Claim | None:
        with self._database.writing() as connection:
            claim = crawls.claim(self._database, connection, self.owner, self._options.lease_seconds)
            if claim is None or crawls.stalls(connection, claim) <= crawls.MOST_STALLS:
                return claim
            error = f"the service ended {crawls.MOST_STALLS} times while it ran this crawl, which got no further"
            crawls.finish(connection, claim, PhaseStatus.FAILED, statistics={}, error=error)
        self._changed(claim.project_id)
        return None

    def _start(self, claim: Claim) -> None:
        run = CrawlRun(claim, self._database, self._options, lambda: self._changed(claim.project_id))
        task = asyncio.create_task(run.run())
        self._runs[claim.crawl_id] = run, task

        def done(ended: asyncio.Task[None]) -> None:
            del self._runs[claim.crawl_id]
            self.look()
            if not ended.cancelled() and (problem := ended.exception()):
                log.error("a crawl ended by a bug", exc_info=problem)

        task.add_done_callback(done)
        if self._stopping:
            run.stop()
