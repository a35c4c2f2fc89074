"""What runs on the machines of a cluster: a look at the folder, and one ordinary crawl."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from quire.cluster.folder import Claims, goes_on, problem_with
from quire.crawling import crawl_mirror
from quire.errors import GuardStop, InUse, QuireError
from quire.events import CrawlFinished, Event, Notice
from quire.memory import keep_at_most
from quire.settings import Settings
from quire.version import VERSION

_TICK = 1.0
# Longer than an NFS server keeps the locks of a machine that it has lost (90 s).
_PATIENCE = 120.0
_MOST_NOTICES = 20
_MEMORY_KEPT = 2**20


class Order(Struct, frozen=True):
    """One crawl of the run that `word` names in the folder `root`; `tries` were made before."""

    root: Path
    word: str
    settings: Settings
    tries: int


class Report(Struct, frozen=True):
    """How a crawl ended: `finished`, `stopped` by the run's end, `waiting` for others, `failed`, or by a `guard`."""

    how: str
    machine: str
    detail: str = ""
    counts: Mapping[str, int] = {}
    clean: bool = False
    seconds: float = 0.0
    notices: tuple[str, ...] = ()


def look(root: Path, word: str, version: str) -> tuple[str, str]:
    """The name of this machine, and what keeps it from crawling into the folder."""
    other = f"has Quire {VERSION}, not {version}" if version != VERSION else ""
    return _machine(), other or problem_with(root, word)


def crawl_site(order: Order) -> Report:
    """Make or continue the mirror of one site."""
    from quire.cli.running import loop_factory

    keep_at_most(_MEMORY_KEPT)
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(_Crawl(order).run())


class _Crawl:
    """A crawl that looks every second whether its run goes on."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._begun = self._moved = time.monotonic()
        self._notices: list[str] = []

    async def run(self) -> Report:
        if self._order.tries:
            # Who crawled this before may just have asked.
            await asyncio.sleep(self._order.settings.pace.seconds_between)
        while True:
            try:
                return await self._watched()
            except InUse as error:
                # A machine that is cut off may still be writing: its lock is what tells.
                if time.monotonic() - self._begun > _PATIENCE:
                    return self._report("waiting", str(error))
            except GuardStop as error:
                return self._report("guard", str(error))
            except QuireError as error:
                return self._report("failed", str(error))
            if not self._goes_on():
                return self._report("stopped")
            await asyncio.sleep(_TICK)

    async def _watched(self) -> Report:
        with closing(Claims(self._order.root)) as claims:
            crawl = asyncio.create_task(crawl_mirror(self._order.settings, self._hear, (), claims))
            ended = None
            while not crawl.done():
                await asyncio.wait([crawl], timeout=_TICK)
                if not ended and not crawl.done():
                    ended = self._end(claims)
                    if ended:
                        crawl.cancel()
            if ended and crawl.cancelled():
                return ended
            return self._finished(crawl.result())

    def _end(self, claims: Claims) -> Report | None:
        """Why the crawl has to end now, if it has to."""
        if not self._goes_on():
            return self._report("stopped")
        if claims.refused and time.monotonic() - self._moved > _PATIENCE:
            return self._report("waiting", f"another crawl of this run asks {claims.refused}")
        return None

    def _goes_on(self) -> bool:
        return goes_on(self._order.root, self._order.word)

    def _hear(self, event: Event) -> None:
        self._moved = time.monotonic()
        if isinstance(event, Notice) and len(self._notices) < _MOST_NOTICES:
            self._notices.append(event.text)

    def _finished(self, finished: CrawlFinished) -> Report:
        return self._report(
            "failed" if finished.problem else "finished", finished.problem, finished.counts, clean=finished.clean
        )

    def _report(
        self, how: str, detail: str = "", counts: Mapping[str, int] | None = None, *, clean: bool = False
    ) -> Report:
        seconds = time.monotonic() - self._begun
        return Report(how, _machine(), detail, counts or {}, clean, seconds, tuple(self._notices))


def _machine() -> str:
    return os.uname().nodename
