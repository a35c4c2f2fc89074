"""A crawl of the service in the form in which `_report.html` holds one, so that both have the same views (A8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select, true

from quire import urls
from quire.records import FACTS, Facts, State
from quire.report.page import MOST_OTHERS, MOST_PAGES, blocks
from quire.service.data.tables import decisions
from quire.service.data.values import PhaseStatus
from quire.surveys import Surveyed
from quire.version import VERSION

_KEPT = (State.SAVED, State.UNCHANGED)
_STOPPED_BY = {PhaseStatus.FAILED: "an error", PhaseStatus.CANCELLED: "a request"}
_OTHERS = tuple(state for state in State if state not in _KEPT)


def survey(connection: Connection, crawl: Row[Any], *later: Row[Any]) -> dict[str, Any]:
    """The blocks of one crawl, as far as it is, with what `later` ones decided of single URLs."""
    rows = _Rows(connection, crawl, later)
    found: dict[str, list[Any]] = {"head": [], "pages": [], "others": []}
    for kind, data in blocks(_heads(connection, crawl, rows), rows):
        found[kind].append(data)
    return {"head": found["head"][0] | {"files": False}, "pages": found["pages"], "others": found["others"]}


class _Rows:
    """quire.report.page.Rows over the service's tables."""

    def __init__(self, connection: Connection, crawl: Row[Any], later: Sequence[Row[Any]]) -> None:
        kept = decisions.c.state.in_([int(state) for state in _KEPT])
        rows = {row[1]: row for row in _decided(connection, crawl, kept, MOST_PAGES)}
        for state in _OTHERS:
            limit = MOST_OTHERS[state]
            rows |= {row[1]: row for row in _decided(connection, crawl, decisions.c.state == int(state), limit)}
        self.moved: Counter[State] = Counter()
        for each in later:
            self._take(rows, _decided(connection, each, true(), MOST_PAGES))
        self.saved = sorted((row for row in rows.values() if State(row[2]) in _KEPT), key=itemgetter(0))
        self._others = [row for row in rows.values() if State(row[2]) not in _KEPT]
        hashes = Counter(row[-1] for row in self.saved)
        self._repeated = frozenset(hash for hash, number in hashes.items() if hash and number > 1)

    def _take(self, rows: dict[int, tuple[Any, ...]], later: Iterable[tuple[Any, ...]]) -> None:
        """Put later decisions into the place of earlier ones; how a URL was found stays, and `moved` counts them."""
        for row in later:
            before = rows.get(row[1])
            if before is not None:
                self.moved[State(before[2])] -= 1
            self.moved[State(row[2])] += 1
            rows[row[1]] = row if before is None else (*row[:5], *before[5:8], *row[8:])

    def keys(self) -> list[int]:
        return [row[1] for row in (*self.saved, *self._others)]

    def repeated(self) -> frozenset[str]:
        return self._repeated

    def pages(self) -> Iterator[Surveyed]:
        for row in self.saved:
            asked_at, facts, links, size, kind, fetched_by, response_ms, hash = row[9:]
            answer = ("", size or 0, hash or "", asked_at.isoformat() if asked_at else "", kind or "", links or b"")
            yield _surveyed(row, FACTS.decode(facts) if facts else Facts(), *answer, fetched_by or "", response_ms)

    def others(self) -> Iterator[Surveyed]:
        for row in self._others:
            yield _surveyed(row, Facts())


def _surveyed(row: tuple[Any, ...], facts: Facts, *answer: Any) -> Surveyed:
    url, key, state, *decided = row[:9]
    return Surveyed(facts, key, url, State(state), *decided, *answer)


def _decided(connection: Connection, crawl: Row[Any], wanted: ColumnElement[bool], limit: int) -> list[tuple[Any, ...]]:
    """The URL as it is shown, its key and its state, the rest of what was decided, and what is known of pages."""
    known, parent = decisions.c, decisions.alias("parent")
    decided = (known.reason, known.detail, known.source, known.depth, parent.c.key, known.target)
    answer = (known.size, known.content_type, known.fetched_by, known.response_ms, known.hash)
    columns: list[ColumnElement[Any]] = [known.key, known.state, *decided, known.asked_at, known.facts, known.links]
    query = (
        select(known.url, *columns, *answer)
        .outerjoin(parent, (parent.c.crawl_id == known.crawl_id) & (parent.c.id == known.parent))
        .where(known.crawl_id == crawl.id, wanted)
        .order_by(known.id)
        .limit(limit)
    )
    return [(urls.shown(url), *rest) for url, *rest in connection.execute(query)]


def _heads(connection: Connection, crawl: Row[Any], rows: _Rows) -> dict[str, object]:
    """What the manifest of a mirror has at its top."""
    counts = {State[name.upper()]: number for name, number in crawl.counts.items()}
    number = {state: counts.get(state, 0) + rows.moved[state] for state in State}
    done = crawl.status == PhaseStatus.COMPLETED
    return {
        "generator": f"quire {VERSION}",
        "crawl": {
            "number": crawl.number,
            "start": [crawl.website_url],
            "started_at": _moment(crawl.started_at),
            "finished_at": _moment(crawl.finished_at),
            "complete": done and not number[State.PENDING],
            "stopped_by": "" if crawl.finished_at is None else _STOPPED_BY.get(crawl.status, ""),
        },
        "statistics": {
            "total_urls": sum(number.values()),
            "total_urls_in_sitemap": _listed(connection, crawl),
            "processed_count": len(rows.saved),
            **{f"{state.label}_count": number[state] for state in _OTHERS},
            "filtered_by": _reasons(connection, crawl, State.FILTERED),
            "skipped_by": _reasons(connection, crawl, State.SKIPPED),
        },
        "filters_applied": {
            name: value
            for name, value in crawl.settings.items()
            if name in ("include_patterns", "exclude_patterns", "include_paths", "exclude_paths", "preset") and value
        },
        "traps": {},
    }


def _moment(value: Any) -> str | None:
    return value.isoformat() if value else None


def _listed(connection: Connection, crawl: Row[Any]) -> int:
    query = select(func.count()).where(decisions.c.crawl_id == crawl.id, decisions.c.listed == 1)
    return int(connection.execute(query).scalar_one())


def _reasons(connection: Connection, crawl: Row[Any], state: State) -> dict[str, int]:
    query = (
        select(decisions.c.reason, func.count().label("number"))
        .where(decisions.c.crawl_id == crawl.id, decisions.c.state == int(state))
        .group_by(decisions.c.reason)
        .order_by(func.count().desc(), decisions.c.reason)
    )
    return {row.reason: row.number for row in connection.execute(query)}
