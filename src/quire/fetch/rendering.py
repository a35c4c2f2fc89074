"""Who fetches a page: HTTP, the browser, or HTTP first and the browser where it is needed (D9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from quire import urls
from quire.fetch.http import HttpFetcher
from quire.ports import Fetcher
from quire.records import Link, Response

if TYPE_CHECKING:
    # Late, because hardly a crawl needs it.
    from quire.fetch.browser import BrowserFetcher
    from quire.fetch.crawl4ai import Crawl4aiFetcher

_ENOUGH = 3
# Even where all is application, so many pages go by and one is asked for by HTTP.
_PROBE = 10
_MOST_SECTIONS = 10_000

Section = tuple[str, ...]


class AlwaysFetcher:
    """Every page in the browser; what is no page is asked for by HTTP too, where its content matters."""

    def __init__(self, http: HttpFetcher, browser: Fetcher) -> None:
        self._http = http
        self._browser = browser

    async def fetch(self, link: Link, *, etag: str | None = None, last_modified: str | None = None) -> Response:
        response = await self._browser.fetch(link, etag=etag, last_modified=last_modified)
        is_file = response.status == 200 and not response.content_type.startswith(("text/html", "application/xhtml"))
        # A start URL may be a sitemap under any name.
        return await self._http.fetch(link) if is_file and link.start else response


class AutoFetcher:
    """ports.Fetcher and ports.Renderer: plain HTTP, until a section of the site turns out to be an application."""

    def __init__(self, http: HttpFetcher, browser: Callable[[], BrowserFetcher | Crawl4aiFetcher | None]) -> None:
        self._http = http
        self._open = browser
        self._browser: BrowserFetcher | Crawl4aiFetcher | None = None
        self._is_missing = False
        self._asked: Counter[Section] = Counter()
        self._needed: Counter[Section] = Counter()
        self._wasted: Counter[Section] = Counter()
        self._passed = 0

    async def fetch(self, link: Link, *, etag: str | None = None, last_modified: str | None = None) -> Response:
        if urls.is_route(link.url) or self._is_application(link.url):
            return await self.render(link)
        self._count(self._asked, link.url)
        return await self._http.fetch(link, etag=etag, last_modified=last_modified)

    def asks(self, url: str) -> bool:
        if self._is_missing:
            return False
        return not self._wasted or all(self._needed[each] or self._wasted[each] < _ENOUGH for each in sections(url))

    async def render(self, link: Link) -> Response:
        if self._browser is None and not self._is_missing:
            self._browser = self._open()
            self._is_missing = self._browser is None
        return await (self._browser or self._http).fetch(link)

    def learn(self, url: str, *, needed: bool) -> None:
        self._count(self._needed if needed else self._wasted, url)

    async def close(self) -> None:
        if self._browser:
            await self._browser.close()

    def _is_application(self, url: str) -> bool:
        """Whether all pages around this one needed the browser, and none is due to be asked about again."""
        if not self._needed or not any(self._all_needed(each) for each in sections(url)):
            return False
        self._passed += 1
        return self._passed % _PROBE != 0

    def _all_needed(self, section: Section) -> bool:
        needed = self._needed[section]
        return needed >= _ENOUGH and needed + _ENOUGH >= self._asked[section]

    def _count(self, counter: Counter[Section], url: str) -> None:
        for section in sections(url):
            if section in counter or len(counter) < _MOST_SECTIONS:
                counter[section] += 1


def sections(url: str) -> Iterator[Section]:
    """The site of a URL, and the first folder in it."""
    yield (urls.host(url),)
    folder, slash, _ = urls.path(url)[1:].partition("/")
    if slash:
        yield urls.host(url), folder
