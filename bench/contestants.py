"""Who is measured, and by which command: no delay, no robots.txt where that can be said, 16 to 32 requests at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from installing import QUIRE as OURS
from installing import node_modules_of, python_of

QUIRE = ("--delay", "0", "--concurrency", "32", "--per-host", "32", "-q")
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Course:
    """One crawl to make: where it starts, where its output goes, and (for the limit program) all its URLs.

    `landing` is the page that the start redirects to, for those who do not follow it.
    """

    url: str
    folder: Path
    urls: Path
    landing: str


@dataclass(frozen=True, slots=True)
class Contestant:
    """A program; `suffix` is how the files it writes end, "" when it writes none."""

    name: str
    makes: str
    command: Callable[[Course], list[str]]
    suffix: str = ""
    sites: tuple[str, ...] = ("python",)
    environment: str = ""
    slow: bool = False
    quick: bool = False


def _quire(course: Course) -> list[str]:
    return [str(python_of(OURS)), "-m", "quire", "mirror", course.url, "-o", str(course.folder), *QUIRE]


def _limit(course: Course) -> list[str]:
    return [str(python_of(OURS)), str(HERE / "limit.py"), str(course.urls), str(course.folder)]


def _wget2(course: Course) -> list[str]:
    # Filters of any kind make it ask for every other file by HEAD first: without them it is faster.
    return ["wget2", "-q", "-r", "-l", "inf", "--no-robots", "--max-threads=16", "-P", str(course.folder), course.url]


def _wget(course: Course) -> list[str]:
    return ["wget", "-q", "-r", "-l", "inf", "-A", "html", "-e", "robots=off", "-P", str(course.folder), course.url]


def _httrack(course: Course) -> list[str]:
    # -A0 and -%c0 lift the limits on bytes and connections a second, -C0 leaves its cache out; 8 sockets, its
    # default, are faster than 16 or 32.
    options = ["-q", "-c8", "--disable-security-limits", "-A0", "-%c0", "-s0", "-C0", "-I0"]
    only_pages = ["-*", f"+{course.url.removeprefix('http://')}*.html"]
    return ["httrack", course.url, "-O", str(course.folder), *options, *only_pages]


def _script(environment: str, name: str, *, writes: bool) -> Callable[[Course], list[str]]:
    program = [str(python_of(environment)), str(HERE / "peers" / name)]
    return lambda course: [*program, course.url, *([str(course.folder)] if writes else [])]


def _spider_rs(course: Course) -> list[str]:
    return ["node", str(HERE / "peers" / "spider_rs_links.cjs"), course.landing, str(node_modules_of("spider_rs"))]


BOTH = ("python", "openjdk")
CONTESTANTS = (
    Contestant("Quire", "Markdown", _quire, ".md", BOTH, OURS, quick=True),
    Contestant("limit program", "Markdown", _limit, ".md", BOTH, OURS, quick=True),
    Contestant("wget2 -r", "HTML", _wget2, ".html", BOTH, quick=True),
    Contestant("wget -r", "HTML", _wget, ".html", BOTH, quick=True),
    Contestant("HTTrack", "HTML", _httrack, ".html", BOTH),
    Contestant("spider-rs", "links", _spider_rs, "", BOTH, "spider_rs"),
    Contestant(
        "Crawlee (Parsel)", "links", _script("crawlee", "crawlee_parsel.py", writes=False), environment="crawlee"
    ),
    Contestant(
        "Scrapy", "links", _script("scrapy", "scrapy_links.py", writes=False), environment="scrapy", quick=True
    ),
    Contestant(
        "Scrapy + html2text", "Markdown", _script("scrapy", "scrapy_html2text.py", writes=True), ".md",
        environment="scrapy", slow=True,
    ),
    Contestant(
        "crawl4ai (HTTP)", "Markdown", _script("crawl4ai", "crawl4ai_http.py", writes=True), ".md",
        environment="crawl4ai", slow=True,
    ),
    Contestant(
        "Scrapy + markdownify", "Markdown", _script("scrapy", "scrapy_markdownify.py", writes=True), ".md",
        environment="scrapy", slow=True,
    ),
    Contestant(
        "Crawlee (Parsel) + markdownify", "Markdown", _script("crawlee", "crawlee_parsel.py", writes=True), ".md",
        environment="crawlee", slow=True,
    ),
)  # fmt: skip
