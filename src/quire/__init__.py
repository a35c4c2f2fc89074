"""Gather a website into a folder of clean Markdown, and keep it true as the site changes.

import quire

async for event in quire.crawl("https://example.com/docs/", output="docs", max_pages=100):
    if isinstance(event, quire.PageSaved):
        print(event.url, event.path)
"""

from importlib import import_module
from typing import TYPE_CHECKING

from quire.version import VERSION as __version__  # noqa: N811

if TYPE_CHECKING:
    from quire.errors import CrawlError, GuardStop, PageError, QuireError, UsageError
    from quire.events import (
        CrawlFinished,
        CrawlStarted,
        Event,
        Notice,
        PageFailed,
        PageRetried,
        PageSaved,
        PageSkipped,
        PageStarted,
        PageUnchanged,
        UrlRejected,
    )
    from quire.library import ConvertedPage, convert_page, crawl, crawl_sync
    from quire.records import Facts, State
    from quire.settings import Settings

__all__ = [
    "ConvertedPage",
    "CrawlError",
    "CrawlFinished",
    "CrawlStarted",
    "Event",
    "Facts",
    "GuardStop",
    "Notice",
    "PageError",
    "PageFailed",
    "PageRetried",
    "PageSaved",
    "PageSkipped",
    "PageStarted",
    "PageUnchanged",
    "QuireError",
    "Settings",
    "State",
    "UrlRejected",
    "UsageError",
    "__version__",
    "convert_page",
    "crawl",
    "crawl_sync",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: `quire --help` needs none of them."""
    if name in __all__:
        for module in ("errors", "events", "library", "records", "settings"):
            found = getattr(import_module(f"quire.{module}"), name, None)
            if found is not None:
                return found
    raise AttributeError(f"module 'quire' has no attribute {name!r}")
