"""What the parts of a running service share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Depends, Query
from fastapi.requests import HTTPConnection
from sqlalchemy import Connection, Row

from quire.service.crawls import Crawls
from quire.service.data import projects
from quire.service.data.database import Database
from quire.service.live import Live
from quire.service.metrics import Metrics
from quire.service.options import Options
from quire.service.problems import ApiProblem


@dataclass(slots=True)
class Service:
    """One instance; `crawls` and `live` are there while it runs."""

    options: Options
    database: Database
    metrics: Metrics
    crawls: Crawls
    live: Live


def _service(connection: HTTPConnection) -> Service:
    found: Service = connection.app.state.service
    return found


Here = Annotated[Service, Depends(_service)]


def _reading(service: Here) -> Iterator[Connection]:
    with service.database.reading() as connection:
        yield connection


Reading = Annotated[Connection, Depends(_reading)]
Order = Annotated[Literal["asc", "desc"], Query()]
Limit = Annotated[int, Query(ge=1, le=200, description="How many at most.")]
Cursor = Annotated[str | None, Query(max_length=4000, description="`next_cursor` of the part before.")]


def project_of(connection: Connection, project_id: UUID) -> Row[Any]:
    """The project, or the problem that there is none."""
    found = projects.get(connection, project_id)
    if found is None:
        raise ApiProblem(404, f"there is no project {project_id}")
    return found
