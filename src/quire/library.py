"""Quire as a library: the same engine, its events as an async iterator, and pages that are there already."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

from msgspec import Struct

from quire.config import build
from quire.errors import UsageError
from quire.events import CrawlFinished, Event
from quire.records import Facts
from quire.settings import Settings


class ConvertedPage(Struct, frozen=True):
    """What a page is as Markdown and as text, without front matter, what it says of itself, and where it links to."""

    url: str
    markdown: str
    text: str
    facts: Facts
    links: tuple[str, ...]
    leads_to: str | None = None
    """Another page that this one sends its readers to at once; then nothing was made of it."""


async def crawl(start: str | Settings, /, *more: str, **options: Any) -> AsyncGenerator[Event, None]:
    """Mirror a site and yield what happens; leaving the loop stops the crawl, and the next one goes on from there.

    Options are the settings by their names: `crawl("https://example.com", output="mirror", max_pages=10)`.
    """
    from quire.crawling import crawl_mirror

    settings = _settings(start, more, options)
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    task = asyncio.create_task(crawl_mirror(settings, events.put_nowait))
    task.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield event
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def crawl_sync(
    start: str | Settings, /, *more: str, on_event: Callable[[Event], None] | None = None, **options: Any
) -> CrawlFinished:
    """Mirror a site and return how it ended; `on_event` hears of everything on the way."""
    from quire.crawling import crawl_mirror

    if _in_a_loop():
        raise UsageError("crawl_sync runs an event loop of its own; inside a running one, use `async for` with crawl")
    return asyncio.run(crawl_mirror(_settings(start, more, options), on_event or (lambda _: None)))


def convert_page(html: bytes | str, url: str, /, content_type: str = "text/html", **options: Any) -> ConvertedPage:
    """Return what a crawl would make of this page, without asking the network for anything.

    Bytes are decoded by their content type, mark, `meta` or look, as those of a response are. Options are the settings
    by their names: `convert_page(html, "https://example.com/", content="full")`.
    """
    from quire.orders import Order
    from quire.wiring import completed, job_of
    from quire.worker import PageMaker

    settings = completed(build((url,), {"render": "never", **options}))
    (whole,) = settings.start
    if isinstance(html, str):
        html, content_type = html.encode("utf-8", "replace"), "text/html; charset=utf-8"
    made = PageMaker(job_of(settings, output=None, text=True))(Order(whole, content_type, html, None, ""))
    return ConvertedPage(whole, made.markdown or "", made.text or "", made.facts, tuple(made.links.urls), made.leads_to)


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _settings(start: str | Settings, more: tuple[str, ...], options: dict[str, Any]) -> Settings:
    if isinstance(start, Settings):
        return start
    for each in (start, *more):
        if not isinstance(each, str):
            raise UsageError(f"{each!r} is not a web address; give each as a string of its own")
    return build((start, *more), options)
