"""The OpenAPI document: what FastAPI writes, with our problem documents in place of its own errors (A10)."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from quire.service.problems import MEDIA_TYPE
from quire.service.schemas import Problem
from quire.version import VERSION

_EVERYWHERE = {
    "400": "The request cannot be read.",
    "401": "The token is missing or wrong.",
    "403": "The name or the origin is not served.",
    "413": "The body is too large.",
    "414": "The address is too long.",
    "422": "A field is wrong; `errors` names it.",
    "429": "Too many requests.",
    "503": "The database does not answer.",
}
_SOMEWHERE = {"404": "There is no such thing.", "409": "Not while the crawl is where it is."}


def describe(app: FastAPI) -> dict[str, Any]:
    """Make the document once."""
    if app.openapi_schema is None:
        made = get_openapi(
            title="Quire",
            version=VERSION,
            summary="Crawls of websites into clean Markdown, for teams.",
            routes=app.routes,
        )
        schemas = made["components"]["schemas"]
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas |= problem.pop("$defs", {})
        schemas["Problem"] = problem
        for path, operations in made["paths"].items():
            for method, operation in operations.items():
                _add_problems(path, method, operation)
        app.openapi_schema = made
    return app.openapi_schema


def _add_problems(path: str, method: str, operation: dict[str, Any]) -> None:
    wanted = dict(_EVERYWHERE)
    if "{" in path:
        wanted["404"] = _SOMEWHERE["404"]
    if "{" in path and method in ("post", "delete"):
        wanted["409"] = _SOMEWHERE["409"]
    for status, text in wanted.items():
        operation["responses"][status] = {
            "description": text,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
