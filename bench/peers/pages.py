"""What every peer's script shares: which links are pages of the site, and where a page's text goes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

CONCURRENCY = 32


def page_links(hrefs: Iterable[str], page: str) -> set[str]:
    """The pages of the same host that a page leads to, each once."""
    origin = "/".join(page.split("/", 3)[:3]) + "/"
    found = {urldefrag(urljoin(page, href.strip())).url for href in set(hrefs) if not href.startswith("#")}
    return {url for url in found if url.startswith(origin) and urlsplit(url).path.endswith((".html", "/"))}


def save(folder: str, page: str, text: str) -> None:
    """Write a page's text to a file of its own."""
    path = urlsplit(page).path
    file = Path(folder) / f"{path.lstrip('/') or 'index.html'}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
