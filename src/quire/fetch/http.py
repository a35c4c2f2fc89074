"""Plain HTTP: one request, one answer, everything about it bounded (E1)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager

from quire import urls
from quire.errors import BadResponse, Busy, Elsewhere, TimedOut, UsageError
from quire.fetch.bodies import IMAGES, PAGES, Document, Page, no_answer
from quire.fetch.egress import Egress, networks_of
from quire.fetch.encodings import ACCEPTED
from quire.fetch.failures import named
from quire.fetch.heads import Head
from quire.fetch.secrets import Secrets, given_headers
from quire.fetch.transfers import TransferFailed, Transfers
from quire.records import Link, Response
from quire.settings import Fetch, Settings

_ACCEPT = "text/html,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.5"
_ACCEPT_IMAGE = {"Accept": "image/*, */*;q=0.5"}
_ACCEPT_SITEMAP = {"Accept": "application/xml, text/xml, */*;q=0.5"}


class HttpFetcher:
    """ports.Fetcher over one connection pool; credentials go only to the origins they were given for."""

    def __init__(self, settings: Fetch, trusted: Mapping[str, str], egress: Egress) -> None:
        self._settings = settings
        self._headers = {"User-Agent": settings.user_agent, "Accept": _ACCEPT, "Accept-Encoding": ACCEPTED}
        self._secrets = Secrets(settings, trusted)
        self._usual_lines = _lines(self._headers)
        self.egress = egress
        self._transfers = Transfers(settings, egress)

    async def fetch(self, link: Link, *, etag: str | None = None, last_modified: str | None = None) -> Response:
        return await self.get(link.url, _conditions(etag, last_modified))

    async def image(self, url: str, etag: str | None = None, last_modified: str | None = None) -> Response:
        return await self.get(url, _ACCEPT_IMAGE | _conditions(etag, last_modified), kinds=IMAGES)

    async def beginning(self, url: str) -> Response:
        """Ask for one URL and read no more than its first 500 KiB, as RFC 9309 asks for robots.txt."""
        return await self.get(url, cut_at=512_000)

    async def get(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        *,
        cut_at: int | None = None,
        kinds: tuple[str, ...] = PAGES,
    ) -> Response:
        """Ask for one URL; a redirect is an answer like any other, and other kinds of content have no body."""
        page = Page(url, self._settings, cut_at, kinds)
        try:
            await self._transfers.run(url, self._lines(url, headers or {}), page, self._cookies_for(url))
        except (TransferFailed, TimeoutError) as error:
            settled = page.settled
            if page.trouble:
                raise page.trouble from None
            if not settled:
                raise await named(url, error, self._settings) from error
        head = page.known()
        if head is None:
            raise no_answer(url)
        page.close()
        if page.trouble:
            raise page.trouble
        return Response(
            url=url,
            status=head.status,
            content_type=head.content_type,
            body=page.body,
            location=head.location,
            retry_after=head.field(b"retry-after"),
            etag=head.field(b"etag"),
            last_modified=head.field(b"last-modified"),
            robots_tag=head.field(b"x-robots-tag"),
            seconds=page.seconds,
            sets_cookie=head.field(b"set-cookie") is not None,
        )

    async def stream(self, url: str, seconds: float) -> AsyncGenerator[bytes, None]:
        """Read a document piece by piece; a redirect is Elsewhere, anything else but 200 another FetchError."""
        deadline = asyncio.get_running_loop().time() + seconds
        try:
            async with self._arriving(url, deadline) as document:
                _check_found(url, await document.known())
                while piece := await document.read():
                    for unpacked in document.unpacked(piece):
                        yield unpacked
        except TimeoutError:
            raise TimedOut(f"{url} took longer than {seconds:g} s") from None

    async def close(self) -> None:
        await self._transfers.close()

    @asynccontextmanager
    async def _arriving(self, url: str, deadline: float) -> AsyncIterator[Document]:
        document = Document(url, self._settings, deadline)
        delivery = asyncio.create_task(self._deliver(url, document))
        try:
            yield document
        finally:
            delivery.cancel()
            await asyncio.wait([delivery])
            if not delivery.cancelled():
                delivery.result()

    async def _deliver(self, url: str, document: Document) -> None:
        try:
            await self._transfers.run(url, self._lines(url, _ACCEPT_SITEMAP), document, self._cookies_for(url))
        except (TransferFailed, TimeoutError) as error:
            document.end(await named(url, error, self._settings))
        else:
            document.end(None)

    def _cookies_for(self, url: str) -> bytes | None:
        return self._secrets.cookies(url).encode() or None

    def _lines(self, url: str, headers: Mapping[str, str]) -> list[bytes]:
        """The lines of a request's head."""
        secrets = self._secrets.headers(url)
        if not headers and not secrets:
            return self._usual_lines
        return _lines({**self._headers, **headers, **secrets})


def _conditions(etag: str | None, last_modified: str | None) -> dict[str, str]:
    conditions = {}
    if etag:
        conditions["If-None-Match"] = etag
    if last_modified:
        conditions["If-Modified-Since"] = last_modified
    return conditions


def _lines(headers: Mapping[str, str]) -> list[bytes]:
    # libcurl takes a name with a colon and nothing after it for a wish to leave the field out.
    lines = (f"{name}: {value}" if value else f"{name};" for name, value in headers.items())
    return [line.encode("utf-8", "surrogateescape") for line in lines]


def _check_found(url: str, head: Head) -> None:
    """Raise Elsewhere, Busy or BadResponse unless the document is there."""
    if head.location is not None:
        raise Elsewhere(f"{url} leads elsewhere", urls.resolve(head.location, url) or url)
    retry_after = head.field(b"retry-after")
    if head.status == 429 or (head.status == 503 and retry_after):
        raise Busy(f"{url} answered {head.status}", retry_after)
    if head.status != 200:
        raise BadResponse(f"{url} answered {head.status}", f"http-{head.status}")


def check_requests(given: Settings) -> None:
    """Raise UsageError when a setting cannot become part of a request."""
    settings = given.fetch
    given_headers(settings)
    networks_of(settings.allow_network)
    own = (("the password of a start URL", password) for _, password in given.credentials)
    for option, text in (("--user-agent", settings.user_agent), ("--auth", settings.auth), *own):
        if not text.isprintable():
            raise UsageError(f"{option}: {text!r} holds a line break or another character that cannot be sent")
    if settings.proxy and urls.resolve(settings.proxy, "") is None:
        raise UsageError(f"--proxy: {settings.proxy!r} is not the address of a proxy; give one like http://host:3128")
