"""The places where a stage plugs into the engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Protocol

from quire.events import Event
from quire.orders import Order
from quire.records import Added, Facts, FoundLinks, Lease, Link, Made, Outcome, Place, Response, State, Verdict

Listener = Callable[[Event], None]
Claim = Callable[[str], bool]
"""Take a host for this crawl alone; False while another crawl has it."""


class Source(Protocol):
    """Where URLs come from before any page was read."""

    def links(self) -> AsyncIterator[Link]: ...


class Rule(Protocol):
    """Decide about one URL; fast, called once for each URL."""

    def __call__(self, link: Link, /) -> Verdict: ...


class SiteRule(Rule, Protocol):
    """A rule that also knows what belongs to the site."""

    @property
    def bases(self) -> tuple[str, ...]: ...

    def internal(self, url: str) -> bool: ...

    def dead_end(self, url: str, facts: Facts, /) -> str | None: ...

    def nofollow(self, url: str, facts: Facts, /) -> str | None: ...

    def rebase(self, old_host: str, new_base_url: str) -> None: ...


class Frontier(Protocol):
    """Every URL, its decision, and whose turn it is."""

    async def add(self, links: Iterable[Link]) -> Added:
        """Take in links; those already known change nothing."""

    async def lease(self) -> Lease | None:
        """Wait for the next URL whose host may be asked now; None when there is nothing left or `stop` was called."""

    async def settle(self, lease: Lease, outcome: Outcome, found: Iterable[Link] = ()) -> Added:
        """Make the outcome, its page record and the found links true together; a stale lease changes nothing."""

    def starts_waiting(self) -> list[tuple[str, int]]:
        """The start URLs that are not settled, and their keys."""

    def has(self, key: int) -> bool:
        """Whether this crawl has come across the URL."""

    def lease_starts_only(self) -> None:
        """From now on lease start URLs, and nothing else."""

    def hold(self, host: str) -> None:
        """Let only start URLs of this host be leased."""

    def release(self, host: str) -> None:
        """Let every URL of this host be leased."""

    async def pass_by(self, host: str) -> None:
        """Wait for the host's pace to make a request that is not a lease: robots.txt, a sitemap."""

    def unknown(self, links: FoundLinks) -> Iterable[tuple[str, int, str]]:
        """URL, key and source of those links that may change something."""

    def links_of(self, lease: Lease) -> Iterable[Link]:
        """The links an earlier crawl found on the lease's page."""

    def leads_back(self, lease: Lease, target: int) -> bool:
        """Whether a redirect to this key comes round to the lease's own URL."""

    def sending(self, lease: Lease) -> None:
        """The request goes out now: the gap to the next one counts from here, not from the lease."""

    def refund(self, lease: Lease) -> None:
        """Give the host its turn back: nothing was sent for this lease."""

    def pace(self, host: str, seconds: float) -> None:
        """Keep at least this long between two requests to the host."""

    def paced(self, host: str) -> bool:
        """Whether `pace` was called for the host."""

    def stop(self) -> None:
        """Let every waiting and future `lease` return None."""

    def counts(self) -> Mapping[State, int]:
        """How many URLs stand under each decision."""

    def note(self, name: str) -> str | None:
        """Read a fact about the crawl that must survive it."""

    def put(self, name: str, value: str) -> None:
        """Keep a fact about the crawl."""


class Fetcher(Protocol):
    """Make one request; redirects come back as answers. Raises FetchError."""

    async def fetch(self, link: Link, *, etag: str | None = None, last_modified: str | None = None) -> Response: ...


class Renderer(Protocol):
    """Show pages in a browser, where their HTML is nothing without scripts."""

    def asks(self, url: str) -> bool:
        """Whether it is worth finding out if this page is one of those."""

    async def render(self, link: Link) -> Response:
        """Fetch the page with a browser. Raises FetchError."""

    def learn(self, url: str, *, needed: bool) -> None:
        """Take in whether the browser's page was another than that of plain HTTP."""


class Press(Protocol):
    """Turn a response into a page: read it, convert it, write it. Raises PageError."""

    async def make(self, order: Order) -> Made: ...


class Shelf(Protocol):
    """Where pages stand in the mirror."""

    def place(self, lease: Lease) -> Place:
        """Claim a path for the page."""

    def release(self, lease: Lease) -> None:
        """The claim ends: the page is settled, or came to nothing."""

    def has(self, path: str) -> float | None:
        """When the file was written, or None when it is not there."""

    def note_failure(self, lease: Lease, reason: str, detail: str) -> None: ...

    def note_skip(self, lease: Lease, content_type: str) -> None: ...

    def check_space(self) -> None:
        """Raise GuardStop when the disk is nearly full."""
