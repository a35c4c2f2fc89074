"""One tab of the browser: a page is loaded, waited for and read, and nothing it does leaves its bounds (D7)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from importlib.resources import files
from typing import Any, TypeVar

from msgspec import Raw, Struct, ValidationError, convert, json

from quire.fetch.devtools import BrowserGone, CommandFailed, DevTools
from quire.fetch.traffic import Head, Traffic, TrafficRules

_T = TypeVar("_T")
_QUIET_MILLISECONDS = 50
_SECONDS_TO_ANSWER = 5.0
# Drawn by lot, so that no page has it already, or can count on it.
_NAME = "quire" + secrets.token_hex(8)
_SCRIPTS = ("watch.js", "explore.js")
# No server can cause this: the browser itself has dropped the request, with the process that made it.
_CANCELLED = "net::ERR_ABORTED"


class TabCrashed(Exception):
    """The page's process ended: it ran out of memory, or was killed."""


class TabHangs(Exception):
    """The page does not give the processor back."""


class PageBroken(Exception):
    """The page has changed what our scripts in it rely on."""


class LoadFailed(Exception):
    """The browser could not load the URL; the message is its own name for the error."""


class Taken(Struct, frozen=True):
    """What a page holds at one moment."""

    url: str
    html: str
    routes: list[tuple[str, str]] = []
    links: list[tuple[str, str]] = []
    blocked: dict[str, int] = {}
    scrolls: bool = False
    clickable: int = 0
    is_broken: bool = False


class _Remote(Struct, frozen=True):
    value: Any = None


class _Evaluated(Struct, rename="camel"):
    result: _Remote = _Remote()
    exception_details: Any = None


