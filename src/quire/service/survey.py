"""A crawl of the service in the form in which `_report.html` holds one, so that both have the same views (A8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from struct import pack
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select
from xxhash import xxh3_64_hexdigest

from quire import urls
from quire.records import Facts, State, Surveyed
from quire.report.page import MOST_OTHERS, MOST_PAGES, blocks
from quire.service.data.tables import crawled_pages, decisions
from quire.service.data.values import PageStatus, PhaseStatus
from quire.version import VERSION

_KEPT = (State.SAVED, State.UNCHANGED)
_OTHERS = tuple(state for state in State if state not in _KEPT)


def survey(connection: Connection, crawl: Row[Any], policy: urls.UrlPolicy) -> dict[str, Any]:
    """The blocks of one crawl, as far as it is, and the ids of its pages in their order."""
    rows = _Rows(connection, crawl, policy)
    found: dict[str, list[Any]] = {"head": [], "pages": [], "others": []}
    for kind, data in blocks(_heads(connection, crawl, len(rows.saved)), rows):
        found[kind].append(data)
    head = found["head"][0] | {"files": False}
    return {"head": head, "pages": found["pages"], "others": found["others"], "ids": rows.ids}


class _Rows:
    """quire.report.page.Rows over the service's tables."""

    def __init__(self, connection: Connection, crawl: Row[Any], policy: urls.UrlPolicy) -> None:
        self._policy = policy
        self._keys: dict[str, int] = {}
        self._contents = {_key(row.normalized_url): row for row in _contents(connection, crawl)}
        kept = decisions.c.state.in_([int(state) for state in _KEPT])
        self.saved = sorted(_decided(connection, crawl, kept, MOST_PAGES), key=lambda row: urls.shown(row.url))
        self._others: list[Row[Any]] = []
        for state in _OTHERS:
            self._others += _decided(connection, crawl, decisions.c.state == int(state), MOST_OTHERS[state])
        found = (self._contents.get(row.key) for row in self.saved)
        self.ids = [str(row.id) if row else None for row in found]
        hashes = Counter(_hash(row) for row in self._contents.values())
        self._repeated = frozenset(hash for hash, number in hashes.items() if hash and number > 1)

    def keys(self) -> list[int]:
        return [row.key for row in (*self.saved, *self._others)]

    def repeated(self) -> frozenset[str]:
        return self._repeated

    def pages(self) -> Iterator[Surveyed]:
        for row in self.saved:
            content = self._contents.get(row.key)
            if content is None:
                yield _surveyed(row, Facts())
                continue
            facts = Facts(title=content.title, description=content.meta_description, word_count=content.word_count or 0)
            size = len((content.markdown or "").encode())
            yield _surveyed(
                row, facts, "", size, _hash(content), content.crawled_at.isoformat(), "", self._links(content)
            )

    def others(self) -> Iterator[Surveyed]:
        for row in self._others:
            yield _surveyed(row, Facts())

    def _links(self, content: Row[Any]) -> bytes:
        found = [key for link in content.links_found or () if (key := self._key_of(link)) is not None]
        return pack(f"<{len(found)}q", *found)

    def _key_of(self, url: str) -> int | None:
        if url not in self._keys:
            self._keys[url] = urls.fingerprint_of(url, self._policy) or 0
        return self._keys[url] or None


def _surveyed(row: Row[Any], facts: Facts, *content: Any) -> Surveyed:
    decided = (row.reason, row.detail, row.source, row.depth, row.parent_key, row.target)
    return Surveyed(facts, row.key, urls.shown(row.url), State(row.state), *decided, *content)


def _contents(connection: Connection, crawl: Row[Any]) -> Sequence[Row[Any]]:
    columns = crawled_pages.c
    wanted = (
        columns.id, columns.normalized_url, columns.title, columns.meta_description, columns.word_count,
        columns.crawled_at, columns.markdown, columns.links_found,
    )  # fmt: skip
    query = select(*wanted).where(
        columns.project_id == crawl.project_id, columns.crawl_id == crawl.id, columns.status == PageStatus.SUCCESS
    )
    return list(connection.execute(query))


def _decided(connection: Connection, crawl: Row[Any], wanted: ColumnElement[bool], limit: int) -> Sequence[Row[Any]]:
    parent = decisions.alias("parent")
    query = (
        select(decisions, parent.c.key.label("parent_key"))
        .outerjoin(parent, (parent.c.crawl_id == decisions.c.crawl_id) & (parent.c.id == decisions.c.parent))
        .where(decisions.c.crawl_id == crawl.id, wanted)
        .order_by(decisions.c.id)
        .limit(limit)
    )
    return connection.execute(query).all()


def _key(normalized_url: str) -> int:
    """The key of a page's record, which is the URL's key with a scheme before it."""
    return urls.fingerprint(normalized_url.partition("://")[2])


def _hash(row: Row[Any]) -> str:
    return xxh3_64_hexdigest(row.markdown.encode()) if row.markdown else ""


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
