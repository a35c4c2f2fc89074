"""What clients are told, numbered by project (A6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, func, insert, select, update

from quire.service.data.tables import events, projects
from quire.service.data.values import EventWrite


def add(connection: Connection, project_id: UUID, crawl_id: UUID, new: Sequence[EventWrite]) -> None:
    """Number events and keep them. The project's row is held until the end of the transaction, so that nobody sees
    a number before all lower ones are there."""
    if not new:
        return
    counted = update(projects).where(projects.c.id == project_id).values(last_event=projects.c.last_event + len(new))
    last: int = connection.execute(counted.returning(projects.c.last_event)).scalar_one()
    now = datetime.now(UTC)
    rows = [
        {
            "project_id": project_id,
            "number": last - len(new) + place,
            "crawl_id": crawl_id,
            "type": each.type,
            "at": now,
            "data": each.data,
        }
        for place, each in enumerate(new, 1)
    ]
    connection.execute(insert(events), rows)


def after(connection: Connection, project_id: UUID, number: int, limit: int) -> Sequence[Row[Any]]:
    """The next events after this number, in order."""
    query = select(events).where(events.c.project_id == project_id, events.c.number > number)
    return connection.execute(query.order_by(events.c.number).limit(limit)).all()


def span(connection: Connection, project_id: UUID) -> tuple[int, int] | None:
    """The numbers of the oldest event that is kept and of the last there was; None when there is no such project."""
    last = connection.execute(select(projects.c.last_event).where(projects.c.id == project_id)).scalar_one_or_none()
    if last is None:
        return None
    oldest = connection.execute(select(func.min(events.c.number)).where(events.c.project_id == project_id)).scalar()
    return oldest or last + 1, last


def last_numbers(connection: Connection, project_ids: Iterable[UUID]) -> Mapping[UUID, int]:
    """The number of the last event of each of these projects; projects that are gone are left out."""
    query = select(projects.c.id, projects.c.last_event).where(projects.c.id.in_(list(project_ids)))
    return {row.id: row.last_event for row in connection.execute(query)}


def before_crawl(connection: Connection, project_id: UUID, crawl_id: UUID) -> int:
    """The number of the event before the first one of a crawl."""
    query = select(func.min(events.c.number)).where(events.c.project_id == project_id, events.c.crawl_id == crawl_id)
    return (connection.execute(query).scalar() or 1) - 1
