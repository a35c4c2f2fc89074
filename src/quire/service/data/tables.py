"""The tables as queries see them; the migrations make them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

metadata = MetaData()
Document = JSON().with_variant(JSONB(), "postgresql")


class Time(TypeDecorator[datetime]):
    """timestamptz; SQLite keeps the same instant as text in UTC, which sorts by time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None or dialect.name != "sqlite":
            return value
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        found: datetime = value if value.tzinfo else value.replace(tzinfo=UTC)
        return found.astimezone(UTC)


projects = Table(
    "projects",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("name", String(200), nullable=False),
    Column("website_url", String(2000), nullable=False),
    Column("settings", Document, nullable=False),
    Column("created_at", Time, nullable=False),
    Column("updated_at", Time, nullable=False),
    # Events are numbered by project: whoever counts this up holds the row until its events are there.
    Column("last_event", BigInteger, nullable=False, server_default=text("0")),
    Index("idx_projects_created", "created_at", "id"),
)

crawls = Table(
    "crawls",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("project_id", Uuid, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("status", String(20), nullable=False),
    Column("settings", Document, nullable=False),
    Column("website_url", String(2000), nullable=False),
    Column("progress", Float, nullable=False, server_default=text("0")),
    Column("estimated_total", Integer, nullable=False, server_default=text("0")),
    Column("pages_crawled", Integer, nullable=False, server_default=text("0")),
    Column("counts", Document, nullable=False),
    Column("statistics", Document),
    Column("error", Text),
    Column("notes", Document, nullable=False),
    Column("created_at", Time, nullable=False),
    Column("started_at", Time),
    Column("finished_at", Time),
    Column("cancel_requested", Boolean, nullable=False, server_default=text("false")),
    # Who runs it, and until when that holds (seconds by the database's clock); another token ends the holder's right.
    Column("owner", String(100)),
    Column("token", Integer, nullable=False, server_default=text("0")),
    Column("lease_until", Float, nullable=False, server_default=text("0")),
    # How often it was taken up since it last made progress.
    Column("stalls", Integer, nullable=False, server_default=text("0")),
    UniqueConstraint("project_id", "number", name="uq_crawls_number"),
    Index(
        "uq_crawls_active",
        "project_id",
        unique=True,
        sqlite_where=text("status IN ('pending', 'in_progress')"),
        postgresql_where=text("status IN ('pending', 'in_progress')"),
    ),
    Index("idx_crawls_status", "status", "created_at"),
)

crawled_pages = Table(
    "crawled_pages",
    metadata,
    Column("id", Uuid, primary_key=True, server_default=func.gen_random_uuid()),
    Column("project_id", Uuid, ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("url", String(2000), nullable=False),
    Column("normalized_url", String(2000), nullable=False),
    Column("title", String(500)),
    Column("h1", String(500)),
    Column("meta_description", Text),
    Column("content_text", Text),
    Column("word_count", Integer),
    Column("links_found", Document, server_default=text("'[]'")),
    Column("crawled_at", Time, nullable=False, server_default=func.now()),
    Column("status", String(20), nullable=False, server_default=text("'success'")),
    Column("error_message", Text),
    Column("crawl_id", Uuid),
    Column("markdown", Text),
    Column("content_type", Text),
    Column("fetched_by", String(20)),
    Column("response_ms", Integer),
    UniqueConstraint("project_id", "normalized_url", name="uq_crawled_pages_url"),
    Index("idx_crawled_pages_project", "project_id"),
    Index("idx_crawled_pages_status", "project_id", "status"),
)

former_texts = Table(
    "former_texts",
    metadata,
    Column("project_id", Uuid, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("normalized_url", String(2000), primary_key=True),
    # The number of the crawl that found the page changed.
    Column("until_crawl", Integer, primary_key=True, autoincrement=False),
    Column("title", String(500)),
    Column("markdown", Text, nullable=False),
    Index("idx_former_texts_crawl", "project_id", "until_crawl"),
)

decisions = Table(
    "decisions",
    metadata,
    Column("crawl_id", Uuid, ForeignKey("crawls.id", ondelete="CASCADE"), primary_key=True),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("key", BigInteger, nullable=False),
    Column("url", Text, nullable=False),
    Column("state", SmallInteger, nullable=False),
    Column("rank", SmallInteger, nullable=False),
    Column("weight", Float, nullable=False),
    Column("reason", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("parent", Integer),
    Column("place", Text),
    Column("depth", Integer, nullable=False),
    Column("hops", Integer, nullable=False),
    Column("redirects", Integer, nullable=False),
    Column("start", SmallInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("listed", SmallInteger, nullable=False),
    Column("lastmod", Text),
    Column("priority", Float),
    Column("changefreq", Text),
    Column("target", BigInteger),
    # Of URLs that were asked for.
    Column("asked_at", Time),
    # Of saved pages: what they say about themselves, the keys of their links, and how they were answered.
    Column("facts", LargeBinary),
    Column("links", LargeBinary),
    Column("size", Integer),
    Column("hash", Text),
    Column("content_type", Text),
    Column("fetched_by", String(20)),
    Column("response_ms", Integer),
    Index("idx_decisions_state", "crawl_id", "state", "id"),
    Index("idx_decisions_key", "crawl_id", "key"),
)

events = Table(
    "events",
    metadata,
    Column("project_id", Uuid, ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("crawl_id", Uuid, nullable=False),
    Column("type", String(20), nullable=False),
    Column("at", Time, nullable=False),
    Column("data", Document, nullable=False),
)
