"""A site of any size that fails a tenth of its requests, in ten ways; a process of its own.

    python -m quire_test_site.chaos PAGES HOSTS

prints its port, and at its end, when its input is closed, what it did as JSON. Whether the first or the second request
for a page fails, and how, depends on nothing but its path; the third is answered.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self
from zlib import crc32

from .growth import grown_page
from .server import listen

LINKS_PER_PAGE = 10
_HEAD = "HTTP/1.1 {} Told\r\nContent-Type: text/html; charset=utf-8\r\n"
_WAYS = (
    *("500", "503 with Retry-After", "429", "reset in the body", "chunks without an end"),
    *("silence", "too few bytes", "broken gzip", "closed before the head", "one byte at a time"),
)


class Chaos:
    """The site as a test holds it; `told` is what it says at its end: requests, and failures by their kind."""

    def __init__(self, pages: int, hosts: int = 1) -> None:
        self._pages = pages
        self._hosts = hosts
        self.told: dict[str, int] = {}

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "quire_test_site.chaos", str(self._pages), str(self._hosts)]
        self._process = subprocess.Popen(
            command, cwd=Path(__file__).parents[1], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout
        port = int(self._process.stdout.readline())
        self.urls = [f"http://{name}:{port}" for name in _addresses(self._hosts)]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        out, _ = self._process.communicate(timeout=30)
        self.told = json.loads(out)


class _Conversation(asyncio.Protocol):
    """One connection: requests come one after the other, as from any crawler."""

    def __init__(self, pages: int, tries: Counter[str], told: Counter[str]) -> None:
        self._pages = pages
        self._tries = tries
        self._told = told
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._host = transport.get_extra_info("sockname")[0]

    def data_received(self, data: bytes) -> None:
        self._received += data
        while b"\r\n\r\n" in self._received:
            head, _, self._received = self._received.partition(b"\r\n\r\n")
            self._serve(head.split(b" ", 2)[1].decode("latin-1"))

    def _serve(self, path: str) -> None:
        self._told["requests"] += 1
        number = 0 if path == "/" else int(path[3:]) if path.startswith("/p/") and path[3:].isdigit() else self._pages
        if number >= self._pages:
            self._send(404, b"<h1>Not found</h1>")
            return
        page = grown_page(number, self._pages, LINKS_PER_PAGE).document()
        name = self._host + path
        self._tries[name] += 1
        way = fault_of(name, self._tries[name])
        if way is None or path == "/":
            self._send(200, page)
            return
        self._told[_WAYS[way]] += 1
        faults: list[Callable[[bytes], None]] = [
            lambda _: self._send(500, b"Broken"),
            lambda _: self._send(503, b"Busy", "Retry-After: 1\r\n"),
            lambda _: self._send(429, b"Too much"),
            self._reset,
            self._endless_chunks,
            lambda _: None,
            self._too_few,
            self._broken_gzip,
            lambda _: self._transport.close(),
            self._drip,
        ]
        faults[way](page)

    def _send(self, status: int, body: bytes, more: str = "") -> None:
        self._transport.write(f"{_HEAD.format(status)}{more}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def _reset(self, page: bytes) -> None:
        self._half(page)
        # With no time to linger, closing sends RST in place of FIN.
        connection: socket.socket = self._transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()

    def _too_few(self, page: bytes) -> None:
        self._half(page)
        self._transport.close()

    def _half(self, page: bytes) -> None:
        head = f"{_HEAD.format(200)}Content-Length: {len(page)}\r\n\r\n".encode()
        self._transport.write(head + page[: len(page) // 2])

    def _endless_chunks(self, page: bytes) -> None:
        head = f"{_HEAD.format(200)}Transfer-Encoding: chunked\r\n\r\n".encode()
        self._transport.write(head + b"%x\r\n%s\r\n" % (len(page), page))
        self._transport.close()

    def _broken_gzip(self, page: bytes) -> None:
        packed = bytearray(gzip.compress(page, 1))
        packed[len(packed) // 2 : len(packed) // 2 + 40] = b"?" * 40
        self._send(200, bytes(packed), "Content-Encoding: gzip\r\n")

    def _drip(self, page: bytes) -> None:
        self._transport.write(f"{_HEAD.format(200)}Content-Length: {len(page)}\r\n\r\n".encode())
        self._drop(page, 0)

    def _drop(self, page: bytes, at: int) -> None:
        if not self._transport.is_closing() and at < len(page):
            self._transport.write(page[at : at + 1])
            asyncio.get_running_loop().call_later(0.2, self._drop, page, at + 1)


def fault_of(name: str, attempt: int) -> int | None:
    """Which of the ten ways the request fails in; None for none."""
    dice = crc32(f"{name} {attempt}".encode())
    return (dice // 10) % 10 if attempt <= 2 and dice % 10 == 0 else None


def _addresses(number: int) -> list[str]:
    return [f"127.0.0.{each + 1}" for each in range(number)]


async def _main(pages: int, hosts: int) -> None:
    loop = asyncio.get_running_loop()
    tries: Counter[str] = Counter()
    told: Counter[str] = Counter()
    sockets = listen(_addresses(hosts))
    for each in sockets:
        await loop.create_server(lambda: _Conversation(pages, tries, told), sock=each, backlog=512)
    print(sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    print(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), int(sys.argv[2])))
