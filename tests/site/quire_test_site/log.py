"""What was asked of the test site: the truth for politeness and deduplication."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from urllib.parse import parse_qs

BOOKKEEPING = ("/robots.txt", "/sitemap.xml", "/sitemap_index.xml")
"""What every crawl asks for beside pages."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One request as it arrived; `path` is the target as sent, query included, `time` is `time.monotonic()`."""

    method: str
    path: str
    authority: str
    time: float
    head: str
    body: bytes = b""

    @property
    def host(self) -> str:
        return self.authority.rpartition(":")[0] or self.authority

    @property
    def headers(self) -> Message:
        return parsed(self.head)

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(self.path.partition("?")[2], keep_blank_values=True)

    @property
    def keys(self) -> list[str]:
        """The names under which a test may have registered something for this request, the most exact first."""
        bare = self.path.partition("?")[0]
        return list(dict.fromkeys((self.authority + self.path, self.path, self.authority + bare, bare)))


def parsed(head: str) -> Message:
    """Return the header lines by name, whatever its case."""
    headers = Message()
    for line in filter(None, head.split("\r\n")):
        name, _, value = line.partition(":")
        headers[name] = value.strip()
    return headers


def key(path: str) -> str:
    """Return the name a path has in the tables; a full URL names its host too."""
    return path.removeprefix("http://").removeprefix("https://")


class Log:
    """Every request in the order of arrival, and how many were under way at once."""

    def __init__(self) -> None:
        self._hits: list[Hit] = []
        self._under_way: dict[str, int] = {}
        self._peaks: dict[str, int] = {}
        self._arrival = threading.Condition()
        self.connections = 0

    @contextlib.contextmanager
    def recorded(self, hit: Hit) -> Iterator[None]:
        """Write the request down, and that it is under way."""
        with self._arrival:
            self._hits.append(hit)
            for name in (hit.host, ""):
                self._under_way[name] = self._under_way.get(name, 0) + 1
                self._peaks[name] = max(self._peaks.get(name, 0), self._under_way[name])
            self._arrival.notify_all()
        try:
            yield
        finally:
            with self._arrival:
                for name in (hit.host, ""):
                    self._under_way[name] -= 1

    @property
    def hits(self) -> list[Hit]:
        with self._arrival:
            return list(self._hits)

    def paths(self, host: str | None = None) -> list[str]:
        """The targets of all GET requests, as sent."""
        return [hit.path for hit in self.hits if hit.method == "GET" and host in (None, hit.host)]

    def asked(self, host: str | None = None) -> list[str]:
        """The same without what every crawl asks for beside pages."""
        return [path for path in self.paths(host) if path not in BOOKKEEPING]

    def count(self, path: str) -> int:
        """How often the path was asked for by GET, with exactly this query; on any host unless a URL names one."""
        wanted = key(path)
        return sum(hit.method == "GET" and wanted in (hit.path, hit.authority + hit.path) for hit in self.hits)

    def clear(self) -> None:
        """Forget the requests so far."""
        with self._arrival:
            self._hits.clear()
            self._peaks.clear()
            self.connections = 0

    def wait(self, count: int = 1, path: str | None = None, timeout: float = 30) -> None:
        """Return once so many requests (for the path) have arrived; for tests that strike in the middle of a crawl."""

        def arrived() -> bool:
            return len(self._hits) >= count if path is None else sum(hit.path == path for hit in self._hits) >= count

        with self._arrival:
            if not self._arrival.wait_for(arrived, timeout):
                raise TimeoutError(f"{count} requests for {path or 'the site'} did not come in {timeout} s")

    def peak(self, host: str = "") -> int:
        """The most requests that were under way at once, on one host or in all."""
        with self._arrival:
            return self._peaks.get(host, 0)
