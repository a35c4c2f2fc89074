"""What only the dashboard asks: a crawl as a whole, what filters would keep, what two crawls have in common (A8)."""

from __future__ import annotations

from collections import Counter
from difflib import unified_diff
from itertools import islice
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Body, Query, Response
from msgspec import json
from sqlalchemy import Connection, Row, select

from quire import urls
from quire.filter.judge import Judge
from quire.records import Accepted, Link, Rejected, State
from quire.service.api.projects import checked
from quire.service.context import Here, Reading, project_of
from quire.service.data import crawls, texts
from quire.service.data.tables import decisions
from quire.service.naming import key_of
from quire.service.options import engine_settings
from quire.service.problems import ApiProblem
from quire.service.schemas import RunRequest
from quire.service.survey import survey
from quire.wiring import completed

router = APIRouter(prefix="/projects/{project_id}", tags=["dashboard"], include_in_schema=False)

_MOST_JUDGED = 20_000
_MOST_SHOWN = 100
_MOST_LINES = 3_000
_LONGEST_LINE = 2_000
_KEPT = (State.SAVED, State.UNCHANGED)
# Decisions about the URL itself; what a server's answer or robots.txt decides, no filter changes.
_JUDGED = (State.FILTERED, State.EXTERNAL, State.INVALID)


@router.get("/survey", response_class=Response)
def survey_crawl(project_id: UUID, connection: Reading, crawl_id: Annotated[UUID | None, Query()] = None) -> Response:
    """A crawl of a project, by itself the last one, as far as it is, in columns."""
    project = project_of(connection, project_id)
    shown = [_crawl(connection, project_id, crawl_id)] if crawl_id else _last(connection, project)
    if not shown:
        raise ApiProblem(404, f"project {project.name!r} was not crawled yet; start a crawl")
    return _json(survey(connection, *shown))


@router.get("/text", response_class=Response)
def former_text(
    project_id: UUID,
    connection: Reading,
    crawl_id: Annotated[UUID, Query()],
    page: Annotated[str, Query(max_length=2000)],
) -> Response:
    """The Markdown of a page as a crawl left it."""
    crawl = _crawl(connection, project_id, crawl_id)
    return _json({"markdown": texts.at(connection, project_id, page, crawl.number)})


@router.post("/preview", response_class=Response)
def preview_filters(
    project_id: UUID, service: Here, connection: Reading, given: Annotated[RunRequest, Body()]
) -> Response:
    """Judge the URLs of the last crawl by other settings, and say what would change."""
    project = project_of(connection, project_id)
    settings = checked(project.settings | given.overrides(), project.website_url, service.options)
    judge = Judge(completed(engine_settings(settings, project.website_url, service.options)), linear_only=True)
    last = _last(connection, project)
    kept: list[str] = []
    refused: list[dict[str, str]] = []
    reasons: Counter[str] = Counter()
    changed = 0
    rows = _seen(connection, last[0]) if last else []
    for row in rows:
        verdict = judge(_link(row))
        url = urls.shown(row.url)
        was_refused = row.state in _JUDGED or row.reason == "extension"
        if row.state == State.INVALID:
            verdict = Rejected(State.INVALID, row.reason, row.detail)
        if isinstance(verdict, Accepted):
            kept.append(url)
            changed += was_refused
        else:
            refused.append({"url": url, "reason": verdict.reason, "detail": verdict.detail})
            reasons[verdict.reason] += 1
            changed += not was_refused
    return _json(
        {
            "total": len(rows),
            "kept": len(kept),
            "refused": len(refused),
            "changed": changed,
            "reasons": dict(reasons.most_common()),
            "kept_urls": kept[:_MOST_SHOWN],
            "refused_urls": refused[:_MOST_SHOWN],
        }
    )


