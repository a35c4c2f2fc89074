"""Every setting of Quire, declared once: its default, its type, its words; read from flags, environment and file.

A field's name is its name everywhere: `max_pages` in a file, `--max-pages` on the command line,
`QUIRE_MAX_PAGES` in the environment. `config.py` reads them from there; nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from typing import Any

ENVIRONMENT_PREFIX = "QUIRE_"
# Of `quire serve` alone; in the environment they stand beside the settings.
SERVICE_OPTIONS = (
    "host", "port", "data_dir", "database", "allowed_host", "allow_private", "allow_network", "max_crawls",
    "lease_seconds", "rate_limit", "log_format", "token_file", "token",
)  # fmt: skip


def option(default: Any, help: str, **extra: Any) -> Any:
    """Declare a setting; `extra` may hold `choices`, `minimum`, `maximum`, `filled`, `metavar`, `short`, `negative`."""
    if isinstance(default, tuple):
        return field(default=default, metadata={"help": help, "repeat": True, **extra})
    return field(default=default, metadata={"help": help, **extra})


@dataclass(frozen=True, slots=True)
class Scope:
    """Which URLs belong to the site."""

    discover: str = option("sitemap,links", "where URLs come from: sitemap, links, or both", metavar="LIST")
    sitemap: tuple[str, ...] = option((), "read this sitemap too", metavar="URL")
    loose_paths: bool = option(False, "let /api also hold /api-blog: compare paths as plain prefixes")
    follow_external: bool = option(False, "also crawl pages of other sites that this one links to")
    max_external_hops: int = option(1, "how far from the site --follow-external may go", minimum=0)
    max_depth: int | None = option(None, "how many links away from a start URL a page may be", minimum=0)
    max_pages: int | None = option(None, "stop after this many pages are saved", minimum=1)
    query: str = option("meaningful", "which query parameters tell pages apart", choices=("meaningful", "all", "none"))
    noise_params: tuple[str, ...] = option((), "one more query parameter without meaning (`name` or `name*`)")
    ignore_case: bool = option(False, "treat URLs that differ only in case as one")
    max_url_length: int = option(2000, "longer URLs are refused", minimum=50)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which URLs of the site are wanted."""

    include_pattern: tuple[str, ...] = option((), "crawl only URLs in which this regular expression is found")
    exclude_pattern: tuple[str, ...] = option((), "never crawl URLs in which this regular expression is found")
    include_paths: str = option("", "crawl only below these paths (comma-separated)", metavar="PATHS")
    exclude_paths: str = option("", "never crawl below these paths (comma-separated)", metavar="PATHS")
    priority_min: float | None = option(
        None, "crawl only sitemap URLs of at least this priority", minimum=0.0, maximum=1.0
    )
    changefreq: str = option("", "crawl only sitemap URLs with one of these frequencies", metavar="LIST")
    include_mode: str = option(
        "only", "with include filters: crawl nothing else, or the rest last", choices=("only", "prefer")
    )
    ignore_robots: bool = option(False, "do not ask robots.txt")
    trap_budget: int = option(2000, "how many look-alike URLs one template may bring; 0 for no bound", minimum=0)
    allow_trap: tuple[str, ...] = option((), "URLs in which this regular expression is found are never a trap")


@dataclass(frozen=True, slots=True)
class Pace:
    """How hard a server may be asked."""

    content_rate_limit: float | None = option(None, "requests a second to one host (default: 1)", metavar="R")
    delay: float | None = option(None, "seconds between two requests to one host; 0 for none", minimum=0.0)
    concurrency: int = option(16, "requests under way at once, over all hosts", minimum=1)
    per_host: int = option(5, "requests under way at once to one host", minimum=1)
    retries: int = option(3, "tries after a timeout or a broken connection", minimum=0)
    retry_delay: float = option(1.0, "seconds before the first retry; each later one waits twice as long", minimum=0.0)
    max_wait: float = option(600.0, "longest Retry-After to obey; beyond it the URL fails", minimum=0.0)

    @property
    def seconds_between(self) -> float:
        if self.delay is not None:
            return self.delay
        return 1.0 / (self.content_rate_limit or 1.0)


@dataclass(frozen=True, slots=True)
class Fetch:
    """How requests are made."""

    user_agent: str = option("Quire/0.1 (+https://github.com/quire/quire)", "how Quire names itself")
    header: tuple[str, ...] = option(
        (), "send this header, `Name: value`, to the start URLs' origins", metavar="HEADER"
    )
    cookie: tuple[str, ...] = option((), "send this cookie, `name=value`, to the start URLs' origins")
    auth: str = option("", "user:password for the start URLs' origins (basic authentication)", metavar="USER:PASSWORD")
    proxy: str = option("", "send requests through this HTTP proxy", metavar="URL")
    timeout: float = option(30.0, "seconds one request may take in all", minimum=0.1)
    connect_timeout: float = option(10.0, "seconds to wait for a connection", minimum=0.1)
    first_byte_timeout: float = option(20.0, "seconds until an answer begins", minimum=0.1)
    min_rate: int = option(
        100, "bytes a second that an answer brings at least, over --first-byte-timeout; 0 for any", minimum=0
    )
    max_header: int = option(100_000, "largest head of an answer, in bytes", minimum=1)
    max_body: int = option(10_000_000, "largest body, in bytes, after decompression", minimum=1)
    max_ratio: int = option(250, "how many times its size a body over 1 MB may unpack to", minimum=1)
    max_redirects: int = option(10, "longest chain of redirects", minimum=0)
    insecure: bool = option(False, "accept certificates that cannot be verified")
    allow_private: bool = option(False, "dial any address: private, loopback, link-local ones too")
    allow_network: tuple[str, ...] = option((), "dial addresses in this network too, as 10.0.0.0/8", metavar="NETWORK")
    private_start: bool = option(True, "dial the URLs that you name in private networks", negative="no-private-start")


