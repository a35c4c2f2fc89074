"""The stages of one crawl together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct

from quire import urls
from quire.ports import Fetcher, Frontier, Press, Renderer, Shelf, SiteRule, Source
from quire.records import Response
from quire.robots import Robots


class Stages(Struct, frozen=True):
    """What the engine works with; `wiring` puts it together."""

    frontier: Frontier
    fetcher: Fetcher
    press: Press
    shelf: Shelf
    rule: SiteRule
    robots: Robots | None
    sitemaps_of: Callable[[Sequence[str], Sequence[str]], Source]
    """The sitemaps of these sites, and these sitemaps."""
    is_sitemap: Callable[[Response], bool]
    policy: urls.UrlPolicy
    image: Callable[[str, str | None, str | None], Awaitable[Response]]
    """An image, unless it has this ETag or is no newer than this date."""
    renderer: Renderer | None = None
    """Who shows pages that are nothing without their scripts."""
