"""Projects (A1)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Response
from sqlalchemy import Connection

from quire.errors import UsageError
from quire.filter.judge import Judge
from quire.service import cursors
from quire.service.context import Cursor, Here, Limit, Order, Reading, project_of
from quire.service.data import crawls, pages, projects
from quire.service.data.values import AlreadyRunning, PhaseStatus
from quire.service.options import Options, engine_settings
from quire.service.problems import ApiProblem
from quire.service.schemas import CrawlSettings, ProjectChange, ProjectCreate, ProjectDetail, Projects
from quire.wiring import completed

router = APIRouter(prefix="/projects", tags=["projects"])


def checked(settings: Mapping[str, Any], website_url: str, options: Options) -> dict[str, Any]:
    """Settings with all defaults, after everything was checked that can be checked before a crawl."""
    whole = CrawlSettings.model_validate(settings).model_dump(mode="json")
    try:
        Judge(completed(engine_settings(whole, website_url, options)), linear_only=True)
    except UsageError as error:
        name, _, text = str(error).partition(": ")
        field = name.removeprefix("--").replace("-", "_")
        raise ApiProblem(422, text or str(error), f"settings.{field}" if text else "settings") from None
    return whole


@router.post("", status_code=201, response_model=ProjectDetail)
def create_project(given: ProjectCreate, service: Here, response: Response) -> ProjectDetail:
    """Create a project."""
    kept = given.settings.model_dump(mode="json", exclude_unset=True)
    checked(kept, given.website_url, service.options)
    with service.database.writing() as connection:
        made = projects.create(connection, given.name, given.website_url, kept)
        response.headers["Location"] = f"/api/v1/projects/{made.id}"
        return _detail(connection, made)


@router.get("", response_model=Projects)
def list_projects(connection: Reading, order: Order = "asc", limit: Limit = 50, cursor: Cursor = None) -> Projects:
    """List the projects by when they were created, each with how many pages it has."""
    after = cursors.decode(cursor, lambda *parts: _place(order, *parts))
    found = projects.listed(connection, after, limit + 1, newest_first=order == "desc")
    last = found[limit - 1] if len(found) > limit else None
    more = cursors.encode(order, last.created_at.isoformat(), last.id) if last else None
    return Projects(items=[_detail(connection, each) for each in found[:limit]], next_cursor=more)


@router.get("/{project_id}", response_model=ProjectDetail)
def get_project(project_id: UUID, connection: Reading) -> ProjectDetail:
    """Get a project, with how many pages it has."""
    return _detail(connection, project_of(connection, project_id))


@router.patch("/{project_id}", response_model=ProjectDetail)
def change_project(project_id: UUID, given: ProjectChange, service: Here) -> ProjectDetail:
    """Change a project; a crawl that runs goes on with the settings it began with."""
    values = {name: value for name, value in given.model_dump(exclude_unset=True).items() if value is not None}
    if given.settings is not None:
        values["settings"] = given.settings.model_dump(mode="json", exclude_unset=True)
    with service.database.writing() as connection:
        before = project_of(connection, project_id)
        merged = {name: values.get(name, getattr(before, name)) for name in ("website_url", "settings")}
        checked(merged["settings"], merged["website_url"], service.options)
        changed = projects.change(connection, project_id, values)
        assert changed is not None
        return _detail(connection, changed)


@router.delete("/{project_id}", status_code=204, response_class=Response)
def delete_project(project_id: UUID, service: Here) -> None:
    """Delete a project with its crawls and pages; one that is being crawled has to be cancelled first."""
    with service.database.writing() as connection:
        try:
            if not projects.remove(connection, project_id):
                raise ApiProblem(404, f"there is no project {project_id}")
        except AlreadyRunning:
            raise ApiProblem(409, "a crawl of this project waits or runs; cancel it first") from None


def _place(order: str, made_for: str, created_at: str, id: str) -> tuple[datetime, UUID]:
    time = datetime.fromisoformat(created_at)
    if time.tzinfo is None or made_for != order:
        raise ValueError
    return time, UUID(id)


def _detail(connection: Connection, project: projects.Project) -> ProjectDetail:
    latest = crawls.latest(connection, project.id)
    names = ("id", "name", "website_url", "settings", "created_at", "updated_at")
    return ProjectDetail.model_validate(
        {name: getattr(project, name) for name in names}
        | {
            "pages": pages.counts(connection, project.id),
            "crawl_status": latest.status if latest else PhaseStatus.PENDING,
        }
    )
