"""How an outcome is told."""

from __future__ import annotations

from quire import urls
from quire.events import Event, PageFailed, PageRetried, PageSaved, PageSkipped, PageUnchanged
from quire.records import (
    Failed,
    Lease,
    Made,
    Moved,
    Outcome,
    Redirected,
    Retry,
    Saved,
    Skipped,
    State,
    Unchanged,
)


def event_of(lease: Lease, outcome: Outcome, made: Made | None) -> Event:
    url = urls.shown(lease.name)
    match outcome:
        case Saved(page=page, changed=changed):
            return PageSaved(url, page.path, page.facts, changed, made.markdown if made else None)
        case Unchanged(detail=detail):
            return PageUnchanged(url, detail)
        case Redirected(target=target):
            return PageSkipped(url, State.DUPLICATE, "redirect", target.url)
        case Moved(url=target):
            return PageRetried(url, "redirect", target, 0.0)
        case Skipped(reason=reason, detail=detail, state=state):
            return PageSkipped(url, state, reason, detail)
        case Failed(reason=reason, detail=detail):
            return PageFailed(url, reason, detail)
        case Retry(reason=reason, detail=detail, after=after):
            return PageRetried(url, reason, detail, after)
