"""One crawl that leaves no mirror: for `quire map` and `quire page`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import structs

from quire.crawling import by_distance, finished_by, nothing_saved, opened_stages
from quire.engine import Engine
from quire.events import CrawlFinished, Notice
from quire.filter.judge import Judge
from quire.ports import Listener
from quire.press.processes import WorkerProcess
from quire.schedule.database import open_database
from quire.schedule.ledger import Ledger
from quire.schedule.sqlite import SqliteFrontier
from quire.settings import Settings
from quire.store.shelf import NoShelf
from quire.wiring import completed, job_of, policy_of, sitemaps_named, start_links


async def crawl_lightly(
    settings: Settings,
    listener: Listener,
    workers: Sequence[WorkerProcess] = (),
    *,
    links_only: bool,
    report: Callable[[Ledger], None] | None = None,
) -> CrawlFinished:
    """Crawl without a mirror: for `map` (links only) and `page` (Markdown in the events)."""
    settings = completed(settings)
    begun = time.monotonic()
    # A map without links needs no page but those that tell where the site is.
    starts_only = links_only and "links" not in settings.scope.discover
    judge = Judge(settings)
    for warning in judge.warnings:
        listener(Notice(warning))
    with TemporaryDirectory(prefix="quire-") as folder:
        database = open_database(Path(folder) / "frontier.sqlite" if links_only else ":memory:")
        frontier = SqliteFrontier(database, judge, settings.pace, by_distance=by_distance(settings))
        job = job_of(settings, output=None, links_only=links_only)
        try:
            async with opened_stages(
                settings, frontier, judge, NoShelf(), job, lambda text: listener(Notice(text)), workers
            ) as stages:
                start = start_links(settings, policy_of(settings))
                await Engine(stages, settings, listener).run(start, sitemaps_named(settings), starts_only=starts_only)
        except asyncio.CancelledError:
            # Who stops a long crawl that keeps nothing wants what it has found.
            if report:
                report(Ledger(database))
            raise
        else:
            ledger = Ledger(database)
            if report:
                report(ledger)
            finished = finished_by(ledger, begun)
            if starts_only and finished.counts["pending"]:
                finished = structs.replace(finished, complete=True, clean=not finished.counts["failed"])
            elif not finished.counts["saved"]:
                finished = structs.replace(finished, problem=nothing_saved(ledger, settings))
            listener(finished)
            return finished
        finally:
            await frontier.close()
