"""One crawl of the service, from its claim to its end (A2, A4, A7)."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import DBAPIError

from quire.crawling import by_distance, nothing_saved, opened_stages
from quire.engine import Engine
from quire.errors import GuardStop, QuireError
from quire.events import Event, Notice
from quire.filter.judge import Judge
from quire.records import State
from quire.schedule import crawls as frontier_rows
from quire.schedule.ledger import Ledger
from quire.schedule.sqlite import SqliteFrontier
from quire.service.data import crawls, decisions, pages
from quire.service.data.database import Database
from quire.service.data.values import Batch, Claim, LeaseLost, PhaseStatus
from quire.service.estimate import Estimate
from quire.service.frontier import open_frontier
from quire.service.journal import Journal
from quire.service.options import Options, engine_settings
from quire.settings import Settings
from quire.store.shelf import NoShelf
from quire.wiring import completed, job_of, policy_of, sitemaps_named, start_links

log = logging.getLogger("quire.service.crawl")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a crawl ended."""

    status: PhaseStatus
    error: str | None = None
    reasons: Mapping[str, Mapping[str, int]] | None = None


class _Shelf(NoShelf):
    """Pages go to the database; where that is a file, its disk must not fill up (S8)."""

    def __init__(self, options: Options, *, is_file: bool) -> None:
        self._options = options
        self._is_file = is_file

    def check_space(self) -> None:
        if self._is_file and shutil.disk_usage(self._options.data_dir).free < self._options.min_free_disk:
            raise GuardStop("the disk of the data folder is nearly full; free some space and start the crawl again")


