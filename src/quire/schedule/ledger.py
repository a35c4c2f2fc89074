"""Reading a frontier: what was decided, and what the mirror holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from msgspec import Struct, msgpack

from quire import urls
from quire.records import FACTS, Cut, Ends, Facts, State
from quire.schedule import frames, keys
from quire.schedule.crawls import crawl_number, note
from quire.schedule.listing import in_mirror, listed, state_of, still_there

_MOST_TRAPS = 1000
_REMOVED = """
    SELECT url FROM urls WHERE id IN (SELECT id FROM pages WHERE gone = :crawl)
        OR (crawl = :crawl AND state = 3
            AND id IN (SELECT substr(name, 8) + 0 FROM meta WHERE name GLOB 'merged:*')) ORDER BY url"""


class _Title(Struct, frozen=True, array_like=True):
    """The first of the facts; the others are passed over."""

    title: str | None = None


_TITLE = msgpack.Decoder(_Title)


class Decision(Struct, frozen=True):
    """What became of one URL."""

    id: int
    url: str
    state: State
    reason: str
    detail: str
    source: str
    depth: int = 0
    parent: int | None = None
    found_on: str | None = None
    target: int | None = None
    path: str | None = None


class PageRow(Struct, frozen=True):
    """One page of the mirror."""

    url: str
    path: str
    size: int
    hash: str
    state: State
    facts: Facts
    fetched_at: str
    content_type: str
    etag: str | None
    last_modified: str | None
    lastmod: str | None
    fetched_by: str
    remarks: str


class Changes(Struct, frozen=True):
    """What the last crawl found different from the one before."""

    added: list[str]
    changed: list[str]
    removed: list[str]


class Ledger:
    """Questions about one frontier file; reads only."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db = database
        self.crawl = crawl_number(database)

    def note(self, name: str) -> str | None:
        return note(self._db, name)

    def counts(self) -> dict[State, int]:
        """How many URLs this crawl has put under each decision."""
        rows = self._db.execute("SELECT state, count(*) FROM urls WHERE crawl = ? GROUP BY state", (self.crawl,))
        found = {State(state): number for state, number in rows}
        return {state: found.get(state, 0) for state in State}

    def holds(self) -> dict[State, int]:
        """The same with the pages that the mirror holds and this crawl has not come to: they are as they were."""
        counts = self.counts()
        rows = self._db.execute(
            f"""SELECT crawl < :crawl, count(*) FROM pages JOIN urls USING (id)
                WHERE {still_there()} GROUP BY 1""",  # noqa: S608
            {"crawl": self.crawl},
        )
        for is_unseen, number in rows:
            counts[State.UNCHANGED] += number
            counts[State.PENDING] -= 0 if is_unseen else number
        return counts

    def listed(self) -> int:
        """How many different URLs the sitemaps named."""
        return int(
            self._db.execute("SELECT count(*) FROM urls WHERE listed AND crawl = ?", (self.crawl,)).fetchone()[0]
        )

    def reasons(self, state: State) -> dict[str, int]:
        rows = self._db.execute(
            "SELECT reason, count(*) FROM urls WHERE state = ? AND crawl = ? GROUP BY reason ORDER BY 2 DESC, 1",
            (state, self.crawl),
        )
        return dict(rows.fetchall())

    def traps(self) -> dict[str, int]:
        """How many URLs each trap cost; beyond the largest ones, all others together."""
        rows = self._db.execute(
            "SELECT detail, count(*) FROM urls"
            " WHERE state = ? AND reason IN ('trap', 'dead-end', 'nofollow') AND crawl = ?"
            " GROUP BY detail ORDER BY 2 DESC, 1",
            (State.FILTERED, self.crawl),
        ).fetchall()
        found = dict(rows[:_MOST_TRAPS])
        if len(rows) > _MOST_TRAPS:
            found["other templates"] = sum(number for _, number in rows[_MOST_TRAPS:])
        return found

    def pages(self) -> Iterator[PageRow]:
        """The pages of the mirror, a folder's own page before what is below it."""
        columns = (
            f"url, path, size, hash, {state_of('u')}, facts, fetched_at, content_type, etag, last_modified, lastmod,"
            " fetched_by, remarks"
        )
        for url, path, size, hash, state, facts, *rest in listed(self._db, self.crawl, columns):
            yield PageRow(urls.shown(url), path, size, hash, State(state), FACTS.decode(facts), *rest)

    def titles(self) -> Iterator[tuple[str, str]]:
        """Path and title of the pages of the mirror, in the same order."""
        for path, facts in listed(self._db, self.crawl, "path, facts"):
            yield path, _TITLE.decode(facts).title or ""

    def decisions(self, *states: State) -> Iterator[Decision]:
        """URLs of this crawl under these decisions, in order of discovery."""
        marks = ",".join("?" * len(states))
        rows = self._db.execute(
            f"SELECT id FROM urls WHERE state IN ({marks}) AND crawl = ? ORDER BY id",  # noqa: S608
            (*states, self.crawl),
        )
        for (id,) in rows:
            yield self._decision(id)

    def decision(self, key: int) -> Decision | None:
        """What was decided about the URL with this key, in whatever crawl saw it last."""
        id = keys.find(self._db, key)
        return None if id is None else self._decision(id)

    def parent(self, decision: Decision) -> Decision | None:
        """The page a URL was found on."""
        return None if decision.parent is None or decision.parent < 0 else self._decision(decision.parent)

    def target(self, decision: Decision) -> Decision | None:
        """The URL it redirects to or is a copy of."""
        return None if decision.target is None else self.decision(decision.target)

    def end_of(self, decision: Decision) -> Decision:
        """Where its redirects have led to."""
        seen = {decision.id}
        while (target := self.target(decision)) and target.id not in seen:
            seen.add(target.id)
            decision = target
        return decision

    def entries(self) -> Iterator[tuple[str, dict[str, object]]]:
        """Every URL of this crawl with what is known of it, in order of discovery."""
        rows = self._db.execute(
            "SELECT url, source, lastmod, priority, changefreq, state, reason FROM urls WHERE crawl = ? ORDER BY id",
            (self.crawl,),
        )
        for url, source, lastmod, priority, changefreq, state, reason in rows:
            yield (
                urls.shown(url),
                {
                    "source": source,
                    "lastmod": lastmod,
                    "priority": priority,
                    "changefreq": changefreq,
                    "decision": State(state).label,
                    "reason": reason,
                },
            )

    def _decision(self, id: int) -> Decision:
        row = self._db.execute(
            """SELECT u.url, u.state, u.reason, u.detail, u.source, u.depth, u.found_on,
                      coalesce(parent.url, place.url), u.target, pages.path
               FROM urls u LEFT JOIN urls parent ON parent.id = u.found_on
                    LEFT JOIN places place ON place.id = -u.found_on LEFT JOIN pages ON pages.id = u.id
               WHERE u.id = ?""",
            (id,),
        ).fetchone()
        url, state, reason, detail, source, depth, parent, found_on, target, path = row
        found_on = found_on and urls.shown(found_on)
        return Decision(
            id, urls.shown(url), State(state), reason, detail, source, depth, parent, found_on, target, path
        )

    def cut(self, id: int) -> tuple[Ends, tuple[Cut, ...]] | None:
        """How the content of a page was found, and what was cut from it as the site's frame; None without a page."""
        row = self._db.execute("SELECT ends, cuts FROM pages WHERE id = ?", (id,)).fetchone()
        return (frames.ends_in(row[0]), frames.cuts_in(row[1])) if row and row[0] else None

    def is_still_there(self, id: int) -> bool:
        """Whether the mirror holds a page that this crawl has not come to."""
        query = f"SELECT 1 FROM pages JOIN urls USING (id) WHERE id = :id AND {still_there()}"  # noqa: S608
        return self._db.execute(query, {"id": id, "crawl": self.crawl}).fetchone() is not None

    def last_seen(self, id: int) -> int:
        """The number of the crawl that saw the URL last."""
        return int(self._db.execute("SELECT crawl FROM urls WHERE id = ?", (id,)).fetchone()[0])

    def equal_content(self) -> list[list[str]]:
        """Groups of pages with the same Markdown (S9)."""
        rows = self._db.execute(
            f"""SELECT coalesce(plain, hash), url FROM pages JOIN urls USING (id)
                WHERE {in_mirror()} AND coalesce(plain, hash) IN
                (SELECT coalesce(plain, hash) FROM pages GROUP BY 1 HAVING count(*) > 1) ORDER BY 1, 2""",  # noqa: S608
            {"crawl": self.crawl},
        )
        groups: dict[str, list[str]] = {}
        for hash, url in rows:
            groups.setdefault(hash, []).append(urls.shown(url))
        return [group for group in groups.values() if len(group) > 1]

    def changes(self) -> Changes:
        kept = "SELECT url FROM pages JOIN urls USING (id) WHERE state IN (1, 2) AND crawl = :crawl AND "
        return Changes(
            self._urls(kept + "first = :crawl ORDER BY url"),
            self._urls(kept + "changed = :crawl AND first < :crawl ORDER BY url"),
            self._urls(_REMOVED),
        )

    def _urls(self, query: str) -> list[str]:
        return [urls.shown(url) for (url,) in self._db.execute(query, {"crawl": self.crawl})]
