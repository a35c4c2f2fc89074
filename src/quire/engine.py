"""The crawl: ask, read and settle URL by URL until nothing is left."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from quire import urls
from quire.answers import is_fresh, outcome_of_error, outcome_of_rules
from quire.errors import CrawlError, FetchError
from quire.events import Notice, PageStarted, UrlRejected
from quire.following import Follower
from quire.making import Maker
from quire.outcomes import event_of
from quire.ports import Listener
from quire.records import (
    Added,
    Failed,
    Lease,
    Link,
    Made,
    Moved,
    Outcome,
    Redirected,
    Response,
    Retry,
    Skipped,
    State,
    Unchanged,
)  # fmt: skip
from quire.settings import Settings
from quire.stages import Stages
from quire.wording import counted

_BATCH = 500


class Engine:
    """One crawl from start to end; `emit` hears of everything that happens."""

    def __init__(self, stages: Stages, settings: Settings, emit: Listener) -> None:
        self._stages = stages
        self._frontier = stages.frontier
        self._settings = settings
        self._emit = emit
        self._follower = Follower(stages.frontier, stages.rule, stages.policy, settings)
        self._maker = Maker(stages, settings, self._follower)
        self._seeding: dict[str, asyncio.Lock] = {}
        # Start URLs of each host that have not landed on a page yet.
        self._to_land: dict[str, set[int]] = {}
        self._refusing: set[str] = set()
        # URLs that were begun and are not settled: under way, or waiting for another try.
        self._open: set[int] = set()
        self._begun = 0
        self._busy = 0
        self._one_done = asyncio.Event()

    async def run(self, start: Sequence[Link], sitemaps: Sequence[str] = (), *, starts_only: bool = False) -> None:
        """Crawl until nothing is left, the page limit is reached, or a CrawlError says stop."""
        if starts_only:
            self._frontier.lease_starts_only()
        self._tell(await self._frontier.add(start))
        if self._settings.scope.discover:
            for url, key in self._frontier.starts_waiting():
                self._expect_start(url, key)
        if sitemaps:
            await self._read_sitemaps((), sitemaps)
            read = (self._frontier.note("seeded") or "").split("\n")
            self._frontier.put("seeded", "\n".join([*filter(None, read), *sitemaps]))
        try:
            async with asyncio.TaskGroup() as tasks:
                while await self._room() and (lease := await self._frontier.lease()):
                    self._busy += 1
                    tasks.create_task(self._visit(lease))
        except BaseExceptionGroup as several:
            stops, others = several.split(CrawlError)
            raise (others or stops or several).exceptions[0] from None
        waiting = self._frontier.counts().get(State.PENDING, 0)
        if waiting > 0 and not starts_only and await self._room():
            raise CrawlError(f"{waiting} of the known URLs never had a turn; start again with --fresh")

    async def _room(self) -> bool:
        """Wait until one more page may be begun; False when the limit of pages is reached."""
        limit = self._settings.scope.max_pages
        while True:
            counts = self._frontier.counts()
            saved = counts.get(State.SAVED, 0) + counts.get(State.UNCHANGED, 0)
            if limit is not None and saved >= limit:
                return False
            if self._busy < self._settings.pace.concurrency and (limit is None or saved + self._busy < limit):
                return True
            self._one_done.clear()
            await self._one_done.wait()

    async def _visit(self, lease: Lease) -> None:
        try:
            answer = await self._ask(lease)
            if lease.link.start and self._settings.scope.discover and not isinstance(answer, Retry):
                answer = await self._land(lease, answer)
            await self._conclude(lease, answer)
        finally:
            self._busy -= 1
            self._one_done.set()

    async def _land(self, lease: Lease, answer: Response | Outcome) -> Response | Outcome:
        """See where a start URL leads; where it ends, the site's sitemaps are read before links are judged (D1, R1)."""
        following = None
        if isinstance(answer, Response) and answer.location is not None:
            following = self._follower.redirect(lease, answer.location, sets_cookie=answer.sets_cookie)
        if isinstance(following, Moved):
            return answer
        if isinstance(following, Redirected) and (following.returns or not self._frontier.has(following.target.key)):
            self._expect_start(following.target.url, following.target.key)
        else:
            answer = await self._seed(lease, answer)
        host = urls.host(lease.link.url)
        waiting = self._to_land.setdefault(host, set())
        waiting.discard(lease.link.key)
        if not waiting:
            self._frontier.release(host)
        return answer

    def _expect_start(self, url: str, key: int) -> None:
        """Until this start URL has landed, only start URLs of its host have their turn."""
        host = urls.host(url)
        self._to_land.setdefault(host, set()).add(key)
        self._frontier.hold(host)

    async def _seed(self, lease: Lease, answer: Response | Outcome) -> Response | Outcome:
        url, host = lease.link.url, urls.host(lease.link.url)
        named = isinstance(answer, Response) and answer.status == 200 and self._stages.is_sitemap(answer)
        first = host not in self._seeding
        async with self._seeding.setdefault(host, asyncio.Lock()):
            if named:
                self._follower.rebase(host, urls.site_root(url))
            reachable = isinstance(answer, Response) or (isinstance(answer, Skipped) and answer.reason == "robots")
            if (first and reachable and "sitemap" in self._settings.scope.discover) or named:
                await self._read_sitemaps([url] if first else [], [url] if named else [])
        return Skipped("sitemap", "read as a sitemap") if named else answer

    async def _read_sitemaps(self, sites: Sequence[str], sitemaps: Sequence[str]) -> None:
        batch: list[Link] = []
        async for link in self._stages.sitemaps_of(sites, sitemaps).links():
            batch.append(link)
            if len(batch) >= _BATCH:
                self._tell(await self._frontier.add(batch))
                batch = []
        self._tell(await self._frontier.add(batch))

    async def _ask(self, lease: Lease) -> Response | Outcome:
        link, known, shelf = lease.link, lease.known, self._stages.shelf
        # A start URL is always asked for: where it lands, the site's sitemaps are read.
        if known and not link.start and is_fresh(link.lastmod, shelf.has(known.path), known.fetched_at):
            self._frontier.refund(lease)
            return Unchanged("the sitemap's lastmod is not newer than the file")
        refusal = await self._robots_refusal(lease)
        if refusal:
            self._frontier.refund(lease)
            return refusal
        self._begin(lease)
        self._frontier.sending(lease)
        try:
            if known and shelf.has(known.path) is not None:
                return await self._stages.fetcher.fetch(link, etag=known.etag, last_modified=known.last_modified)
            return await self._stages.fetcher.fetch(link)
        except FetchError as error:
            return outcome_of_error(error, lease, self._settings)

    def _begin(self, lease: Lease) -> None:
        """Tell that a URL is asked for: which one it is, of how many that are known so far."""
        if lease.id not in self._open:
            self._open.add(lease.id)
            self._begun += 1
        total = self._begun + self._frontier.counts().get(State.PENDING, 0) - len(self._open)
        self._emit(PageStarted(urls.shown(lease.link.url), self._begun, total))

    async def _robots_refusal(self, lease: Lease) -> Outcome | None:
        """Ask robots.txt, and take the host's pace from it."""
        url, host = lease.link.url, urls.host(lease.link.url)
        gap = self._settings.pace.seconds_between
        is_new = not self._frontier.paced(host)
        if self._stages.robots is None:
            if is_new:
                self._frontier.pace(host, gap)
            return None
        if is_new:
            # The lease's turn goes to robots.txt; the page takes the next one.
            self._frontier.refund(lease)
        rules = await self._stages.robots.rules(url)
        if is_new:
            self._frontier.pace(host, max(gap, rules.delay or 0.0))
        refusal = outcome_of_rules(rules, lease, self._settings)
        if rules.refusal and not rules.out_of_bounds and host not in self._refusing:
            self._refusing.add(host)
            self._emit(Notice(f"{rules.refusal}, so no URL of {host} may be asked for"))
        if is_new and not refusal:
            await self._frontier.pass_by(host)
        return refusal

    async def _conclude(self, lease: Lease, answer: Response | Outcome) -> None:
        """Turn the answer into an outcome, settle it, and tell."""
        made: Made | None = None
        try:
            if isinstance(answer, Response):
                outcome, made = await self._maker.outcome(lease, answer)
            else:
                outcome = answer
            if isinstance(outcome, Failed):
                self._stages.shelf.note_failure(lease, outcome.reason, outcome.detail)
            if made is not None and made.links.left_out:
                self._emit(Notice(self._follower.overlook(lease, made.links.left_out)))
            if isinstance(outcome, Redirected) and lease.link.start:
                self._move_start(lease, outcome.target)
            if not isinstance(outcome, Retry | Moved):
                self._open.discard(lease.id)
            self._tell(await self._frontier.settle(lease, outcome, self._follower.found(lease, outcome, made)))
        finally:
            self._stages.shelf.release(lease)
        self._emit(event_of(lease, outcome, made))
        self._stages.shelf.check_space()
        if isinstance(outcome, Failed) and self._settings.mirror.on_error == "abort":
            cause = outcome.detail or outcome.reason
            raise CrawlError(f"{lease.link.url} failed ({cause}); stopped by --on-error abort")

    def _move_start(self, lease: Lease, target: Link) -> None:
        """A start URL leads elsewhere: the site is where it lands (R1)."""
        if self._settings.scope.discover and not self._stages.rule.internal(target.url):
            self._follower.rebase(urls.host(lease.link.url), target.url)
            self._emit(Notice(f"{lease.link.url} redirects to {target.url}: mirroring the site there"))

    def _tell(self, added: Added) -> None:
        for link, rejected in added.rejected:
            self._emit(UrlRejected(urls.shown(link.url), rejected.state, rejected.reason, rejected.detail))
        if added.given_up:
            self._emit(Notice(f"{counted(added.given_up, 'more URL')} failed because the host does not answer"))
