"""What pages were before they changed, so that two crawls can be compared (A8).

Only texts that a later crawl found changed are kept, each with the number of that crawl: a site that stays the same
costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Connection, bindparam, delete, literal, select
from sqlalchemy.dialects import postgresql, sqlite

from quire.service.data.tables import crawled_pages as pages
from quire.service.data.tables import former_texts as former
from quire.service.data.values import PageStatus, PageWrite


def keep_former(connection: Connection, project_id: UUID, crawl: int, written: Sequence[PageWrite]) -> None:
    """Set aside the texts that are about to be written over by others."""
    new = [{"url": each.normalized_url, "new": each.markdown} for each in written if each.status is PageStatus.SUCCESS]
    if crawl == 1 or not new:
        return
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    changed = select(pages.c.project_id, pages.c.normalized_url, literal(crawl), pages.c.title, pages.c.markdown).where(
        pages.c.project_id == project_id,
        pages.c.normalized_url == bindparam("url"),
        pages.c.markdown != bindparam("new"),
    )
    names = ["project_id", "normalized_url", "until_crawl", "title", "markdown"]
    connection.execute(insert(former).from_select(names, changed).on_conflict_do_nothing(), new)


def changed(connection: Connection, project_id: UUID, old: int, new: int) -> list[str]:
    """The pages whose text may differ between two crawls, by their normalised URLs."""
    between = former.c.until_crawl > min(old, new), former.c.until_crawl <= max(old, new)
    query = select(former.c.normalized_url).where(former.c.project_id == project_id, *between).distinct()
    found = connection.execute(query.order_by(former.c.normalized_url)).scalars().all()
    return [url for url in found if at(connection, project_id, url, old) != at(connection, project_id, url, new)]


def at(connection: Connection, project_id: UUID, normalized_url: str, crawl: int) -> str | None:
    """The Markdown of a page as a crawl left it; None when there is no such page."""
    mine = former.c.project_id == project_id, former.c.normalized_url == normalized_url
    query = select(former.c.markdown).where(*mine, former.c.until_crawl > crawl).order_by(former.c.until_crawl).limit(1)
    found = connection.execute(query).scalar_one_or_none()
    if found is None:
        now = select(pages.c.markdown).where(pages.c.project_id == project_id, pages.c.normalized_url == normalized_url)
        found = connection.execute(now).scalar_one_or_none()
    return None if found is None else str(found)


def forget(connection: Connection, project_id: UUID, crawl: int) -> None:
    """Forget the texts of crawls up to this one."""
    connection.execute(delete(former).where(former.c.project_id == project_id, former.c.until_crawl <= crawl))
