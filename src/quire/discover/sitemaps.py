"""The URLs a site lists itself: sitemaps named by the user, by robots.txt and by convention (D1, D2, D4, D5, R5)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from time import monotonic
from typing import Final, Protocol

from msgspec import Struct

from quire import urls
from quire.errors import BadResponse, Busy, Elsewhere, FetchError, TimedOut
from quire.records import Link
from quire.robots import Robots
from quire.settings import Sitemaps
from quire.wording import counted

from .reading import Entry, SitemapReader, looks_like_sitemap

__all__ = ["SitemapSource", "Stream", "looks_like_sitemap"]

MAX_SITEMAPS: Final = 10_000
CONVENTIONAL: Final = ("sitemap.xml", "sitemap_index.xml")
# Small, because one packed byte can stand for a thousand, and nothing else runs while they are read.
_SLICE: Final = 4096
_TRIES: Final = 3
_REDIRECTS: Final = 5
_WITHDRAWN: Final = ("http-404", "http-410")

Stream = Callable[[str, float], AsyncIterator[bytes]]
"""One GET within so many seconds; raises Elsewhere for a redirect, another FetchError for whatever is not a 200."""


class Notes(Protocol):
    """Facts that outlive a crawl."""

    def note(self, name: str) -> str | None: ...

    def put(self, name: str, value: str) -> None: ...


class _Sitemap(Struct, frozen=True):
    """A sitemap to read: `named` by somebody, not just tried; `depth` is counted from its root sitemap."""

    url: str
    named: bool = True
    depth: int = 0


class _Clock:
    """Seconds that run only within `with`: the time that others take with what was found is not ours."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds
        self._started = 0.0

    def __enter__(self) -> None:
        self._started = monotonic()

    def __exit__(self, *_: object) -> None:
        self.left -= monotonic() - self._started


