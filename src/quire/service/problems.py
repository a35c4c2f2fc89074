"""Errors as problem documents (RFC 9457): what is wrong, in which field, and never a stack trace (A9)."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection
from starlette.exceptions import HTTPException

log = logging.getLogger("quire.service")

MEDIA_TYPE = "application/problem+json"
_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}  # of RFC 9110; Pythons before 3.13 have older ones
# Where in a request a field is; the rest of its place is its name.
_PARTS = ("body", "query", "path", "header", "cookie")


class ApiProblem(Exception):
    """A request that cannot be served, and why."""

    def __init__(self, status: int, detail: str, field: str | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.errors = [{"field": field, "message": detail}] if field else []


def document(status: int, detail: str, errors: Sequence[Mapping[str, Any]] = ()) -> bytes:
    title = _TITLES.get(status) or HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return json.dumps(body | {"errors": list(errors)}).encode()


def response(
    status: int, detail: str, errors: Sequence[Mapping[str, Any]] = (), headers: Mapping[str, str] | None = None
) -> Response:
    return Response(document(status, detail, errors), status, headers, MEDIA_TYPE)


def handle(app: FastAPI) -> None:
    """Answer every error of the app with a problem document."""

    @app.exception_handler(ApiProblem)
    def known(_: Request, problem: ApiProblem) -> Response:
        return response(problem.status, str(problem), problem.errors)

    @app.exception_handler(RequestValidationError)
    def invalid(_: Request, problem: RequestValidationError) -> Response:
        errors = [{"field": _field(each), "message": _message(each)} for each in problem.errors()]
        first = errors[0] if errors else {"field": "body", "message": "invalid"}
        return response(422, f"{first['field']}: {first['message']}", errors)

    @app.exception_handler(HTTPException)
    def refused(_: Request, problem: HTTPException) -> Response:
        return response(problem.status_code, str(problem.detail), headers=problem.headers)

    @app.exception_handler(DBAPIError)
    @app.exception_handler(NoConnection)
    def no_database(request: Request, problem: Exception) -> Response:
        log.error("database error in %s %s", request.method, request.url.path, exc_info=problem)
        return response(503, "the database does not answer; try again", headers={"Retry-After": "5"})

    @app.exception_handler(Exception)
    def bug(request: Request, problem: Exception) -> Response:
        log.error("error in %s %s", request.method, request.url.path, exc_info=problem)
        return response(500, "an error inside Quire; the service's log has the details")


def _field(error: Mapping[str, Any]) -> str:
    # What is no JSON has no fields, only a place.
    names = ["body"] if error["type"] == "json_invalid" else [str(part) for part in error["loc"]]
    if names and names[0] in _PARTS:
        names = names[1:] or names
    return ".".join(names)


def _message(error: Mapping[str, Any]) -> str:
    text = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "json_invalid":
        text = f"not JSON ({error['ctx']['error']}, after {error['loc'][-1]} characters)"
    elif error["type"] == "model_attributes_type":
        # What does not say that it is JSON is not read as such.
        unread = isinstance(error["input"], bytes)
        text = "send it with the header Content-Type: application/json" if unread else "not a JSON object"
    return text.encode("utf-8", "replace").decode()
