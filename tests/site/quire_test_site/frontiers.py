"""A frontier of the service: in memory, with a journal in a real database."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from uuid import UUID

from quire import urls
from quire.ports import Rule
from quire.schedule.sqlite import SqliteFrontier
from quire.service.data import crawls, decisions, projects
from quire.service.data.database import Database, open_database
from quire.service.data.values import Batch, Claim
from quire.service.estimate import Estimate
from quire.service.frontier import open_frontier
from quire.service.journal import Journal
from quire.settings import Pace


class ServiceFrontiers:
    """Frontiers of one crawl, opened one after the other as by instances that die."""

    def __init__(self, url: str, folder: Path) -> None:
        self.database: Database = open_database(url, folder)
        self.database.migrate()
        with self.database.writing() as connection:
            self.project = projects.create(connection, "Shop", "http://a.test/", {})
            crawls.request(connection, self.project, {}, 200)
        self._owners = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._memories: list[sqlite3.Connection] = []

    @property
    def project_id(self) -> UUID:
        found: UUID = self.project.id
        return found

    def open(self, rule: Rule, pace: Pace, *, by_distance: bool = False) -> SqliteFrontier:
        """Take the crawl over, and go on from what is in the database."""
        claim = self._claim()
        with self.database.reading() as connection:
            rows = decisions.load(connection, claim.crawl_id)
        memory = open_frontier(rows, claim.notes)
        self._memories.append(memory)

        def record(batch: Batch) -> bool:
            with self.database.writing() as connection:
                return crawls.record(self.database, connection, claim, -1.0, batch)

        journal = Journal(memory, claim.project_id, "http://a.test/", urls.UrlPolicy(), Estimate(200), record)
        self._tasks.append(asyncio.create_task(journal.run()))
        self._tasks[-1].add_done_callback(lambda task: task.cancelled() or task.exception())
        frontier = SqliteFrontier(memory, rule, pace, by_distance=by_distance, commits=journal)
        journal.counts = frontier.counts
        return frontier

    def close(self) -> None:
        """Let go of what no instance has closed."""
        for memory in self._memories:
            memory.close()
        self.database.close()

    def _claim(self) -> Claim:
        self._owners += 1
        with self.database.writing() as connection:
            claim = crawls.claim(self.database, connection, f"owner {self._owners}", -1.0)
        assert claim is not None
        return claim
