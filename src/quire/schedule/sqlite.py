"""The frontier in a SQLite file; in memory when the file is `:memory:`.

A lease lives in this process only: a URL stays pending in the file until it is settled, so after a crash
everything that was under way is simply asked again.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from struct import iter_unpack
from typing import Any

import msgspec

from quire import urls
from quire.errors import CrawlError, GuardStop
from quire.ports import Rule
from quire.records import (
    Accepted,
    Added,
    Failed,
    Known,
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
)
from quire.settings import Pace

from .turns import Turn, Turns

LATER = 9
"""The rank of URLs that are tried again when everything else is done."""

_LINK_COLUMNS = "url, key, source, depth, hops, redirects, start, lastmod, priority, changefreq"


class SqliteFrontier:
    """ports.Frontier on one connection; `crawl` counts the crawls this file has seen."""

    def __init__(self, database: sqlite3.Connection, rule: Rule, pace: Pace) -> None:
        self._db = database
        self._rule = rule
        self._turns = Turns(pace, self._refill)
        self._committed: asyncio.Future[None] | None = None
        self._hosts: dict[str, int] = dict(self._rows("SELECT name, id FROM hosts"))
        self._places: dict[str, int] = dict(self._rows("SELECT url, id FROM places"))
        self.crawl = int(self.note("crawl") or 1)
        self._next_id = 1 + (self._one("SELECT max(id) FROM urls") or 0)
        # Whether a URL of this identity was seen, and by https: half the memory of holding the URLs themselves.
        self._seen: dict[int, bool] = {
            key: bool(secure)
            for key, secure in self._rows("SELECT key, url LIKE 'https:%' FROM urls WHERE crawl = ?", self.crawl)
        }
        self._counts: Counter[State] = Counter()
        self.recount()
        names = {id: name for name, id in self._hosts.items()}
        for (host,) in self._rows("SELECT DISTINCT host FROM urls WHERE state = 0"):
            self._turns.stored(names[host])

    async def add(self, links: Iterable[Link]) -> Added:
        with self._writing():
            added = self._take_in(links, None)
        await self._commit()
        return added

    async def lease(self) -> Lease | None:
        taken = await self._turns.take()
        if taken is None:
            return None
        id, token = taken
        row = self._db.execute(f"SELECT attempts, {_LINK_COLUMNS} FROM urls WHERE id = ?", (id,)).fetchone()  # noqa: S608
        return Lease(id, token, _link(row[1:]), row[0], self._known(id) if self.crawl > 1 else None)

    async def settle(self, lease: Lease, outcome: Outcome, found: Iterable[Link] = ()) -> Added:
        if not self._turns.holds(lease.id, lease.token):
            return Added()
        with self._writing():
            added = self._take_in(found, lease.id)
            given_up = self._write(lease, outcome)
        await self._commit()
        return Added(added.accepted, added.rejected, given_up)

    def knows(self, key: int, secure: bool) -> bool:
        known = self._seen.get(key)
        return known is not None and (known or not secure)

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
        states = self._rows("SELECT state, count(*) FROM urls WHERE crawl = ? GROUP BY state", self.crawl)
        self._counts.clear()
        self._counts.update({State(state): number for state, number in states})

    async def close(self) -> None:
        self.flush()
        self._db.close()

    def note(self, name: str) -> str | None:
        """Read a fact about the crawl that must survive it."""
        value = self._one("SELECT value FROM meta WHERE name = ?", name)
        return None if value is None else str(value)

    def put(self, name: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def leads_back(self, lease: Lease, target: int) -> bool:
        """Whether a redirect to this key comes round to the lease's own URL."""
        own, seen = lease.link.key, set[int]()
        while target not in seen and target != own:
            seen.add(target)
            query = "SELECT target FROM urls WHERE key = ? AND state = ? AND reason = 'redirect' AND crawl = ?"
            following = self._one(query, target, State.DUPLICATE, self.crawl)
            if following is None:
                return False
            target = following
        return True

    def links_of(self, lease: Lease) -> Iterator[Link]:
        """The links an earlier crawl found on the lease's page (R14)."""
        blob = self._one("SELECT links FROM pages WHERE id = ?", lease.id) or b""
        for (key,) in iter_unpack("<q", blob):
            row = self._db.execute("SELECT url, key, source FROM urls WHERE key = ?", (key,)).fetchone()
            if row:
                yield Link(row[0], row[1], row[2], depth=lease.link.depth + 1)

    def enter(self, link: Link, page: PageRecord | None) -> None:
        """Record a URL as saved before this crawl."""
        self._record(link, Accepted(2), None)
        id = self._one("SELECT id FROM urls WHERE key = ?", link.key)
        self._decide(id, State.SAVED)
        if page:
            self._keep(id, page, changed=True)

    def path_owner(self, folded: int) -> int | None:
        """The id of the page that has this path."""
        owner = self._one("SELECT id FROM pages WHERE folded = ?", folded)
        return None if owner is None else int(owner)

    def path_of(self, id: int) -> str | None:
        path = self._one("SELECT path FROM pages WHERE id = ?", id)
        return None if path is None else str(path)

    def _take_in(self, links: Iterable[Link], parent: int | None) -> Added:
        accepted = 0
        rejected: list[tuple[Link, Rejected]] = []
        for link in links:
            secure = self._seen.get(link.key)
            if secure is None:
                verdict = self._rule(link)
                self._record(link, verdict, parent)
                if isinstance(verdict, Rejected):
                    rejected.append((link, verdict))
                else:
                    accepted += 1
            else:
                self._seen_again(link, secure)
        return Added(accepted, tuple(rejected))

    def _record(self, link: Link, verdict: Accepted | Rejected, parent: int | None) -> None:
        self._seen[link.key] = link.url.startswith("https:")
        host_name = urls.host(link.url)
        id = self._known_id(link.key)
        if isinstance(verdict, Accepted):
            state, rank, weight, reason, detail = State.PENDING, verdict.rank, -verdict.weight, "", ""
        else:
            state, rank, weight, reason, detail = verdict.state, 2, 0.0, verdict.reason, verdict.detail
        self._db.execute(
            """INSERT OR REPLACE INTO urls (id, key, url, host, crawl, state, rank, weight, reason, detail, source,
               found_on, depth, hops, redirects, start, listed, lastmod, priority, changefreq)
               VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)""",
            (
                id, link.key, link.url, self._host_id(host_name), self.crawl, state, rank, weight, reason, detail,
                link.source, self._place(link.found_on) if parent is None else parent, link.depth, link.hops,
                link.redirects, link.start, link.source == "sitemap", link.lastmod, link.priority, link.changefreq,
            ),
        )  # fmt: skip
        self._counts[state] += 1
        if state is State.PENDING:
            self._turns.offer(host_name, (rank, weight, id))

    def _known_id(self, key: int) -> int:
        """The id an earlier crawl gave this URL, or the next one."""
        if self.crawl > 1:
            id = self._one("SELECT id FROM urls WHERE key = ?", key)
            if id is not None:
                return int(id)
        self._next_id += 1
        return self._next_id - 1

    def _seen_again(self, link: Link, secure: bool) -> None:
        if not secure and link.url.startswith("https:"):
            # U3: https is preferred when both occur, as long as nothing was asked.
            self._seen[link.key] = True
            self._db.execute("UPDATE urls SET url = ? WHERE key = ? AND state = 0", (link.url, link.key))
        if link.source == "sitemap":
            self._db.execute(
                """UPDATE urls SET listed = 1, lastmod = coalesce(?, lastmod), priority = coalesce(?, priority),
                   changefreq = coalesce(?, changefreq) WHERE key = ?""",
                (link.lastmod, link.priority, link.changefreq, link.key),
            )

    def _write(self, lease: Lease, outcome: Outcome) -> int:
        """Record the outcome and free the lease; returns how many URLs were given up with their host."""
        match outcome:
            case Saved(page=page, changed=changed):
                self._keep(lease.id, page, changed)
                self._decide(lease.id, State.SAVED if changed else State.UNCHANGED)
            case Unchanged(detail=detail):
                self._decide(lease.id, State.UNCHANGED, "", detail)
            case Redirected(target=target):
                self._decide(lease.id, State.DUPLICATE, "redirect", target.url, target.key)
            case Skipped(reason=reason, detail=detail, state=state):
                self._decide(lease.id, state, reason, detail)
            case Failed(reason=reason, detail=detail):
                self._decide(lease.id, State.FAILED, reason, detail)
            case Moved(url=url):
                self._db.execute("UPDATE urls SET url = ?, redirects = redirects + 1 WHERE id = ?", (url, lease.id))
                self._turns.again(lease.id, 0.0)
                return 0
            case Retry():
                return self._postpone(lease, outcome)
        if isinstance(outcome, Failed) and outcome.reason in ("unreachable", "timeout"):
            return self._unreached(lease, settled=True)
        self._turns.done(lease.id)
        return 0

    def _postpone(self, lease: Lease, retry: Retry) -> int:
        rank = LATER if retry.later else None
        self._db.execute(
            "UPDATE urls SET attempts = attempts + 1, reason = ?, detail = ?, rank = coalesce(?, rank) WHERE id = ?",
            (retry.reason, retry.detail, rank, lease.id),
        )
        if retry.pause:
            self._turns.strike(lease.id, retry.after)
            self._turns.again(lease.id, 0.0)
        elif retry.reason in ("unreachable", "timeout"):
            return self._unreached(lease, settled=False, after=retry.after, rank=rank)
        else:
            self._turns.again(lease.id, retry.after, rank)
        return 0

    def _unreached(self, lease: Lease, *, settled: bool, after: float = 0.0, rank: int | None = None) -> int:
        """Count a failure against the host; when it is hopeless, fail everything that waits for it (P5)."""
        hopeless = self._turns.unreached(lease.id)
        if settled:
            self._turns.done(lease.id, answered=False)
        else:
            self._turns.again(lease.id, after, rank)
        if not hopeless:
            return 0
        host_name = urls.host(lease.link.url)
        self._turns.drop(host_name)
        busy = ",".join(str(id) for id in self._turns.under_way())
        given_up = self._db.execute(
            f"""UPDATE urls SET state = ?, reason = 'host-given-up', detail = ?
                WHERE host = ? AND state = 0 AND id NOT IN ({busy})""",  # noqa: S608
            (State.FAILED, f"{host_name} did not answer many times in a row", self._host_id(host_name)),
        ).rowcount
        self._counts[State.PENDING] -= given_up
        self._counts[State.FAILED] += given_up
        return given_up

    def _decide(self, id: int, state: State, reason: str = "", detail: str = "", target: int | None = None) -> None:
        self._db.execute(
            "UPDATE urls SET state = ?, reason = ?, detail = ?, target = ? WHERE id = ?",
            (state, reason, detail, target, id),
        )
        self._counts[State.PENDING] -= 1
        self._counts[state] += 1

    def _keep(self, id: int, page: PageRecord, changed: bool) -> None:
        before = self._db.execute("SELECT first, changed FROM pages WHERE id = ?", (id,)).fetchone()
        first, last_changed = before or (self.crawl, self.crawl)
        self._db.execute(
            "INSERT OR REPLACE INTO pages VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                id, page.path, page.folded, page.contested, page.size, page.hash, page.status, page.content_type, page.etag,
                page.last_modified, page.fetched_at, page.canonical, first, self.crawl if changed else last_changed,
                msgspec.msgpack.encode(page.facts), page.links,
            ),
        )  # fmt: skip

    def _known(self, id: int) -> Known | None:
        columns = "path, hash, etag, last_modified"
        row = self._db.execute(f"SELECT {columns} FROM pages WHERE id = ?", (id,)).fetchone()  # noqa: S608
        return Known(*row) if row else None

    def _host_id(self, name: str) -> int:
        return self._id_of(self._hosts, "hosts", name)

    def _place(self, url: str | None) -> int | None:
        return None if url is None else -self._id_of(self._places, "places", url)

    def _id_of(self, cache: dict[str, int], table: str, value: str) -> int:
        id = cache.get(value)
        if id is None:
            id = cache[value] = len(cache) + 1
            self._db.execute(f"INSERT INTO {table} VALUES (?, ?)", (id, value))  # noqa: S608
        return id

    def _refill(self, host: str, after: Turn, limit: int) -> list[Turn]:
        query = """SELECT rank, weight, id FROM urls WHERE host = ? AND state = 0 AND (rank, weight, id) > (?, ?, ?)
                   ORDER BY rank, weight, id LIMIT ?"""
        return list(self._rows(query, self._hosts[host], *after, limit))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN")
            yield
        except sqlite3.Error as error:
            raise _stop_for(error) from error

    def _commit(self) -> asyncio.Future[None]:
        """Commit soon, together with whatever else settles in the same turn of the loop."""
        if self._committed is None:
            loop = asyncio.get_running_loop()
            self._committed = loop.create_future()
            loop.call_soon(self.flush)
        return self._committed

    def flush(self) -> None:
        """Commit what was settled since the last time."""
        committed, self._committed = self._committed, None
        try:
            if self._db.in_transaction:
                self._db.execute("COMMIT")
        except sqlite3.Error as error:
            problem = _stop_for(error)
            if committed is None or committed.done():
                raise problem from error
            committed.set_exception(problem)
        else:
            if committed is not None and not committed.done():
                committed.set_result(None)

    def _rows(self, query: str, *values: object) -> sqlite3.Cursor:
        return self._db.execute(query, values)

    def _one(self, query: str, *values: object) -> Any:
        row = self._db.execute(query, values).fetchone()
        return row[0] if row else None


def _link(row: tuple[Any, ...]) -> Link:
    url, key, source, depth, hops, redirects, start, lastmod, priority, changefreq = row
    return Link(url, key, source, None, depth, hops, redirects, bool(start), lastmod, priority, changefreq)


def _stop_for(error: sqlite3.Error) -> CrawlError:
    if "full" in str(error):
        return GuardStop("the disk is full: free some space and start again; nothing that was saved is lost")
    return CrawlError(f"the frontier cannot be written ({error}); check the disk and start again")
