"""A crawl of the service in the form in which `_report.html` holds one, so that both have the same views (A8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from msgspec import msgpack
from sqlalchemy import ColumnElement, Connection, Row, func, select

from quire import urls
from quire.records import Facts, State, Surveyed
from quire.report.page import MOST_OTHERS, MOST_PAGES, blocks
from quire.service.data.tables import decisions
from quire.service.data.values import PhaseStatus
from quire.version import VERSION

_KEPT = (State.SAVED, State.UNCHANGED)
_FACTS = msgpack.Decoder(Facts)
_OTHERS = tuple(state for state in State if state not in _KEPT)


def survey(connection: Connection, crawl: Row[Any]) -> dict[str, Any]:
    """The blocks of one crawl, as far as it is."""
    rows = _Rows(connection, crawl)
    found: dict[str, list[Any]] = {"head": [], "pages": [], "others": []}
    for kind, data in blocks(_heads(connection, crawl, len(rows.saved)), rows):
        found[kind].append(data)
    return {"head": found["head"][0] | {"files": False}, "pages": found["pages"], "others": found["others"]}


class _Rows:
    """quire.report.page.Rows over the service's tables."""

    def __init__(self, connection: Connection, crawl: Row[Any]) -> None:
        kept = decisions.c.state.in_([int(state) for state in _KEPT])
        self.saved = sorted(_decided(connection, crawl, kept, MOST_PAGES), key=itemgetter(0))
        self._others: list[tuple[Any, ...]] = []
        for state in _OTHERS:
            self._others += _decided(connection, crawl, decisions.c.state == int(state), MOST_OTHERS[state])
        hashes = Counter(row[-1] for row in self.saved)
        self._repeated = frozenset(hash for hash, number in hashes.items() if hash and number > 1)

    def keys(self) -> list[int]:
        return [row[1] for row in (*self.saved, *self._others)]

    def repeated(self) -> frozenset[str]:
        return self._repeated

    def pages(self) -> Iterator[Surveyed]:
        for row in self.saved:
            asked_at, facts, links, size, kind, fetched_by, response_ms, hash = row[9:]
            answer = ("", size or 0, hash or "", asked_at.isoformat() if asked_at else "", kind or "", links or b"")
            yield _surveyed(row, _FACTS.decode(facts) if facts else Facts(), *answer, fetched_by or "", response_ms)

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


def _heads(connection: Connection, crawl: Row[Any], saved: int) -> dict[str, object]:
    """What the manifest of a mirror has at its top."""
    counts = {State[name.upper()]: number for name, number in crawl.counts.items()}
    number = dict.fromkeys(State, 0) | counts
    done = crawl.status == PhaseStatus.COMPLETED
    return {
        "generator": f"quire {VERSION}",
        "crawl": {
            "number": crawl.number,
            "start": [crawl.website_url],
            "started_at": _moment(crawl.started_at),
            "finished_at": _moment(crawl.finished_at),
            "complete": done and not number[State.PENDING],
            "stopped_by": "" if done or crawl.finished_at is None else crawl.error or str(crawl.status),
        },
        "statistics": {
            "total_urls": sum(number.values()),
            "total_urls_in_sitemap": _listed(connection, crawl),
            "processed_count": saved,
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
