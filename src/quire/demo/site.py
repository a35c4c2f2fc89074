"""What the bundled site holds: pages, redirects, sitemaps and a few flaws, as answers by path."""

from __future__ import annotations

import gzip
import hashlib
import html
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from pathlib import Path
from string import Template
from urllib.parse import quote

_PAGES = Path(__file__).parent / "pages"
_HTML = "text/html; charset=utf-8"
_SITEMAP_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"

REDIRECTS: Mapping[str, tuple[int, str]] = {
    "/docs/quickstart": (301, "/docs/guides/first-brew"),
    "/docs/intro": (301, "/docs/start"),
    "/docs/start": (301, "/docs/getting-started/"),
    "/blog/latest": (302, "/blog/2025/steepwell-2-1"),
    "/download": (302, "/downloads/"),
}
SAME_CONTENT: Mapping[str, str] = {"/help/glossary": "/glossary"}
PRINT_VERSIONS: Mapping[str, str] = {"/docs/print/first-brew": "/docs/guides/first-brew"}
FILES: Mapping[str, tuple[str, str]] = {
    "/downloads/handbook": ("downloads/handbook.pdf", "application/pdf"),
    "/downloads/cheat-sheet.pdf": ("downloads/cheat-sheet.pdf", "application/pdf"),
    "/images/logo.svg": ("images/logo.svg", "image/svg+xml"),
    "/images/brew-curve.png": ("images/brew-curve.png", "image/png"),
}
BROKEN = "/api/playground"
SITEMAPS: Mapping[str, str] = {
    "docs": "/sitemaps/docs.xml",
    "blog": "/sitemaps/blog.xml",
    "api": "/sitemaps/api.xml.gz",
}
ROBOTS = "User-agent: *\nDisallow: /private/\n\nSitemap: {base}/sitemap.xml\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the server; the validators among its headers hold for conditional requests."""

    status: int
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a sitemap says about a page."""

    sitemap: str
    priority: str
    changefreq: str


@dataclass(frozen=True, slots=True)
class DemoPage:
    """A page as its file in `pages/` describes it."""

    path: str
    title: str
    description: str
    changed: date
    body: str
    lang: str = "en"
    published: str | None = None
    listing: Listing | None = None


def pages() -> list[DemoPage]:
    """Read every page of the site."""
    files = sorted(path for path in _PAGES.rglob("*.html") if not path.name.startswith("_"))
    return [_read(file) for file in files]


def answers(base: str) -> dict[str, Answer]:
    """Return the whole site by path, for a server whose URL is `base`; a path is unquoted, and may have a query."""
    site = {page.path: page for page in pages()}
    found = {page.path: _rendered(page, _about(page, base)) for page in site.values()}
    found |= {copy: found[original] for copy, original in SAME_CONTENT.items()}
    for path, original in PRINT_VERSIONS.items():
        canonical = f'<link rel="canonical" href="{base}{original}">'
        found[path] = _rendered(site[original], canonical, template="_print.html")
    found |= {path: _file(name, kind) for path, (name, kind) in FILES.items()}
    slashes = {page[:-1]: (301, page) for page in site if page.endswith("/") and page != "/"}
    for path, (status, target) in (slashes | dict(REDIRECTS)).items():
        found[path] = Answer(status, b"", {"Location": target})
    found[BROKEN] = _document(500, "The playground is broken", "It was like this when we got here.")
    found["/robots.txt"] = Answer(200, ROBOTS.format(base=base).encode(), {"Content-Type": "text/plain; charset=utf-8"})
    found |= _sitemaps(site.values(), base)
    return found


def not_found(path: str) -> Answer:
    return _document(404, "Not found", f"There is no page at {path}.")


def _read(file: Path) -> DemoPage:
    head, _, body = file.read_text("utf-8").partition("---\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    path = "/" + file.relative_to(_PAGES).with_suffix("").as_posix().removesuffix("index")
    return DemoPage(
        path=fields.get("path", path),
        title=fields["title"],
        description=fields["description"],
        changed=date.fromisoformat(fields["changed"]),
        body=body,
        lang=fields.get("lang", "en"),
        published=fields.get("published"),
        listing=Listing(*fields["sitemap"].split()) if "sitemap" in fields else None,
    )


def _about(page: DemoPage, base: str) -> str:
    """Return what the head of a blog post says to machines."""
    if not page.published:
        return ""
    post = {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        "headline": page.title,
        "datePublished": page.published,
        "dateModified": page.changed.isoformat(),
        "mainEntityOfPage": base + page.path,
    }
    return (
        f'<meta property="article:published_time" content="{page.published}">\n'
        f'<meta property="article:modified_time" content="{page.changed}">\n'
        f'<script type="application/ld+json">{json.dumps(post)}</script>'
    )


def _rendered(page: DemoPage, head: str, template: str = "_page.html") -> Answer:
    text = Template((_PAGES / template).read_text("utf-8")).substitute(
        title=html.escape(page.title),
        description=html.escape(page.description),
        lang=page.lang,
        head=head,
        body=page.body.rstrip(),
    )
    modified = datetime.combine(page.changed, time(9), UTC)
    headers = {"Content-Type": _HTML, "Last-Modified": format_datetime(modified, usegmt=True)}
    return _tagged(text.encode(), headers)


def _file(name: str, content_type: str) -> Answer:
    return _tagged((_PAGES / name).read_bytes(), {"Content-Type": content_type})


def _tagged(body: bytes, headers: Mapping[str, str]) -> Answer:
    return Answer(200, body, {**headers, "ETag": f'"{hashlib.sha256(body).hexdigest()[:16]}"'})


def _document(status: int, title: str, text: str) -> Answer:
    body = f"<!doctype html><title>{title}</title><h1>{title}</h1><p>{html.escape(text)}</p>"
    return Answer(status, body.encode(), {"Content-Type": _HTML})


def _sitemaps(site: Iterable[DemoPage], base: str) -> Iterator[tuple[str, Answer]]:
    listed = [(page, page.listing) for page in site if page.listing]
    for name, path in SITEMAPS.items():
        entries = [
            _entry(base, page.path, page.changed, listing) for page, listing in listed if listing.sitemap == name
        ]
        if name == "docs":
            # As on many a real site: an old address that redirects was left in, next to the new one.
            entries.append(_entry(base, "/docs/quickstart", date(2023, 12, 1), Listing(name, "0.5", "yearly")))
        yield path, _xml("urlset", entries, packed=path.endswith(".gz"))
    index = [f"<sitemap><loc>{base}{path}</loc></sitemap>" for path in SITEMAPS.values()]
    yield "/sitemap.xml", _xml("sitemapindex", index)


def _entry(base: str, path: str, changed: date, listing: Listing) -> str:
    return (
        f"<url><loc>{base}{quote(path)}</loc><lastmod>{changed}</lastmod>"
        f"<changefreq>{listing.changefreq}</changefreq><priority>{listing.priority}</priority></url>"
    )


def _xml(root: str, entries: Iterable[str], packed: bool = False) -> Answer:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<{root} xmlns="{_SITEMAP_SCHEMA}">',
        *entries,
        f"</{root}>",
        "",
    ]
    body = "\n".join(lines).encode()
    if packed:
        return Answer(200, gzip.compress(body, mtime=0), {"Content-Type": "application/gzip"})
    return Answer(200, body, {"Content-Type": "application/xml"})
