"""Crawls: asked for, claimed, kept alive, recorded, ended (A2, A4, A7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import Connection, Row, case, delete, func, insert, or_, select, update

from quire.service.data import decisions, events, pages, texts
from quire.service.data.database import Database
from quire.service.data.tables import crawls, projects
from quire.service.data.tables import decisions as decision_rows
from quire.service.data.tables import events as event_rows
from quire.service.data.values import (
    ACTIVE,
    AlreadyRunning,
    Batch,
    Claim,
    EventWrite,
    LeaseLost,
    PhaseStatus,
    ProjectGone,
)

KEPT_CRAWLS = 5
"""Crawls of a project whose decisions and events are kept; pages and the crawls themselves stay."""
MOST_STALLS = 5
"""How often a crawl is taken up without getting anywhere before it is taken for the cause of the crashes."""

Crawl = Row[Any]


def request(connection: Connection, project: Row[Any], settings: Mapping[str, Any], estimate: int) -> Crawl:
    """Queue a crawl; raises AlreadyRunning while another one waits or runs, and ProjectGone."""
    if connection.execute(select(projects.c.id).where(projects.c.id == project.id).with_for_update()).first() is None:
        raise ProjectGone
    active = select(crawls.c.id).where(crawls.c.project_id == project.id, crawls.c.status.in_(ACTIVE))
    if connection.execute(active).first():
        raise AlreadyRunning
    last = connection.execute(select(func.max(crawls.c.number)).where(crawls.c.project_id == project.id)).scalar() or 0
    _forget_old(connection, project.id, last)
    values = {
        "id": uuid4(),
        "project_id": project.id,
        "number": last + 1,
        "status": PhaseStatus.PENDING,
        "settings": dict(settings),
        "website_url": project.website_url,
        "estimated_total": estimate,
        "counts": {},
        "notes": {},
        "created_at": datetime.now(UTC),
    }
    crawl = connection.execute(insert(crawls).values(**values).returning(crawls)).one()
    events.add(connection, project.id, crawl.id, [EventWrite("queued", {"number": crawl.number})])
    return crawl


def _forget_old(connection: Connection, project_id: UUID, last: int) -> None:
    old = select(crawls.c.id).where(crawls.c.project_id == project_id, crawls.c.number <= last + 1 - KEPT_CRAWLS)
    connection.execute(delete(decision_rows).where(decision_rows.c.crawl_id.in_(old)))
    texts.forget(connection, project_id, last + 1 - KEPT_CRAWLS)
    connection.execute(delete(event_rows).where(event_rows.c.project_id == project_id, event_rows.c.crawl_id.in_(old)))


def get(connection: Connection, project_id: UUID, id: UUID) -> Crawl | None:
    query = select(crawls).where(crawls.c.project_id == project_id, crawls.c.id == id)
    return connection.execute(query).one_or_none()


def latest(connection: Connection, project_id: UUID) -> Crawl | None:
    query = select(crawls).where(crawls.c.project_id == project_id).order_by(crawls.c.number.desc()).limit(1)
    return connection.execute(query).one_or_none()


def listed(connection: Connection, project_id: UUID, before: int | None, limit: int) -> Sequence[Crawl]:
    """Newest first, from the one before this number."""
    query = select(crawls).where(crawls.c.project_id == project_id).order_by(crawls.c.number.desc()).limit(limit)
    return connection.execute(query if before is None else query.where(crawls.c.number < before)).all()


def request_cancel(connection: Connection, project_id: UUID) -> Crawl | None:
    """End a waiting crawl, or have a running one ended; None when there is none."""
    mine = (crawls.c.project_id == project_id, crawls.c.status == PhaseStatus.PENDING)
    ended = update(crawls).where(*mine).values(status=PhaseStatus.CANCELLED, finished_at=datetime.now(UTC))
    crawl = connection.execute(ended.returning(crawls)).one_or_none()
    if crawl is not None:
        events.add(connection, project_id, crawl.id, [EventWrite("cancelled", {"progress": 0.0, "pages_crawled": 0})])
        return crawl
    running = (crawls.c.project_id == project_id, crawls.c.status == PhaseStatus.IN_PROGRESS)
    return connection.execute(
        update(crawls).where(*running).values(cancel_requested=True).returning(crawls)
    ).one_or_none()


def claim(database: Database, connection: Connection, owner: str, lease: float) -> Claim | None:
    """Take the next crawl to run: one whose owner is gone, else the one that has waited longest."""
    abandoned = (crawls.c.status == PhaseStatus.IN_PROGRESS) & (crawls.c.lease_until < database.now())
    query = (
        select(crawls)
        .where(or_(crawls.c.status == PhaseStatus.PENDING, abandoned))
        .order_by(case((crawls.c.status == PhaseStatus.PENDING, 1), else_=0), crawls.c.created_at, crawls.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    found = connection.execute(query).one_or_none()
    if found is None:
        return None
    taken = (
        update(crawls)
        .where(crawls.c.id == found.id)
        .values(
            status=PhaseStatus.IN_PROGRESS,
            owner=owner,
            token=crawls.c.token + 1,
            lease_until=database.now() + lease,
            started_at=func.coalesce(crawls.c.started_at, datetime.now(UTC)),
            stalls=crawls.c.stalls + 1,
        )
        .returning(crawls)
    )
    row = connection.execute(taken).one()
    resumed = found.status == PhaseStatus.IN_PROGRESS
    told = EventWrite("resumed" if resumed else "started", {"progress": row.progress, "max_pages": row.estimated_total})
    if not resumed:
        told = EventWrite("started", {"progress": 0.0, "website_url": row.website_url})
    events.add(connection, row.project_id, row.id, [told])
    return Claim(
        row.id, row.project_id, row.token, row.website_url, row.settings, row.notes, row.progress, resumed,
        row.started_at,
    )  # fmt: skip


def stalls(connection: Connection, claim: Claim) -> int:
    return int(connection.execute(select(crawls.c.stalls).where(crawls.c.id == claim.crawl_id)).scalar_one())


def keep(database: Database, connection: Connection, claim: Claim, lease: float) -> bool:
    """Hold the crawl for another while; True when it is to be cancelled. Raises LeaseLost."""
    return _update(connection, claim, {"lease_until": database.now() + lease}).cancel_requested is True


def record(database: Database, connection: Connection, claim: Claim, lease: float, batch: Batch) -> bool:
    """Make a batch true; True when the crawl is to be cancelled. Raises LeaseLost, and then nothing of it is true."""
    standing = batch.standing
    values: dict[str, Any] = {
        "lease_until": database.now() + lease,
        "progress": standing.progress,
        "estimated_total": standing.estimated_total,
        "pages_crawled": standing.pages_crawled,
        "counts": standing.counts,
    }
    if batch.pages:
        values["stalls"] = 0
    if batch.notes is not None:
        values["notes"] = batch.notes
    row = _update(connection, claim, values)
    decisions.write(connection, claim.crawl_id, batch.decisions)
    texts.keep_former(connection, claim.project_id, row.number, batch.pages)
    pages.write(connection, claim.project_id, claim.crawl_id, batch.pages)
    events.add(connection, claim.project_id, claim.crawl_id, batch.events)
    return row.cancel_requested is True


def release(connection: Connection, claim: Claim) -> None:
    """Let the crawl be taken up by whoever comes first; it stays in progress."""
    _update(connection, claim, {"lease_until": 0.0, "owner": None, "stalls": 0})


def finish(
    connection: Connection,
    claim: Claim,
    status: PhaseStatus,
    *,
    statistics: Mapping[str, Any],
    error: str | None = None,
) -> None:
    """End the crawl and tell; a completed one is at 100."""
    values: dict[str, Any] = {
        "status": status,
        "statistics": dict(statistics),
        "error": error,
        "finished_at": datetime.now(UTC),
        "owner": None,
        "lease_until": 0.0,
    }
    if status is PhaseStatus.COMPLETED:
        values |= {"progress": 100.0, "estimated_total": crawls.c.pages_crawled}
    row = _update(connection, claim, values)
    data = {"progress": row.progress, "pages_crawled": row.pages_crawled, "statistics": row.statistics}
    if error:
        data["error"] = error
    events.add(connection, claim.project_id, claim.crawl_id, [EventWrite(str(status), data)])


def _update(connection: Connection, claim: Claim, values: Mapping[str, Any]) -> Crawl:
    """Change the crawl's row, if the claim still holds."""
    held = (crawls.c.id == claim.crawl_id, crawls.c.token == claim.token, crawls.c.status == PhaseStatus.IN_PROGRESS)
    row = connection.execute(update(crawls).where(*held).values(**values).returning(crawls)).one_or_none()
    if row is None:
        raise LeaseLost
    return row


def seconds_since(time: datetime) -> float:
    return round((datetime.now(UTC) - time).total_seconds(), 3)


def numbers(connection: Connection) -> Mapping[str, int]:
    """How many crawls wait and run, over all instances."""
    query = select(crawls.c.status, func.count()).where(crawls.c.status.in_(ACTIVE)).group_by(crawls.c.status)
    return dict.fromkeys(ACTIVE, 0) | {PhaseStatus(status): number for status, number in connection.execute(query)}
