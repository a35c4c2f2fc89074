"""What goes in and out of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from msgspec import Struct


class PhaseStatus(StrEnum):
    """Where a crawl stands (A4)."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


ACTIVE = (PhaseStatus.PENDING, PhaseStatus.IN_PROGRESS)


class PageStatus(StrEnum):
    SUCCESS = "success"
    FAILED = "failed"
    SKIPPED = "skipped"


class Claim(Struct, frozen=True):
    """The right to run one crawl; it ends when the row has another token."""

    crawl_id: UUID
    project_id: UUID
    token: int
    website_url: str
    settings: dict[str, Any]
    notes: dict[str, str]
    progress: float
    resumed: bool
    started_at: datetime


class PageWrite(Struct, frozen=True):
    """One page as a crawl leaves it; what did not succeed has no content."""

    id: UUID
    url: str
    normalized_url: str
    status: PageStatus
    crawled_at: datetime
    error_message: str | None = None
    title: str | None = None
    h1: str | None = None
    meta_description: str | None = None
    content_text: str | None = None
    markdown: str | None = None
    word_count: int | None = None
    links_found: Sequence[str] = ()
    content_type: str | None = None
    fetched_by: str | None = None
    response_ms: int | None = None


class EventWrite(Struct, frozen=True):
    type: str
    data: dict[str, Any]


class Standing(Struct, frozen=True):
    """How far a crawl is."""

    progress: float
    estimated_total: int
    pages_crawled: int
    counts: dict[str, int]


class Batch(Struct, frozen=True):
    """What becomes true together: decisions, their pages, the standing, and what clients are told."""

    decisions: Sequence[dict[str, Any]]
    pages: Sequence[PageWrite]
    events: Sequence[EventWrite]
    standing: Standing
    notes: dict[str, str] | None = None


class LeaseLost(Exception):
    """Another instance runs the crawl now, or nobody does any more."""


class ProjectGone(Exception):
    """The project was deleted meanwhile."""


class AlreadyRunning(Exception):
    """The project has a crawl that waits or runs."""
