"""From settings to the concrete stages; the only place that names them together."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from quire import urls
from quire.discover.reading import looks_like_sitemap
from quire.discover.sitemaps import SitemapSource
from quire.errors import UsageError
from quire.fetch.egress import Egress, egress_of
from quire.fetch.http import HttpFetcher, check_requests
from quire.fetch.patience import PatientFetcher
from quire.fetch.rendering import AlwaysFetcher, AutoFetcher
from quire.filter.judge import Judge
from quire.ports import Fetcher, Shelf
from quire.press.frames import Job
from quire.press.pool import PressPool
from quire.records import Link, Response
from quire.robots import Robots
from quire.schedule.sqlite import SqliteFrontier
from quire.settings import Settings
from quire.stages import Stages

if TYPE_CHECKING:
    from quire.fetch.browser import BrowserFetcher
    from quire.fetch.crawl4ai import Crawl4aiFetcher

_CREDENTIALS = re.compile(r"(?:https?://)?([^/?#@]+)@", re.IGNORECASE)
# A path, or a scheme without `//` (`mailto:x`); `localhost:8000` is a host with its port.
_NO_ADDRESS = re.compile(r"/|[a-z][a-z0-9+.-]*:(?!\d|//)", re.IGNORECASE)
_SITEMAP_ENDINGS = (".xml", ".xml.gz", ".txt")


def policy_of(settings: Settings) -> urls.UrlPolicy:
    scope = settings.scope
    return urls.UrlPolicy(scope.query, scope.ignore_case, scope.noise_params)


def completed(settings: Settings) -> Settings:
    """Return settings with whole URLs, after everything was checked that can be checked before the first request."""
    own = [(urls.site_root(complete_url(url)), given) for url in settings.start if (given := _credentials_in(url))]
    settings = replace(settings, credentials=settings.credentials or tuple(own))
    check_requests(settings)
    _check_browser(settings)
    _check_selectors(settings)
    for url in settings.scope.sitemap:
        if "://" not in url or urls.resolve(url, "") is None:
            raise UsageError(f"--sitemap: {url!r} is not a web address; give one like https://example.com/sitemap.xml")
    # Without a browser there are no routes: what is asked for is the document that they are shown in.
    has_routes = settings.render.render != "never"
    start: dict[str, str] = {}
    for given in settings.start:
        url = complete_url(given if has_routes else given.partition("#")[0])
        start.setdefault(urls.shown(url), url)
    return replace(settings, start=tuple(start.values()))


def _check_selectors(settings: Settings) -> None:
    part, remove = settings.content.content, settings.content.remove
    if part in ("main", "full") and not remove:
        return
    from quire.extract.content import valid_selector

    if part not in ("main", "full") and (problem := valid_selector(part)):
        raise UsageError(f"--content: {part!r} is neither main, full nor a CSS selector ({problem})")
    for css in remove:
        if problem := valid_selector(css):
            raise UsageError(f"--remove: {css!r} is not a CSS selector ({problem})")


def _credentials_in(text: str) -> str:
    """The `user:password` that a URL carries; they go to its origin only, and are shown nowhere."""
    found = _CREDENTIALS.match(text.strip())
    return unquote(found[1]) if found else ""


def complete_url(text: str) -> str:
    """Read a URL as people type it; raise UsageError when it cannot be one."""
    whole = text.strip()
    if "://" not in whole:
        host = whole.partition("/")[0].partition(":")[0]
        whole = f"{'http' if host == 'localhost' or host.startswith('127.') else 'https'}://{whole}"
    url = None if _NO_ADDRESS.match(text.strip()) else urls.routed(whole)
    if url is None or not urls.host(url):
        raise UsageError(f"{text!r} is not a web address; give one like https://example.com/docs/")
    return url


def start_links(settings: Settings, policy: urls.UrlPolicy) -> list[Link]:
    """The start URLs that are pages; sitemaps among them are `sitemaps_named`."""
    pages = [url for url in settings.start if not _names_sitemap(url, settings)]
    return [
        Link(url, key, "start", start=True) for url in pages if (key := urls.fingerprint_of(url, policy)) is not None
    ]


def sitemaps_named(settings: Settings) -> list[str]:
    return [*settings.scope.sitemap, *(url for url in settings.start if _names_sitemap(url, settings))]


def _names_sitemap(url: str, settings: Settings) -> bool:
    return bool(settings.scope.discover) and urls.path(url).lower().endswith(_SITEMAP_ENDINGS)


def job_of(settings: Settings, *, output: str | None, links_only: bool = False, text: bool = False) -> Job:
    """What the page workers are told."""
    return Job(
        output,
        settings.content.content,
        settings.content.front_matter,
        links_only,
        settings.scope.query,
        settings.scope.ignore_case,
        settings.scope.noise_params,
        settings.content.remove,
        settings.content.max_markdown,
        settings.content.max_links,
        settings.content.worker_memory,
        text,
        settings.content.heading == "drop",
    )


def stages_of(
    settings: Settings,
    frontier: SqliteFrontier,
    judge: Judge,
    fetcher: HttpFetcher,
    press: PressPool,
    shelf: Shelf,
    warn: Callable[[str], None],
    pages: Fetcher,
) -> Stages:
    """What the engine works with; `pages` fetches pages, `fetcher` what is read beside them."""
    policy = policy_of(settings)
    renderer = pages if isinstance(pages, AutoFetcher) else None

    besides = PatientFetcher(fetcher, frontier, settings.pace)
    robots = None if settings.filters.ignore_robots else Robots(besides.beginning, settings.fetch.user_agent)
    read: set[str] = set()

    def sitemaps_of(sites: Sequence[str], sitemaps: Sequence[str]) -> SitemapSource:
        return SitemapSource(
            besides.stream, besides.turn, robots, sites, settings.sitemaps, sitemaps, policy, warn, read, frontier
        )

    return Stages(
        frontier, pages, press, shelf, judge, robots, sitemaps_of, _is_sitemap, policy, fetcher.image, renderer
    )


def _is_sitemap(response: Response) -> bool:
    return looks_like_sitemap(response.url, response.content_type, response.body)


def fetcher_of(settings: Settings) -> HttpFetcher:
    return HttpFetcher(settings.fetch, trusted_origins(settings), egress_of(settings))


@asynccontextmanager
async def page_fetcher(settings: Settings, http: HttpFetcher, warn: Callable[[str], None]) -> AsyncIterator[Fetcher]:
    """Who fetches pages, as `--render` says; a browser is started when the first page needs it, and ended here."""
    if settings.render.render == "never":
        yield http
    elif settings.render.render == "always":
        browser = _browser_of(settings, http.egress)
        try:
            yield AlwaysFetcher(http, browser)
        finally:
            await browser.close()
    else:
        auto = AutoFetcher(http, lambda: _browser_if_any(settings, http.egress, warn))
        try:
            yield auto
        finally:
            await auto.close()


def _browser_of(settings: Settings, egress: Egress) -> BrowserFetcher | Crawl4aiFetcher:
    if settings.render.renderer == "crawl4ai":
        from quire.fetch.crawl4ai import Crawl4aiFetcher

        return Crawl4aiFetcher(settings.fetch, settings.render, egress)

    from quire.fetch.browser import BrowserFetcher

    return BrowserFetcher(settings.fetch, settings.render, trusted_origins(settings), egress)


def _browser_if_any(
    settings: Settings, egress: Egress, warn: Callable[[str], None]
) -> BrowserFetcher | Crawl4aiFetcher | None:
    from quire.fetch.chromium import find_chromium, no_chromium

    if find_chromium(settings.render.chromium):
        return _browser_of(settings, egress)
    warn(f"some pages are applications that show nothing without a browser, and {no_chromium(settings.render)}")
    return None


def _check_browser(settings: Settings) -> None:
    """Raise UsageError where a browser is asked for and there is none."""
    render = settings.render
    if render.renderer == "crawl4ai" and render.render != "never":
        from quire.fetch.crawl4ai import check_usable

        check_usable(settings)
    if render.render == "always" or render.chromium:
        from quire.fetch.chromium import find_chromium, no_chromium

        if find_chromium(render.chromium) is None:
            raise UsageError(no_chromium(render))


def trusted_origins(settings: Settings) -> dict[str, str]:
    """The origins of the start URLs, with their passwords; what may be sent in clear may be sent encrypted too."""
    own = dict(settings.credentials)
    origins = dict.fromkeys(map(urls.site_root, settings.start))
    secured = {origin.replace("http:", "https:", 1): own.get(origin, "") for origin in origins}
    return secured | {origin: own.get(origin, "") for origin in origins}
