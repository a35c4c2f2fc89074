"""The pages at `/`: one empty shell for all of them, and the scripts that ask the API (A8).

Neither holds anything of a project, so both are served without a token; the scripts ask for it.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from uuid import UUID

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from xxhash import xxh3_64_hexdigest

from quire.report import bundle

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_OWN = Path(str(files("quire.service").joinpath("static")))
_HEADERS = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}


def serve(app: FastAPI) -> None:
    """Add the shell, and its script and its style as one file each."""
    shell = _OWN.joinpath("index.html").read_text("utf-8")
    program = bundle.script("service.js", _OWN)
    looks = bundle.style() + _OWN.joinpath("service.css").read_text("utf-8")

    @app.get("/", include_in_schema=False)
    def projects() -> HTMLResponse:
        return HTMLResponse(shell, headers=_HEADERS)

    @app.get("/projects/{project_id}", include_in_schema=False)
    def project(project_id: UUID) -> HTMLResponse:
        return HTMLResponse(shell, headers=_HEADERS)

    @app.get("/static/service.js", include_in_schema=False)
    def script(request: Request) -> Response:
        return _kept(request, program, "text/javascript")

    @app.get("/static/service.css", include_in_schema=False)
    def style(request: Request) -> Response:
        return _kept(request, looks, "text/css")


def _kept(request: Request, text: str, kind: str) -> Response:
    """A file that a browser keeps, and asks each time whether it is still the same."""
    headers = {"ETag": f'"{xxh3_64_hexdigest(text.encode())}"', "Cache-Control": "no-cache"}
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(text, media_type=kind, headers=headers)


def is_open(path: str) -> bool:
    """Whether a path is part of the dashboard itself, which everybody may load."""
    return path == "/" or path.startswith(("/static/", "/projects/"))
