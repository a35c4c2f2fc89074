"""Quire's browser alone: `python render_quire.py CHROMIUM FILE [CLICKS]`; no frontier, no Markdown."""

from __future__ import annotations

import sys

import uvloop
from rendered import AT_ONCE, given, render_all

from quire.fetch.browser import BrowserFetcher
from quire.fetch.egress import Egress
from quire.records import Link
from quire.settings import Fetch, Render


async def main() -> None:
    chromium, urls = given()
    clicks = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    render = Render(chromium=chromium, render_tabs=AT_ONCE, clicks=clicks, scrolls=10 if clicks else 0)
    fetcher = BrowserFetcher(Fetch(), render, frozenset(), Egress(allow_private=True))

    async def page(_: int, url: str) -> str:
        return (await fetcher.fetch(Link(url, 1, "a"))).body.decode()

    try:
        await render_all(urls, page)
    finally:
        await fetcher.close()


uvloop.run(main())
