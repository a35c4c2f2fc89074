"""What a request must pass before anything is done for it: address, origin, token, size, rate (A9)."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections import OrderedDict
from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quire.service import dashboard
from quire.service.metrics import Metrics
from quire.service.options import LOOPBACK, Options
from quire.service.problems import response

log = logging.getLogger("quire.service.access")

OPEN_PATHS = ("/healthz", "/readyz")
_LONGEST_TARGET = 8000
_MOST_CLIENTS = 10_000
_POLICY_VIOLATION = 1008
_SAFE = ("GET", "HEAD", "OPTIONS")
_METHODS = (*_SAFE, "POST", "PUT", "PATCH", "DELETE")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class RateLimit:
    """A bucket of turns for each client, filled at a steady rate; the least recent client is forgotten."""

    def __init__(self, per_second: float) -> None:
        self._rate = per_second
        self._size = max(1.0, 4 * per_second)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Take a turn; returns the seconds until there is one, or 0."""
        if not self._rate:
            return 0.0
        now = time.monotonic()
        left, at = self._buckets.pop(client, (self._size, now))
        left = min(self._size, left + (now - at) * self._rate)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate
        self._buckets[client] = (left - 1 if left >= 1 else left), now
        if len(self._buckets) > _MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return wait


class Guard:
    """ASGI middleware around the app; it also writes the access log and counts."""

    def __init__(self, app: ASGIApp, options: Options, metrics: Metrics) -> None:
        self._app = app
        self._options = options
        self._metrics = metrics
        self._rate = RateLimit(options.rate_limit)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers, safe=False)
        if self._rate.wait(_client(scope)):
            refusal = 429, "too many requests; wait a moment", {}
        if refusal is None:
            await self._app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": refusal[1]})

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun, status = time.perf_counter(), 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._admit(scope, receive, answer)
        finally:
            seconds = time.perf_counter() - begun
            route = getattr(scope.get("route"), "path", "other")
            # Whoever asks makes them up, and each would be counted for ever.
            method = scope["method"] if scope["method"] in _METHODS and status != 405 else "other"
            self._metrics.count("quire_http_requests_total", method=method, route=route, status=str(status))
            self._metrics.time("quire_http_request_seconds", seconds, route=route)
            log.info(
                "%s %s %d", scope["method"], scope["path"], status,
                extra={"status": status, "seconds": round(seconds, 6), "client": _client(scope)},
            )  # fmt: skip

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers, safe=scope["method"] in _SAFE)
        # What is refused takes a turn too, or a token could be guessed at any speed.
        if (wait := self._rate.wait(_client(scope))) and scope["path"] not in OPEN_PATHS:
            refusal = 429, "too many requests; wait a moment", {"Retry-After": str(max(1, round(wait)))}
        if refusal is not None:
            status, detail, more = refusal
            await response(status, detail, headers=more)(scope, receive, send)
            return
        await self._within_bounds(scope, receive, send)

    async def _within_bounds(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stop reading a body that is larger than allowed, whether or not it says how large it is, or never ends."""
        most, read, is_whole = self._options.max_request_bytes, 0, False
        seconds = self._options.max_request_seconds
        deadline = asyncio.get_running_loop().time() + seconds

        async def counted() -> Message:
            nonlocal read, is_whole
            try:
                # Behind the body nothing comes but the end of the connection, whenever that is.
                async with asyncio.timeout_at(None if is_whole else deadline):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, f"the body did not come within {seconds:g} seconds") from None
            is_whole = not message.get("more_body", False)
            read += len(message.get("body", b""))
            if read > most:
                raise HTTPException(413, f"the body is larger than {most} bytes")
            return message

        await self._app(scope, counted, send)

    def _refusal(self, scope: Scope, headers: Headers, *, safe: bool) -> tuple[int, str, Mapping[str, str]] | None:
        options = self._options
        host = headers.get("host", "")
        if not options.token and not self._knows(host):
            # A page of another site may have its name lead here: without a token, only our own names are answered.
            return 403, "this name is not served; see --allowed-host", {}
        origin = headers.get("origin")
        if origin is not None and not safe and _netloc(origin) != host.lower():
            return 403, "requests from pages of other sites are not served", {}
        if options.token and not _is_open(scope["path"]) and not self._authorised(scope, headers):
            return 401, "give the token as `Authorization: Bearer TOKEN`", {"WWW-Authenticate": "Bearer"}
        if len(scope.get("query_string", b"")) + len(scope.get("raw_path") or b"") > _LONGEST_TARGET:
            return 414, f"the address is longer than {_LONGEST_TARGET} bytes", {}
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > options.max_request_bytes:
            return 413, f"the body is larger than {options.max_request_bytes} bytes", {}
        return None

    def _knows(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in (*LOOPBACK, self._options.host, *self._options.allowed_hosts)

    def _authorised(self, scope: Scope, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            given = ""
        if scope["type"] == "websocket" and not given:
            # Browsers cannot set headers here.
            query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
            given = query.get("token", [""])[0]
        assert self._options.token
        return hmac.compare_digest(given.strip().encode(), self._options.token.encode())


def _is_open(path: str) -> bool:
    return path in OPEN_PATHS or dashboard.is_open(path)


def _netloc(origin: str) -> str | None:
    """The host and port of an origin; None where it has none that can be read."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _client(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else "unknown"
