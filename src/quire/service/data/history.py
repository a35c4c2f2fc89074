"""A page from crawl to crawl, as far as their decisions are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, func, select

from quire.service.data.tables import crawls, decisions
from quire.service.data.tables import former_texts as former


def visits(connection: Connection, project_id: UUID, key: int) -> Sequence[Row[Any]]:
    """What each crawl decided about the page with this key, oldest first."""
    query = (
        select(decisions, crawls.c.number)
        .join(crawls, crawls.c.id == decisions.c.crawl_id)
        .where(crawls.c.project_id == project_id, decisions.c.key == key)
        .order_by(crawls.c.number)
    )
    return connection.execute(query).all()


def first_kept(connection: Connection, project_id: UUID) -> int:
    """The number of the oldest crawl whose decisions are kept."""
    kept = select(decisions.c.crawl_id).where(decisions.c.crawl_id == crawls.c.id).exists()
    query = select(func.min(crawls.c.number)).where(crawls.c.project_id == project_id, kept)
    return int(connection.execute(query).scalar() or 0)


def changes(connection: Connection, project_id: UUID, normalized_url: str) -> set[int]:
    """The numbers of the crawls that found another text than the project had."""
    query = select(former.c.until_crawl).where(
        former.c.project_id == project_id, former.c.normalized_url == normalized_url
    )
    return set(connection.execute(query).scalars())
