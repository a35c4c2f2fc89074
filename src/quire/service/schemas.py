"""What goes over HTTP, checked (A1–A3)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from quire import urls
from quire.errors import UsageError
from quire.filter.patterns import Patterns, split_patterns
from quire.service.data.values import PhaseStatus

MOST_PAGES = 1000
_UNWELCOME = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_FREQUENCIES = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")


def _storable(text: str) -> str:
    if _UNWELCOME.search(text):
        raise ValueError("control characters and lone surrogates are not allowed")
    return text


def _web_url(text: str) -> str:
    url = urls.routed(text) if text.lower().startswith(("http://", "https://")) else None
    if url is None or not urls.host(url):
        raise ValueError("not a web address; give one like https://example.com/docs/")
    if "@" in text.partition("://")[2].partition("/")[0]:
        raise ValueError("user names and passwords do not belong into the address")
    return url


def _patterns(text: str) -> str:
    try:
        Patterns("", split_patterns(text), ignore_case=True, linear_only=True)
    except UsageError as error:
        raise ValueError(str(error).removeprefix(": ")) from None
    return text


def _frequencies(text: str) -> str:
    unknown = [word for word in (part.strip() for part in text.split(",")) if word and word not in _FREQUENCIES]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not one of {', '.join(_FREQUENCIES)}")
    return text


Storable = AfterValidator(_storable)
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), Storable]
Short = Annotated[str, StringConstraints(max_length=1000), Storable]
PatternList = Annotated[str, StringConstraints(max_length=10_000), Storable, AfterValidator(_patterns)]
WebUrl = Annotated[
    str,
    StringConstraints(min_length=1, max_length=2000),
    Storable,
    AfterValidator(_web_url),
    # For those who read the schema; whoever gets it wrong reads a sentence.
    Field(json_schema_extra={"pattern": "^[Hh][Tt][Tt][Pp][Ss]?://"}),
]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True, allow_inf_nan=False)


class CrawlSettings(Model):
    """How a project is crawled; what is left out has the default."""

    max_pages: int = Field(default=200, ge=1, le=MOST_PAGES, description="Stop after so many pages are saved.")
    include_patterns: PatternList = Field(
        default="", description="Comma-separated regular expressions; only URLs in which one is found are crawled."
    )
    exclude_patterns: PatternList = Field(
        default="",
        description="Comma-separated regular expressions; URLs in which one is found are skipped, whatever else fits.",
    )
    max_concurrent: int = Field(default=5, ge=1, le=50, description="Requests under way at once.")
    delay_seconds: float = Field(default=0.5, ge=0, le=60, description="Seconds between two requests to one host.")
    fetch_only_urls: list[WebUrl] | None = Field(
        default=None, min_length=1, max_length=MOST_PAGES, description="Fetch these URLs and follow no links."
    )
    respect_robots_txt: bool = Field(default=True, description="Ask robots.txt.")
    preset: Literal["shopify", "docs"] | None = Field(
        default=None, description="Patterns that suit a kind of site, besides your own."
    )
    discover: Literal["sitemap,links", "sitemap", "links"] = Field(
        default="sitemap,links", description="Where URLs come from."
    )
    sitemap: list[WebUrl] = Field(default=[], max_length=20, description="Read these sitemaps too.")
    include_mode: Literal["only", "prefer"] = Field(
        default="only", description="With include patterns: crawl nothing else, or the rest last."
    )
    include_paths: Short = Field(default="", description="Comma-separated paths; crawl only below them.")
    exclude_paths: Short = Field(default="", description="Comma-separated paths; never crawl below them.")
    priority_min: float | None = Field(default=None, ge=0, le=1, description="Least priority of sitemap URLs.")
    changefreq: Annotated[Short, AfterValidator(_frequencies)] = Field(
        default="", description="Comma-separated frequencies of sitemap URLs."
    )
    loose_paths: bool = Field(default=False, description="Compare paths as plain prefixes: /api also holds /api-blog.")
    follow_external: bool = Field(default=False, description="Also crawl pages of other sites that this one links to.")
    max_external_hops: int = Field(default=1, ge=0, le=5, description="How far from the site follow_external may go.")
    max_depth: int | None = Field(
        default=None, ge=0, le=1000, description="How many links away from the start a page may be."
    )
    query: Literal["meaningful", "all", "none"] = Field(
        default="meaningful", description="Which query parameters tell pages apart."
    )
    noise_params: list[Short] = Field(default=[], max_length=100, description="More query parameters without meaning.")
    trap_budget: int = Field(
        default=2000, ge=0, le=100_000, description="Look-alike URLs one template may bring; 0: no bound."
    )
    allow_trap: list[PatternList] = Field(
        default=[], max_length=100, description="Regular expressions; URLs in which one is found are never a trap."
    )
    max_links: int = Field(default=10_000, ge=1, le=100_000, description="How many links of one page count.")
    render: Literal["never", "auto", "always"] = Field(
        default="auto", description="Show pages in a browser: never, where they are nothing without scripts, or always."
    )
    content: Short = Field(default="main", description="main, full, or a CSS selector: the part of a page to keep.")
    heading: Literal["keep", "drop"] = Field(
        default="keep", description="Keep the page's heading in its Markdown, or leave it to `h1`."
    )
    remove: list[Short] = Field(default=[], max_length=100, description="CSS selectors of what to leave out.")
    user_agent: Short | None = Field(default=None, description="How the crawler names itself.")
    timeout: float = Field(default=30.0, ge=0.1, le=300, description="Seconds one request may take in all.")
    max_body: int = Field(
        default=10_000_000, ge=1, le=100_000_000, description="Largest body in bytes, after decompression."
    )
    max_redirects: int = Field(default=10, ge=0, le=30, description="Longest chain of redirects.")
    retries: int = Field(default=3, ge=0, le=10, description="Tries after a timeout or a broken connection.")
    retry_delay: float = Field(
        default=1.0, ge=0, le=60, description="Seconds before the first retry; doubled for each later one."
    )
    max_wait: float = Field(default=600.0, ge=0, le=3600, description="Longest Retry-After to obey.")
    on_error: Literal["skip", "abort", "retry"] = Field(default="skip", description="After a page failed.")


class RunRequest(CrawlSettings):
    """Settings for this crawl only, over those of the project; flat, or as `settings`."""

    settings: CrawlSettings | None = None

    def overrides(self) -> dict[str, Any]:
        nested = self.settings.model_dump(exclude_unset=True) if self.settings else {}
        return nested | self.model_dump(exclude_unset=True, exclude={"settings"})


class ProjectCreate(Model):
    name: Name
    website_url: WebUrl
    settings: CrawlSettings = CrawlSettings()


class ProjectChange(Model):
    """What is left out stays; `settings` replaces the settings as a whole."""

    name: Name | None = None
    website_url: WebUrl | None = None
    settings: CrawlSettings | None = None


class PageCounts(Model):
    success: int
    failed: int
    skipped: int


class Crawl(Model):
    """One run of the crawl phase."""

    id: UUID
    project_id: UUID
    number: int
    status: PhaseStatus
    progress: float = Field(ge=0, le=100)
    pages_crawled: int
    estimated_total: int
    counts: dict[str, int] = Field(description="How many URLs stand under each decision.")
    statistics: dict[str, Any] | None = Field(description="There when the crawl has ended.")
    error: str | None
    cancel_requested: bool
    settings: CrawlSettings
    website_url: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class PhaseState(Model):
    """The crawl phase of a project: that of its last crawl, or pending with none."""

    project_id: UUID
    phase: Literal["crawl"] = "crawl"
    status: PhaseStatus
    progress: float = Field(default=0.0, ge=0, le=100)
    pages_crawled: int = 0
    estimated_total: int = 0
    statistics: dict[str, Any] | None = None
    error: str | None = None
    crawl: Crawl | None = None


class ProjectDetail(Model):
    id: UUID
    name: str
    website_url: str
    settings: CrawlSettings
    created_at: datetime
    updated_at: datetime
    pages: PageCounts
    crawl_status: PhaseStatus


class Decision(Model):
    """What was decided about one URL, and where it was found."""

    id: int
    url: str
    decision: str
    reason: str
    detail: str
    source: str
    found_on: str | None
    depth: int
    rank: int


class Event(Model):
    number: int
    type: str
    crawl_id: UUID
    at: datetime
    data: dict[str, Any]


class Projects(Model):
    items: list[ProjectDetail]
    next_cursor: str | None


class Crawls(Model):
    items: list[Crawl]
    next_cursor: str | None


class Decisions(Model):
    items: list[Decision]
    next_cursor: str | None


class Events(Model):
    items: list[Event]
    last_event: int


class FieldProblem(Model):
    field: str
    message: str


class Problem(Model):
    """A problem document (RFC 9457); `errors` names the fields that are wrong."""

    model_config = ConfigDict(extra="allow")

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: list[FieldProblem] = []
