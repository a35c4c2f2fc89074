"""crawl4ai behind the same port: the pages as it renders them, in a Chromium that is ours (E3)."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import AsyncExitStack
from typing import Any, Final

from quire import urls
from quire.errors import BadResponse, CrawlError, FetchError, TimedOut, Unreachable, UsageError
from quire.fetch.chromium import Chromium, find_chromium, no_chromium
from quire.fetch.dialling import Dialler
from quire.fetch.egress import Egress
from quire.fetch.socks import SocksProxy
from quire.records import Link, Response
from quire.settings import Fetch, Render, Settings

FETCHED_BY: Final = "crawl4ai"
_HTML: Final = ("text/html", "application/xhtml")
_DOWNLOAD: Final = "Download is starting"
_NETWORK_ERROR: Final = re.compile(r"net::(ERR_[A-Z_]+)")


def check_usable(settings: Settings) -> None:
    """Raise UsageError where the extra is missing, or would be given secrets: it takes them along to any redirect."""
    from importlib.util import find_spec

    fetch = settings.fetch
    if fetch.header or fetch.cookie or fetch.auth or settings.credentials:
        raise UsageError(
            "--renderer crawl4ai: it would send --header, --cookie, --auth and the password of a start URL to wherever"
            " a page redirects; leave them out, or use --renderer browser"
        )
    if find_spec("crawl4ai") is None:
        raise UsageError("--renderer crawl4ai: crawl4ai is not installed; pip install 'quire[crawl4ai]'")


class Crawl4aiFetcher:
    """ports.Fetcher over one crawl4ai crawler, started with the first page.

    Its browser is Quire's own Chromium, so that the rule about who may be dialled holds for it too.
    """

    def __init__(self, settings: Fetch, render: Render, egress: Egress) -> None:
        self._settings = settings
        self._render = render
        self._proxy = SocksProxy(Dialler(settings, egress))
        self._running = AsyncExitStack()
        self._starting = asyncio.Lock()
        self._room = asyncio.Semaphore(render.render_tabs)
        self._crawler: Any = None

    async def fetch(self, link: Link, *, etag: str | None = None, last_modified: str | None = None) -> Response:
        """Have one page rendered; conditions are not sent."""
        del etag, last_modified
        begun = time.perf_counter()
        async with self._room:
            crawler = await self._started()
            result = await crawler.arun(urls.browser_url(link.url), config=self._run_config())
        if result.status_code is None and _DOWNLOAD in str(result.error_message):
            return Response(link.url, 200, "application/octet-stream", fetched_by=FETCHED_BY)
        if result.status_code is None:
            raise self._named(link.url, str(result.error_message or "no answer"))
        return self._response(link.url, result, time.perf_counter() - begun)

    async def close(self) -> None:
        await self._running.aclose()

    async def _started(self) -> Any:
        async with self._starting:
            if self._crawler is None:
                self._crawler = await self._start()
        return self._crawler

    async def _start(self) -> Any:
        from crawl4ai import AsyncWebCrawler, BrowserConfig

        command = find_chromium(self._render.chromium)
        if command is None:
            raise CrawlError(no_chromium(self._render))
        port = await self._proxy.open()
        self._running.push_async_callback(self._proxy.close)
        options = [f"--proxy-server=socks5://127.0.0.1:{port}", "--proxy-bypass-list=<-loopback>"]
        options.append("--remote-debugging-port=0")
        if self._settings.insecure:
            options.append("--ignore-certificate-errors")
        chromium = await Chromium.start(command, options)
        self._running.push_async_callback(chromium.end)
        config = BrowserConfig(
            cdp_url=f"http://127.0.0.1:{await chromium.debugging_port()}",
            user_agent=self._settings.user_agent,
            ignore_https_errors=self._settings.insecure,
            create_isolated_context=True,
            verbose=False,
        )
        crawler = AsyncWebCrawler(config=config)
        await crawler.start()
        self._running.push_async_callback(crawler.close)
        return crawler

    def _run_config(self) -> Any:
        from crawl4ai import CacheMode, CrawlerRunConfig

        return CrawlerRunConfig(
            cache_mode=CacheMode.BYPASS,
            page_timeout=int(self._settings.timeout * 1000),
            wait_until="load",
            delay_before_return_html=0.1,
            flatten_shadow_dom=True,
            verbose=False,
            log_console=False,
        )

    def _response(self, url: str, result: Any, seconds: float) -> Response:
        headers = {name.lower(): value for name, value in (result.response_headers or {}).items()}
        kind = headers.get("content-type", "")
        is_page = not kind or kind.lower().startswith(_HTML)
        target = urls.resolve(str(result.redirected_url or url), "")
        moved = target if target and target != urls.resolve(urls.browser_url(url), "") else None
        body = (result.html or "").encode("utf-8", "replace") if is_page and not moved else b""
        if len(body) > self._settings.max_body:
            raise BadResponse(f"{url} is larger than --max-body {self._settings.max_body} bytes", "too-large")
        return Response(
            url=url,
            status=302 if moved else result.status_code,
            content_type="text/html; charset=utf-8" if is_page else kind,
            body=body,
            location=moved,
            retry_after=headers.get("retry-after"),
            robots_tag=headers.get("x-robots-tag"),
            seconds=seconds,
            fetched_by=FETCHED_BY,
        )

    def _named(self, url: str, message: str) -> FetchError:
        """What crawl4ai's long words mean, in ours."""
        host = urls.host(url)
        if known := self._proxy.failure_of(url):
            return known
        found = _NETWORK_ERROR.search(message)
        if found and ("CERT" in found[1] or "SSL" in found[1]):
            return Unreachable(f"{host}: no secure connection ({found[1]}); --insecure skips the check", permanent=True)
        if found:
            return Unreachable(f"{host} broke the connection off ({found[1]})")
        if "imeout" in message:
            return TimedOut(f"{host} did not answer within {self._settings.timeout:g} s")
        return BadResponse(f"{host}: crawl4ai gave it up ({message.strip().splitlines()[0][:200]})")