class CrawlRun:
    """Runs one claimed crawl; `changed` is called when clients may have something to hear."""

    def __init__(self, claim: Claim, database: Database, options: Options, changed: Callable[[], None]) -> None:
        self.claim = claim
        self._database = database
        self._options = options
        self._changed = changed
        self._work: asyncio.Future[Ended] | None = None
        self._cancelled = False
        self._stopped = False
        self._names = {"project": str(claim.project_id), "crawl": str(claim.crawl_id)}

    def cancel(self) -> None:
        """End the crawl: its user has had enough."""
        self._cancelled = True
        self._halt()

    def stop(self) -> None:
        """Leave the crawl to whoever takes it up next."""
        self._stopped = True
        self._halt()

    def _halt(self) -> None:
        if self._work is not None:
            self._work.cancel()

    async def run(self) -> None:
        """Crawl to the end, and write down how it ended; raises nothing that a crawl can cause."""
        log.info("crawl resumed" if self.claim.resumed else "crawl started", extra=self._names)
        self._work = asyncio.ensure_future(self._crawl())
        if self._stopped or self._cancelled:
            self._work.cancel()
        try:
            ended = await self._work
        except (LeaseLost, DBAPIError) as problem:
            log.warning("crawl given up here: %s", problem or "another instance has it", extra=self._names)
            return
        except asyncio.CancelledError:
            if not self._cancelled:
                await self._release()
                return
            ended = Ended(PhaseStatus.CANCELLED)
        except QuireError as error:
            log.error("crawl failed: %s", error, extra=self._names)
            ended = Ended(PhaseStatus.FAILED, str(error))
        except Exception:
            log.exception("crawl failed by a bug", extra=self._names)
            ended = Ended(PhaseStatus.FAILED, "an error inside Quire; the service's log has the details")
        await self._finish(ended)

    async def _release(self) -> None:
        with suppress(LeaseLost, DBAPIError):
            await asyncio.to_thread(self._write, crawls.release)
        log.info("crawl left to be resumed", extra=self._names)

    async def _finish(self, ended: Ended) -> None:
        try:
            await asyncio.to_thread(self._end, ended)
        except (LeaseLost, DBAPIError) as problem:
            log.warning("the end of the crawl could not be written: %s", problem or "lease lost", extra=self._names)
            return
        self._changed()
        log.info("crawl %s", ended.status, extra=self._names | {"error": ended.error})

    def _end(self, ended: Ended) -> None:
        claim = self.claim
        with self._database.writing() as connection:
            row = crawls.get(connection, claim.project_id, claim.crawl_id)
            if row is None:
                raise LeaseLost
            summary = pages.summary(connection, claim.project_id, claim.crawl_id)
            statistics: dict[str, Any] = {"decisions": row.counts, "reasons": ended.reasons or {}, **summary}
            statistics["seconds"] = crawls.seconds_since(claim.started_at)
            crawls.finish(connection, claim, ended.status, statistics=statistics, error=ended.error)

    def _write(self, change: Callable[..., None]) -> None:
        with self._database.writing() as connection:
            change(connection, self.claim)

    def _record(self, batch: Batch) -> bool:
        with self._database.writing() as connection:
            cancelled = crawls.record(self._database, connection, self.claim, self._options.lease_seconds, batch)
        self._changed()
        return cancelled

    def _keep(self) -> bool:
        with self._database.writing() as connection:
            return crawls.keep(self._database, connection, self.claim, self._options.lease_seconds)

    async def _crawl(self) -> Ended:
        """Put the crawl together as an earlier run left it, and run the engine over it."""
        settings = completed(engine_settings(self.claim.settings, self.claim.website_url, self._options))
        judge = Judge(settings, linear_only=True)
        rows = await asyncio.to_thread(self._load)
        with closing(open_frontier(rows, self.claim.notes)) as memory:
            bases = frontier_rows.note(memory, "bases")
            judge.resume(
                bases.split("\n") if bases else judge.bases,
                frontier_rows.accepted(memory, pending=True),
                frontier_rows.saved_facts(memory),
            )
            most = settings.scope.max_pages or 1
            if not settings.scope.discover:
                most = min(most, len(settings.start))
            journal = Journal(
                memory,
                self.claim.project_id,
                self.claim.website_url,
                policy_of(settings),
                Estimate(most, self.claim.progress),
                self._record,
            )
            frontier = SqliteFrontier(memory, judge, settings.pace, by_distance=by_distance(settings), commits=journal)
            journal.counts = frontier.counts
            await self._run_engine(settings, judge, frontier, journal)
            return _ending(Ledger(memory), settings)

    def _load(self) -> Any:
        with self._database.reading() as connection:
            return decisions.load(connection, self.claim.crawl_id)

    async def _run_engine(self, settings: Settings, judge: Judge, frontier: SqliteFrontier, journal: Journal) -> None:
        shelf = _Shelf(self._options, is_file=self._database.is_sqlite)
        shelf.check_space()

        def hear(event: Event) -> None:
            if isinstance(event, Notice):
                log.info("%s", event.text, extra=self._names)
                journal.notice(event.text)

        async def engine() -> None:
            job = job_of(settings, output=None, text=True)
            async with opened_stages(settings, frontier, judge, shelf, job, journal.notice) as stages:
                start = start_links(settings, stages.policy)
                sitemaps = [] if frontier.note("seeded") else sitemaps_named(settings)
                await Engine(stages, settings, hear).run(start, sitemaps, starts_only=not settings.scope.discover)

        beside = [asyncio.ensure_future(each) for each in (journal.run(), self._heartbeat(journal))]
        work = asyncio.ensure_future(engine())
        try:
            await asyncio.wait([work, *beside], return_when=asyncio.FIRST_COMPLETED)
            # Whatever ended first tells why; the engine is cancelled only when it was not it.
            if not work.done():
                work.cancel()
                await asyncio.wait([work])
            for task in (*beside, work):
                if task.done() and not task.cancelled() and (problem := task.exception()):
                    raise problem
            if work.cancelled():
                raise asyncio.CancelledError
        finally:
            for task in (*beside, work):
                task.cancel()
            await asyncio.gather(*beside, work, return_exceptions=True)
            with suppress(LeaseLost, DBAPIError):
                await journal.write()

    async def _heartbeat(self, journal: Journal) -> None:
        """Hold the lease, and hear of a wish to cancel; ends when the crawl is to end."""
        clock = asyncio.get_running_loop().time
        held_until = clock() + self._options.lease_seconds
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._options.lease_seconds / 4):
                    await journal.cancel_requested.wait()
            if journal.cancel_requested.is_set():
                break
            try:
                asked_at = clock()
                if await asyncio.to_thread(self._keep):
                    break
                held_until = asked_at + self._options.lease_seconds
            except DBAPIError:
                if clock() > held_until:
                    raise
        self._cancelled = True


def _ending(ledger: Ledger, settings: Settings) -> Ended:
    """What it means that the engine has nothing left to do; a site without a single page is a failure (R11)."""
    counts = ledger.counts()
    told = (State.SKIPPED, State.FAILED, State.FILTERED, State.EXTERNAL, State.DUPLICATE)
    reasons = {state.label: ledger.reasons(state) for state in told}
    if settings.scope.discover and not counts[State.SAVED] + counts[State.UNCHANGED]:
        return Ended(PhaseStatus.FAILED, nothing_saved(ledger, settings), reasons)
    return Ended(PhaseStatus.COMPLETED, None, reasons)
