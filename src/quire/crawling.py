"""A crawl from its settings to its last file."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from msgspec import structs

from quire import urls
from quire.adoption import adopt
from quire.engine import Engine
from quire.errors import CrawlError, QuireError
from quire.events import CrawlFinished, CrawlStarted, Event, Notice, PageSaved, PageUnchanged
from quire.explaining import sentence
from quire.filter.judge import Judge
from quire.finishing import Stock, finish, is_clean, prune, take_stock, write_reports
from quire.framing import cut_frame
from quire.images import download
from quire.linking import link_pages, remembered
from quire.mending import PROCESSED_FILE, do_chores, mend_processed
from quire.opening import OpenMirror, open_mirror
from quire.ports import Claim, Listener, Shelf
from quire.press.frames import Job
from quire.press.pool import PressPool
from quire.press.processes import WorkerProcess, start_workers
from quire.records import State
from quire.report.progress import ProgressFile
from quire.schedule import assets, crawls
from quire.schedule.database import stop_for
from quire.schedule.ledger import Ledger
from quire.schedule.sqlite import SqliteFrontier
from quire.settings import Settings
from quire.stages import Stages
from quire.store.shelf import MirrorShelf
from quire.wiring import (
    completed,
    fetcher_of,
    job_of,
    page_fetcher,
    policy_of,
    sitemaps_named,
    stages_of,
    start_links,
)
from quire.wording import counted, timestamp

_PROCESSED = (PageSaved, PageUnchanged)


async def crawl_mirror(
    settings: Settings, listener: Listener, workers: Sequence[WorkerProcess] = (), claim: Claim | None = None
) -> CrawlFinished:
    """Make or continue the mirror in `settings.mirror.output`, with page workers that may have been started already.

    `claim` is for crawls that share a folder, and perhaps hosts, with others on other machines.
    """
    settings = completed(settings)
    judge = Judge(settings)

    def warn(text: str) -> None:
        listener(Notice(text))

    for warning in judge.warnings:
        warn(warning)
    mirror = open_mirror(settings, judge, warn, alone=claim is not None)
    try:
        settings = remembered(settings, mirror.database)
        return await _Crawl(settings, judge, mirror, listener, claim).run(workers)
    finally:
        mirror.close()


class _Crawl:
    """One run over an open mirror."""

    def __init__(
        self, settings: Settings, judge: Judge, mirror: OpenMirror, listener: Listener, claim: Claim | None
    ) -> None:
        self._settings = settings
        self._judge = judge
        self._mirror = mirror
        self._listener = listener
        self._frontier = SqliteFrontier(
            mirror.database, judge, settings.pace, by_distance=by_distance(settings), claim=claim
        )
        self._progress = ProgressFile(mirror.files.write, self._frontier.counts)
        self._begun = time.monotonic()

    async def run(self, workers: Sequence[WorkerProcess]) -> CrawlFinished:
        shelf = MirrorShelf(self._mirror.files, self._frontier.path_owner, self._settings.mirror.min_free_disk)
        job = job_of(self._settings, output=str(self._mirror.files.root))
        try:
            self._begin()
            async with (
                opened_stages(
                    self._settings, self._frontier, self._judge, shelf, job, self._overlook, workers
                ) as stages,
                self._progress.kept_current(),
            ):
                with self._mirror.files.appending(PROCESSED_FILE) as self._note_processed:
                    await self._crawl(stages)
            return await self._end()
        except sqlite3.Error as error:
            stop = stop_for(error)
            self._leave(stop)
            raise stop from error
        except (CrawlError, asyncio.CancelledError) as stopped:
            self._leave(stopped)
            raise

    def _begin(self) -> None:
        database = self._mirror.database
        if crawls.note(database, "started_at") is None:
            crawls.put(database, "started_at", timestamp())
        counts = self._frontier.counts()
        self._emit(
            CrawlStarted(
                self._settings.start,
                self._frontier.crawl,
                self._mirror.resumed,
                counts.get(State.SAVED, 0) + counts.get(State.UNCHANGED, 0),
            )
        )

    async def _crawl(self, stages: Stages) -> None:
        start = start_links(self._settings, stages.policy)
        if self._mirror.processed:
            known = frozenset(link.key for link in start)
            number = await adopt(self._mirror.processed, known, self._frontier, self._mirror.files, stages.policy)
            named = f"that {PROCESSED_FILE} names"
            self._warn(f"{counted(number, f'page {named} is', f'pages {named} are')} not fetched again")
        stages.shelf.check_space()
        engine = Engine(stages, self._settings, self._emit)
        # Pages that turn out to be copies make room for others below the limit of pages.
        while True:
            await engine.run(start, self._named_sitemaps(), starts_only=not self._settings.scope.discover)
            dropped = finish(self._mirror, self._frontier, self._judge, stages.policy)
            if not dropped or not self._settings.scope.max_pages or not self._frontier.counts().get(State.PENDING):
                break
        await cut_frame(self._mirror.database, self._mirror.files)
        if self._settings.mirror.assets:
            await download(self._mirror.database, self._mirror.files, stages, self._settings, self._listener)
            do_chores(self._mirror.database, self._mirror.files)

    def _named_sitemaps(self) -> list[str]:
        """The sitemaps the user names, unless an earlier run of this crawl has read them."""
        if not self._settings.scope.discover:
            return []
        read = (self._frontier.note("seeded") or "").split("\n")
        return [url for url in sitemaps_named(self._settings) if url not in read]

    async def _end(self) -> CrawlFinished:
        limit = self._settings.scope.max_pages
        limited = limit is not None and self._frontier.counts().get(State.PENDING, 0) > 0
        finished, stock = self._sum_up(f"--max-pages {limit}" if limited else "")
        mirror, settings = self._mirror, self._settings
        # Only now it is known which files stay.
        await link_pages(mirror.database, mirror.files, policy_of(settings), settings.mirror, pruned=stock.is_pruned)
        finished = structs.replace(finished, seconds=time.monotonic() - self._begun)
        write_reports(mirror, settings, finished, stock.changes)
        if stock.is_pruned:
            prune(mirror, settings)
        crawls.put(mirror.database, "status", "finished")
        if stock.missed:
            self._warn(
                f"{stock.missed} pages that were there were not found any more, nearly all: the site may be out of"
                " order, so none of them counts as removed, or is deleted; --fresh starts over"
            )
        self._emit(finished)
        return finished

    def _leave(self, stop: BaseException) -> None:
        """Save what there is; the crawl can be taken up again."""
        aborted = isinstance(stop, CrawlError) and self._settings.mirror.on_error == "abort"
        with suppress(QuireError, OSError, sqlite3.Error):
            self._frontier.flush()
            finished, stock = self._sum_up(str(stop) or "interrupted")
            write_reports(self._mirror, self._settings, finished, stock.changes)
            crawls.put(self._mirror.database, "status", "aborted" if aborted else "stopped")
            self._progress(finished)

    def _sum_up(self, stopped_by: str) -> tuple[CrawlFinished, Stock]:
        """Say how the crawl ended and what it changed."""
        database = self._mirror.database
        crawls.put(database, "finished_at", timestamp())
        mend_processed(database, self._mirror.files)
        ledger = Ledger(database)
        finished = finished_by(ledger, self._begun, stopped_by)
        stock = take_stock(self._mirror, self._settings, finished)
        finished = structs.replace(
            finished,
            added=len(stock.changes.added),
            changed=len(stock.changes.changed),
            removed=len(stock.changes.removed),
            images=assets.kept_count(database) if self._settings.mirror.assets else 0,
            problem="" if crawls.has_pages(database) else nothing_saved(ledger, self._settings),
        )
        return finished, stock

    def _emit(self, event: Event) -> None:
        if isinstance(event, _PROCESSED):
            self._note_processed(f"{event.url}\n".encode())
        self._progress(event)
        self._listener(event)

    def _overlook(self, text: str) -> None:
        """A sitemap could not be read whole: pages may be missing for that reason only."""
        self._frontier.put("overlooked", "yes")
        self._warn(text)

    def _warn(self, text: str) -> None:
        self._listener(Notice(text))


@asynccontextmanager
async def opened_stages(
    settings: Settings,
    frontier: SqliteFrontier,
    judge: Judge,
    shelf: Shelf,
    job: Job,
    warn: Callable[[str], None],
    workers: Sequence[WorkerProcess] = (),
) -> AsyncIterator[Stages]:
    """Open what the engine needs besides the frontier, and close it whatever happens."""
    fetcher = fetcher_of(settings)
    press = PressPool(job, workers or start_workers(settings.content.workers), settings.content.page_timeout)
    try:
        await press.start()
        async with page_fetcher(settings, fetcher, warn) as pages:
            yield stages_of(settings, frontier, judge, fetcher, press, shelf, warn, pages)
    finally:
        frontier.stop()
        await press.close()
        await fetcher.close()


def finished_by(ledger: Ledger, begun: float, stopped_by: str = "") -> CrawlFinished:
    """Sum a crawl up."""
    counts = ledger.counts()
    return CrawlFinished(
        counts={state.label: number for state, number in ledger.holds().items()},
        complete=not stopped_by and counts[State.PENDING] == 0,
        clean=is_clean(ledger),
        stopped_by=stopped_by,
        seconds=time.monotonic() - begun,
        traps=sum(ledger.traps().values()),
        waiting=counts[State.PENDING],
    )


def by_distance(settings: Settings) -> bool:
    return settings.scope.max_depth is not None or settings.scope.follow_external


def nothing_saved(ledger: Ledger, settings: Settings) -> str:
    """Say why there is no page at all: what became of the first start URL tells."""
    for url in settings.start:
        decision = ledger.decision(urls.fingerprint_of(url, policy_of(settings)) or 0)
        if decision:
            end = ledger.end_of(decision)
            leads = "" if end is decision else f"redirects to {end.url}, which "
            return f"nothing was saved: {decision.url} {leads}is {sentence(end)}; check the address and start again"
    return "nothing was saved: no sitemap named a page; check the address and start again"
