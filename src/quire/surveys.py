"""What a report is made of."""

from __future__ import annotations

from msgspec import Struct

from quire.records import Facts, State


class Surveyed(Struct, frozen=True):
    """One URL of a crawl as its report shows it; `facts` and what follows `target` are known of pages only."""

    facts: Facts
    key: int
    url: str
    state: State
    reason: str
    detail: str
    source: str
    depth: int
    parent: int | None
    target: int | None
    path: str = ""
    size: int = 0
    hash: str = ""
    fetched_at: str = ""
    content_type: str = ""
    links: bytes = b""
    fetched_by: str = ""
    response_ms: int | None = None
