"""Requests over libcurl on the running event loop: one pool of connections, exactly one request a call (E1)."""

from __future__ import annotations

import asyncio
import math
import ssl
from collections.abc import Callable, Mapping
from typing import Protocol

import pycurl

from quire import urls
from quire.fetch.connections import Connections, Permit
from quire.fetch.egress import Egress, Refusal
from quire.settings import Fetch

MAX_CONNECTIONS = 256
# Servers close idle connections after 5 to 75 s; a request on one that closes at that moment is a request lost.
MAX_IDLE_SECONDS = 15
STOP = 0
PAUSE = pycurl.WRITEFUNC_PAUSE
_SUPPRESS_CONNECT_HEADERS = 265  # pycurl has no name for it.


_WATCH_SECONDS = 0.25

_Handle = tuple[pycurl.Curl, Permit]


class Answer(Protocol):
    """Takes one answer as it arrives: the lines of its head, then the pieces of its body."""

    head: list[bytes]
    seconds: float
    resume: Callable[[], None]

    def is_late(self, now: float) -> bool:
        """Whether to wait no longer; asked now and then, with the time of the event loop."""

    def write(self, piece: bytes) -> int | None:
        """Take a piece, or return STOP, or PAUSE to get it again after `resume`; raise nothing."""


class TransferFailed(Exception):
    """The request came to nothing: libcurl's code and words, the last error of the system, what a proxy answered.

    With a `refusal`, nothing left this machine.
    """

    def __init__(
        self, code: int, words: str, errno: int = 0, proxy_status: int = 0, refusal: Refusal | None = None
    ) -> None:
        super().__init__(words)
        self.code = code
        self.errno = errno
        self.proxy_status = proxy_status
        self.refusal = refusal


class Transfers:
    """All requests of one fetcher."""

    def __init__(self, settings: Fetch, egress: Egress) -> None:
        self._options = _options(settings)
        self._egress = egress
        self._proxy = urls.host(settings.proxy) if settings.proxy else ""
        self._multi = pycurl.AsyncCurlMulti()
        self._multi.setopt(pycurl.M_MAXCONNECTS, MAX_CONNECTIONS)
        # Cookies that servers set go back to them, whichever handle a request is made with.
        self._cookies = pycurl.CurlShare()
        self._cookies.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
        self._connections = Connections()
        self._idle: list[_Handle] = []
        self._under_way: dict[Answer, asyncio.Future[pycurl.Curl]] = {}
        self._late: set[Answer] = set()
        self._watch: asyncio.TimerHandle | None = None

    async def run(self, url: str, headers: list[bytes], answer: Answer, cookies: bytes | None = None) -> None:
        """Make one request and hand the answer over; raise TransferFailed where it does not come whole.

        TimeoutError where it is late. `cookies` are sent along with those that the server has set.
        """
        host = urls.host(url)
        if self._proxy and (refusal := self._egress.refuses_literal(host)):
            raise TransferFailed(pycurl.E_COULDNT_CONNECT, "", refusal=refusal)
        handle, permit = used = self._idle.pop() if self._idle else self._opened()
        handle.setopt(pycurl.URL, _bytes(url))
        handle.setopt(pycurl.REQUEST_TARGET, _bytes(self._target(url)))
        handle.setopt(pycurl.HTTPHEADER, headers)
        handle.setopt(pycurl.COOKIE, cookies)
        handle.setopt(pycurl.HEADERFUNCTION, answer.head.append)
        handle.setopt(pycurl.WRITEFUNCTION, answer.write)
        answer.resume = lambda: handle.pause(pycurl.PAUSE_CONT)
        try:
            permit.begin(self._proxy or host)
            await self._sent(handle, permit, answer)
            if permit.stale:
                handle.setopt(pycurl.FRESH_CONNECT, 1)
                permit.begin(self._proxy or host)
                await self._sent(handle, permit, answer)
        finally:
            answer.seconds = handle.getinfo(pycurl.TOTAL_TIME)
            # A handle waits long for its next request, and must not keep the last body alive meanwhile.
            handle.setopt(pycurl.WRITEFUNCTION, _refuse)
            handle.setopt(pycurl.FRESH_CONNECT, 0)
            self._under_way.pop(answer, None)
            self._idle.append(used)

    async def _sent(self, handle: pycurl.Curl, permit: Permit, answer: Answer) -> None:
        """Make the request, unless its permit says that the connection was closed."""
        self._under_way[answer] = transfer = self._multi.add_handle(handle)
        if self._watch is None:
            self._watch = asyncio.get_running_loop().call_later(_WATCH_SECONDS, self._look_around)
        try:
            await transfer
        except pycurl.error as error:
            if not permit.stale:
                raise _failure(handle, error, permit.refusal) from None
        except asyncio.CancelledError:
            if answer not in self._late or _is_cancelled():
                raise
            raise TimeoutError from None
        finally:
            self._late.discard(answer)

    def _look_around(self) -> None:
        """End what is late. One look at all of them now and then costs less than a timer for each."""
        loop = asyncio.get_running_loop()
        for answer, transfer in self._under_way.items():
            if not transfer.done() and answer.is_late(loop.time()):
                self._late.add(answer)
                transfer.cancel()
        self._watch = loop.call_later(_WATCH_SECONDS, self._look_around) if self._under_way else None

    async def close(self) -> None:
        """End what is under way and close every connection."""
        if self._watch is not None:
            self._watch.cancel()
        await self._multi.aclose()
        while self._idle:
            self._idle.pop()[0].close()
        self._cookies.close()

    def _target(self, url: str) -> str:
        """The URL as it stands in the request's first line: as it was written, where libcurl would mend it (U5)."""
        # Secure requests go through a tunnel: the proxy does not see them.
        return url if self._proxy and url.startswith("http:") else url[url.index("/", len("https://")) :]

    def _opened(self) -> _Handle:
        handle, permit = pycurl.Curl(), Permit(self._connections, self._egress)
        for option, value in self._options.items():
            handle.setopt(option, value)
        handle.setopt(pycurl.SHARE, self._cookies)
        handle.setopt(pycurl.OPENSOCKETFUNCTION, permit.dial)
        handle.setopt(pycurl.SOCKOPTFUNCTION, permit.opened)
        handle.setopt(pycurl.PREREQFUNCTION, permit.ask)
        return handle, permit


