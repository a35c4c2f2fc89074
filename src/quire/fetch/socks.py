"""A SOCKS proxy on loopback that the browser makes all its connections through: here it is decided who is dialled.

The browser hands names over as they are, so that the address that was judged is the address that is dialled (A9).
"""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from urllib.parse import urlsplit

from quire.errors import FetchError
from quire.fetch.dialling import Dial, Streams

_NO_AUTHENTICATION = b"\x05\x00"
_GRANTED = b"\x05\x00\x00\x01" + bytes(6)
_REFUSED = b"\x05\x01\x00\x01" + bytes(6)
_IPV4, _NAME, _IPV6 = 1, 3, 4
_PIECE = 65_536
_MOST_FAILURES = 1000


class SocksProxy:
    """Listens while it is open; `failure` tells why a host could not be reached."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial
        self._failures: dict[tuple[str, int], FetchError] = {}
        self._conversations: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> int:
        """Listen on a free port and return it."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1")
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        if self._server:
            self._server.close()
        for task in self._conversations:
            task.cancel()
        if self._conversations:
            await asyncio.wait(self._conversations)

    def failure_of(self, url: str) -> FetchError | None:
        """Why the URL's host could not be dialled the last time."""
        parts = urlsplit(url)
        return self._failures.get((parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)))

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._converse(reader, writer))
        self._conversations.add(task)
        task.add_done_callback(self._conversations.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            try:
                host, port = await _destination(reader, writer)
                far = await self._reached(host, port)
                writer.write(_GRANTED if far else _REFUSED)
                if far:
                    await _splice((reader, writer), far)
                else:
                    await writer.drain()
            finally:
                writer.close()

    async def _reached(self, host: str, port: int) -> Streams | None:
        try:
            streams = await self._dial(host, port)
        except FetchError as error:
            if len(self._failures) > _MOST_FAILURES:
                self._failures.clear()
            self._failures[host, port] = error
            return None
        self._failures.pop((host, port), None)
        return streams


async def _destination(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int]:
    _, methods = await reader.readexactly(2)
    await reader.readexactly(methods)
    writer.write(_NO_AUTHENTICATION)
    *_, kind = await reader.readexactly(4)
    if kind == _NAME:
        (size,) = await reader.readexactly(1)
        host = (await reader.readexactly(size)).decode("ascii", "replace")
    elif kind == _IPV4:
        host = socket.inet_ntop(socket.AF_INET, await reader.readexactly(4))
    elif kind == _IPV6:
        host = socket.inet_ntop(socket.AF_INET6, await reader.readexactly(16))
    else:
        raise ConnectionError(f"no kind of address: {kind}")
    (port,) = struct.unpack(">H", await reader.readexactly(2))
    return host, port


async def _splice(near: Streams, far: Streams) -> None:
    """Pass on what either side says, until one of them is gone."""
    ways = [asyncio.ensure_future(_pass_on(near[0], far[1])), asyncio.ensure_future(_pass_on(far[0], near[1]))]
    try:
        await asyncio.wait(ways)
    finally:
        for way in ways:
            way.cancel()
        far[1].close()


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await source.read(_PIECE):
            target.write(piece)
            await target.drain()
    with suppress(OSError, RuntimeError):
        if target.can_write_eof():
            target.write_eof()
