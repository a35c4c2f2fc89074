"""A small HTTP/1.1 server with full control over what goes on the wire, in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from http import HTTPStatus

from .answers import Answer
from .log import Hit, Log, parsed

_MAX_HEAD = 1 << 18
_PIECE = 1 << 16
# From a connection that waits to be accepted to its first request it takes the loop six.
_PASSES = 20
_PHRASES = {status.value: status.phrase for status in HTTPStatus}

Respond = Callable[[Hit], Awaitable[Answer]]


class Server:
    """Ask `respond` for each request's answer and deliver it; an error in it ends the server, and `stop` raises it."""

    def __init__(self, respond: Respond, log: Log, hosts: Sequence[str], secure: ssl.SSLContext | None = None) -> None:
        self._respond = respond
        self._log = log
        self._hosts = hosts
        self._secure = secure
        self._conversations: set[asyncio.Task[None]] = set()

    def start(self) -> int:
        """Listen on one free port of every host and return it."""
        self._sockets = listen(self._hosts)
        port: int = self._sockets[0].getsockname()[1]
        self._ready = threading.Event()
        executor = ThreadPoolExecutor(1, thread_name_prefix="test-site")
        self._done: Future[None] = executor.submit(lambda: asyncio.run(self._serve()))
        executor.shutdown(wait=False)
        if not self._ready.wait(10):
            raise RuntimeError("the test site did not start")
        return port

    def stop(self) -> None:
        if not self._done.done():
            self.call(self._stopped.set)
        self._done.result(10)

    def call(self, function: Callable[[], object]) -> None:
        """Run the function on the server's loop, soon."""
        with contextlib.suppress(RuntimeError):  # The loop is closed once `respond` has failed; `stop` tells why.
            self._loop.call_soon_threadsafe(function)

    def catch_up(self) -> None:
        """Return once all that clients had sent before has been read; those that ended send no more."""

        async def pass_by() -> None:
            for _ in range(_PASSES):
                await asyncio.sleep(0)

        if not self._done.done():
            asyncio.run_coroutine_threadsafe(pass_by(), self._loop).result(10)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopped = asyncio.Event()
        servers: list[asyncio.Server] = []
        try:
            async with asyncio.TaskGroup() as group:

                def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                    self._log.connections += 1
                    task = group.create_task(self._converse(reader, writer))
                    self._conversations.add(task)
                    task.add_done_callback(self._conversations.discard)

                servers += [
                    await asyncio.start_server(accept, sock=each, limit=_MAX_HEAD, ssl=self._secure)
                    for each in self._sockets
                ]
                self._ready.set()
                await self._stopped.wait()
                for server in servers:
                    server.close()
                for task in self._conversations:
                    task.cancel()
        finally:
            for server in servers:
                server.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        broken = (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)
        try:
            with contextlib.suppress(*broken):
                host = writer.get_extra_info("sockname")[0]
                while hit := await receive(reader, host):
                    with self._log.recorded(hit):
                        answer = await self._respond(hit)
                        if not await deliver(answer, hit, writer):
                            break
                writer.close()
                await writer.wait_closed()
        finally:
            writer.transport.abort()


def listen(hosts: Sequence[str], tries: int = 20) -> list[socket.socket]:
    """Bind every host to one port that is free on all of them."""
    for _ in range(tries):
        with contextlib.ExitStack() as bound:
            sockets: list[socket.socket] = []
            port = 0
            try:
                for host in hosts:
                    each = bound.enter_context(socket.socket())
                    each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    each.bind((host, port))
                    port = each.getsockname()[1]
                    sockets.append(each)
            except OSError:
                continue
            bound.pop_all()
            return sockets
    raise OSError(f"no port is free on all of {', '.join(hosts)}")


async def receive(reader: asyncio.StreamReader, address: str) -> Hit | None:
    """Read one request; None when the client is done or speaks no HTTP."""
    request = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    arrived = time.monotonic()
    line, _, head = request.partition("\r\n")
    words = line.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/"):
        return None
    headers = parsed(head)
    length = headers.get("Content-Length", "0")
    body = await reader.readexactly(int(length)) if length.isdigit() else b""
    return Hit(words[0], words[1], headers.get("Host", address), arrived, head.rstrip("\r\n"), body)


async def deliver(answer: Answer, hit: Hit, writer: asyncio.StreamWriter) -> bool:
    """Put the answer on the wire as it asks for; tell whether the connection can serve another request."""
    if answer.delay:
        await asyncio.sleep(answer.delay)
    if answer.held:
        await answer.held.wait()
    if answer.cut == -1:
        _break_off(writer, answer.reset)
        return False
    conditions = hit.headers
    if answer.is_known_to(conditions):
        answer = Answer(304, headers=[pair for pair in answer.pairs() if pair[0].lower() in ("etag", "last-modified")])
    length = None if callable(answer.body) else len(answer.body)
    claimed = answer.header("Content-Length")
    honest = claimed is None or claimed == str(length)
    head = _head(answer, length, framed=claimed is not None)
    if hit.method == "HEAD" or answer.status in (204, 304):
        writer.write(head)
        await writer.drain()
        return True
    await _send(answer, head, chunked=length is None and claimed is None, writer=writer)
    if answer.stalls:
        await asyncio.Event().wait()
    if answer.cut is not None:
        _break_off(writer, answer.reset)
        return False
    return honest and not answer.hangs_up and conditions.get("Connection", "").lower() != "close"


async def _send(answer: Answer, head: bytes, *, chunked: bool, writer: asyncio.StreamWriter) -> None:
    pending = head
    for piece in _cut(_pieces(answer), answer.cut):
        if answer.bytes_per_second:
            writer.write(pending)
            pending = b""
            await asyncio.sleep(len(piece) / answer.bytes_per_second)
        framed = b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece
        writer.write(pending + framed)
        pending = b""
        await writer.drain()
    writer.write(pending + (b"0\r\n\r\n" if chunked and answer.cut is None else b""))
    await writer.drain()


def _head(answer: Answer, length: int | None, *, framed: bool) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} {_PHRASES.get(answer.status, 'Unnamed')}"]
    lines += [f"{name}: {value}" for name, value in answer.pairs()]
    if not framed and answer.status not in (204, 304):
        lines.append("Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")


def _pieces(answer: Answer) -> Iterable[bytes]:
    if callable(answer.body):
        return (piece for piece in answer.body() if piece)
    size = max(1, int(answer.bytes_per_second / 20)) if answer.bytes_per_second else _PIECE
    return (answer.body[at : at + size] for at in range(0, len(answer.body), size))


def _cut(pieces: Iterable[bytes], at: int | None) -> Iterator[bytes]:
    if at is None:
        yield from pieces
        return
    for piece in pieces:
        if at <= 0:
            return
        yield piece[:at]
        at -= len(piece)


def _break_off(writer: asyncio.StreamWriter, reset: bool) -> None:
    if reset:
        # With no time to linger, closing sends RST in place of FIN.
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    else:
        writer.close()