class Tab:
    """Opened once, used for many pages one after the other; after any exception it is only good for closing."""

    def __init__(self, devtools: DevTools, context: str, target: str, session: str, rules: TrafficRules) -> None:
        self.pages = 0
        self.traffic = Traffic(self._tell, rules, target)
        self._devtools = devtools
        self._context = context
        self._target = target
        self._session = session
        self._rules = rules
        self._crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, devtools: DevTools, rules: TrafficRules, user_agent: str) -> Tab:
        """Open a tab in a context of its own: it shares no cookie and no storage with another."""
        context = await _ask(devtools, "Target.createBrowserContext", "browserContextId", {"disposeOnDetach": True})
        here = {"browserContextId": context}
        target = await _ask(devtools, "Target.createTarget", "targetId", {"url": "about:blank", **here})
        attach = {"targetId": target, "flatten": True}
        session = await _ask(devtools, "Target.attachToTarget", "sessionId", attach)
        tab = cls(devtools, context, target, session, rules)
        devtools.on_events(session, tab._hear)
        devtools.tell("Browser.setDownloadBehavior", {"behavior": "deny", **here})
        for method, params in _preparations(rules, user_agent):
            devtools.tell(method, params, session)
        await tab.call("0")
        return tab

    @property
    def target(self) -> str:
        return self._target

    async def close(self) -> None:
        """Close the page and its context, whatever state it is in."""
        self._devtools.forget(self._session)
        try:
            self._devtools.tell("Target.closeTarget", {"targetId": self._target})
            async with asyncio.timeout(_SECONDS_TO_ANSWER):
                await self._devtools.send("Target.disposeBrowserContext", {"browserContextId": self._context})
        except (BrowserGone, CommandFailed, TimeoutError):
            pass

    async def load(self, url: str, *, again: bool = False) -> Head:
        """Ask for a URL; return the head of the answer, whose page is loading then if it is one."""
        if again:
            self.traffic.again()
        else:
            self.pages += 1
            self.traffic.begin(url)
        if "#" in url:
            # From another fragment of the same URL, the browser would only change the fragment.
            await self._go_nowhere()
        answer: dict[str, Any] = json.decode(await self._send("Page.navigate", {"url": url}))
        head, error = self.traffic.head, answer.get("errorText")
        if head is None and error == _CANCELLED:
            raise TabCrashed
        if head is None or (again and error):
            raise LoadFailed(error or "no answer")
        return head

    async def leave(self) -> None:
        """Let go of the page, so that nothing of it runs on while the tab waits for the next one."""
        self.traffic.begin("")
        await self._go_nowhere()

    async def settled(self, deadline: float) -> bool:
        """Wait until neither the network nor the DOM is busy; False when that did not happen in time."""
        try:
            async with asyncio.timeout_at(deadline):
                while True:
                    await self._or_crash(self.traffic.quiet())
                    requests = self.traffic.requests
                    with suppress(PageBroken):
                        await self._evaluate(f"{_NAME}.ready({_QUIET_MILLISECONDS})")
                    if self.traffic.is_quiet and requests == self.traffic.requests:
                        return True
        except TimeoutError:
            return False

    async def take(self, *, clicks: bool = False) -> Taken:
        """Read the page as it is now; with `clicks`, look for what can be clicked."""
        try:
            return await self.page_call("take", clicks, answer=Taken)
        except PageBroken:
            return await self._within(self._as_it_stands())

    async def page_call(self, function: str, *arguments: object, answer: type[_T]) -> _T:
        """Call one of the functions that `watch.js` and `explore.js` give the page; raise PageBroken if it fails."""
        written = ",".join(json.encode(each).decode() for each in arguments)
        try:
            return convert(await self.call(f"{_NAME}.{function}({written})"), answer)
        except ValidationError:
            raise PageBroken from None

    async def call(self, expression: str) -> Any:
        """Evaluate in the page; raise TabHangs if it does not answer, PageBroken if that fails."""
        return await self._within(self._evaluate(expression))

    async def explore(self, *, on: bool) -> None:
        """Let nothing but harmless requests out, or lift that again (D8)."""
        self.traffic.exploring = on
        await self._send("Fetch.enable", {"patterns": self._rules.patterns(everything=on)})
        await self.call(f"{_NAME}.exploring = {'true' if on else 'false'}")

    async def _as_it_stands(self) -> Taken:
        """Read the page without its own scripts or ours: its links and words are there, shadow trees are not."""
        tree: dict[str, Any] = json.decode(await self._send("Page.getFrameTree", {}))
        document: dict[str, Any] = json.decode(await self._send("DOM.getDocument", {"depth": 0}))
        whole = {"nodeId": document["root"]["nodeId"]}
        html: dict[str, str] = json.decode(await self._send("DOM.getOuterHTML", whole))
        await self._send("DOM.disable", {})
        frame = tree["frameTree"]["frame"]
        return Taken(frame["url"] + frame.get("urlFragment", ""), html["outerHTML"], is_broken=True)

    async def _go_nowhere(self) -> None:
        await self._within(self._send("Page.navigate", {"url": "about:blank"}))

    async def _within(self, answer: Awaitable[_T]) -> _T:
        try:
            async with asyncio.timeout(_SECONDS_TO_ANSWER):
                return await answer
        except TimeoutError:
            raise TabHangs from None

    async def _evaluate(self, expression: str) -> Any:
        params = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = json.decode(await self._send("Runtime.evaluate", params), type=_Evaluated)
        if answer.exception_details is not None:
            raise PageBroken
        return answer.result.value

    async def _send(self, method: str, params: Mapping[str, Any]) -> Raw:
        return await self._or_crash(self._devtools.send(method, params, self._session))

    async def _or_crash(self, work: Awaitable[_T]) -> _T:
        """Wait for the work, or for the end of the page's process or of the browser."""
        task = asyncio.ensure_future(work)
        ended = self._devtools.ended
        try:
            await asyncio.wait((task, self._crashed, ended), return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise BrowserGone if ended.done() else TabCrashed
        finally:
            task.cancel()
        return task.result()

    def _tell(self, method: str, params: Mapping[str, Any]) -> None:
        self._devtools.tell(method, params, self._session)

    def _hear(self, method: str, params: Raw) -> None:
        if method.startswith(("Fetch.", "Network.")):
            self.traffic.hear(method, params)
        elif method == "Page.javascriptDialogOpening":
            self._tell("Page.handleJavaScriptDialog", {"accept": False})
        elif method in ("Inspector.targetCrashed", "Inspector.detached") and not self._crashed.done():
            self._crashed.set_result(None)


async def _ask(devtools: DevTools, method: str, name: str, params: Mapping[str, Any]) -> str:
    answer: dict[str, str] = json.decode(await devtools.send(method, params))
    return answer[name]


def _preparations(rules: TrafficRules, user_agent: str) -> list[tuple[str, dict[str, Any]]]:
    folder = files(__package__)
    source = "".join(
        f"({folder.joinpath(name).read_text('utf-8')})({json.encode(_NAME).decode()});\n" for name in _SCRIPTS
    )
    return [
        ("Page.enable", {}),
        ("Inspector.enable", {}),
        ("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}),
        ("Network.setBypassServiceWorker", {"bypass": True}),
        ("Network.setUserAgentOverride", {"userAgent": user_agent}),
        ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        ("Fetch.enable", {"patterns": rules.patterns(everything=False)}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": source}),
    ]
