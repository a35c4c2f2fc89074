"""The crawl phase of a project: run, status, cancel, retry; past crawls and their decisions (A2)."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Body, Query
from sqlalchemy import Row

from quire import urls
from quire.records import State
from quire.service import cursors
from quire.service.api.projects import checked
from quire.service.context import Cursor, Here, Limit, Reading, Service, project_of
from quire.service.data import crawls, decisions, events, pages
from quire.service.data.values import AlreadyRunning, PhaseStatus, ProjectGone
from quire.service.problems import ApiProblem
from quire.service.schemas import (
    MOST_PAGES,
    Crawl,
    Crawls,
    Decision,
    Decisions,
    Event,
    Events,
    PhaseState,
    RunRequest,
)

router = APIRouter(prefix="/projects/{project_id}", tags=["crawls"])

DecisionName = Annotated[str, Query(pattern=f"^({'|'.join(state.label for state in State)})$")]


@router.post("/phases/crawl/run", status_code=202, response_model=PhaseState)
def run_crawl(project_id: UUID, service: Here, given: Annotated[RunRequest | None, Body()] = None) -> PhaseState:
    """Start a crawl, or queue it while as many run as may; the body holds settings for this crawl only."""
    return _start(service, project_id, given.overrides() if given else {})


@router.post("/phases/crawl/retry", status_code=202, response_model=PhaseState)
def retry_failed_pages(project_id: UUID, service: Here) -> PhaseState:
    """Fetch the pages that failed once more, and nothing else."""
    with service.database.reading() as connection:
        project_of(connection, project_id)
        failed = pages.failed_urls(connection, project_id, MOST_PAGES)
    if not failed:
        raise ApiProblem(409, "no page of this project has failed; there is nothing to retry")
    return _start(service, project_id, {"fetch_only_urls": failed, "max_pages": MOST_PAGES})


def _start(service: Service, project_id: UUID, overrides: dict[str, Any]) -> PhaseState:
    with service.database.writing() as connection:
        project = project_of(connection, project_id)
        settings = checked(project.settings | overrides, project.website_url, service.options)
        most = settings["max_pages"]
        if settings["fetch_only_urls"]:
            most = min(most, len(settings["fetch_only_urls"]))
        try:
            crawl = crawls.request(connection, project, settings, most)
        except ProjectGone:
            raise ApiProblem(404, f"there is no project {project_id}") from None
        except AlreadyRunning:
            raise ApiProblem(409, "a crawl of this project waits or runs already; cancel it, or wait for it") from None
    service.crawls.look()
    service.live.changed(project_id)
    return _state(project_id, crawl)


@router.get("/phases/crawl/status", response_model=PhaseState)
def crawl_status(project_id: UUID, connection: Reading) -> PhaseState:
    """Tell where the last crawl stands."""
    project_of(connection, project_id)
    return _state(project_id, crawls.latest(connection, project_id))


@router.post("/phases/crawl/cancel", status_code=202, response_model=PhaseState)
def cancel_crawl(project_id: UUID, service: Here) -> PhaseState:
    """Cancel the crawl that waits or runs; its pages stay."""
    with service.database.writing() as connection:
        project_of(connection, project_id)
        crawl = crawls.request_cancel(connection, project_id)
    if crawl is None:
        raise ApiProblem(409, "no crawl of this project waits or runs")
    service.crawls.cancel(crawl.id)
    service.live.changed(project_id)
    return _state(project_id, crawl)


@router.get("/crawls", response_model=Crawls)
def list_crawls(project_id: UUID, connection: Reading, limit: Limit = 50, cursor: Cursor = None) -> Crawls:
    """List the crawls of a project, newest first."""
    project_of(connection, project_id)
    found = crawls.listed(connection, project_id, cursors.decode(cursor, _whole_number), limit + 1)
    more = cursors.encode(found[limit - 1].number) if len(found) > limit else None
    return Crawls(items=[_crawl(each) for each in found[:limit]], next_cursor=more)


@router.get("/crawls/{crawl_id}", response_model=Crawl)
def get_crawl(project_id: UUID, crawl_id: UUID, connection: Reading) -> Crawl:
    """Get one crawl."""
    found = crawls.get(connection, project_id, crawl_id)
    if found is None:
        raise ApiProblem(404, f"there is no crawl {crawl_id} of this project")
    return _crawl(found)


@router.get("/decisions", response_model=Decisions)
def list_decisions(
    project_id: UUID,
    connection: Reading,
    crawl_id: Annotated[UUID | None, Query(description="Of this crawl; of the last one if left out.")] = None,
    decision: Annotated[list[DecisionName] | None, Query(description="Only these; may be repeated.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Decisions:
    """List what was decided about each URL of a crawl, in order of discovery."""
    project_of(connection, project_id)
    crawl = crawls.get(connection, project_id, crawl_id) if crawl_id else crawls.latest(connection, project_id)
    if crawl is None:
        if crawl_id:
            raise ApiProblem(404, f"there is no crawl {crawl_id} of this project")
        return Decisions(items=[], next_cursor=None)
    states = [State[name.upper()] for name in decision or ()]
    found = decisions.listed(connection, crawl.id, states, cursors.decode(cursor, _whole_number) or 0, limit + 1)
    more = cursors.encode(found[limit - 1].id) if len(found) > limit else None
    return Decisions(items=[_decision(each) for each in found[:limit]], next_cursor=more)


@router.get("/events", response_model=Events)
def list_events(
    project_id: UUID,
    connection: Reading,
    after: Annotated[int, Query(ge=0, le=2**62, description="The number of the last event you have.")] = 0,
    limit: Limit = 50,
) -> Events:
    """Read the events that the WebSocket tells, by number."""
    span = events.span(connection, project_id)
    if span is None:
        raise ApiProblem(404, f"there is no project {project_id}")
    found = events.after(connection, project_id, after, limit)
    return Events(items=[Event.model_validate(each) for each in found], last_event=span[1])


def _whole_number(number: Any) -> int:
    if not isinstance(number, int) or not 0 <= number < 2**31:
        raise ValueError
    return number


def _crawl(row: crawls.Crawl) -> Crawl:
    return Crawl.model_validate({name: getattr(row, name) for name in Crawl.model_fields})


def _state(project_id: UUID, crawl: crawls.Crawl | None) -> PhaseState:
    if crawl is None:
        return PhaseState(project_id=project_id, status=PhaseStatus.PENDING)
    names = ("status", "progress", "pages_crawled", "estimated_total", "statistics", "error")
    return PhaseState(project_id=project_id, crawl=_crawl(crawl), **{name: getattr(crawl, name) for name in names})


def _decision(row: Row[Any]) -> Decision:
    return Decision(
        id=row.id,
        url=urls.shown(row.url),
        decision=State(row.state).label,
        reason=row.reason,
        detail=row.detail,
        source=row.source,
        found_on=row.place or row.parent_url,
        depth=row.depth,
        rank=row.rank,
    )
