"""The pages of a project as the API tells them (A2)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from quire.service.data.values import PageStatus
from quire.service.schemas import Model


class Page(Model):
    """A crawled page without its content."""

    id: UUID
    project_id: UUID
    url: str
    normalized_url: str
    title: str | None
    h1: str | None
    meta_description: str | None
    word_count: int | None
    crawled_at: datetime
    status: PageStatus
    error_message: str | None
    crawl_id: UUID | None
    content_type: str | None
    fetched_by: str | None = Field(description="http, or the browser that showed it.")
    response_ms: int | None = Field(description="Milliseconds from asking to the last byte.")


class WholePage(Page):
    content_text: str | None
    links_found: list[str] | None
    markdown: str | None


class Visit(Model):
    """What one crawl made of a page."""

    crawl_id: UUID
    number: int
    crawled_at: datetime | None = Field(description="When it was asked for.")
    decision: str
    reason: str
    detail: str
    word_count: int | None
    response_ms: int | None
    text: Literal["new", "changed", "same"] | None = Field(
        description="Beside the text that the project had; null where it has none, or nobody can know."
    )


class History(Model):
    items: list[Visit]


class Pages(Model):
    items: list[Page]
    next_cursor: str | None
