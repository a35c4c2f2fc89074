"""The values that travel through Quire; all of them frozen."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Literal

from msgspec import Struct, msgpack


class State(IntEnum):
    """The one decision every URL ends with; `PENDING` is the only one that is not final."""

    PENDING = 0
    SAVED = 1
    UNCHANGED = 2
    DUPLICATE = 3
    SKIPPED = 4
    FAILED = 5
    FILTERED = 6
    EXTERNAL = 7
    INVALID = 8

    @property
    def label(self) -> str:
        return self.name.lower()


class Link(Struct, frozen=True):
    """A URL that was seen, and where."""

    url: str
    key: int
    source: str
    found_on: str | None = None
    depth: int = 0
    hops: int = 0
    redirects: int = 0
    start: bool = False
    lastmod: str | None = None
    priority: float | None = None
    changefreq: str | None = None
    dead_end: str | None = None
    """Why the page it stands on leads to nothing new."""
    nofollow: str | None = None
    """Why a query that only pages like the one it stands on lead to is not asked for."""


class Accepted(Struct, frozen=True):
    """A URL to crawl: a lower `rank` goes first, then a higher `weight`, then the order of discovery."""

    rank: int
    weight: float = 0.5


class Rejected(Struct, frozen=True):
    """A URL not to crawl: `reason` names the rule, `detail` what in it decided."""

    state: State
    reason: str
    detail: str = ""


Verdict = Accepted | Rejected


class Response(Struct, frozen=True):
    """What one request brought back; redirects are answers too."""

    url: str
    status: int
    content_type: str = ""
    body: bytes = b""
    location: str | None = None
    retry_after: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    seconds: float = 0.0
    """From asking to the last byte; of a page in a browser, until it was as it was taken."""
    fetched_by: str = "http"
    routes: tuple[tuple[str, str], ...] = ()
    """Where a rendered page leads beside the links in its HTML, each with the place it was found in."""
    remarks: tuple[str, ...] = ()
    """What a page did that a reader of its Markdown should know."""
    robots_tag: str | None = None
    sets_cookie: bool = False


class Facts(Struct, frozen=True, array_like=True, omit_defaults=True):
    """What a page says about itself (M4)."""

    title: str | None = None
    h1: str | None = None
    description: str | None = None
    canonical: str | None = None
    language: str | None = None
    published: str | None = None
    modified: str | None = None
    headings: tuple[tuple[int, str], ...] = ()
    word_count: int = 0
    author: str | None = None
    text_hash: int = 0
    hidden: bool = False
    """Whether the page asks not to be indexed, and its links not to be followed."""
    headless: bool = False
    """Whether `h1` is left out of the page's Markdown: it is the title then."""

    @property
    def heading(self) -> str | None:
        """The heading that its front matter has in place of its Markdown."""
        return self.h1 if self.headless else None

    @property
    def name(self) -> str:
        """What the page is called in its front matter."""
        return self.heading or self.title or self.h1 or ""


FACTS: Final = msgpack.Decoder(Facts)
"""Reads them from where they are kept."""


class Known(Struct, frozen=True):
    """What an earlier crawl kept of a page, for `--update`."""

    path: str
    hash: str
    etag: str | None = None
    last_modified: str | None = None
    fetched_at: str = ""
    facts: Facts = Facts()
    url: str = ""
    """The spelling of its URL by which the mirror knows the page; it is asked for as the site writes it now."""


class Lease(Struct, frozen=True):
    """One URL handed to one worker; a `token` that is no longer current settles nothing."""

    id: int
    token: int
    link: Link
    attempts: int = 0
    known: Known | None = None

    @property
    def name(self) -> str:
        """The URL by which the mirror knows what is asked for."""
        return self.known.url if self.known and self.known.url else self.link.url


class FoundLinks(Struct, frozen=True, array_like=True):
    """A page's links in columns: `keys` are little-endian signed 64-bit numbers; `left_out` were beyond the limit."""

    urls: list[str] = []
    keys: bytes = b""
    sources: list[str] = []
    invalid: list[tuple[str, str]] = []
    left_out: int = 0


class Cut(Struct, frozen=True, array_like=True):
    """A chunk of a page's Markdown that belongs to the site's frame, and its place among the others."""

    place: int
    text: str


class Edit(Struct, frozen=True, array_like=True):
    """A piece of a page's Markdown that was replaced, and how many characters behind the one before it stands."""

    gap: int
    old: str
    new: str


class Ends(Struct, frozen=True, array_like=True):
    """What a site's frame is learnt from: fingerprints of what stands at both ends of a page.

    `judged` tells that the page does not mark its content, and `left_out` how much of its text was not taken for
    content then, in per cent; `dropped` are fingerprints of that.
    """

    prints: bytes = b""
    judged: bool = False
    left_out: int = 0
    dropped: bytes = b""


Lack = Literal["", "page", "part"]
"""What the HTML of a page does not have before its scripts have run: nothing, the page itself, or a part of it."""


class Made(Struct, frozen=True, array_like=True):
    """What a page worker made: the page's facts, its links, and the file or the Markdown."""

    facts: Facts
    links: FoundLinks
    hash: str = ""
    size: int = 0
    changed: bool = True
    markdown: str | None = None
    lacks: Lack = ""
    """What a browser may have to add; then the page was not written."""
    text: str | None = None
    ends: Ends | None = None
    leads_to: str | None = None
    """Another page that this one sends its readers to at once; then nothing was made of it."""


class Place(Struct, frozen=True):
    """Where a page's file goes, its identity on a disk that ignores case, and whether its plain path is taken."""

    path: str | None
    folded: int
    contested: bool = False


class PageRecord(Struct, frozen=True):
    """What the mirror keeps about a saved page."""

    path: str | None
    folded: int
    contested: bool
    size: int
    hash: str
    facts: Facts
    canonical: int | None = None
    status: int = 200
    content_type: str = ""
    etag: str | None = None
    last_modified: str | None = None
    fetched_at: str = ""
    links: bytes = b""
    fetched_by: str = "http"
    response_ms: int | None = None
    remarks: tuple[str, ...] = ()
    ends: Ends | None = None
    content: Made | None = None
    """What was made of the page, where no file holds it."""


class Saved(Struct, frozen=True):
    page: PageRecord
    changed: bool = True


class Unchanged(Struct, frozen=True):
    """The page is as the mirror has it; `detail` says how that is known."""

    detail: str = ""


class Redirected(Struct, frozen=True):
    """The answer was a redirect to another URL; that one is among the found links unless it is known."""

    target: Link
    returns: bool = False
    """The target led here. It is asked again, as a cookie has come on the way."""


class Moved(Struct, frozen=True):
    """The answer was a redirect to another spelling of the same URL, to be asked for instead."""

    url: str


class Skipped(Struct, frozen=True):
    reason: str
    detail: str = ""
    state: State = State.SKIPPED


class Failed(Struct, frozen=True):
    reason: str
    detail: str = ""


class Retry(Struct, frozen=True):
    """Ask again: after a while, or (`later`) when everything else is done; `pause` holds the whole host back."""

    reason: str
    after: float = 0.0
    detail: str = ""
    pause: bool = False
    later: bool = False


Outcome = Saved | Unchanged | Redirected | Moved | Skipped | Failed | Retry


class Added(Struct, frozen=True):
    """What changed in the frontier: new URLs accepted and refused, and URLs failed because their host was given up."""

    accepted: int = 0
    rejected: tuple[tuple[Link, Rejected], ...] = ()
    given_up: int = 0
