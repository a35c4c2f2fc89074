"""What a crawl tells while it runs; each is a frozen value."""

from __future__ import annotations

from msgspec import Struct

from quire.records import Facts, State


class CrawlStarted(Struct, frozen=True):
    start: tuple[str, ...]
    crawl: int
    resumed: bool
    already_saved: int


class PageStarted(Struct, frozen=True):
    """A URL is about to be asked for; `number` counts from 1, `total` is what is known so far."""

    url: str
    number: int
    total: int


class PageSaved(Struct, frozen=True):
    url: str
    path: str | None
    facts: Facts
    changed: bool = True
    markdown: str | None = None


class PageUnchanged(Struct, frozen=True):
    url: str
    detail: str = ""


class PageSkipped(Struct, frozen=True):
    """The URL was asked for, or could have been, and gives no page: a redirect, a 404, a PDF, robots.txt."""

    url: str
    state: State
    reason: str
    detail: str = ""


class PageFailed(Struct, frozen=True):
    url: str
    reason: str
    detail: str = ""


class PageRetried(Struct, frozen=True):
    url: str
    reason: str
    detail: str
    after: float


class UrlRejected(Struct, frozen=True):
    url: str
    state: State
    reason: str
    detail: str = ""


class Notice(Struct, frozen=True):
    """Something the user should know, in one line."""

    text: str


class CrawlFinished(Struct, frozen=True):
    """The end: how many URLs stand under each decision, and whether all that was found was dealt with.

    `clean` is False when a page failed, when a robots.txt could not be read, or when nothing was saved at all; why
    that was, `problem` tells. `traps` is how many of the filtered URLs look like a trap. What was added, changed and
    removed is counted against the crawl before. `images` are those in the mirror, with `--assets`.
    Pages that an update has not come to count as unchanged; `waiting` is how many URLs were still to be asked for.
    """

    counts: dict[str, int]
    complete: bool
    clean: bool
    stopped_by: str = ""
    seconds: float = 0.0
    added: int = 0
    changed: int = 0
    removed: int = 0
    problem: str = ""
    traps: int = 0
    images: int = 0
    waiting: int = 0


Event = (
    CrawlStarted
    | PageStarted
    | PageSaved
    | PageUnchanged
    | PageSkipped
    | PageFailed
    | PageRetried
    | UrlRejected
    | Notice
    | CrawlFinished
)
