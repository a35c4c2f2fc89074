"""A DNS server on loopback that says what a test wants, and something else the next time if the test wants that."""

from __future__ import annotations

import ipaddress
import socket
import struct
import threading
from types import TracebackType
from typing import Self

_TYPES = {1: 4, 28: 6}
_NO_SUCH_NAME, _SERVER_FAILURE = 3, 2


class Names:
    """Answers A and AAAA for names with addresses; the first answers go first, the last one stays."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._answers: dict[str, list[tuple[str, ...]]] = {}
        self._broken: set[str] = set()
        self._everything: tuple[str, ...] = ()
        self._lock = threading.Lock()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def __enter__(self) -> Self:
        self._socket.bind(("127.0.0.1", 53))
        self._thread = threading.Thread(target=self._serve, name="test-names")
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self._socket.getsockname())
        self._thread.join()
        self._socket.close()

    def add(self, name: str, *answers: str | tuple[str, ...]) -> None:
        """Let a name have these addresses, one answer after the other; a tuple is one answer of several addresses."""
        with self._lock:
            self._answers[name.lower()] = [(each,) if isinstance(each, str) else each for each in answers]

    def add_rest(self, *addresses: str) -> None:
        """Let every other name have these."""
        self._everything = addresses

    def break_down(self, name: str) -> None:
        """Answer for this name that something went wrong."""
        self._broken.add(name)

    def _serve(self) -> None:
        while query := self._socket.recvfrom(4096):
            data, client = query
            if not data:
                return
            self._socket.sendto(self._answer(data), client)

    def _answer(self, query: bytes) -> bytes:
        labels, at = [], 12
        while length := query[at]:
            labels.append(query[at + 1 : at + 1 + length].decode("ascii", "replace"))
            at += 1 + length
        name = ".".join(labels).lower()
        kind = int.from_bytes(query[at + 1 : at + 3], "big")
        question = query[12 : at + 5]
        status, addresses = self._addresses(name, kind)
        head = query[:2] + struct.pack(">HHHHH", 0x8180 | status, 1, len(addresses), 0, 0)
        records = (b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(each)) + each for each in addresses)
        return head + question + b"".join(records)

    def _addresses(self, name: str, kind: int) -> tuple[int, list[bytes]]:
        with self._lock:
            if name in self._broken:
                return _SERVER_FAILURE, []
            answers = self._answers.get(name) or ([self._everything] if self._everything else [])
            if not answers:
                return _NO_SUCH_NAME, []
            if kind == 1:
                self.asked.append(name)
            # A and AAAA are asked together: the question for A moves the answers on.
            now = answers.pop(0) if kind == 1 and len(answers) > 1 else answers[0]
        parsed = map(ipaddress.ip_address, now)
        return 0, [each.packed for each in parsed if each.version == _TYPES.get(kind)]
