"""The pages of a project: listed, searched, one by one, exported (A2)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from sqlalchemy import Row

from quire import urls
from quire.records import FACTS, State
from quire.service import cursors
from quire.service.context import Cursor, Here, Limit, Order, Reading, project_of
from quire.service.data import history, pages
from quire.service.data.database import Database
from quire.service.data.values import PageStatus
from quire.service.naming import key_of, normalized_url
from quire.service.options import Options, engine_settings
from quire.service.page_schemas import History, Page, Pages, Visit, WholePage
from quire.service.problems import ApiProblem
from quire.service.schemas import CrawlSettings, Short, WebUrl
from quire.wiring import policy_of

router = APIRouter(prefix="/projects/{project_id}/pages", tags=["pages"])

_CHUNK = 200
_KEPT = (State.SAVED, State.UNCHANGED)
_UNCHANGED_TEXT = {None: None, False: "new", True: "same"}

Sort = Annotated[Literal["crawled_at", "url", "title", "word_count"], Query(description="What to order by.")]
Statuses = Annotated[list[PageStatus] | None, Query(description="Only these; may be repeated.")]
Search = Annotated[Short | None, Query(description="Words, or beginnings of words, that title and text must hold.")]


@router.get("", response_model=Pages)
def list_pages(
    project_id: UUID,
    connection: Reading,
    service: Here,
    status: Statuses = None,
    search: Search = None,
    url: Annotated[WebUrl | None, Query(description="Only the page of this address, however it is spelt.")] = None,
    crawl_id: Annotated[UUID | None, Query(description="Only pages that this crawl saw last.")] = None,
    sort: Sort = "crawled_at",
    order: Order = "asc",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Pages:
    """List pages without their content."""
    project = project_of(connection, project_id)
    page = None if url is None else normalized_url(url, project.website_url, _policy(project, service.options))
    wanted = pages.Wanted(project_id, sort, order == "desc", tuple(status or ()), search, crawl_id, page)
    after = cursors.decode(cursor, lambda *parts: _place(sort, order, *parts))
    found = pages.listed(connection, wanted, after, limit + 1)
    more = (
        cursors.encode(sort, order, _key(found[limit - 1], sort), found[limit - 1].id) if len(found) > limit else None
    )
    return Pages(items=[Page.model_validate(each) for each in found[:limit]], next_cursor=more)


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
def export_pages(project_id: UUID, service: Here, status: Statuses = None, search: Search = None) -> StreamingResponse:
    """Export pages with their content, one JSON object a line."""
    with service.database.reading() as connection:
        project_of(connection, project_id)
    wanted = pages.Wanted(project_id, "url", False, tuple(status or ()), search)
    headers = {"Content-Disposition": 'attachment; filename="pages.jsonl"'}
    return StreamingResponse(_lines(service.database, wanted), media_type="application/x-ndjson", headers=headers)


@router.get("/{page_id}", response_model=WholePage)
def get_page(project_id: UUID, page_id: UUID, connection: Reading) -> WholePage:
    """Get one page with its text, its Markdown and its links."""
    found = pages.get(connection, project_id, page_id)
    if found is None:
        raise ApiProblem(404, f"there is no page {page_id} in this project")
    return WholePage.model_validate(found)


@router.get("/{page_id}/history", response_model=History)
def get_page_history(project_id: UUID, page_id: UUID, connection: Reading) -> History:
    """Tell what each crawl that is kept made of a page, newest first."""
    page = pages.get(connection, project_id, page_id)
    if page is None:
        raise ApiProblem(404, f"there is no page {page_id} in this project")
    changed = history.changes(connection, project_id, page.normalized_url)
    # Where an older crawl is forgotten, nobody knows whether it had the page.
    has_text = None if history.first_kept(connection, project_id) > 1 else False
    found = []
    for row in history.visits(connection, project_id, key_of(page.normalized_url)):
        text = None
        if row.state in _KEPT:
            text = "changed" if row.number in changed else _UNCHANGED_TEXT[has_text]
            has_text = True
        found.append(_visit(row, text))
    return History(items=found[::-1])


def _policy(project: Row[Any], options: Options) -> urls.UrlPolicy:
    settings = CrawlSettings.model_validate(project.settings).model_dump(mode="json")
    return policy_of(engine_settings(settings, project.website_url, options))


def _visit(row: Row[Any], text: Any) -> Visit:
    return Visit(
        crawl_id=row.crawl_id,
        number=row.number,
        crawled_at=row.asked_at,
        decision=State(row.state).label,
        reason=row.reason,
        detail=row.detail,
        word_count=None if row.facts is None else FACTS.decode(row.facts).word_count,
        response_ms=row.response_ms,
        text=text,
    )


def _lines(database: Database, wanted: pages.Wanted) -> Iterator[str]:
    """Page by page, without keeping the database busy while the client reads."""
    after = None
    while True:
        with database.reading() as connection:
            found = pages.listed(connection, wanted, after, _CHUNK, whole=True)
        for each in found:
            yield WholePage.model_validate(each).model_dump_json() + "\n"
        if len(found) < _CHUNK:
            return
        after = _key(found[-1], wanted.sort), found[-1].id


def _key(page: Row[Any], sort: str) -> Any:
    """The value a page is ordered by."""
    match sort:
        case "title":
            return page.title or ""
        case "word_count":
            return page.word_count or 0
        case "url":
            return page.url
        case _:
            return page.crawled_at


def _place(sort: str, order: str, *parts: Any) -> tuple[Any, UUID]:
    made_for, direction, value, id = parts
    if (made_for, direction) != (sort, order):
        raise ValueError
    match sort:
        case "crawled_at":
            value = datetime.fromisoformat(value)
            if value.tzinfo is None:
                raise ValueError
        case "word_count":
            if not isinstance(value, int) or abs(value) >= 2**31:
                raise ValueError
        case _:
            if not isinstance(value, str) or "\0" in value:
                raise ValueError
            value.encode()
    return value, UUID(id)
