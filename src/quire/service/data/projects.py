"""Projects (A1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import Connection, Row, delete, insert, select, tuple_, update

from quire.service.data.tables import crawls, projects
from quire.service.data.values import ACTIVE, AlreadyRunning

Project = Row[Any]


def create(connection: Connection, name: str, website_url: str, settings: Mapping[str, Any]) -> Project:
    now = datetime.now(UTC)
    values = {"id": uuid4(), "name": name, "website_url": website_url, "settings": dict(settings)}
    statement = insert(projects).values(**values, created_at=now, updated_at=now).returning(projects)
    return connection.execute(statement).one()


def get(connection: Connection, id: UUID) -> Project | None:
    return connection.execute(select(projects).where(projects.c.id == id)).one_or_none()


def listed(
    connection: Connection, after: tuple[datetime, UUID] | None, limit: int, *, newest_first: bool
) -> Sequence[Project]:
    """In the order of their creation, from the one after this creation time and id."""
    place = (projects.c.created_at, projects.c.id)
    query = select(projects).order_by(*(column.desc() if newest_first else column for column in place)).limit(limit)
    if after is not None:
        here, there = tuple_(*place), tuple_(*after)
        query = query.where(here < there if newest_first else here > there)
    return connection.execute(query).all()


def change(connection: Connection, id: UUID, values: Mapping[str, Any]) -> Project | None:
    statement = update(projects).where(projects.c.id == id).values(**values, updated_at=datetime.now(UTC))
    return connection.execute(statement.returning(projects)).one_or_none()


def remove(connection: Connection, id: UUID) -> bool:
    """Delete a project with all that belongs to it; raises AlreadyRunning while a crawl of it waits or runs."""
    locked = connection.execute(select(projects.c.id).where(projects.c.id == id).with_for_update()).one_or_none()
    if locked is None:
        return False
    active = select(crawls.c.id).where(crawls.c.project_id == id, crawls.c.status.in_(ACTIVE))
    if connection.execute(active).first():
        raise AlreadyRunning
    connection.execute(delete(projects).where(projects.c.id == id))
    return True
