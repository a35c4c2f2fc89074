"""What a server's answer means for its URL, and what its robots.txt does (P4, P6, F8, R4)."""

from __future__ import annotations

from datetime import UTC, datetime

from quire.errors import FetchError, TimedOut, Unreachable
from quire.records import Failed, Lease, Outcome, Response, Retry, Skipped
from quire.robots import Rules
from quire.settings import Settings
from quire.wording import counted

_PAGE_TYPES = ("text/html", "application/xhtml")
# How files begin that programs hand out without saying what they are.
_MAGIC = {
    b"%PDF-": "application/pdf",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"PK\x03\x04": "application/zip",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "application/x-ole-storage",
}
_LATER_TRIES = 3
# A lie about the encoding stays one; a body that was damaged on its way does not.
_PERHAPS_DAMAGED = frozenset(["bad-encoding"])
_MOST_STRIKES = 10
_DAY = len("2024-05-06")


def outcome_of_error(error: FetchError, lease: Lease, settings: Settings) -> Outcome:
    """No answer: try again a few times, waiting longer each time (P5)."""
    transient = isinstance(error, TimedOut) or (isinstance(error, Unreachable) and not error.permanent)
    retries = settings.pace.retries
    if transient and lease.attempts < retries:
        return Retry(error.reason, settings.pace.retry_delay * 2**lease.attempts, str(error))
    if transient and settings.mirror.on_error == "retry" and lease.attempts < retries + _LATER_TRIES:
        return Retry(error.reason, 0.0, str(error), later=True)
    if error.reason in _PERHAPS_DAMAGED and settings.mirror.on_error == "retry" and lease.attempts < _LATER_TRIES:
        return Retry(error.reason, 0.0, str(error), later=True)
    return Failed(error.reason, str(error))


def outcome_of_rules(rules: Rules, lease: Lease, settings: Settings) -> Outcome | None:
    """What robots.txt says about the URL; None when it may be asked for (F8, R10)."""
    if rules.out_of_bounds:
        return outcome_of_error(rules.out_of_bounds, lease, settings)
    if rules.refusal:
        return Skipped("robots-unreachable", rules.refusal)
    return None if rules.allowed(lease.link.url) else Skipped("robots", "disallowed by robots.txt")


def outcome_of_status(response: Response, lease: Lease, settings: Settings) -> Outcome | None:
    """What the status alone decides; None when there is a body to look at."""
    status = response.status
    if status == 429 or (status == 503 and response.retry_after):
        return _too_much(response, lease, settings)
    if status in (404, 410):
        return Skipped("gone" if status == 410 else "not-found", str(status))
    if status >= 500 and settings.mirror.on_error == "retry" and lease.attempts < _LATER_TRIES:
        return Retry(f"http-{status}", 0.0, f"the server answered {status}", later=True)
    if status in (204, 205):
        return Skipped("no-content", str(status))
    # Nobody asked for a part.
    if not 200 <= status < 300 or status == 206:
        return Failed(f"http-{status}", f"the server answered {status}")
    return None


def _too_much(response: Response, lease: Lease, settings: Settings) -> Outcome:
    reason = f"http-{response.status}"
    wait = seconds_to_wait(response.retry_after)
    if wait > settings.pace.max_wait:
        return Failed(reason, f"asks to wait {wait:.0f} s, more than --max-wait {settings.pace.max_wait:g}")
    if lease.attempts >= _MOST_STRIKES:
        return Failed(reason, f"still {response.status} after {counted(lease.attempts, 'try', 'tries')}")
    return Retry(
        reason, wait, f"asks to wait {wait:.0f} s" if wait else f"the server answered {response.status}", pause=True
    )


def seconds_to_wait(retry_after: str | None, now: datetime | None = None) -> float:
    """Retry-After in seconds, from either of its forms; 0 when it says nothing usable."""
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return float(min(int(text[:10]), 10**9))
    # Late, because hardly a server asks for it.
    from email.utils import parsedate_to_datetime

    try:
        until = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return 0.0
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - (now or datetime.now(UTC))).total_seconds())


def kind_of(response: Response) -> str | None:
    """Return the type of what is no page; None for a page. Servers call many a download a page."""
    kind = response.content_type.strip()
    for magic, own in _MAGIC.items():
        if response.body.startswith(magic):
            return own
    if kind:
        return None if kind.lower().startswith(_PAGE_TYPES) else kind
    head = response.body[:512].lstrip().lower()
    is_page = head.startswith(b"<") and (b"<html" in head or not head.startswith(b"<?xml"))
    return None if is_page else ""


def is_fresh(lastmod: str | None, written: float | None, fetched_at: str = "") -> bool:
    """Whether the sitemap says the page did not change since the file was written (S13).

    A file may also be written long after its page was fetched, when what it links to changes: the fetch counts. One
    that was written in the future, by a clock that has been put right since, tells nothing.
    """
    changed = _moment(lastmod or "")
    if changed is None or written is None:
        return False
    written = min(written, _moment(fetched_at) or written)
    return changed < written <= datetime.now(UTC).timestamp()


def _moment(text: str) -> float | None:
    """Return the time that a date names, of a day its end; None if it is none."""
    try:
        named = datetime.fromisoformat(text)
    except ValueError:
        return None
    if len(text) == _DAY:
        named = named.replace(hour=23, minute=59, second=59)
    return (named if named.tzinfo else named.replace(tzinfo=UTC)).timestamp()