@router.get("/compare", response_class=Response)
def compare_crawls(
    project_id: UUID, connection: Reading, old: Annotated[UUID, Query()], new: Annotated[UUID, Query()]
) -> Response:
    """Tell which pages one crawl has and the other has not, and which have another text."""
    project = project_of(connection, project_id)
    first, second = (_crawl(connection, project_id, crawl_id) for crawl_id in (old, new))
    before, after = (_pages_of(connection, crawl) for crawl in (first, second))
    # A crawl of single URLs says nothing about the others.
    if _is_of_single_urls(first, project):
        after = {key: after[key] for key in after.keys() & _keys_of(connection, first)}
    if _is_of_single_urls(second, project):
        before = {key: before[key] for key in before.keys() & _keys_of(connection, second)}
    changed = texts.changed(connection, project_id, first.number, second.number)
    return _json(
        {
            "changed": [
                {"page": page, "url": after[key]}
                for page in changed
                if (key := key_of(page)) in before and key in after
            ],
            "added": sorted(after[key] for key in after.keys() - before),
            "removed": sorted(before[key] for key in before.keys() - after),
            "common": len(before.keys() & after),
        }
    )


@router.get("/compare/text", response_class=Response)
def compare_texts(
    project_id: UUID,
    connection: Reading,
    old: Annotated[UUID, Query()],
    new: Annotated[UUID, Query()],
    page: Annotated[str, Query(max_length=2000)],
) -> Response:
    """Tell how the text of a page differs between two crawls, line by line."""
    crawled = (_crawl(connection, project_id, crawl_id) for crawl_id in (old, new))
    before, after = ((texts.at(connection, project_id, page, crawl.number) or "").splitlines() for crawl in crawled)
    whole = len(before) <= _MOST_LINES and len(after) <= _MOST_LINES
    lines = unified_diff(before[:_MOST_LINES], after[:_MOST_LINES], lineterm="")
    # The first two lines name files, which these are not.
    return _json({"lines": [line[:_LONGEST_LINE] for line in islice(lines, 2, None)], "whole": whole})


def _last(connection: Connection, project: Row[Any]) -> list[Row[Any]]:
    """The last crawl of the whole site, and those that fetched single URLs of it since, such as what had failed."""
    recent = crawls.listed(connection, project.id, None, crawls.KEPT_CRAWLS)
    for number, crawl in enumerate(recent):
        if not _is_of_single_urls(crawl, project):
            return list(recent[number::-1])
    return list(recent[:1])


def _is_of_single_urls(crawl: Row[Any], project: Row[Any]) -> bool:
    return bool(crawl.settings["fetch_only_urls"]) and not project.settings.get("fetch_only_urls")


def _seen(connection: Connection, crawl: Row[Any]) -> list[Row[Any]]:
    query = select(decisions).where(decisions.c.crawl_id == crawl.id).order_by(decisions.c.id).limit(_MOST_JUDGED)
    return list(connection.execute(query))


def _link(row: Row[Any]) -> Link:
    return Link(
        row.url,
        row.key,
        row.source,
        None,
        row.depth,
        row.hops,
        row.redirects,
        bool(row.start),
        row.lastmod,
        row.priority,
        row.changefreq,
    )


def _crawl(connection: Connection, project_id: UUID, crawl_id: UUID) -> Row[Any]:
    """The crawl with all that it decided, or the problem that this is not there."""
    found, latest = crawls.get(connection, project_id, crawl_id), crawls.latest(connection, project_id)
    if found is None or latest is None:
        raise ApiProblem(404, f"there is no crawl {crawl_id} of this project")
    if found.number <= latest.number - crawls.KEPT_CRAWLS:
        kept = f"what crawl {found.number} decided is no longer kept, only that of the last {crawls.KEPT_CRAWLS}"
        raise ApiProblem(404, kept)
    return found


def _pages_of(connection: Connection, crawl: Row[Any]) -> dict[int, str]:
    query = select(decisions.c.key, decisions.c.url).where(
        decisions.c.crawl_id == crawl.id, decisions.c.state.in_([int(state) for state in _KEPT])
    )
    return {key: urls.shown(url) for key, url in connection.execute(query)}


def _keys_of(connection: Connection, crawl: Row[Any]) -> set[int]:
    return set(connection.execute(select(decisions.c.key).where(decisions.c.crawl_id == crawl.id)).scalars())


def _json(value: object) -> Response:
    return Response(json.encode(value), media_type="application/json")
