"""Pages as a browser shows them, behind the same port as plain HTTP (D7, D9, E2)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress

from msgspec import structs

from quire import urls
from quire.errors import BadResponse, CrawlError, FetchError, TimedOut, Unreachable
from quire.fetch.chromium import Chromium, find_chromium, no_chromium
from quire.fetch.devtools import BrowserGone, CommandFailed
from quire.fetch.dialling import Dialler
from quire.fetch.egress import Egress
from quire.fetch.exploring import ClickMemory, Explorer
from quire.fetch.secrets import Secrets
from quire.fetch.socks import SocksProxy
from quire.fetch.tab_pool import TabPool
from quire.fetch.tabs import LoadFailed, PageBroken, Tab, TabCrashed, TabHangs, Taken
from quire.fetch.traffic import Head, TrafficRules, is_rendered
from quire.records import Link, Response
from quire.settings import Fetch, Render
from quire.wording import counted

FETCHED_BY = "browser"
_TRIES = 3
_TRIES_OF_A_HANG = 2
_MOST_ROUTES = 5000
_REDIRECTS = {301, 302, 303, 307, 308}
_SETTLED_AFTER_A_SCROLL = 3.0
_REMARKS = {
    "popup": ("popup was", "popups were"),
    "alert": ("dialog was", "dialogs were"),
    "navigation": ("attempt to leave the page was", "attempts to leave the page were"),
}


_BROKEN = "it changes what scripts rely on that read it; it was taken as it stood, and nothing was clicked"


class BrowserFetcher:
    """ports.Fetcher with a Chromium of its own, started with the first page."""

    def __init__(self, settings: Fetch, render: Render, trusted: Mapping[str, str], egress: Egress) -> None:
        self._settings = settings
        self._render = render
        self._rules = TrafficRules(Secrets(settings, trusted), render.render_images)
        self._proxy = SocksProxy(Dialler(settings, egress))
        self._proxy_port = 0
        self._pool = TabPool(self._start, self._open_tab, render.render_tabs)
        self._memories: dict[str, ClickMemory] = {}
        self._bare: dict[str, int | None] = {}

    async def fetch(self, link: Link, *, etag: str | None = None, last_modified: str | None = None) -> Response:
        """Render one page. Conditions are not sent: what a page shows does not depend on its HTML alone."""
        del etag, last_modified
        crashes = hangs = 0
        while True:
            try:
                async with self._pool.lend() as tab:
                    if urls.is_route(link.url):
                        return await self._visit_route(tab, link.url)
                    return await self._visit(tab, link.url)
            except (TabCrashed, BrowserGone) as error:
                crashes += 1
                if crashes >= _TRIES:
                    what = "the browser" if isinstance(error, BrowserGone) else "its page in the browser"
                    words = f"{link.url} ended {what} {crashes} times: it may need more memory than there is"
                    raise BadResponse(words, "page-crashed") from error
            except TabHangs as error:
                # A machine with too much to do looks the same, once.
                hangs += 1
                if hangs >= _TRIES_OF_A_HANG:
                    words = f"{link.url} keeps the browser busy and cannot be read"
                    raise BadResponse(words, "page-hangs") from error
            except CommandFailed as error:
                raise BadResponse(f"{link.url}: the browser refuses ({error})") from error

    async def close(self) -> None:
        await self._pool.close()
        await self._proxy.close()

    async def _start(self) -> Chromium:
        command = find_chromium(self._render.chromium)
        if command is None:
            raise CrawlError(no_chromium(self._render))
        if not self._proxy_port:
            self._proxy_port = await self._proxy.open()
        options = [f"--proxy-server=socks5://127.0.0.1:{self._proxy_port}", "--proxy-bypass-list=<-loopback>"]
        if not self._render.render_images:
            options.append("--blink-settings=imagesEnabled=false")
        if self._settings.insecure:
            options.append("--ignore-certificate-errors")
        return await Chromium.start(command, options)

    async def _open_tab(self, chromium: Chromium) -> Tab:
        return await Tab.open(chromium.devtools, self._rules, self._settings.user_agent)

    async def _visit_route(self, tab: Tab, url: str) -> Response:
        """Render what a fragment leads to; where the page is the same without it, it was none of its routes."""
        bare = urls.resolve(urls.browser_url(url), "") or url
        if bare not in self._bare:
            self._bare[bare] = await self._shape(tab, bare)
        response = await self._visit(tab, url)
        if response.body and hash(response.body) == self._bare[bare]:
            return structs.replace(response, status=302, location=bare, body=b"", routes=())
        return response

    async def _shape(self, tab: Tab, url: str) -> int | None:
        """What a page is like without a fragment; None if it cannot be had."""
        try:
            async with asyncio.timeout(self._settings.timeout):
                head = await tab.load(url)
        except (LoadFailed, TimeoutError):
            return None
        if not is_rendered(head):
            return None
        await tab.settled(asyncio.get_running_loop().time() + self._render.render_timeout)
        return hash((await tab.take()).html.encode("utf-8", "surrogatepass"))

    async def _visit(self, tab: Tab, url: str) -> Response:
        begun = time.perf_counter()
        try:
            async with asyncio.timeout(self._settings.timeout):
                head = await tab.load(urls.browser_url(url))
        except LoadFailed as error:
            raise self._named(url, str(error)) from None
        except TimeoutError:
            raise TimedOut(f"{urls.host(url)} did not answer within {self._settings.timeout:g} s") from None
        if not is_rendered(head):
            return _response(url, head, b"", begun)
        return await self._read(tab, url, head, begun)

    async def _read(self, tab: Tab, url: str, head: Head, begun: float) -> Response:
        """Wait for the page, read it, and find out where it leads."""
        deadline = asyncio.get_running_loop().time() + self._render.render_timeout
        remarks: list[str] = []
        is_quiet = await tab.settled(deadline)
        if not is_quiet:
            remarks.append(f"it was not quiet after {self._render.render_timeout:g} s, and was taken as it was")
        taken = await tab.take(clicks=self._render.clicks > 0)
        if taken.is_broken:
            remarks.append(_BROKEN)
        if moved := _moved(url, taken, tab.traffic.away):
            return _response(url, head, b"", begun, location=moved)
        if taken.scrolls and is_quiet:
            with suppress(PageBroken):
                taken = await self._scrolled(tab, taken, deadline)
        counts = {**taken.blocked, "navigation": tab.traffic.blocked["navigation"]}
        remarks += [f"{counted(counts[name], *words)} blocked" for name, words in _REMARKS.items() if counts.get(name)]
        body = taken.html.encode("utf-8", "surrogatepass")
        if len(body) > self._settings.max_body:
            raise BadResponse(f"{url} is larger than --max-body {self._settings.max_body} bytes", "too-large")
        routes = dict(taken.links) | {route: source for route, source in taken.routes if source == "pushState"}
        if taken.clickable and self._render.clicks and is_quiet:
            routes |= await self._explored(tab, url)
        return _response(url, head, body, begun, routes=_routes(routes.items()), remarks=tuple(remarks))

    async def _scrolled(self, tab: Tab, taken: Taken, deadline: float) -> Taken:
        """Go down a page as long as that brings more."""
        before = size = await tab.page_call("size", answer=int)
        for _ in range(self._render.scrolls):
            await tab.page_call("scroll", answer=int)
            now = asyncio.get_running_loop().time()
            await tab.settled(min(deadline, now + _SETTLED_AFTER_A_SCROLL))
            last, size = size, await tab.page_call("size", answer=int)
            if size <= last or now > deadline:
                break
        return await self._taken_again(tab, taken) if size != before else taken

    async def _taken_again(self, tab: Tab, before: Taken) -> Taken:
        now = await tab.take()
        return structs.replace(now, links=[*before.links, *now.links])

    async def _explored(self, tab: Tab, url: str) -> dict[str, str]:
        memory = self._memories.setdefault(urls.host(url), ClickMemory())
        deadline = asyncio.get_running_loop().time() + self._render.explore_timeout
        explorer = Explorer(tab, urls.browser_url(url), memory, deadline)
        with suppress(PageBroken):
            await explorer.explore(self._render.clicks)
        return explorer.routes

    def _named(self, url: str, error: str) -> FetchError:
        """What the browser's error means, in our words."""
        host = urls.host(url)
        if known := self._proxy.failure_of(url):
            return known
        name = error.removeprefix("net::ERR_").lower().replace("_", " ")
        if "cert" in name or "ssl" in name:
            return Unreachable(f"{host}: no secure connection ({name}); --insecure skips the check", permanent=True)
        if "timed out" in name:
            return TimedOut(f"{host} did not answer in time")
        if "connection" in name or "empty response" in name or "content length" in name or "aborted" in name:
            return Unreachable(f"{host} broke the connection off ({name})")
        return BadResponse(f"{host} sent something that the browser cannot load ({name})")


