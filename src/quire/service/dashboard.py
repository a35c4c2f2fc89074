"""The pages at `/`: one empty shell for all of them, and the scripts that ask the API (A8).

Neither holds anything of a project, so both are served without a token; the scripts ask for it.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from uuid import UUID

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_OWN = Path(str(files("quire.service").joinpath("static")))
_SHARED = Path(str(files("quire.report").joinpath("dashboard")))
_HEADERS = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}


def serve(app: FastAPI) -> None:
    """Add the shell and the scripts."""
    shell = _OWN.joinpath("index.html").read_text("utf-8")

    @app.get("/", include_in_schema=False)
    def projects() -> HTMLResponse:
        return HTMLResponse(shell, headers=_HEADERS)

    @app.get("/projects/{project_id}", include_in_schema=False)
    def project(project_id: UUID) -> HTMLResponse:
        return HTMLResponse(shell, headers=_HEADERS)

    app.mount("/static/shared", _Scripts(directory=_SHARED))
    app.mount("/static", _Scripts(directory=_OWN))


class _Scripts(StaticFiles):
    """Files that a browser keeps, and asks each time whether they are still the same."""

    def file_response(self, *args: object, **options: object):  # type: ignore[no-untyped-def]
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


def is_open(path: str) -> bool:
    """Whether a path is part of the dashboard itself, which everybody may load."""
    return path == "/" or path.startswith(("/static/", "/projects/"))
