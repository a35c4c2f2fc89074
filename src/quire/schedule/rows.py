"""The frontier's tables: every statement that the crawl runs on them."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from struct import iter_unpack
from typing import Any

from msgspec import msgpack, structs

from quire import urls
from quire.records import FACTS, Accepted, Known, Link, PageRecord, Retry, State, Verdict
from quire.schedule import frames
from quire.schedule.crawls import crawl_number, note, put
from quire.schedule.hosts import LATER, Turn
from quire.schedule.keys import Keys
from quire.schedule.spellings import AS_ASKED, named

LEFT_OUT = ("nofollow", "dead-end")
"""Why a URL is refused for the pages that lead to it; another page may let it in."""
_FOUND_ELSEWHERE = ("sitemap", "start", "redirect", "processed")
_LEASE = f"""
    SELECT {AS_ASKED}, key, source, NULL, depth, hops, redirects, start <> 0, lastmod, priority, changefreq, attempts
    FROM urls WHERE id = ?"""  # noqa: S608
_LINK = f"SELECT {AS_ASKED}, key, source, hops FROM urls WHERE id = ?"  # noqa: S608
_KNOWN = """
    SELECT path, made, etag, last_modified, fetched_at, facts, url FROM pages JOIN urls USING (id) WHERE id = ?"""
_INSERT_URL = """
    INSERT OR REPLACE INTO urls (id, key, url, host, crawl, state, rank, weight, reason, detail, source, found_on,
                                 depth, hops, redirects, start, listed, lastmod, priority, changefreq)
    VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"""
_NAME_IN_SITEMAP = """
    UPDATE urls SET listed = 1, lastmod = coalesce(?, lastmod), priority = coalesce(?, priority),
                    changefreq = coalesce(?, changefreq) WHERE id = ?"""
# Who was told that it is gone is told that it is there again.
_COME_BACK = """UPDATE pages SET first = CASE WHEN gone < :crawl THEN :crawl ELSE first END, gone = NULL
                WHERE id = :id AND gone IS NOT NULL"""
_REFILL = """SELECT rank, weight, id FROM urls WHERE host = ? AND state = 0 AND (rank, weight, id) > (?, ?, ?)
             ORDER BY rank, weight, id LIMIT ?"""


class Rows:
    """One frontier file; `crawl` counts the crawls it has seen."""

    def __init__(self, database: sqlite3.Connection, *, refiles: bool = False) -> None:
        self.database = database
        # Whether a URL of this crawl can be entered a second time.
        self.refiles = refiles
        self.crawl = crawl_number(database)
        self._hosts: dict[str, int] = dict(database.execute("SELECT name, id FROM hosts"))
        self._places: dict[str, int] = dict(database.execute("SELECT url, id FROM places"))
        self._keys = Keys(database)
        self._next_id = 1 + (self._one("SELECT max(id) FROM urls") or 0)

    def note(self, name: str) -> str | None:
        return note(self.database, name)

    def put(self, name: str, value: str) -> None:
        put(self.database, name, value)

    def seen(self) -> dict[int, bool]:
        """The keys of this crawl's URLs but for those of `left_out`, and whether each is known by https."""
        query = f"SELECT key, url LIKE 'https:%' FROM urls WHERE crawl = ? AND reason NOT IN {LEFT_OUT}"  # noqa: S608
        return {key: bool(secure) for key, secure in self.database.execute(query, (self.crawl,))}

    def left_out(self) -> set[int]:
        """The keys of URLs that are refused until another page leads to them."""
        query = f"SELECT key FROM urls WHERE crawl = ? AND reason IN {LEFT_OUT}"  # noqa: S608
        return {key for (key,) in self.database.execute(query, (self.crawl,))}

    def distances(self) -> dict[int, tuple[int, int]]:
        """How many links each URL is away from a start URL, and from the site."""
        rows = self.database.execute("SELECT key, depth, hops FROM urls WHERE crawl = ?", (self.crawl,))
        return {key: (depth, hops) for key, depth, hops in rows}

    def counts(self) -> Counter[State]:
        rows = self.database.execute("SELECT state, count(*) FROM urls WHERE crawl = ? GROUP BY state", (self.crawl,))
        return Counter({State(state): number for state, number in rows})

    def starts_waiting(self) -> list[tuple[str, int]]:
        return self.database.execute("SELECT url, key FROM urls WHERE start AND state = 0").fetchall()

    def waiting_hosts(self) -> list[str]:
        names = {id: name for name, id in self._hosts.items()}
        return [names[host] for (host,) in self.database.execute("SELECT DISTINCT host FROM urls WHERE state = 0")]

    def refill(self, host: str, after: Turn, limit: int) -> list[Turn]:
        """The next turns of a host, in order."""
        return self.database.execute(_REFILL, (self._hosts[host], *after, limit)).fetchall()

    def record(self, link: Link, verdict: Verdict, parent: int | None, *, is_known: bool = False) -> tuple[str, int]:
        """Enter a URL with its verdict, perhaps once more; returns its host and its id."""
        if isinstance(verdict, Accepted):
            decided = (State.PENDING, verdict.rank, -verdict.weight, "", "")
        else:
            decided = (verdict.state, 2, 0.0, verdict.reason, verdict.detail)
        host, id = urls.host(link.url), self._id_for(link.key, is_known=is_known)
        name = self._named(id, link.url)
        found_on = self._place(link.found_on) if parent is None else parent
        self.database.execute(
            _INSERT_URL,
            (
                id, link.key, name, self._number(self._hosts, "hosts", host), self.crawl, *decided, link.source,
                found_on, link.depth, link.hops, link.redirects, link.start, link.source == "sitemap", link.lastmod,
                link.priority, link.changefreq,
            ),
        )  # fmt: skip
        return host, id

    def prefer_https(self, link: Link) -> None:
        """Ask by https from now on, unless the URL was asked for already (U3)."""
        id = self._keys.find(link.key)
        if id is not None:
            name = self._named(id, link.url)
            self.database.execute("UPDATE urls SET url = ? WHERE id = ? AND state = 0", (name, id))

    def name_in_sitemap(self, link: Link) -> None:
        self.database.execute(
            _NAME_IN_SITEMAP, (link.lastmod, link.priority, link.changefreq, self._keys.find(link.key))
        )

    def come_nearer(self, link: Link) -> tuple[int, State, str, int | None]:
        """Note a shorter way to a URL; returns its id, decision, reason and where it was first found."""
        id, state, reason, found_on = self.database.execute(
            "UPDATE urls SET depth = ?, hops = ? WHERE id = ? RETURNING id, state, reason, found_on",
            (link.depth, link.hops, self._keys.find(link.key)),
        ).fetchone()
        return id, State(state), reason, found_on

    def lease(self, id: int) -> tuple[Link, int]:
        """The link and how often it was tried."""
        *link, attempts = self.database.execute(_LEASE, (id,)).fetchone()
        return Link(*link), attempts

    def known(self, id: int) -> Known | None:
        row = self.database.execute(_KNOWN, (id,)).fetchone()
        if row is None:
            return None
        path, made, etag, last_modified, fetched_at, facts, url = row
        return Known(path, made, etag, last_modified, fetched_at, FACTS.decode(facts), url)

    def decide(self, id: int, state: State, reason: str = "", detail: str = "", target: int | None = None) -> None:
        self.database.execute(
            "UPDATE urls SET state = ?, reason = ?, detail = ?, target = ? WHERE id = ?",
            (state, reason, detail, target, id),
        )
        if state is State.UNCHANGED:
            self.database.execute(_COME_BACK, {"crawl": self.crawl, "id": id})

    def move(self, id: int, url: str) -> None:
        name = self._named(id, url)
        self.database.execute("UPDATE urls SET url = ?, redirects = redirects + 1 WHERE id = ?", (name, id))

    def postpone(self, id: int, retry: Retry) -> None:
        self.database.execute(
            "UPDATE urls SET attempts = attempts + 1, reason = ?, detail = ?, rank = coalesce(?, rank) WHERE id = ?",
            (retry.reason, retry.detail, LATER if retry.later else None, id),
        )

    def keep(self, id: int, page: PageRecord, *, changed: bool) -> None:
        first = last_changed = self.crawl
        hash, plain, facts, cuts, edits = page.hash, None, page.facts, b"", b""
        if self.crawl > 1:
            self.database.execute(_COME_BACK, {"crawl": self.crawl, "id": id})
            query = "SELECT first, changed, facts, hash, plain, cuts, edits FROM pages WHERE id = ?"
            if before := self.database.execute(query, (id,)).fetchone():
                first, last_changed = before[:2]
                if not changed:
                    # The file is as an earlier crawl left it: without the site's frame, perhaps with local links.
                    hash, plain, cuts, edits = before[3:]
                    facts = structs.replace(facts, word_count=FACTS.decode(before[2]).word_count)
        self.database.execute(
            "INSERT OR REPLACE INTO pages VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,NULL,?,?,?,?,?,?,?)",
            (
                id, page.path, page.folded, page.contested, page.size, hash, plain, page.status,
                page.content_type, page.etag, page.last_modified, page.fetched_at, page.canonical, first,
                self.crawl if changed else last_changed, msgpack.encode(facts), page.links,
                page.fetched_by, page.response_ms, "\n".join(page.remarks),
                page.hash, frames.packed_ends(page.ends), cuts, edits,
            ),
        )  # fmt: skip

    def give_up(self, host: str, under_way: Iterable[int]) -> int:
        """Fail every URL that waits for a host; returns how many."""
        busy = ",".join(map(str, under_way))
        return self.database.execute(
            f"""UPDATE urls SET state = ?, reason = 'host-given-up', detail = ?
                WHERE host = ? AND state = 0 AND id NOT IN ({busy})""",  # noqa: S608 - whole numbers
            (State.FAILED, f"{host} did not answer many times in a row", self._hosts[host]),
        ).rowcount

    def links_of(self, id: int, passing_over: Container[int] = ()) -> Iterator[tuple[str, int, str, int]]:
        """URL, key, source and hops of the links that a page was found to have, but for those with certain keys.

        Of a URL that was found elsewhere before, it is not kept what kind of link the page has: most are anchors.
        """
        for (key,) in iter_unpack("<q", self._one("SELECT links FROM pages WHERE id = ?", id) or b""):
            target = None if key in passing_over else self._keys.find(key)
            if target is not None:
                url, _, source, hops = self._link(target)
                yield url, key, "a" if source in _FOUND_ELSEWHERE else source, hops

    def redirected(self, id: int) -> tuple[str, int, str, int] | None:
        """The same of where a URL was redirected to in this crawl."""
        query = "SELECT target FROM urls WHERE id = ? AND state = ? AND reason = 'redirect' AND crawl = ?"
        target = self._one(query, id, State.DUPLICATE, self.crawl)
        found = None if target is None else self._keys.find(target)
        return None if found is None else self._link(found)

    def redirect_target(self, key: int) -> int | None:
        """The key that the URL with this key was redirected to in this crawl."""
        id = self._keys.find(key)
        found = None if id is None else self.redirected(id)
        return None if found is None else found[1]

    def leads_back(self, target: int, key: int) -> bool:
        """Whether the redirects of this crawl lead from one key to another, or in a circle."""
        seen = set[int]()
        following: int | None = target
        while following is not None and following not in seen:
            if following == key:
                return True
            seen.add(following)
            following = self.redirect_target(following)
        return following is not None

    def reopen(self, link: Link) -> Turn:
        """Let a URL that was redirected have another turn; returns that."""
        turn: Turn = self.database.execute(
            """UPDATE urls SET state = 0, reason = '', detail = '', target = NULL, url = ?, redirects = ? WHERE id = ?
               RETURNING rank, weight, id""",
            (link.url, link.redirects, self._keys.find(link.key)),
        ).fetchone()
        return turn

    def path_owner(self, folded: int) -> int | None:
        owner = self._one("SELECT id FROM pages WHERE folded = ?", folded)
        return None if owner is None else int(owner)

    def _id_for(self, key: int, *, is_known: bool) -> int:
        """The id this URL was given before, or the next one."""
        if is_known or self.crawl > 1 or self.refiles:
            id = self._keys.find(key)
            if id is not None:
                return id
        id = self._next_id
        self._next_id += 1
        self._keys.enter(key, id)
        return id

    def _link(self, id: int) -> tuple[str, int, str, int]:
        row: tuple[str, int, str, int] = self.database.execute(_LINK, (id,)).fetchone()
        return row

    def _named(self, id: int, url: str) -> str:
        """The spelling by which the page with this id is known; in its first crawl whatever it is found by."""
        return named(self.database, id, url) if self.crawl > 1 else url

    def _place(self, url: str | None) -> int | None:
        return None if url is None else -self._number(self._places, "places", url)

    def _number(self, cache: dict[str, int], table: str, value: str) -> int:
        number = cache.get(value)
        if number is None:
            number = cache[value] = len(cache) + 1
            self.database.execute(f"INSERT INTO {table} VALUES (?, ?)", (number, value))  # noqa: S608
        return number

    def _one(self, query: str, *values: object) -> Any:
        row = self.database.execute(query, values).fetchone()
        return row[0] if row else None
