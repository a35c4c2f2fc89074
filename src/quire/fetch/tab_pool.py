"""A browser and its tabs: lent one page at a time, replaced when worn, hung, crashed or killed (E2)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from msgspec import Struct

from quire.fetch.chromium import Chromium
from quire.fetch.devtools import BrowserGone
from quire.fetch.tabs import Tab, TabCrashed

_PAGES_A_TAB = 40
_PAGES_A_BROWSER = 400
# More than a page with too much in it: the browser may have lost what it starts processes with.
_CRASHES_A_BROWSER = 2

Start = Callable[[], Awaitable[Chromium]]
Open = Callable[[Chromium], Awaitable[Tab]]


class _Browser(Struct, eq=False):
    """A browser in use; a retired one is ended when its last tab comes back."""

    chromium: Chromium
    idle: list[Tab] = []
    lent: int = 0
    pages: int = 0
    crashes: int = 0
    retired: bool = False
    ended: bool = False


class TabPool:
    """At most so many tabs at once, all of one browser, which is started when the first is asked for."""

    def __init__(self, start: Start, open_tab: Open, size: int) -> None:
        self._start = start
        self._open = open_tab
        self._room = asyncio.Semaphore(size)
        self._waiting = 0
        self._starting = asyncio.Lock()
        self._current: _Browser | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[Tab]:
        """Lend a tab for one page; after an exception it is closed, never used again."""
        self._waiting += 1
        async with self._room:
            self._waiting -= 1
            browser = await self._browser()
            browser.lent += 1
            browser.pages += 1
            tab: Tab | None = None
            fit = False
            try:
                tab = browser.idle.pop() if browser.idle else await self._open(browser.chromium)
                yield tab
                if not self._waiting:
                    await tab.leave()
                fit = True
            except TabCrashed:
                browser.crashes += 1
                raise
            except BrowserGone:
                self._retire(browser)
                raise
            finally:
                browser.lent -= 1
                if tab and fit and tab.pages < _PAGES_A_TAB and not browser.retired:
                    browser.idle.append(tab)
                elif tab:
                    await tab.close()
                if browser.pages >= _PAGES_A_BROWSER or browser.crashes >= _CRASHES_A_BROWSER:
                    self._retire(browser)
                self._end_unused(browser)

    async def close(self) -> None:
        """End everything."""
        if self._current:
            browser = self._current
            self._retire(browser)
            await browser.chromium.end()
        if self._ending:
            await asyncio.wait(self._ending)

    async def _browser(self) -> _Browser:
        async with self._starting:
            if self._current and self._current.chromium.devtools.ended.done():
                self._retire(self._current)
            if self._current is None:
                self._current = _Browser(await self._start(), [])
            return self._current

    def _retire(self, browser: _Browser) -> None:
        browser.retired = True
        if self._current is browser:
            self._current = None
        self._end_unused(browser)

    def _end_unused(self, browser: _Browser) -> None:
        if browser.retired and not browser.lent and not browser.ended:
            browser.ended = True
            task = asyncio.ensure_future(browser.chromium.end())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