def _response(
    url: str,
    head: Head,
    body: bytes,
    begun: float,
    *,
    location: str | None = None,
    routes: tuple[tuple[str, str], ...] = (),
    remarks: tuple[str, ...] = (),
) -> Response:
    rendered = is_rendered(head)
    status = 302 if location else head.status
    return Response(
        url=url,
        status=status,
        # What the browser read in whatever character set is written in this one.
        content_type="text/html; charset=utf-8" if rendered else head.field("content-type") or "",
        body=body,
        location=location or (head.field("location") if status in _REDIRECTS else None),
        retry_after=head.field("retry-after"),
        robots_tag=head.field("x-robots-tag"),
        seconds=time.perf_counter() - begun,
        fetched_by=FETCHED_BY,
        routes=routes,
        remarks=remarks,
    )


def _moved(url: str, taken: Taken, away: list[str]) -> str | None:
    """Where the page itself went: to another document, or to another route. A new query alone is the same page."""
    for target in (*away[:1], taken.url):
        resolved = urls.routed(target)
        if resolved and _place(resolved) != _place(url) and resolved.startswith("http"):
            return resolved
    return None


def _place(url: str) -> str:
    return urls.normalise(url.partition("?")[0]) or url if not urls.is_route(url) else url


def _routes(found: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    routes: dict[str, str] = {}
    for written, source in found:
        url = urls.routed(written)
        if url and len(routes) < _MOST_ROUTES:
            routes.setdefault(url, source)
    return tuple(routes.items())
