"""Crawled pages: written in batches, listed by key (A2, A5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct, structs
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    collate,
    column,
    func,
    literal_column,
    or_,
    select,
    table,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite

from quire.export.search import is_without_spaces
from quire.service.data.tables import crawled_pages as pages
from quire.service.data.values import PageStatus, PageWrite

SORTS = ("crawled_at", "url", "title", "word_count")
BRIEF = (
    pages.c.id, pages.c.project_id, pages.c.url, pages.c.normalized_url, pages.c.title, pages.c.h1,
    pages.c.meta_description, pages.c.word_count, pages.c.crawled_at, pages.c.status, pages.c.error_message,
    pages.c.crawl_id, pages.c.content_type, pages.c.fetched_by, pages.c.response_ms,
)  # fmt: skip
# A page that failed this time keeps what an earlier crawl read of it.
_ALWAYS = ("url", "status", "error_message", "crawled_at", "crawl_id")
_WORD = re.compile(r"[^\s!\"#$%&()*+,\-./:;<=>?@\[\\\]^_`{|}~']+")
_MOST_WORDS = 20


class Wanted(Struct, frozen=True):
    """Which pages of a project, in which order."""

    project_id: UUID
    sort: str = "crawled_at"
    descending: bool = False
    statuses: tuple[PageStatus, ...] = ()
    search: str | None = None
    crawl_id: UUID | None = None
    normalized_url: str | None = None


def write(connection: Connection, project_id: UUID, crawl_id: UUID, written: Sequence[PageWrite]) -> None:
    """Enter pages, each over what was known of its URL."""
    by_kind: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    for each in written:
        values = structs.asdict(each) | {"project_id": project_id, "crawl_id": crawl_id}
        values["links_found"] = list(each.links_found)
        by_kind[each.status is PageStatus.FAILED].append(values)
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    for failed, rows in by_kind.items():
        if not rows:
            continue
        statement = insert(pages)
        kept = _ALWAYS if failed else [name for name in rows[0] if name not in ("id", "project_id", "normalized_url")]
        statement = statement.on_conflict_do_update(
            index_elements=["project_id", "normalized_url"], set_={name: statement.excluded[name] for name in kept}
        )
        connection.execute(statement, rows)


def get(connection: Connection, project_id: UUID, id: UUID) -> Row[Any] | None:
    return connection.execute(select(pages).where(pages.c.project_id == project_id, pages.c.id == id)).one_or_none()


def listed(
    connection: Connection, wanted: Wanted, after: tuple[Any, UUID] | None, limit: int, *, whole: bool = False
) -> Sequence[Row[Any]]:
    """The next pages after this sort value and id; any part of the list costs the same."""
    key = sort_key(connection, wanted.sort)
    query = select(*(pages.c if whole else BRIEF)).where(*_conditions(connection, wanted)).limit(limit)
    order = (key.desc(), pages.c.id.desc()) if wanted.descending else (key, pages.c.id)
    query = query.order_by(*order)
    if after is not None:
        value, id = after
        # Not a comparison of tuples: SQLite would not use its index for an expression in one.
        if wanted.descending:
            query = query.where(key <= value, or_(key < value, pages.c.id < id))
        else:
            query = query.where(key >= value, or_(key > value, pages.c.id > id))
    return connection.execute(query).all()


def sort_key(connection: Connection, sort: str) -> ColumnElement[Any]:
    """What pages are ordered by: exactly what the indexes hold."""
    match sort:
        case "url":
            return _in_bytes(connection, pages.c.url)
        case "title":
            return _in_bytes(connection, func.coalesce(pages.c.title, literal_column("''")))
        case "word_count":
            return func.coalesce(pages.c.word_count, literal_column("0"))
        case _:
            return pages.c.crawled_at


def _in_bytes(connection: Connection, key: ColumnElement[Any]) -> ColumnElement[Any]:
    return key if connection.dialect.name == "sqlite" else collate(key, "C")


def _conditions(connection: Connection, wanted: Wanted) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [pages.c.project_id == wanted.project_id]
    if wanted.statuses:
        found.append(pages.c.status.in_(wanted.statuses))
        if PageStatus.SUCCESS not in wanted.statuses:
            # In the words of the indexes over what is lost.
            found.append(literal_column("crawled_pages.status <> 'success'"))
    if wanted.crawl_id:
        found.append(pages.c.crawl_id == wanted.crawl_id)
    if wanted.normalized_url is not None:
        found.append(pages.c.normalized_url == wanted.normalized_url)
    if wanted.search is not None:
        found.append(_holds(connection, wanted.search))
    return found


def _holds(connection: Connection, search: str) -> ColumnElement[bool]:
    """Every word, or the beginning of one, is in the title or the text."""
    words = _WORD.findall(search)[:_MOST_WORDS]
    if not words:
        return literal_column("1 = 0")
    within = [word for word in words if is_without_spaces(word)]
    found = [pages.c.title.icontains(word) | pages.c.content_text.icontains(word) for word in within]
    apart = [word for word in words if word not in within]
    return and_(*found, *([_indexed(connection, apart)] if apart else []))


def _indexed(connection: Connection, words: Sequence[str]) -> ColumnElement[bool]:
    if connection.dialect.name == "sqlite":
        index = table("crawled_pages_search", column("rowid"))
        match = text("crawled_pages_search MATCH :words").bindparams(words=" ".join(f'"{word}"*' for word in words))
        rows = select(index.c.rowid).where(match)
        return literal_column("crawled_pages.number").in_(rows)
    # A lexeme in quotes: nothing in it is an operator.
    query = func.to_tsquery(literal_column("'simple'"), " & ".join(f"'{word}':*" for word in words))
    return and_(literal_column("crawled_pages.search").op("@@")(query))


def counts(connection: Connection, project_id: UUID) -> Mapping[str, int]:
    """How many pages of each status a project has."""
    query = select(pages.c.status, func.count()).where(pages.c.project_id == project_id).group_by(pages.c.status)
    return dict.fromkeys(PageStatus, 0) | {PageStatus(status): number for status, number in connection.execute(query)}


def summary(connection: Connection, project_id: UUID, crawl_id: UUID) -> dict[str, Any]:
    """The pages of one crawl in numbers."""
    query = (
        select(pages.c.status, func.count(), func.coalesce(func.sum(pages.c.word_count), 0))
        .where(pages.c.project_id == project_id, pages.c.crawl_id == crawl_id)
        .group_by(pages.c.status)
    )
    rows = connection.execute(query).all()
    found = dict.fromkeys(PageStatus, 0) | {PageStatus(status): number for status, number, _ in rows}
    words = sum(int(total) for status, _, total in rows if status == PageStatus.SUCCESS)
    return {"pages": {str(status): number for status, number in found.items()}, "words": words}


def failed_urls(connection: Connection, project_id: UUID, limit: int) -> list[str]:
    """The URLs of the pages that failed, oldest first."""
    query = select(pages.c.url).where(pages.c.project_id == project_id, pages.c.status == PageStatus.FAILED)
    return list(connection.execute(query.order_by(pages.c.crawled_at, pages.c.id).limit(limit)).scalars())