class SitemapSource:
    """Reads every sitemap of the site once, one after the other, and yields the pages in the order of the sitemaps."""

    def __init__(
        self,
        stream: Stream,
        turn: Callable[[str], Awaitable[None]],
        robots: Robots | None,
        sites: Sequence[str],
        settings: Sitemaps,
        extra: Sequence[str],
        policy: urls.UrlPolicy,
        warn: Callable[[str], None],
        read: set[str],
        notes: Notes,
    ) -> None:
        self._stream = stream
        self._turn = turn
        self._robots = robots
        self._sites = sites
        self._settings = settings
        self._extra = extra
        self._policy = policy
        self._warn = warn
        # Shared by all sources of a crawl, so that no sitemap is read twice.
        self._read_before = read
        self._notes = notes

    async def links(self) -> AsyncIterator[Link]:
        """Yield each page of each sitemap as it is read, repeated ones too."""
        total = _Clock(self._settings.sitemap_total_timeout)
        seen = self._read_before
        async with aclosing(self._roots(total)) as roots:
            async for root in roots:
                pending = [root]
                while pending and total.left > 0 and len(seen) < MAX_SITEMAPS:
                    sitemap = pending.pop()
                    normal = urls.normalise(sitemap.url) or sitemap.url
                    if normal in seen:
                        continue
                    seen.add(normal)
                    nested: list[_Sitemap] = []
                    async with aclosing(self._read(sitemap, total, nested)) as links:
                        async for link in links:
                            yield link
                    pending += reversed(nested)
                if total.left <= 0 or pending:
                    self._warn(self._why_stopped(total))
                    return

    async def _roots(self, total: _Clock) -> AsyncGenerator[_Sitemap, None]:
        for each in self._extra:
            yield _Sitemap(each)
        for site in dict.fromkeys(filter(None, map(urls.site_root, self._sites))):
            rules = None
            if self._robots is not None:
                with suppress(TimeoutError), total:
                    async with asyncio.timeout(total.left):
                        rules = await self._robots.rules(site)
            for each in rules.sitemaps if rules else ():
                if url := urls.resolve(each, site):
                    yield _Sitemap(url)
            for name in CONVENTIONAL:
                if rules is None or rules.allowed(site + name):
                    yield _Sitemap(site + name, named=False)
                elif self._is_expected(site + name):
                    self._warn(f"sitemap {site + name}: robots.txt does not allow it any more")

    async def _read(self, sitemap: _Sitemap, total: _Clock, nested: list[_Sitemap]) -> AsyncGenerator[Link, None]:
        """Yield the pages of one sitemap, and collect the sitemaps it names in `nested`."""
        reader = SitemapReader()
        too_deep = 0
        failure = None
        try:
            async with aclosing(self._batches(sitemap, reader, total)) as batches:
                async for batch in batches:
                    for entry in batch:
                        url = _absolute(entry.loc)
                        if url is None:
                            continue
                        if entry.kind == "page":
                            if link := self._link(url, entry, sitemap.url):
                                yield link
                        elif sitemap.depth >= self._settings.sitemap_depth:
                            too_deep += 1
                        elif len(nested) < MAX_SITEMAPS:
                            nested.append(_Sitemap(url, depth=sitemap.depth + 1))
        except FetchError as error:
            failure = error
        if reader.recognised and not sitemap.depth:
            self._notes.put(_note_of(sitemap.url), "read")
        for problem in self._problems(sitemap, reader, too_deep, failure):
            self._warn(f"sitemap {sitemap.url}: {problem}")

    def _problems(
        self, sitemap: _Sitemap, reader: SitemapReader, too_deep: int, failure: FetchError | None
    ) -> Iterator[str]:
        expected = sitemap.named or self._is_expected(sitemap.url)
        if failure is not None:
            # Most sites lack one of the conventional sitemaps, and not all say so with a 404.
            withdrawn = not sitemap.named and failure.reason in _WITHDRAWN
            if (expected and not withdrawn) or reader.recognised or not failure.reason.startswith("http-4"):
                yield f"{failure}; what was read of it counts"
        elif reader.truncated:
            yield reader.truncated
        elif expected and not reader.recognised:
            yield "this is neither a sitemap nor a feed"
        if too_deep:
            depth = self._settings.sitemap_depth
            one, many = "sitemap named here was not read: it lies", "sitemaps named here were not read: they lie"
            yield f"{counted(too_deep, one, many)} below level {depth} (--sitemap-depth)"

    def _is_expected(self, url: str) -> bool:
        """Whether an earlier crawl could read this sitemap."""
        return self._notes.note(_note_of(url)) is not None

    async def _batches(
        self, sitemap: _Sitemap, reader: SitemapReader, total: _Clock
    ) -> AsyncGenerator[list[Entry], None]:
        """Yield entries as they come; redirects are followed, and a server that is busy is asked again when it said."""
        url, tries, redirects = sitemap.url, 0, 0
        while True:
            # Waiting is not the sitemap's fault, so no clock runs.
            await self._turn(url)
            try:
                async with aclosing(self._attempt(url, sitemap.depth, reader, total)) as batches:
                    async for batch in batches:
                        yield batch
                return
            except Elsewhere as elsewhere:
                url, redirects = elsewhere.url, redirects + 1
                if redirects > _REDIRECTS:
                    raise BadResponse(f"{url}: too many redirects", "redirects") from None
            except Busy:
                tries += 1
                if tries == _TRIES:
                    raise

    async def _attempt(
        self, url: str, depth: int, reader: SitemapReader, total: _Clock
    ) -> AsyncGenerator[list[Entry], None]:
        """Yield entries; raise TimedOut when the time for this sitemap, or for all, is over."""
        settings = self._settings
        seconds = settings.nested_sitemap_timeout if depth else settings.sitemap_timeout
        clock = _Clock(min(seconds, total.left))
        chunks = self._stream(url, clock.left)
        try:
            while not reader.done:
                with total, clock:
                    async with asyncio.timeout(clock.left):
                        chunk = await anext(chunks, None)
                if chunk is None:
                    break
                for start in range(0, len(chunk), _SLICE):
                    with total, clock:
                        batch = list(reader.feed(chunk[start : start + _SLICE]))
                    yield batch
                    if clock.left <= 0:
                        raise TimeoutError
                    await asyncio.sleep(0)
            yield list(reader.close())
        except TimeoutError:
            if total.left <= 0:
                raise TimedOut("the time for all sitemaps was over") from None
            option = "--nested-sitemap-timeout" if depth else "--sitemap-timeout"
            raise TimedOut(f"it took more than {seconds:g} s ({option})") from None
        finally:
            if isinstance(chunks, AsyncGenerator):
                await chunks.aclose()

    def _link(self, url: str, entry: Entry, found_on: str) -> Link | None:
        if url.partition("?")[0].lower().endswith((".xml", ".xml.gz")):
            return None
        key = urls.fingerprint_of(url, self._policy)
        if key is None:
            return None
        return Link(
            url=url,
            key=key,
            source="sitemap",
            found_on=found_on,
            depth=1,
            lastmod=entry.lastmod,
            priority=entry.priority,
            changefreq=entry.changefreq,
        )

    def _why_stopped(self, total: _Clock) -> str:
        if total.left <= 0:
            seconds = self._settings.sitemap_total_timeout
            return f"sitemaps: reading ended after {seconds:g} s (--sitemap-total-timeout); what was found counts"
        return f"sitemaps: reading ended after {MAX_SITEMAPS:,} of them; what was found counts"


def _note_of(url: str) -> str:
    return f"sitemap {url}"


def _absolute(loc: str) -> str | None:
    """Return the URL to request, None for a relative or foreign one (D5)."""
    return urls.resolve(loc, "") if loc[:8].lower().startswith(("http://", "https://")) else None
