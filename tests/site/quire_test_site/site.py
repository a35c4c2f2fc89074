"""The test site itself: what it serves."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from .answers import Answer, Entry, Headers, Page, encoded, gzipped, sitemap_index, urlset
from .faults import Faults
from .growth import grown_page
from .log import Hit, Log, key
from .server import Server

Handler = Callable[[Hit], Awaitable[Answer]]
Route = Page | Answer | Handler
Entries = Sequence[Entry] | Callable[[], Iterable[Entry]]

HTML = "text/html; charset=utf-8"
HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4")
NOT_FOUND = Answer(404, b"<h1>Not found</h1>", {"Content-Type": HTML})


class Site(Faults, Log):
    """A web site on loopback. Wherever a path is asked for, a full URL may be given and means that host only."""

    def __init__(self, hosts: Sequence[str] = HOSTS, secure: ssl.SSLContext | None = None) -> None:
        Faults.__init__(self)
        Log.__init__(self)
        self._server = Server(self._respond, self, hosts, secure)
        self._home = hosts[0]
        self._scheme = "https" if secure else "http"
        self._routes: dict[str, Route] = {}
        self._prefixes: dict[str, Handler] = {}
        self._pause: tuple[int, asyncio.Event] | None = None

    def __enter__(self) -> Self:
        self.port = self._server.start()
        self.url = self.url_on(self._home)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.stop()

    def url_on(self, host: str) -> str:
        return f"{self._scheme}://{host}:{self.port}"

    def page(
        self,
        path: str,
        body: str | bytes = "<h1>A page</h1>",
        *,
        links: Sequence[str] = (),
        title: str | None = None,
        head: str = "",
        status: int = 200,
        headers: Headers | None = None,
        etag: bool | str = False,
        last_modified: datetime | None = None,
        content_type: str = HTML,
        encoding: str | None = None,
        raw: bool = False,
    ) -> None:
        """Serve a page, with a document around its body unless `raw`; `encoding` is the content encoding."""
        name = path if title is None else title
        own = headers or {}
        self._routes[key(path)] = Page(
            body, name, links, head, status, own, etag, last_modified, content_type, encoding, raw
        )

    def raw(self, path: str, body: bytes, content_type: str = "application/octet-stream", **options: Any) -> None:
        """Serve these bytes; an empty content type sends none. The options are those of `page`."""
        self.page(path, body, content_type=content_type, raw=True, **options)

    def stream(self, path: str, pieces: Callable[[], Iterable[bytes]], content_type: str = HTML) -> None:
        """Serve a body made while it is sent (chunked), for bodies too large to hold."""
        self._routes[key(path)] = Answer(body=pieces, headers={"Content-Type": content_type})

    def bomb(self, path: str, size: int, encoding: str = "gzip", content_type: str = HTML) -> None:
        """Serve so many bytes of nothing, packed into very few."""
        headers = {"Content-Type": content_type, "Content-Encoding": encoding}
        self._routes[key(path)] = Answer(body=encoded(bytes(size), encoding), headers=headers)

    def redirect(self, path: str, target: str, status: int = 301) -> None:
        self._routes[key(path)] = Answer(status, headers={"Location": target})

    def robots(self, text: str, host: str | None = None) -> None:
        """Serve a robots.txt, on one host or on all."""
        place = self.url_on(host) if host else ""
        self.raw(f"{place}/robots.txt", text.encode(), "text/plain; charset=utf-8")

    def sitemap(self, path: str, entries: Entries, *, gzip: bool = False) -> None:
        """Serve a sitemap of paths, or of fields by name; callable entries are made and streamed at each request."""
        if callable(entries):
            made = entries
            self.stream(path, lambda: _packed(urlset(made(), self.url), gzip), _xml_type(gzip))
        else:
            self.raw(path, b"".join(_packed(urlset(entries, self.url), gzip)), _xml_type(gzip))

    def sitemap_index(self, path: str, entries: Sequence[Entry], *, gzip: bool = False) -> None:
        self.raw(path, b"".join(_packed(sitemap_index(entries, self.url), gzip)), _xml_type(gzip))

    def grow(self, pages: int, links_per_page: int = 10) -> None:
        """Serve /p/0 … /p/N-1, each reachable from /p/0, and `/` that leads there unless it is taken."""

        async def made_up(hit: Hit) -> Answer:
            number = hit.path.partition("?")[0].removeprefix("/p/")
            if not number.isdecimal() or int(number) >= pages:
                return NOT_FOUND
            return grown_page(int(number), pages, links_per_page).answer()

        self.on("/p/", made_up)
        if "/" not in self._routes:
            self.page("/", "<h1>Start</h1>", links=["/p/0"])

    def handler(self, path: str, handler: Handler) -> None:
        """Let the coroutine function answer for a path; its answer goes out as it is."""
        self._routes[key(path)] = handler

    def on(self, prefix: str, handler: Handler) -> None:
        """Let the coroutine function answer for all paths that begin so and are not registered; the longest wins."""
        self._prefixes[prefix] = handler

    def change(self, path: str, body: str | bytes, **changes: Any) -> None:
        """Give a page a new body, and new values of what else `page` takes."""
        page = self._routes[key(path)]
        assert isinstance(page, Page), f"{path} is not a page"
        self._routes[key(path)] = replace(page, body=body, **changes)

    def remove(self, path: str) -> None:
        """Answer 404 for this path from now on."""
        del self._routes[key(path)]

    def release(self, path: str) -> None:
        """Let the requests held by `hang`, and later ones, go on."""
        self._server.call(self.gates[key(path)].set)

    def pause_after(self, count: int) -> None:
        """Answer no more than so many requests until `go_on`: no crawl ends before a test strikes in its middle."""
        self._pause = count, asyncio.Event()

    def go_on(self) -> None:
        """Answer again, also those that wait."""
        assert self._pause
        self._server.call(self._pause[1].set)
        self._pause = None

    def clear(self) -> None:
        """Forget the requests so far, also those of processes that ended which the server had not come to."""
        self._server.catch_up()
        super().clear()

    async def _respond(self, hit: Hit) -> Answer:
        if self._pause and len(self.hits) > self._pause[0]:
            await self._pause[1].wait()
        changes = self.changes(hit)
        match self._find(hit.keys):
            case Page() as page:
                answer = page.answer()
            case Answer() as answer:
                pass
            case handler:
                answer = await handler(hit)
        for change in changes:
            answer = change(answer)
        return answer

    def _find(self, names: Sequence[str]) -> Route:
        for name in names:
            if name in self._routes:
                return self._routes[name]
        fitting = [prefix for prefix in self._prefixes.copy() if any(name.startswith(prefix) for name in names)]
        return self._prefixes[max(fitting, key=len)] if fitting else NOT_FOUND


def _packed(pieces: Iterable[bytes], gzip: bool) -> Iterable[bytes]:
    return gzipped(pieces) if gzip else pieces


def _xml_type(gzip: bool) -> str:
    return "application/gzip" if gzip else "application/xml"