@dataclass(frozen=True, slots=True)
class Render:
    """When and how a browser shows pages."""

    render: str = option(
        "auto", "show pages in a browser: never, where they are nothing without scripts, or always",
        choices=("never", "auto", "always"),
    )  # fmt: skip
    renderer: str = option("browser", "who drives it: Quire itself, or crawl4ai", choices=("browser", "crawl4ai"))
    chromium: str = option("", "the browser to use (default: the system's Chromium)", metavar="COMMAND")
    render_tabs: int = option(4, "pages in the browser at once", minimum=1)
    render_timeout: float = option(
        10.0, "seconds a page may take to become quiet; then it is taken as it is", minimum=0.1
    )
    render_images: bool = option(False, "let the browser load images, fonts and media")
    scrolls: int = option(10, "how often a page is scrolled to its end to see whether more comes", minimum=0)
    clicks: int = option(50, "clicks a page to find routes that no link names; 0 for none", minimum=0)
    explore_timeout: float = option(30.0, "seconds for all clicks of one page", minimum=0.1)


@dataclass(frozen=True, slots=True)
class Sitemaps:
    """How long and how deep sitemaps are read."""

    sitemap_timeout: float = option(10.0, "seconds for a root sitemap", minimum=0.0)
    nested_sitemap_timeout: float = option(5.0, "seconds for a sitemap named by another", minimum=0.0)
    sitemap_total_timeout: float = option(30.0, "seconds for all sitemaps of one host", minimum=0.0)
    sitemap_depth: int = option(2, "levels of sitemap indexes below the root", minimum=0)


@dataclass(frozen=True, slots=True)
class Content:
    """What becomes of a page."""

    content: str = option("main", "main, full, or a CSS selector: the part of a page to keep", metavar="PART")
    remove: tuple[str, ...] = option((), "leave out what matches this CSS selector", metavar="CSS")
    heading: str = option(
        "keep", "the page's heading: keep it in the Markdown, or drop it for the front matter's title",
        choices=("keep", "drop"),
    )  # fmt: skip
    front_matter: bool = option(True, "write url, title and dates above the page", negative="no-front-matter")
    workers: int = option(0, "processes that convert pages; 0 for one a core", minimum=0)
    page_timeout: float = option(30.0, "seconds to convert one page before it is given up", minimum=0.1)
    worker_memory: int = option(2_000_000_000, "bytes of memory a converting process may take; 0 for any", minimum=0)
    max_markdown: int = option(20_000_000, "largest page, in bytes of Markdown", minimum=1)
    max_links: int = option(10_000, "how many links of one page count", minimum=1)


@dataclass(frozen=True, slots=True)
class Mirror:
    """The folder the pages go to."""

    output: str = option("output", "folder of the mirror", metavar="DIR", short="o", filled=True)
    on_error: str = option(
        "skip", "after a page failed: go on, stop, or retry it at the end", choices=("skip", "abort", "retry")
    )
    min_free_disk: int = option(100_000_000, "stop when fewer bytes are free on the disk", minimum=0)
    links: str = option(
        "absolute", "where links between pages of the mirror lead: to the site, or to the local files",
        choices=("absolute", "local"),
    )  # fmt: skip
    assets: bool = option(False, "download the images that pages show, and have the pages show those")
    update: bool = option(False, "bring an existing mirror up to date")
    prune: bool = option(False, "with --update: delete the files of pages that are gone from the site")
    report: bool = option(True, "write _report.html, the crawl to look at in a browser", negative="no-report")
    fresh: bool = option(False, "forget what an earlier crawl did and start over")


@dataclass(frozen=True, slots=True)
class Settings:
    """One crawl: where it starts, and a group of settings for each stage."""

    start: tuple[str, ...] = ()
    credentials: tuple[tuple[str, str], ...] = ()
    """Origins of start URLs, and the `user:password` that stood in them."""
    scope: Scope = Scope()
    filters: Filters = Filters()
    pace: Pace = Pace()
    fetch: Fetch = Fetch()
    render: Render = Render()
    sitemaps: Sitemaps = Sitemaps()
    content: Content = Content()
    mirror: Mirror = Mirror()


def groups() -> Iterator[tuple[str, type]]:
    """Yield each group's name in `Settings` and its class."""
    for each in fields(Settings):
        if each.name not in ("start", "credentials"):
            yield each.name, type(each.default)


def options() -> Iterator[tuple[str, Field[Any]]]:
    """Yield every option with the name of its group."""
    for group, kind in groups():
        for each in fields(kind):
            yield group, each
