"""The places where a stage plugs into the engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Protocol

from .records import Added, Lease, Link, Made, Order, Outcome, Response, State, Verdict


class Source(Protocol):
    """Where URLs come from before any page was read."""

    def links(self) -> AsyncIterator[Link]: ...


class Rule(Protocol):
    """Decide about one URL; pure, fast, called once for each URL."""

    def __call__(self, link: Link, /) -> Verdict: ...


class Frontier(Protocol):
    """Every URL, its decision, and whose turn it is."""

    async def add(self, links: Iterable[Link]) -> Added:
        """Take in links; those already known change nothing."""

    async def lease(self) -> Lease | None:
        """Wait for the next URL whose host may be asked now; None when there is nothing left or `stop` was called."""

    async def settle(self, lease: Lease, outcome: Outcome, found: Iterable[Link] = ()) -> Added:
        """Make the outcome, its page record and the found links true together; a stale lease changes nothing."""

    def pace(self, host: str, seconds: float) -> None:
        """Keep at least this long between two requests to the host."""

    def stop(self) -> None:
        """Let every waiting and future `lease` return None."""

    def counts(self) -> Mapping[State, int]:
        """How many URLs stand under each decision."""

    async def close(self) -> None: ...


class Fetcher(Protocol):
    """Make one request; redirects come back as answers. Raises FetchError."""

    async def fetch(self, link: Link, *, etag: str | None = None, last_modified: str | None = None) -> Response: ...

    async def close(self) -> None: ...


class Press(Protocol):
    """Turn a response into a page: read it, convert it, write it. Raises PageError."""

    async def make(self, order: Order) -> Made: ...

    async def close(self) -> None: ...
