"""The real sites that are crawled, and what is truly reachable on them: found with the standard library alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from installing import CACHE


@dataclass(frozen=True, slots=True)
class Site:
    """A documentation package; `landing` is where its front page leads, when that is no plain link."""

    name: str
    package: str
    root: Path
    landing: str = ""


PYTHON = Site("python", "python3-doc", Path("/usr/share/doc/python3-doc/html"))
OPENJDK = Site("openjdk", "openjdk-17-doc", Path("/usr/share/doc/openjdk-17-doc"), "/api/index.html")
SITES = {site.name: site for site in (PYTHON, OPENJDK)}


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("a", "area"):
            self.hrefs += [value for name, value in attrs if name == "href" and value]


def page_of(path: str) -> str | None:
    """The page that a URL's path names: a folder is its index page; None for what is no HTML page."""
    path = f"{path}index.html" if path.endswith("/") else path
    return path if path.endswith(".html") else None


def reachable(site: Site) -> frozenset[str]:
    """The paths of all pages that links lead to from the start page; kept in the cache, reading them takes a minute."""
    start = site.landing or "/index.html"
    made = int((site.root / start[1:]).stat().st_mtime)
    kept = CACHE / f"reachable-{site.name}-{made}.json"
    if kept.exists():
        return frozenset(json.loads(kept.read_text()))
    seen, waiting = {start}, [start]
    while waiting:
        page = waiting.pop()
        parser = _Links()
        parser.feed((site.root / unquote(page[1:])).read_text(errors="replace"))
        for href in set(parser.hrefs):
            target = urlsplit(urljoin(f"http://site{page}", href.strip()))
            found = page_of(target.path or "/") if target.netloc == "site" else None
            if found and found not in seen and (site.root / unquote(found[1:])).is_file():
                seen.add(found)
                waiting.append(found)
    CACHE.mkdir(exist_ok=True)
    kept.write_text(json.dumps(sorted(seen)))
    return frozenset(seen)
