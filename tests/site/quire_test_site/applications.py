"""The real applications of `tests/site/apps`, served as a web server serves them: any route gives the shell."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

from .answers import Answer
from .log import Hit
from .site import NOT_FOUND, Site

APPS = Path(__file__).parents[1] / "apps"
NAMES = ("react", "vue", "solid")
PRODUCTS = 4
_BATCH = 2
_TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css"}

ROUTES = {
    "/", "/about", "/products", "/team", "/careers", "/settings", "/settings/profile", "/settings/security", "/lazy",
    "/feed", "/values", "/contact", "/press", "/guide.html", "/guide.html#/steps/1", "/guide.html#/steps/2",
    "/guide.html#/faq",
    *(f"/products/{number}{tab}" for number in range(1, PRODUCTS + 1) for tab in ("", "/specs")),
}  # fmt: skip
"""Every page of each of the applications."""


def serve(site: Site, name: str, prefix: str = "/") -> None:
    """Serve the application below a path of the site."""
    folder = APPS / name / "dist"

    async def answer(hit: Hit) -> Answer:
        path = hit.path.partition("?")[0]
        if path.startswith("/api/"):
            return _api(hit)
        if hit.method not in ("GET", "HEAD"):
            return Answer(204)
        file = folder / path.removeprefix("/")
        if not PurePosixPath(path).suffix:
            file = folder / "index.html"
        elif not file.is_file():
            return NOT_FOUND
        return Answer(200, file.read_bytes(), {"Content-Type": _TYPES.get(file.suffix, "application/octet-stream")})

    for each in {prefix, "/assets/", "/api/"}:
        site.on(each, answer)


def _api(hit: Hit) -> Answer:
    if not hit.path.startswith("/api/items"):
        return Answer(204)
    first = int(hit.query["from"][0])
    last = min(first + _BATCH, PRODUCTS)
    items = [{"id": number + 1, "name": f"Product {number + 1}"} for number in range(first, last)]
    body = json.dumps({"items": items, "more": last < PRODUCTS}).encode()
    return Answer(200, body, {"Content-Type": "application/json"})
