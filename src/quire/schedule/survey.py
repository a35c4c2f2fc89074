"""Every URL of a crawl as its report shows it, in an order that both passes over them share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from quire import urls
from quire.records import FACTS, Facts, State
from quire.schedule.crawls import crawl_number
from quire.schedule.listing import in_mirror, listed, state_of
from quire.surveys import Surveyed

_OTHERS = (
    State.FAILED,
    State.SKIPPED,
    State.DUPLICATE,
    State.FILTERED,
    State.PENDING,
    State.EXTERNAL,
    State.INVALID,
)
_PARENT = "LEFT JOIN urls parent ON parent.id = u.found_on"
# Of those that wait, the ones whose page is in the mirror are among the pages.
_DECIDED = f"""
    FROM urls u {_PARENT}
    WHERE u.state = ? AND u.crawl = ? AND (u.state <> 0 OR u.id NOT IN (SELECT id FROM pages WHERE gone IS NULL))
    ORDER BY u.id LIMIT ?"""  # noqa: S608
_COLUMNS = "u.reason, u.detail, u.source, u.depth, parent.key, u.target"
_OF_PAGES = "path, size, hash, fetched_at, content_type, links, fetched_by, response_ms"


class Survey:
    """At most `most_pages` pages by their place on the site, then at most `most_others` URLs of each other decision."""

    def __init__(self, database: sqlite3.Connection, most_pages: int, most_others: dict[State, int]) -> None:
        self._db = database
        self._crawl = crawl_number(database)
        self._most_pages = most_pages
        self._limits = [(state, most_others[state]) for state in _OTHERS]

    def keys(self) -> list[int]:
        """The keys of all that is surveyed, in order."""
        found = [key for (key,) in self._kept("u.key")]
        for state, limit in self._limits:
            found += [key for (key,) in self._decided("u.key", state, limit)]
        return found

    def pages(self) -> Iterator[Surveyed]:
        for row in self._kept(f"u.key, u.url, {state_of('u')}, {_COLUMNS}, {_OF_PAGES}, facts"):
            *known, facts = row
            yield _surveyed(known, FACTS.decode(facts))

    def others(self) -> Iterator[Surveyed]:
        for state, limit in self._limits:
            for row in self._decided(f"u.key, u.url, u.state, {_COLUMNS}", state, limit):
                yield _surveyed(row, Facts())

    def repeated(self) -> frozenset[str]:
        """The hashes that more than one page has (S9)."""
        rows = self._db.execute(
            f"""SELECT hash FROM pages JOIN urls USING (id) WHERE {in_mirror()}
                GROUP BY hash HAVING count(*) > 1""",  # noqa: S608
            {"crawl": self._crawl},
        )
        return frozenset(hash for (hash,) in rows)

    def _kept(self, columns: str) -> sqlite3.Cursor:
        return listed(self._db, self._crawl, columns, _PARENT, self._most_pages)

    def _decided(self, columns: str, state: State, limit: int) -> sqlite3.Cursor:
        return self._db.execute(f"SELECT {columns} {_DECIDED}", (state, self._crawl, limit))


def _surveyed(row: Sequence[Any], facts: Facts) -> Surveyed:
    key, url, state, *rest = row
    return Surveyed(facts, key, urls.shown(url), State(state), *rest)
