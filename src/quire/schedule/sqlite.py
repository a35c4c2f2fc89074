"""The frontier in a SQLite file; in memory when the file is `:memory:`.

A lease lives in this process only: a URL stays pending in the file until it is settled, so after a crash
everything that was under way is simply asked again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping

from quire import urls
from quire.ports import Claim, Rule
from quire.records import (
    Accepted,
    Added,
    Failed,
    FoundLinks,
    Lease,
    Link,
    Moved,
    Outcome,
    PageRecord,
    Redirected,
    Rejected,
    Retry,
    Saved,
    Skipped,
    State,
    Unchanged,
    Verdict,
)
from quire.schedule.commits import Commits, GroupCommit
from quire.schedule.rows import Rows
from quire.schedule.sightings import Sightings, is_left_out
from quire.schedule.turns import Turns
from quire.settings import Pace

UNREACHED = ("unreachable", "timeout")


class SqliteFrontier:
    """ports.Frontier on one connection."""

    def __init__(
        self,
        database: sqlite3.Connection,
        rule: Rule,
        pace: Pace,
        *,
        by_distance: bool = False,
        commits: Commits | None = None,
        claim: Claim | None = None,
    ) -> None:
        self._db = database
        self._rows = Rows(database, refiles=by_distance)
        self._rule = rule
        self._turns = Turns(pace, self._rows.refill, claim)
        self._commits: Commits = commits or GroupCommit(database)
        self._seen = Sightings(self._rows, by_distance=by_distance)
        self._counts = self._rows.counts()
        for host in self._rows.waiting_hosts():
            self._turns.stored(host)

    @property
    def crawl(self) -> int:
        return self._rows.crawl

    async def add(self, links: Iterable[Link]) -> Added:
        with self._commits.writing():
            added = self._take_in(links, None)
        await self._commits.soon(len(self._turns.under_way()))
        return added

    async def lease(self) -> Lease | None:
        taken = await self._turns.take()
        if taken is None:
            return None
        id, token = taken
        link, attempts = self._rows.lease(id)
        return Lease(id, token, link, attempts, self._rows.known(id) if self.crawl > 1 else None)

    async def settle(self, lease: Lease, outcome: Outcome, found: Iterable[Link] = ()) -> Added:
        if not self._turns.holds(lease.id, lease.token):
            return Added()
        with self._commits.writing():
            added = self._take_in(found, lease.id)
            given_up = self._write(lease, outcome)
            nearest = self._seen.nearest(lease.link)
            if nearest is not lease.link and isinstance(outcome, Saved | Unchanged | Redirected):
                # It has come nearer while it was under way.
                self._pass_on(nearest, lease.id)
            self._commits.settled(lease, outcome)
        await self._commits.soon(len(self._turns.under_way()))
        return Added(added.accepted, added.rejected, given_up)

    def starts_waiting(self) -> list[tuple[str, int]]:
        return self._rows.starts_waiting()

    def has(self, key: int) -> bool:
        return key in self._seen

    def lease_starts_only(self) -> None:
        self._turns.starts_only = True

    def hold(self, host: str) -> None:
        self._turns.hold(host)

    def release(self, host: str) -> None:
        self._turns.release(host)

    def pause(self, host: str, seconds: float) -> None:
        self._turns.pause(host, seconds)

    async def pass_by(self, host: str) -> None:
        await self._turns.pass_by(host)

    def unknown(self, links: FoundLinks) -> Iterable[tuple[str, int, str]]:
        return self._seen.unknown(links)

    def sending(self, lease: Lease) -> None:
        self._turns.sending(lease.id)

    def refund(self, lease: Lease) -> None:
        self._turns.refund(lease.id)

    def pace(self, host: str, seconds: float) -> None:
        self._turns.pace(host, seconds)

    def paced(self, host: str) -> bool:
        return self._turns.paced(host)

    def stop(self) -> None:
        self._turns.stop()

    def counts(self) -> Mapping[State, int]:
        return self._counts

    def recount(self) -> None:
        """Take the counts from the file, after decisions that were not settled here."""
        self._counts = self._rows.counts()

    def note(self, name: str) -> str | None:
        return self._rows.note(name)

    def put(self, name: str, value: str) -> None:
        self._rows.put(name, value)

    def links_of(self, lease: Lease) -> Iterator[Link]:
        # What this crawl has seen is in the table as it was seen; only a shorter way to it would be news.
        for each in self._rows.links_of(lease.id, self._seen.no_news()):
            yield _below(lease.link, *each)

    def leads_back(self, lease: Lease, target: int) -> bool:
        return self._rows.leads_back(target, lease.link.key)

    def path_owner(self, folded: int) -> int | None:
        """The id of the page that has this path."""
        return self._rows.path_owner(folded)

    def enter(self, link: Link, page: PageRecord | None) -> bool:
        """Record a URL that was saved before this frontier began; False when it is known already."""
        if link.key in self._seen:
            return False
        with self._commits.writing():
            _, id = self._rows.record(link, Accepted(2), None)
            self._seen.enter(link, Accepted(2))
            self._rows.decide(id, State.SAVED)
            self._counts[State.SAVED] += 1
            if page:
                self._rows.keep(id, page, changed=True)
        return True

    async def close(self) -> None:
        self.flush()
        self._db.close()

    def flush(self) -> None:
        """Commit what was settled since the last time."""
        self._commits.flush()

    def _take_in(self, links: Iterable[Link], parent: int | None) -> Added:
        accepted = 0
        rejected: list[tuple[Link, Rejected]] = []
        for link in links:
            if link.key in self._seen:
                self._see_again(link)
                continue
            verdict = self._rule(link)
            if link.key in self._seen.left_out and is_left_out(verdict):
                continue
            self._enter(link, verdict, parent)
            if isinstance(verdict, Rejected):
                rejected.append((link, verdict))
            else:
                accepted += 1
        return Added(accepted, tuple(rejected))

    def _enter(self, link: Link, verdict: Verdict, parent: int | None) -> None:
        """Enter a new URL with its verdict."""
        was_left_out = self._seen.enter(link, verdict)
        if was_left_out:
            self._counts[State.FILTERED] -= 1
        host, id = self._rows.record(link, verdict, parent, is_known=was_left_out)
        if isinstance(verdict, Accepted):
            self._counts[State.PENDING] += 1
            self._turns.offer(host, (verdict.rank, -verdict.weight, id))
        else:
            self._counts[verdict.state] += 1

    def _see_again(self, link: Link) -> None:
        if self._seen.secured(link):
            self._rows.prefer_https(link)
        if link.source == "sitemap":
            self._rows.name_in_sitemap(link)
        if nearer := self._seen.nearer(link):
            self._come_nearer(nearer)

    def _come_nearer(self, link: Link) -> None:
        """A shorter way to a URL was found: it, or what its page leads to, may be within the limit after all."""
        id, state, reason, parent = self._rows.come_nearer(link)
        if reason == "max-depth" or state == State.EXTERNAL:
            self._counts[state] -= 1
            self._enter(link, self._rule(link), parent)
        elif state in (State.SAVED, State.UNCHANGED, State.DUPLICATE):
            self._pass_on(link, id)

    def _pass_on(self, link: Link, id: int) -> None:
        """What a page or a redirect leads to has come nearer with it."""
        target = self._rows.redirected(id)
        if target is None:
            below = self._rows.links_of(id, self._seen.left_out)
            self._take_in([_below(link, *each) for each in below], id)
        else:
            url, key, source, hops = target
            self._take_in([Link(url, key, source, None, link.depth, link.hops if hops else 0)], id)

    def _write(self, lease: Lease, outcome: Outcome) -> int:
        """Record the outcome and end the lease; returns how many URLs were given up with their host."""
        match outcome:
            case Moved(url=url):
                self._rows.move(lease.id, url)
                self._turns.again(lease.id, 0.0)
                return 0
            case Retry():
                return self._postpone(lease, outcome)
            case Saved(page=page, changed=changed):
                self._rows.keep(lease.id, page, changed=changed)
                self._decide(lease, State.SAVED if changed else State.UNCHANGED)
            case Unchanged(detail=detail):
                self._decide(lease, State.UNCHANGED, "", detail)
            case Redirected(target=target, returns=returns):
                self._decide(lease, State.DUPLICATE, "redirect", target.url, target.key)
                if returns:
                    self._turns.offer(urls.host(target.url), self._rows.reopen(target))
                    self._counts[State.DUPLICATE] -= 1
                    self._counts[State.PENDING] += 1
            case Skipped(reason=reason, detail=detail, state=state):
                self._decide(lease, state, reason, detail)
            case Failed(reason=reason, detail=detail):
                self._decide(lease, State.FAILED, reason, detail)
                if reason in UNREACHED:
                    hopeless = self._turns.unreached(lease.id, last_try=True)
                    self._turns.done(lease.id, answered=False)
                    return self._give_up(lease) if hopeless else 0
        self._turns.done(lease.id)
        return 0

    def _postpone(self, lease: Lease, retry: Retry) -> int:
        self._rows.postpone(lease.id, retry)
        if retry.reason in UNREACHED:
            self._turns.unreached(lease.id, last_try=False)
        if retry.pause:
            self._turns.strike(lease.id, retry.after)
        self._turns.again(lease.id, 0.0 if retry.pause else retry.after, later=retry.later)
        return 0

    def _give_up(self, lease: Lease) -> int:
        """The host is hopeless: fail everything that waits for it (P5)."""
        host = urls.host(lease.link.url)
        self._turns.drop(host)
        given_up = self._rows.give_up(host, self._turns.under_way())
        self._counts[State.PENDING] -= given_up
        self._counts[State.FAILED] += given_up
        return given_up

    def _decide(
        self, lease: Lease, state: State, reason: str = "", detail: str = "", target: int | None = None
    ) -> None:
        self._rows.decide(lease.id, state, reason, detail, target)
        self._counts[State.PENDING] -= 1
        self._counts[state] += 1


def _below(link: Link, url: str, key: int, source: str, hops: int) -> Link:
    """A link on a known page; one that leads outside (it has hops) is one hop further than the page."""
    return Link(url, key, source, None, link.depth + 1, link.hops + 1 if hops else 0)
