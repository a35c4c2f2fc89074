"""How the test site misbehaves: what is done to the answers of a path, and for how many requests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from .answers import Answer, Headers
from .log import Hit, key

Change = Callable[[Answer], Answer]


@dataclass(slots=True)
class Fault:
    """A change to an answer that holds for so many requests; None for all."""

    change: Change
    left: int | None

    def take(self) -> bool:
        """Use the fault up by one request; tell whether it still held."""
        if self.left is None:
            return True
        self.left -= 1
        return self.left >= 0


class Faults:
    """The misbehaviours of a site; each holds for `times` requests, or always."""

    def __init__(self) -> None:
        self._by_key: dict[str, list[Fault]] = {}
        self._lock = threading.Lock()
        self.gates: dict[str, asyncio.Event] = {}

    def fail(self, path: str, times: int | None = None, status: int = 503, headers: Headers | None = None) -> None:
        self._add(path, times, lambda _: Answer(status, f"failed with {status}".encode(), headers or {}))

    def delay(self, path: str, seconds: float, times: int | None = None) -> None:
        """Wait before the first byte."""
        self._add(path, times, lambda answer: replace(answer, delay=seconds))

    def hang(self, path: str, times: int | None = None) -> None:
        """Say nothing until the site's `release`, or until it is closed."""
        gate = self.gates.setdefault(key(path), asyncio.Event())
        self._add(path, times, lambda answer: replace(answer, held=gate))

    def reset(self, path: str, times: int | None = None, after: int | None = None) -> None:
        """Reset the connection: in place of an answer, or after so many bytes of the body."""
        self._add(path, times, lambda answer: replace(answer, cut=-1 if after is None else after, reset=True))

    def truncate(self, path: str, times: int | None = None, at: int | None = None) -> None:
        """Close the connection in the middle of the body, or after so many bytes, short of its Content-Length."""

        def cut(answer: Answer) -> Answer:
            half = 1 if callable(answer.body) else len(answer.body) // 2
            return replace(answer, cut=half if at is None else at)

        self._add(path, times, cut)

    def stall(self, path: str, times: int | None = None, after: int = 0) -> None:
        """Send the head and so many bytes of the body, and then nothing, with the connection open."""
        self._add(path, times, lambda answer: replace(answer, cut=after, stalls=True))

    def hang_up(self, path: str, times: int | None = None) -> None:
        """Close the connection after the answer without having said so."""
        self._add(path, times, lambda answer: replace(answer, hangs_up=True))

    def drip(self, path: str, bytes_per_second: float, times: int | None = None) -> None:
        """Send the body this slowly."""
        self._add(path, times, lambda answer: replace(answer, bytes_per_second=bytes_per_second))

    def heal(self, path: str) -> None:
        """Take back every misbehaviour of this path."""
        with self._lock:
            self._by_key.pop(key(path), None)

    def changes(self, hit: Hit) -> list[Change]:
        """Return what is to be done to the answer, and count it."""
        with self._lock:
            return [fault.change for name in hit.keys for fault in self._by_key.get(name, ()) if fault.take()]

    def _add(self, path: str, times: int | None, change: Change) -> None:
        with self._lock:
            self._by_key.setdefault(key(path), []).append(Fault(change, times))
