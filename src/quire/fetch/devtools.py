"""The DevTools protocol over a browser's two pipes: commands with answers, and events by session."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from msgspec import DecodeError, Raw, Struct, json

Params = Mapping[str, Any]
Handler = Callable[[str, Raw], None]

_LAST_WORDS = 2000
# Every escape, so that none is taken for the beginning of another; what is captured is half a character.
_ESCAPE = re.compile(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)


class CommandFailed(Exception):
    """The browser refused a command."""


class BrowserGone(Exception):
    """The browser ended, or its pipe did; what was under way is lost."""


class _Refusal(Struct):
    message: str = ""


class _Message(Struct, rename={"session": "sessionId"}):
    id: int = 0
    method: str = ""
    session: str = ""
    params: Raw = Raw(b"{}")
    result: Raw = Raw(b"{}")
    error: _Refusal | None = None


_decode = json.Decoder(_Message).decode


class DevTools(asyncio.SubprocessProtocol):
    """One browser process, spoken to over its stdin and stdout; messages end with a zero byte."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = loop.create_future()
        self.exited: asyncio.Future[None] = loop.create_future()
        self.last_words = b""
        self._transport: asyncio.SubprocessTransport | None = None
        self._number = 0
        self._waiting: dict[int, asyncio.Future[Raw]] = {}
        self._handlers: dict[str, Handler] = {}
        self._pieces: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd != 1:
            self.last_words = (self.last_words + data)[-_LAST_WORDS:]
            return
        *whole, rest = data.split(b"\0")
        for message in whole:
            if self._pieces:
                message = b"".join((*self._pieces, message))  # noqa: PLW2901
                self._pieces = []
            self._take(message)
        if rest:
            self._pieces.append(rest)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self.give_up()

    def process_exited(self) -> None:
        self.give_up()
        if not self.exited.done():
            self.exited.set_result(None)

    def on_events(self, session: str, handler: Handler) -> None:
        """Let the handler hear the events of a session; the empty one is the browser's own."""
        self._handlers[session] = handler

    def forget(self, session: str) -> None:
        self._handlers.pop(session, None)

    async def send(self, method: str, params: Params | None = None, session: str = "") -> Raw:
        """Have a command carried out; raise CommandFailed or BrowserGone."""
        if self.ended.done():
            raise BrowserGone
        number = self.tell(method, params, session)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            result: Raw = await answer
            return result
        finally:
            del self._waiting[number]

    def tell(self, method: str, params: Params | None = None, session: str = "") -> int:
        """Give a command without waiting for what becomes of it."""
        pipe = self._transport and self._transport.get_pipe_transport(0)
        if self.exited.done() or pipe is None or pipe.is_closing():
            raise BrowserGone
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        cast("asyncio.WriteTransport", pipe).write(json.encode(message) + b"\0")
        return self._number

    def give_up(self) -> None:
        """Let whoever waits for an answer know that there will be none."""
        if not self.ended.done():
            self.ended.set_result(None)
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(BrowserGone())

    def _take(self, data: bytes) -> None:
        message = _message(data)
        if message.id:
            answer = self._waiting.get(message.id)
            if answer is None or answer.done():
                return
            if message.error:
                answer.set_exception(CommandFailed(message.error.message))
            else:
                answer.set_result(message.result)
        elif handler := self._handlers.get(message.session):
            handler(message.method, message.params)


def _message(data: bytes) -> _Message:
    """Read a message; halves of characters, which scripts may leave when they cut a text, are no JSON here."""
    try:
        return _decode(data)
    except DecodeError:
        return _decode(_ESCAPE.sub(lambda escape: rb"\ufffd" if escape[1] else escape[0], data))
