"""What a running crawl writes: decisions, pages, progress and events, in one transaction a batch."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from quire import urls
from quire.records import Lease, Made, Outcome, PageRecord, Saved, State
from quire.schedule.database import stop_for
from quire.service.data.values import Batch, EventWrite, PageStatus, PageWrite, Standing
from quire.service.estimate import Estimate
from quire.service.frontier import changes_of, clean
from quire.service.naming import LONGEST_URL, normalized_url

_GATHERED = 0.004
"""Seconds to wait for more before a batch is written."""
_PROGRESS_EVERY = 0.25
_LONGEST_TITLE = 500

Record = Callable[[Batch], bool]


class Journal:
    """quire.schedule.commits.Commits over a frontier in memory; durable means: in the service's database.

    `record` writes a batch (in a thread of its own) and returns whether the crawl is to be cancelled.
    """

    def __init__(
        self,
        memory: sqlite3.Connection,
        project_id: UUID,
        website_url: str,
        policy: urls.UrlPolicy,
        estimate: Estimate,
        record: Record,
    ) -> None:
        self._memory = memory
        self._project_id = project_id
        self._website_url = website_url
        self._policy = policy
        self._estimate = estimate
        self._record = record
        self._saved: dict[int, PageRecord] = {}
        self._times: dict[int, datetime] = {}
        self._notices: list[EventWrite] = []
        self._durable: asyncio.Future[None] | None = None
        self._wake = asyncio.Event()
        self._told_at = 0.0
        self._told: Standing | None = None
        self._owes_progress = False
        self.counts: Callable[[], Mapping[State, int]] = dict
        self.cancel_requested = asyncio.Event()

    @contextmanager
    def writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise stop_for(error) from error

    def settled(self, lease: Lease, outcome: Outcome) -> None:
        self._times[lease.id] = datetime.now(UTC)
        if isinstance(outcome, Saved) and outcome.page.content is not None:
            self._saved[lease.id] = outcome.page

    def soon(self, under_way: int) -> asyncio.Future[None]:
        if self._durable is None:
            self._durable = asyncio.get_running_loop().create_future()
            self._wake.set()
        return self._durable

    def flush(self) -> None: ...

    def notice(self, text: str) -> None:
        """Tell clients something in one line."""
        self._notices.append(EventWrite("notice", {"text": clean(text)}))
        self._wake.set()

    async def run(self) -> None:
        """Write what is there, again and again, until cancelled."""
        while True:
            # In a lull clients hear what was too soon to tell.
            with suppress(TimeoutError):
                async with asyncio.timeout(_PROGRESS_EVERY if self._owes_progress else None):
                    await self._wake.wait()
            self._wake.clear()
            await asyncio.sleep(_GATHERED)
            await self.write()

    async def write(self) -> None:
        """Write what is there; whoever waits for it learns how that went."""
        durable, self._durable = self._durable, None
        batch = self._batch()
        recording = asyncio.ensure_future(asyncio.to_thread(self._record, batch))
        try:
            await asyncio.wait([recording])
        finally:
            # The thread goes on when this is cancelled; the next batch must not overtake it.
            await asyncio.wait([recording])
            problem = recording.exception()
            if durable is not None and not durable.done():
                if problem is None:
                    durable.set_result(None)
                else:
                    durable.set_exception(problem)
                    # Those who waited may be gone.
                    durable.exception()
        if problem is not None:
            raise problem
        if recording.result():
            self.cancel_requested.set()

    def _batch(self) -> Batch:
        changes = changes_of(self._memory)
        for row in changes.rows:
            row["asked_at"] = self._times.get(row["id"])
        pages = [page for row in changes.settled if (page := self._page(row))]
        pages.sort(key=lambda page: page.crawled_at)
        self._times.clear()
        notices, self._notices = self._notices, []
        told = [EventWrite("page", _brief(page)) for page in pages]
        standing = self._standing()
        return Batch(changes.rows, pages, [*notices, *told, *self._progress(standing)], standing, changes.notes)

    def _standing(self) -> Standing:
        counts = self.counts()
        saved = counts.get(State.SAVED, 0) + counts.get(State.UNCHANGED, 0)
        done = saved + counts.get(State.FAILED, 0) + counts.get(State.SKIPPED, 0)
        self._estimate.see(saved, done, counts.get(State.PENDING, 0))
        named = {state.label: counts.get(state, 0) for state in State}
        return Standing(self._estimate.progress, self._estimate.total, saved, named)

    def _progress(self, standing: Standing) -> list[EventWrite]:
        """Tell the progress, but not too often."""
        now = time.monotonic()
        is_news = standing != self._told
        self._owes_progress = is_news and now - self._told_at < _PROGRESS_EVERY
        if self._owes_progress or not is_news:
            return []
        self._told_at, self._told = now, standing
        data = {
            "progress": standing.progress,
            "pages_crawled": standing.pages_crawled,
            "estimated_total": standing.estimated_total,
            "counts": standing.counts,
        }
        return [EventWrite("progress", data)]

    def _page(self, row: Mapping[str, Any]) -> PageWrite | None:
        """The page record of a URL that was asked for; redirects and what lies outside have none."""
        url, state = urls.shown(row["url"]), State(row["state"])
        normalized = normalized_url(row["url"], self._website_url, self._policy)
        id = uuid5(self._project_id, normalized)
        saved = self._saved.pop(row["id"], None)
        at = row["asked_at"] or datetime.now(UTC)
        if saved is not None and saved.content is not None and state in (State.SAVED, State.UNCHANGED):
            return _success(id, url[:LONGEST_URL], normalized, at, saved, saved.content)
        if state not in (State.FAILED, State.SKIPPED):
            return None
        status = PageStatus.FAILED if state is State.FAILED else PageStatus.SKIPPED
        error = f"{row['reason']}: {row['detail']}" if row["detail"] else row["reason"]
        return PageWrite(id, url[:LONGEST_URL], normalized, status, at, error)


def _success(id: UUID, url: str, normalized: str, at: datetime, saved: PageRecord, made: Made) -> PageWrite:
    facts = made.facts
    return PageWrite(
        id,
        url,
        normalized,
        PageStatus.SUCCESS,
        at,
        title=_cut(facts.title),
        h1=_cut(facts.h1),
        meta_description=facts.description and clean(facts.description),
        content_text=clean(made.text or ""),
        markdown=clean(made.markdown or ""),
        word_count=facts.word_count,
        links_found=list(dict.fromkeys(clean(urls.shown(link)) for link in made.links.urls)),
        content_type=clean(saved.content_type),
        fetched_by=saved.fetched_by,
        response_ms=saved.response_ms,
    )


def _cut(text: str | None) -> str | None:
    return None if text is None else clean(text)[:_LONGEST_TITLE]


def _brief(page: PageWrite) -> dict[str, Any]:
    return {
        "id": str(page.id),
        "url": page.url,
        "status": str(page.status),
        "title": page.title,
        "word_count": page.word_count,
        "error_message": page.error_message,
    }
