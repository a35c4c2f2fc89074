"""Finding routes by clicking: what a page leads to that no link of it says (D7, D8, R16)."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Iterable
from types import NoneType

from msgspec import Struct

from quire import urls
from quire.fetch.tabs import LoadFailed, Tab, TabHangs

_MOST_RELOADS = 5
_MOST_REPEATS = 20
_DEEPEST = 3
_ENOUGH = 5
_MOST_REMEMBERED = 20_000
_SECONDS_FOR_A_CLICK = 3.0


class _Answer(Struct, frozen=True):
    """What a click led to: URLs, and the controls it brought to light."""

    urls: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()


class _State(Struct):
    url: str
    pushed: int = 0
    routes: list[tuple[str, str]] = []
    links: list[tuple[str, str]] = []
    size: int = 0
    candidates: list[tuple[str, bool]] = []


class _Control(Struct, frozen=True):
    key: str
    is_more: bool = False
    via: tuple[str, ...] = ()
    """The controls to be opened before, if it is not to be seen."""


class ClickMemory:
    """What the controls of a site did, so that the same one is not clicked on every page.

    A control that led to the same twice, on different pages, is part of the site's frame. One whose answers differ
    belongs to its page, and is clicked on each. Where controls that say the same led nowhere a few times, wherever they
    stood, no other of them is clicked: a site may have a button beside every example.
    """

    def __init__(self) -> None:
        self._answers: dict[str, tuple[_Answer, int]] = {}
        self._fruitless: Counter[str] = Counter()
        self._fruitful: set[str] = set()

    def is_known(self, key: str, depth: int = 0) -> bool:
        if self.is_fruitless(key):
            return True
        answer, times = self._answers.get(key, (_Answer(), 0))
        if times < 2:
            return False
        return depth >= _DEEPEST or all(self.is_known(each, depth + 1) for each in answer.revealed)

    def is_fruitless(self, key: str) -> bool:
        """Whether controls that say the same were clicked often enough for nothing."""
        return self._fruitless[_kind(key)] >= _ENOUGH and _kind(key) not in self._fruitful

    def learn(self, key: str, found: Iterable[str], revealed: Iterable[str]) -> None:
        answer = _Answer(frozenset(found), frozenset(revealed))
        if answer == _Answer():
            self._fruitless[_kind(key)] += 1
        else:
            self._fruitful.add(_kind(key))
        before, times = self._answers.get(key, (answer, 0))
        if len(self._answers) < _MOST_REMEMBERED:
            self._answers[key] = (answer, times + 1 if before == answer else -1_000_000)


def _kind(key: str) -> str:
    """What a control is and says, without what stands around it."""
    return "|".join(key.split("|")[:4])


class Explorer:
    """Clicks through one page that is loaded and quiet."""

    def __init__(self, tab: Tab, url: str, memory: ClickMemory, deadline: float) -> None:
        self.routes: dict[str, str] = {}
        self.clicks = 0
        self._tab = tab
        self._url = url
        self._home = ""
        self._memory = memory
        self._deadline = deadline
        self._reloads = 0
        self._seen: set[str] = set()
        self._waiting: deque[_Control] = deque()

    async def explore(self, most_clicks: int) -> None:
        """Click what is worth it; `routes` holds what was found, even when this is cut short."""
        await self._tab.explore(on=True)
        try:
            state = await self._state()
            self._home = urls.routed(state.url) or state.url
            self._note(state)
            self._queue(state, ())
            repeats = 0
            while self._waiting and self.clicks < most_clicks and not self._is_late():
                control = self._waiting.popleft()
                known = self._memory.is_fruitless if control.is_more else self._memory.is_known
                if known(control.key):
                    continue
                fruitful = await self._try(control)
                repeats = repeats + 1 if fruitful and control.is_more else 0
                if control.is_more and fruitful and repeats < _MOST_REPEATS:
                    self._waiting.appendleft(control)
        finally:
            await self._tab.explore(on=False)

    async def _try(self, control: _Control) -> bool:
        """Click one control and put the page back; True when the click brought something new in place."""
        if not await self._reach(control):
            return False
        known, size = set(self.routes), await self._tab.page_call("size", answer=int)
        if not await self._click(control.key):
            return False
        state = await self._state()
        self._note(state)
        found = self.routes.keys() - known
        if urls.routed(state.url) != self._home or state.pushed:
            self._memory.learn(control.key, {state.url, *(url for url, _ in state.routes[-1:])}, ())
            await self._go_home(state)
            return False
        revealed = self._queue(state, (*control.via, control.key))
        fruitful = bool(found) or state.size > size
        self._memory.learn(control.key, found, revealed | {"more"} if control.is_more and fruitful else revealed)
        return fruitful

    async def _reach(self, control: _Control) -> bool:
        """Make the control visible: it may be behind a menu, or on a page that an earlier click has changed."""
        if await self._is_there(control.key):
            return True
        if not control.via:
            return await self._reload() and await self._is_there(control.key)
        for opener in control.via:
            if await self._is_there(control.key):
                break
            if not await self._click(opener) and not (await self._reload() and await self._click(opener)):
                return False
            await self._state()
        return await self._is_there(control.key)

    async def _is_there(self, key: str) -> bool:
        return await self._tab.page_call("has", key, answer=bool)

    async def _click(self, key: str) -> bool:
        self.clicks += 1
        return await self._tab.page_call("click", key, answer=bool)

    async def _state(self) -> _State:
        """Wait for the page and look at it."""
        now = asyncio.get_running_loop().time()
        await self._tab.settled(min(self._deadline, now + _SECONDS_FOR_A_CLICK))
        for url in self._tab.traffic.away:
            self.routes.setdefault(url, "click")
        self._tab.traffic.away.clear()
        return await self._tab.page_call("state", answer=_State)

    def _note(self, state: _State) -> None:
        for url, source in (*state.routes, *state.links):
            self.routes.setdefault(url, source)

    def _queue(self, state: _State, via: tuple[str, ...]) -> set[str]:
        """Queue the controls that are new; those behind a control come first, because they are to be seen now."""
        new = [_Control(key, more, via) for key, more in state.candidates if key not in self._seen]
        self._seen.update(control.key for control in new)
        if len(via) <= _DEEPEST:
            self._waiting.extendleft(reversed(new)) if via else self._waiting.extend(new)
        return {control.key for control in new}

    async def _go_home(self, state: _State) -> None:
        """Take the page back to where it was."""
        if state.pushed:
            await self._tab.page_call("back", state.pushed, answer=NoneType)
            if urls.routed((await self._state()).url) == self._home:
                return
        await self._reload()

    async def _reload(self) -> bool:
        """Load the page anew; False when that was done too often, or is not to be done any more."""
        self._reloads += 1
        if self._reloads > _MOST_RELOADS or self._is_late():
            return False
        try:
            await self._tab.load(self._url, again=True)
            await self._tab.settled(self._deadline)
            await self._tab.explore(on=True)
        except (LoadFailed, TabHangs):
            self._waiting.clear()
            return False
        return True

    def _is_late(self) -> bool:
        return asyncio.get_running_loop().time() > self._deadline