def _options(settings: Fetch) -> Mapping[int, int | str | bytes | None]:
    """What is the same for every request."""
    return {
        pycurl.NOSIGNAL: 1,
        # What is read at once; libcurl has one such buffer for all.
        pycurl.BUFFERSIZE: 65_536,
        pycurl.PROTOCOLS: pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS,
        pycurl.HTTP_VERSION: pycurl.CURL_HTTP_VERSION_1_1,
        pycurl.HTTP09_ALLOWED: 0,
        pycurl.FOLLOWLOCATION: 0,
        pycurl.PATH_AS_IS: 1,
        # No file to read them from: just what turns cookies on.
        pycurl.COOKIEFILE: "",
        # Packed bodies are unpacked here, where it can be seen how large they get, and libcurl may not know them all.
        pycurl.HTTP_CONTENT_DECODING: 0,
        pycurl.TIMEOUT_MS: _milliseconds(settings.timeout),
        pycurl.CONNECTTIMEOUT_MS: _milliseconds(settings.connect_timeout),
        pycurl.LOW_SPEED_LIMIT: settings.min_rate,
        pycurl.LOW_SPEED_TIME: math.ceil(settings.first_byte_timeout),
        pycurl.DNS_CACHE_TIMEOUT: 300,
        pycurl.MAXAGE_CONN: MAX_IDLE_SECONDS,
        pycurl.TCP_KEEPALIVE: 1,
        # Empty, not absent: libcurl would look into the environment.
        pycurl.PROXY: _bytes(settings.proxy),
        pycurl.NOPROXY: "",
        _SUPPRESS_CONNECT_HEADERS: 1,
        **_verification(insecure=settings.insecure),
    }


def _verification(*, insecure: bool) -> Mapping[int, int | str | None]:
    """Whose certificates are trusted: those that Python trusts, SSL_CERT_FILE and SSL_CERT_DIR included."""
    if insecure:
        return {
            pycurl.SSL_VERIFYPEER: 0,
            pycurl.SSL_VERIFYHOST: 0,
            pycurl.PROXY_SSL_VERIFYPEER: 0,
            pycurl.PROXY_SSL_VERIFYHOST: 0,
        }
    paths = ssl.get_default_verify_paths()
    folder: str | None = paths.capath
    if paths.cafile and folder == paths.openssl_capath:
        # The usual folder holds what the file does, and with a folder libcurl reads the file for each connection anew.
        folder = None
    system = 0 if paths.cafile or folder else pycurl.SSLOPT_NATIVE_CA
    # None takes back the place that libcurl was built with, which need not be there.
    return {
        pycurl.CAINFO: paths.cafile,
        pycurl.CAPATH: folder,
        pycurl.SSL_OPTIONS: system,
        pycurl.PROXY_CAINFO: paths.cafile,
        pycurl.PROXY_CAPATH: folder,
        pycurl.PROXY_SSL_OPTIONS: system,
    }


def _failure(handle: pycurl.Curl, error: pycurl.error, refusal: Refusal | None) -> TransferFailed:
    code, words = error.args
    return TransferFailed(
        code,
        " ".join(words.split()) or pycurl.easy_strerror(code),
        handle.getinfo(pycurl.OS_ERRNO),
        handle.getinfo(pycurl.HTTP_CONNECTCODE),
        refusal,
    )


def _is_cancelled() -> bool:
    """Whether somebody wants the running task to end."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _milliseconds(seconds: float) -> int:
    # libcurl counts in 32 bits on some systems: 24 days are as good as for ever.
    return int(min(seconds * 1000, 2**31 - 1))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _refuse(_piece: bytes) -> int:
    return STOP
