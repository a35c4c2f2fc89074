"""What can go wrong, as one tree.

QuireError
├── PageError            one URL fails or is skipped; the crawl goes on
│   ├── FetchError       no usable answer came back
│   │   ├── Unreachable  DNS, TCP or TLS failed; worth another try unless `permanent`
│   │   ├── TimedOut     the server was too slow
│   │   ├── Busy         the server asks to be left alone for a while
│   │   ├── Elsewhere    a redirect, where whoever asked has to follow it
│   │   ├── Refused      it would have gone to an address that may not be dialled
│   │   └── BadResponse  broken HTTP, a body cut short, over a limit
│   ├── UnsafePath       the file would leave the mirror
│   └── PageUnreadable   the parser crashed, or took too long
└── CrawlError           the crawl stops
    ├── UsageError       a setting is wrong; nothing was fetched (exit status 2)
    │   └── InUse        another crawl writes the mirror
    └── GuardStop        a guard such as the disk's stopped it (exit status 3)
"""

from __future__ import annotations


class QuireError(Exception):
    """Everything Quire raises on purpose."""


class PageError(QuireError):
    """One URL cannot be had; `reason` is the short name that is counted."""

    reason = "page_error"


class FetchError(PageError):
    reason = "fetch_error"


class Unreachable(FetchError):
    reason = "unreachable"

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        super().__init__(message)
        self.permanent = permanent


class TimedOut(FetchError):
    reason = "timeout"


class Busy(FetchError):
    reason = "busy"

    def __init__(self, message: str, retry_after: str | None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Elsewhere(FetchError):
    """The answer is a redirect to this URL."""

    reason = "redirect"

    def __init__(self, message: str, url: str) -> None:
        super().__init__(message)
        self.url = url


class Refused(FetchError):
    reason = "private-address"


class BadResponse(FetchError):
    reason = "bad_response"

    def __init__(self, message: str, reason: str = "bad_response") -> None:
        super().__init__(message)
        self.reason = reason


class UnsafePath(PageError):
    reason = "unsafe_path"


class PageUnreadable(PageError):
    reason = "unreadable"


class CrawlError(QuireError):
    """The crawl cannot go on; the message names the thing, the cause and the next step."""

    exit_status = 1


class UsageError(CrawlError):
    exit_status = 2


class InUse(UsageError):
    pass


class GuardStop(CrawlError):
    exit_status = 3
