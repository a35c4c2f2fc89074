"""How far the crawl is: `_progress.json`, every 100 URLs and every 5 seconds (S10)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from msgspec import json

from quire.events import CrawlFinished, Event, PageSkipped, PageStarted
from quire.records import State

PROGRESS_FILE = "_progress.json"
_EVERY_URLS = 100
_EVERY_SECONDS = 5.0
_DONE = (State.SAVED, State.UNCHANGED, State.DUPLICATE, State.FAILED)


class ProgressFile:
    """A listener that keeps the file current; the counts are the frontier's own."""

    def __init__(self, write: Callable[[str, bytes], None], counts: Callable[[], Mapping[State, int]]) -> None:
        self._write = write
        self._counts = counts
        # The frontier counts them together with URLs that no rule let in.
        self._skipped = 0
        self._begun = self._written_at = time.monotonic()
        self._done_before = self._done()
        self._written_for = self._done_before

    def __call__(self, event: Event) -> None:
        if isinstance(event, PageSkipped) and event.state is State.SKIPPED:
            self._skipped += 1
        if isinstance(event, CrawlFinished) or (
            isinstance(event, PageStarted)
            and (
                self._done() - self._written_for >= _EVERY_URLS or time.monotonic() - self._written_at >= _EVERY_SECONDS
            )
        ):
            self._save()

    @asynccontextmanager
    async def kept_current(self) -> AsyncIterator[None]:
        """Write the file every few seconds, also while no page moves."""
        task = asyncio.create_task(self._tick())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            self._save()

    def _done(self) -> int:
        """URLs that were accepted and are dealt with."""
        counts = self._counts()
        return sum([counts.get(state, 0) for state in _DONE]) + self._skipped

    def _save(self) -> None:
        done, pending = self._done(), self._counts().get(State.PENDING, 0)
        elapsed = time.monotonic() - self._begun
        done_now = done - self._done_before
        eta = elapsed / done_now * pending if done_now else None
        progress = {
            "processed": done,
            "total": done + pending,
            "elapsed_sec": round(elapsed, 3),
            "eta_sec": None if eta is None else round(eta, 3),
        }
        self._write(PROGRESS_FILE, json.encode(progress) + b"\n")
        self._written_for, self._written_at = done, time.monotonic()
