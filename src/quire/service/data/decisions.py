"""What a crawl decided about each URL: its frontier, as it survives (F7, A7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, Row, func, select
from sqlalchemy.dialects import postgresql, sqlite

from quire.records import State
from quire.service.data.tables import decisions

COLUMNS = tuple(each.name for each in decisions.c if each.name != "crawl_id")
_FIXED = ("id", "key", "source")


def write(connection: Connection, crawl_id: UUID, rows: Sequence[dict[str, Any]]) -> None:
    if not rows:
        return
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = insert(decisions)
    changing: dict[str, ColumnElement[Any]] = {name: statement.excluded[name] for name in COLUMNS if name not in _FIXED}
    changing["asked_at"] = func.coalesce(statement.excluded.asked_at, decisions.c.asked_at)
    statement = statement.on_conflict_do_update(index_elements=["crawl_id", "id"], set_=changing)
    connection.execute(statement, [row | {"crawl_id": crawl_id} for row in rows])


def load(connection: Connection, crawl_id: UUID) -> Sequence[Row[Any]]:
    """Everything, in order of discovery."""
    query = select(*(decisions.c[name] for name in COLUMNS)).where(decisions.c.crawl_id == crawl_id)
    return connection.execute(query.order_by(decisions.c.id)).all()


def listed(
    connection: Connection, crawl_id: UUID, states: Sequence[State], after: int, limit: int
) -> Sequence[Row[Any]]:
    """The decisions after this id, in order of discovery; with where each URL was found."""
    parent = decisions.alias("parent")
    query = (
        select(decisions, parent.c.url.label("parent_url"))
        .outerjoin(parent, (parent.c.crawl_id == decisions.c.crawl_id) & (parent.c.id == decisions.c.parent))
        .where(decisions.c.crawl_id == crawl_id, decisions.c.id > after)
        .order_by(decisions.c.id)
        .limit(limit)
    )
    if states:
        query = query.where(decisions.c.state.in_([int(state) for state in states]))
    return connection.execute(query).all()
