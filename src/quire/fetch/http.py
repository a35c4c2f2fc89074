"""Plain HTTP: one request, one answer, everything about it bounded (E1)."""

from __future__ import annotations

import asyncio
import base64
import os
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import aiohttp
import yarl

from quire import urls
from quire.errors import BadResponse, Busy, FetchError, TimedOut, Unreachable, UsageError
from quire.records import Link, Response
from quire.settings import Fetch

_REDIRECTS = {301, 302, 303, 307, 308}
_ACCEPT = "text/html,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.5"
_READ = ("text/html", "application/xhtml", "text/plain", "text/xml", "application/xml", "application/rss",
         "application/atom", "application/gzip", "application/x-gzip")  # fmt: skip
_PERMANENT_DNS = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", -5)}


class HttpFetcher:
    """ports.Fetcher over one connection pool; credentials go only to the hosts they were given for."""

    def __init__(self, settings: Fetch, trusted_hosts: frozenset[str]) -> None:
        self._settings = settings
        self._trusted = trusted_hosts
        self._headers = {"User-Agent": settings.user_agent, "Accept": _ACCEPT}
        self._secrets = _secret_headers(settings)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, ssl=not settings.insecure),
            timeout=aiohttp.ClientTimeout(total=settings.timeout, sock_connect=settings.connect_timeout),
            max_line_size=32_768,
            max_field_size=32_768,
        )
        # aiohttp sends a request a second time by itself when a kept connection breaks; retries are ours to pace.
        self._session._retry_connection = False

    async def fetch(self, link: Link, *, etag: str | None = None, last_modified: str | None = None) -> Response:
        conditions = {}
        if etag:
            conditions["If-None-Match"] = etag
        if last_modified:
            conditions["If-Modified-Since"] = last_modified
        return await self.get(link.url, conditions)

    async def beginning(self, url: str) -> Response:
        """Ask for one URL and read no more than its first 500 KiB, as RFC 9309 asks for robots.txt."""
        return await self.get(url, cut_at=512_000)

    async def get(self, url: str, headers: dict[str, str] | None = None, *, cut_at: int | None = None) -> Response:
        """Ask for one URL; a redirect is an answer like any other."""
        begun = time.perf_counter()
        async with self._answer(url, headers or {}) as answer:
            content_type = answer.headers.get("Content-Type", "")
            kind = content_type.partition(";")[0].strip().lower()
            wanted = answer.status == 200 and (cut_at is not None or not kind or kind.startswith(_READ))
            body = await self._body(answer, cut_at) if wanted else b""
            return Response(
                url=url,
                status=answer.status,
                content_type=content_type,
                body=body,
                location=answer.headers.get("Location") if answer.status in _REDIRECTS else None,
                retry_after=answer.headers.get("Retry-After"),
                etag=answer.headers.get("ETag"),
                last_modified=answer.headers.get("Last-Modified"),
                seconds=time.perf_counter() - begun,
            )

    async def stream(self, url: str, seconds: float) -> AsyncIterator[bytes]:
        """Read a document piece by piece, following redirects; anything but 200 is a FetchError."""
        # The clock runs around each read only: time that the reader takes for itself must not cancel the reader.
        deadline = asyncio.get_running_loop().time() + seconds
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout_at(deadline):
                    answer = await self._landed(url, stack)
                while True:
                    async with asyncio.timeout_at(deadline):
                        piece = await answer.content.readany()
                    if not piece:
                        return
                    yield piece
        except TimeoutError:
            raise TimedOut(f"{url} took longer than {seconds:g} s") from None

    async def _landed(self, url: str, stack: AsyncExitStack) -> aiohttp.ClientResponse:
        """Follow redirects to a document that is there."""
        for _ in range(6):
            answer = await stack.enter_async_context(
                self._answer(url, {"Accept": "application/xml, text/xml, */*;q=0.5"})
            )
            location = answer.headers.get("Location") if answer.status in _REDIRECTS else None
            if location is None:
                retry_after = answer.headers.get("Retry-After")
                if answer.status == 429 or (answer.status == 503 and retry_after):
                    raise Busy(f"{url} answered {answer.status}", retry_after)
                if answer.status != 200:
                    raise BadResponse(f"{url} answered {answer.status}", f"http-{answer.status}")
                return answer
            url = urls.resolve(location, url) or url
        raise BadResponse(f"{url}: too many redirects", "redirects")

    async def close(self) -> None:
        await self._session.close()

    @asynccontextmanager
    async def _answer(self, url: str, headers: dict[str, str]) -> AsyncIterator[aiohttp.ClientResponse]:
        sent = self._headers | headers
        if urls.host(url) in self._trusted:
            sent |= self._secrets
        try:
            async with self._session.get(
                yarl.URL(url, encoded=True), headers=sent, allow_redirects=False, proxy=self._settings.proxy or None
            ) as answer:
                yield answer
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise self._named(url, error) from error

    async def _body(self, answer: aiohttp.ClientResponse, cut_at: int | None) -> bytes:
        limit = self._settings.max_body
        parts: list[bytes] = []
        size = 0
        async for part in answer.content.iter_any():
            size += len(part)
            if cut_at and size > cut_at:
                return b"".join([*parts, part])[:cut_at]
            if size > limit:
                raise BadResponse(f"{answer.url} is larger than --max-body {limit} bytes", "too-large")
            parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _named(self, url: str, error: Exception) -> FetchError:
        """The error in our words: what it was, and whether asking again can help."""
        host = urls.host(url)
        match error:
            case TimeoutError():
                return TimedOut(f"{host} did not answer within {self._settings.timeout:g} s")
            case aiohttp.ClientConnectorDNSError():
                permanent = error.os_error.errno in _PERMANENT_DNS
                return Unreachable(f"{host}: there is no such host ({error.os_error.strerror})", permanent=permanent)
            case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientConnectorSSLError():
                return Unreachable(
                    f"{host}: no secure connection ({error}); --insecure skips the check", permanent=True
                )
            case aiohttp.ClientConnectorError():
                return Unreachable(f"{host}: {os.strerror(error.os_error.errno or 0)}")
            case aiohttp.ClientPayloadError() | aiohttp.ServerDisconnectedError() | OSError():
                return Unreachable(f"{host} broke the connection off ({_short(error)})")
            case _:
                return BadResponse(f"{host} sent something that is not HTTP ({_short(error)})")


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def check_requests(settings: Fetch) -> None:
    """Raise UsageError when a setting cannot become part of a request."""
    _secret_headers(settings)
    for option, text in (("--user-agent", settings.user_agent), ("--auth", settings.auth)):
        if not text.isprintable():
            raise UsageError(f"{option}: {text!r} holds a line break or another character that cannot be sent")
    if settings.proxy and urls.resolve(settings.proxy, "") is None:
        raise UsageError(f"--proxy: {settings.proxy!r} is not the address of a proxy; give one like http://host:3128")


def _secret_headers(settings: Fetch) -> dict[str, str]:
    headers = {}
    for line in settings.header:
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or not line.isprintable():
            raise UsageError(f"--header: {line!r} is not of the form 'Name: value'")
        headers[name.strip()] = value.strip()
    for pair in settings.cookie:
        if "=" not in pair or not pair.isprintable():
            raise UsageError(f"--cookie: {pair!r} is not of the form 'name=value'")
    if settings.cookie:
        headers["Cookie"] = "; ".join(settings.cookie)
    if settings.auth:
        headers["Authorization"] = "Basic " + base64.b64encode(settings.auth.encode()).decode()
    return headers
