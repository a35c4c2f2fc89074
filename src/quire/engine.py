"""The crawl: seed the frontier, then ask, read and settle URL by URL until nothing is left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from struct import iter_unpack

from quire import urls
from quire.answers import is_fresh, is_page, outcome_of_error, outcome_of_status
from quire.errors import CrawlError, FetchError, PageError
from quire.events import Notice, PageStarted, UrlRejected
from quire.outcomes import event_of
from quire.ports import Fetcher, Frontier, Listener, Press, Shelf, SiteRule, Source
from quire.records import (
    Added,
    Failed,
    Lease,
    Link,
    Made,
    Moved,
    Order,
    Outcome,
    PageRecord,
    Redirected,
    Response,
    Retry,
    Saved,
    Skipped,
    State,
    Unchanged,
)
from quire.robots import Robots
from quire.settings import Settings

_BATCH = 500


@dataclass(frozen=True, slots=True)
class Stages:
    """What the engine works with; `wiring` puts it together."""

    frontier: Frontier
    fetcher: Fetcher
    press: Press
    shelf: Shelf
    rule: SiteRule
    robots: Robots | None
    sitemaps: Source | None
    take_sitemap: Callable[[Response], bool]
    policy: urls.UrlPolicy


class Engine:
    """One crawl from start to end; `emit` hears of everything that happens."""

    def __init__(self, stages: Stages, settings: Settings, emit: Listener) -> None:
        self._stages = stages
        self._frontier = stages.frontier
        self._settings = settings
        self._emit = emit
        self._started = 0
        self._busy = 0
        self._finished_one = asyncio.Event()
        self._refusing: set[str] = set()
        self._follow = "links" in settings.scope.discover

    async def run(self, start: Sequence[Link]) -> None:
        """Crawl until nothing is left, the page limit is reached, or a CrawlError says stop."""
        if self._frontier.note("seeded") is None:
            await self._seed(start)
        await self._work()

    async def _seed(self, start: Sequence[Link]) -> None:
        await self._add(start)
        landed = await self._land({urls.host(link.url) for link in start})
        if self._stages.sitemaps:
            async for batch in _batches(self._stages.sitemaps.links()):
                await self._add(batch)
        self._frontier.put("seeded", "yes")
        for lease, answer in landed:
            await self._conclude(lease, answer)

    async def _land(self, hosts: set[str]) -> list[tuple[Lease, Response]]:
        """Ask one start URL of each host before the sitemaps are read: the site is where it lands (R1)."""
        landed: list[tuple[Lease, Response]] = []
        while hosts and self._frontier.starts_waiting() > len(landed) and (lease := await self._frontier.lease()):
            answer = await self._ask(lease)
            if isinstance(answer, Response) and self._stages.take_sitemap(answer):
                answer = Skipped("sitemap", "read as a sitemap")
            if isinstance(answer, Response) and not answer.location and lease.link.start:
                landed.append((lease, answer))
                hosts.discard(urls.host(lease.link.url))
                continue
            settled = await self._conclude(lease, answer)
            if isinstance(settled, Redirected) and self._stages.rule.internal(settled.target.url):
                hosts.add(urls.host(settled.target.url))
            if not isinstance(settled, Retry | Moved):
                hosts.discard(urls.host(lease.link.url))
        return landed

    async def _work(self) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                while await self._room() and (lease := await self._frontier.lease()):
                    self._busy += 1
                    tasks.create_task(self._visit(lease))
        except BaseExceptionGroup as several:
            stops, others = several.split(CrawlError)
            raise (others or stops or several).exceptions[0] from None

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
            self._finished_one.clear()
            await self._finished_one.wait()

    async def _visit(self, lease: Lease) -> None:
        try:
            await self._conclude(lease, await self._ask(lease))
        finally:
            self._busy -= 1
            self._finished_one.set()

    async def _ask(self, lease: Lease) -> Response | Outcome:
        link = lease.link
        known = lease.known
        if known and is_fresh(link.lastmod, self._stages.shelf.has(known.path)):
            self._frontier.refund(lease)
            return Unchanged("the sitemap's lastmod is not newer than the file")
        refusal = await self._robots_refusal(link)
        if refusal:
            self._frontier.refund(lease)
            return refusal
        self._started += 1
        total = self._started + max(0, self._frontier.counts().get(State.PENDING, 0) - self._busy)
        self._emit(PageStarted(urls.shown(link.url), self._started, max(total, self._started)))
        self._frontier.sending(lease)
        try:
            if known and self._stages.shelf.has(known.path) is not None:
                return await self._stages.fetcher.fetch(link, etag=known.etag, last_modified=known.last_modified)
            return await self._stages.fetcher.fetch(link)
        except FetchError as error:
            return outcome_of_error(error, lease, self._settings)

    async def _robots_refusal(self, link: Link) -> Skipped | None:
        """Ask robots.txt, and take the host's pace from it."""
        host, gap = urls.host(link.url), self._settings.pace.seconds_between
        if self._stages.robots is None:
            if not self._frontier.paced(host):
                self._frontier.pace(host, gap)
            return None
        rules = await self._stages.robots.rules(link.url)
        if not self._frontier.paced(host):
            self._frontier.pace(host, max(gap, rules.delay or 0.0))
        if rules.refusal:
            if host not in self._refusing:
                self._refusing.add(host)
                self._emit(Notice(f"{rules.refusal}, so no URL of {host} may be asked for"))
            return Skipped("robots-unreachable", rules.refusal)
        return None if rules.allowed(link.url) else Skipped("robots", "disallowed by robots.txt")

    async def _conclude(self, lease: Lease, answer: Response | Outcome) -> Outcome:
        """Turn the answer into an outcome, settle it, and tell."""
        found: Iterator[Link] = iter(())
        made: Made | None = None
        try:
            if isinstance(answer, Response):
                outcome, made = await self._outcome(lease, answer)
            else:
                outcome = answer
            if self._follow:
                found = self._found(lease, outcome, made)
            if isinstance(outcome, Redirected):
                found = iter((outcome.target,))
            if isinstance(outcome, Failed):
                self._stages.shelf.note_failure(lease, outcome.reason, outcome.detail)
            self._tell(await self._frontier.settle(lease, outcome, found))
        finally:
            self._stages.shelf.release(lease)
        self._emit(event_of(lease, outcome, made))
        self._stages.shelf.check_space()
        if isinstance(outcome, Failed) and self._settings.mirror.on_error == "abort":
            raise CrawlError(
                f"{lease.link.url} failed ({outcome.detail or outcome.reason}); stopped by --on-error abort"
            )
        return outcome

    async def _outcome(self, lease: Lease, response: Response) -> tuple[Outcome, Made | None]:
        if response.status == 304 and lease.known:
            return Unchanged("the server says it has not changed"), None
        if response.location is not None:
            return self._redirect(lease, response.location), None
        outcome = outcome_of_status(response, lease, self._settings)
        if outcome is not None:
            return outcome, None
        if not is_page(response):
            self._stages.shelf.note_skip(lease, response.content_type)
            return Skipped("content-type", response.content_type.partition(";")[0].strip() or "unknown"), None
        return await self._page(lease, response)

    async def _page(self, lease: Lease, response: Response) -> tuple[Outcome, Made | None]:
        place = self._stages.shelf.place(lease)
        fetched_at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        known = lease.known
        known_hash = known.hash if known and known.path == place.path and self._stages.shelf.has(known.path) else None
        order = Order(
            response.url, response.content_type, response.body, place.path, fetched_at, lease.link.lastmod, known_hash
        )
        try:
            made = await self._stages.press.make(order)
        except PageError as error:
            return Failed(error.reason, str(error)), None
        page = PageRecord(
            path=place.path,
            folded=place.folded,
            contested=place.contested,
            size=made.size,
            hash=made.hash,
            facts=made.facts,
            canonical=self._canonical_key(lease, made),
            status=response.status,
            content_type=response.content_type,
            etag=response.etag,
            last_modified=response.last_modified,
            fetched_at=fetched_at,
            links=made.links.keys,
        )
        return Saved(page, made.changed), made

    def _canonical_key(self, lease: Lease, made: Made) -> int | None:
        """The canonical URL's key, if the page names another URL of the same site (S9)."""
        canonical = made.facts.canonical
        if not canonical or not self._stages.rule.internal(canonical):
            return None
        key = urls.fingerprint_of(canonical, self._stages.policy)
        return None if key == lease.link.key else key

    def _redirect(self, lease: Lease, location: str) -> Outcome:
        """A redirect is followed by the frontier, one request a hop (R8)."""
        link = lease.link
        target = urls.resolve(location, link.url)
        key = urls.fingerprint_of(target, self._stages.policy) if target else None
        if target is None or key is None:
            return Failed("bad-redirect", f"redirects to {location[:200]!r}, which is not a web address")
        if link.redirects >= self._settings.fetch.max_redirects:
            return Failed("redirects", f"more than {self._settings.fetch.max_redirects} redirects in a row")
        if target == link.url or (key != link.key and self._frontier.leads_back(lease, key)):
            return Failed("redirect-loop", f"redirects to {target}, which leads back to it")
        if key == link.key:
            return Moved(target)
        rule = self._stages.rule
        if link.start and self._settings.scope.discover and not rule.internal(target):
            rule.rebase(urls.host(link.url), target)
            self._frontier.put("bases", "\n".join(rule.bases))
            self._emit(Notice(f"{link.url} redirects to {target}: mirroring the site there"))
        hops = 0 if rule.internal(target) else max(1, link.hops)
        return Redirected(Link(target, key, "redirect", None, link.depth, hops, link.redirects + 1, link.start))

    def _found(self, lease: Lease, outcome: Outcome, made: Made | None) -> Iterator[Link]:
        """The links of a page that may be news to the frontier."""
        if isinstance(outcome, Unchanged):
            yield from (self._reached(lease, link) for link in self._frontier.links_of(lease))
        if made is None:
            return
        depth, columns = lease.link.depth + 1, made.links
        for url, (key,), source in zip(columns.urls, iter_unpack("<q", columns.keys), columns.sources, strict=True):
            if not self._frontier.knows(key, url.startswith("https:")):
                yield self._reached(lease, Link(url, key, source, None, depth))
        for raw, source in columns.invalid:
            yield Link(raw, urls.fingerprint("invalid:" + raw), source, None, depth)
        canonical = made.facts.canonical
        if canonical and isinstance(outcome, Saved) and outcome.page.canonical is not None:
            yield Link(canonical, outcome.page.canonical, "canonical", None, depth)

    def _reached(self, lease: Lease, link: Link) -> Link:
        """Count how far outside the site the link is (U8)."""
        if not self._settings.scope.follow_external or self._stages.rule.internal(link.url):
            return link
        return Link(link.url, link.key, link.source, None, link.depth, lease.link.hops + 1)

    async def _add(self, links: Sequence[Link]) -> None:
        self._tell(await self._frontier.add(links))

    def _tell(self, added: Added) -> None:
        for link, rejected in added.rejected:
            self._emit(UrlRejected(urls.shown(link.url), rejected.state, rejected.reason, rejected.detail))
        if added.given_up:
            self._emit(Notice(f"{added.given_up} more URLs failed because their host does not answer"))


async def _batches(links: AsyncIterator[Link]) -> AsyncIterator[list[Link]]:
    batch: list[Link] = []
    async for link in links:
        batch.append(link)
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
