"""What a tab's page may ask for, decided request by request, and what of it is still under way (D8, A9)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Raw, Struct, json

from quire import urls
from quire.fetch.secrets import Secrets

Tell = Callable[[str, Mapping[str, Any]], object]

_HARMLESS: Final = ("GET", "HEAD")
_NO_CONTENT: Final = ("Image", "Media", "Font")
_ENDLESS: Final = ("EventSource", "WebSocket", "Ping", "Media", "Manifest", "Preflight")
# With any other header of its own, a request to another origin is preceded by an OPTIONS request.
_PLAIN_HEADERS: Final = {
    "accept", "accept-language", "content-language", "range", "referer", "user-agent", "origin", "cookie",
    "upgrade-insecure-requests", "cache-control", "pragma",
}  # fmt: skip


class Head(Struct, frozen=True):
    """The status and the fields of an answer; names are in lower case."""

    status: int
    fields: dict[str, str]

    def field(self, name: str) -> str | None:
        return self.fields.get(name)


class TrafficRules(Struct, frozen=True):
    """What holds for every page: who is sent secrets, and whether images are loaded."""

    secrets: Secrets
    images: bool = False

    def patterns(self, *, everything: bool) -> list[dict[str, str]]:
        """What has to be asked about before it goes out, or before its answer comes in."""
        answers = [{"resourceType": "Document", "requestStage": "Response"}]
        if everything or self.secrets:
            return [{"urlPattern": "*"}, *answers]
        blocked = () if self.images else ("Media",)
        return [*answers, *({"resourceType": kind} for kind in ("Document", *blocked))]


class _Request(Struct):
    url: str
    method: str = "GET"
    headers: dict[str, str] = {}


class _Field(Struct):
    name: str
    value: str = ""


class _Paused(Struct, rename="camel"):
    request_id: str
    request: _Request
    frame_id: str = ""
    resource_type: str = ""
    response_status_code: int | None = None
    response_error_reason: str = ""
    response_headers: list[_Field] = []


class _Sent(Struct, rename="camel"):
    request_id: str
    type: str = ""


class _Done(Struct, rename="camel"):
    request_id: str


_paused = json.Decoder(_Paused).decode
_sent = json.Decoder(_Sent).decode
_done = json.Decoder(_Done).decode


class Traffic:
    """The requests of one tab; `begin` starts a new page."""

    def __init__(self, tell: Tell, rules: TrafficRules, main_frame: str) -> None:
        self._tell = tell
        self._rules = rules
        self._main = main_frame
        self._changed = asyncio.Event()
        self.begin("")

    def begin(self, url: str) -> None:
        self._url = urls.normalise(url)
        self._origin = urls.site_root(url)
        self._asked = False
        self.exploring = False
        self.head: Head | None = None
        self.away: list[str] = []
        self.blocked: Counter[str] = Counter()
        self.requests = 0
        self._pending: set[str] = set()

    def again(self) -> None:
        """The same page is loaded once more."""
        self._asked = False

    @property
    def is_quiet(self) -> bool:
        return not self._pending

    async def quiet(self) -> None:
        """Wait until no request is under way."""
        while self._pending:
            self._changed.clear()
            await self._changed.wait()

    def hear(self, method: str, params: Raw) -> None:
        """Take an event of the domains Fetch and Network."""
        if method == "Fetch.requestPaused":
            self._decide(_paused(params))
        elif method == "Network.requestWillBeSent":
            sent = _sent(params)
            if sent.type not in _ENDLESS:
                self.requests += 1
                self._pending.add(sent.request_id)
        elif method in ("Network.loadingFinished", "Network.loadingFailed"):
            self._pending.discard(_done(params).request_id)
            if not self._pending:
                self._changed.set()

    def _decide(self, paused: _Paused) -> None:
        if paused.response_status_code is not None or paused.response_error_reason:
            self._decide_answer(paused)
        elif reason := self._refusal(paused):
            self.blocked[reason] += 1
            self._fail(paused, "Aborted" if reason == "navigation" else "BlockedByClient")
        else:
            self._tell("Fetch.continueRequest", {"requestId": paused.request_id, **self._with_secrets(paused)})

    def _refusal(self, paused: _Paused) -> str:
        """Why a request may not go out; empty when it may."""
        request, kind = paused.request, paused.resource_type
        if kind == "Document":
            return self._document_refusal(paused)
        if kind in _NO_CONTENT and not self._rules.images:
            return "media"
        if not self.exploring:
            return ""
        if request.method not in _HARMLESS:
            return "method"
        foreign = urls.site_root(request.url) != self._origin
        if foreign and kind in ("XHR", "Fetch") and any(_is_special(name) for name in request.headers):
            return "preflight"
        return ""

    def _document_refusal(self, paused: _Paused) -> str:
        if paused.frame_id != self._main:
            return "" if urls.site_root(paused.request.url) == self._origin else "foreign-frame"
        if not self._asked:
            # Until its answer is there, the page before this one may still try to go somewhere.
            self._asked = urls.normalise(paused.request.url) == self._url
            return "" if self._asked else "navigation"
        if paused.request.method in _HARMLESS:
            self.away.append(paused.request.url)
        return "navigation"

    def _decide_answer(self, paused: _Paused) -> None:
        if paused.resource_type == "Document" and paused.frame_id == self._main and not paused.response_error_reason:
            fields: dict[str, str] = {}
            for each in paused.response_headers:
                fields.setdefault(each.name.lower(), each.value.strip())
            again = self.head is not None
            head = Head(paused.response_status_code or 0, fields)
            self.head = self.head or head
            if not again and not is_rendered(head):
                self._fail(paused, "Aborted")
                return
        self._tell("Fetch.continueRequest", {"requestId": paused.request_id})

    def _with_secrets(self, paused: _Paused) -> dict[str, Any]:
        url = paused.request.url
        secrets = self._rules.secrets.headers(url)
        if cookies := self._rules.secrets.cookies(url):
            secrets = {**secrets, "Cookie": cookies}
        if not secrets:
            return {}
        names = {name.lower() for name in secrets}
        headers = {name: value for name, value in paused.request.headers.items() if name.lower() not in names}
        headers |= secrets
        return {"headers": [{"name": name, "value": value} for name, value in headers.items()]}

    def _fail(self, paused: _Paused, reason: str) -> None:
        self._tell("Fetch.failRequest", {"requestId": paused.request_id, "errorReason": reason})


def is_rendered(head: Head) -> bool:
    """Whether the answer is a page that scripts may run in."""
    kind = (head.field("content-type") or "text/html").partition(";")[0].strip().lower()
    return 200 <= head.status < 300 and head.status not in (204, 205) and kind in ("text/html", "application/xhtml+xml")


def _is_special(header: str) -> bool:
    name = header.lower()
    return name not in _PLAIN_HEADERS and not name.startswith("sec-")
