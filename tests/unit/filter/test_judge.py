"""The one decision about a URL."""

from __future__ import annotations

from typing import Any

import pytest

from quire.errors import UsageError
from quire.filter.extensions import DOWNLOADS
from quire.filter.judge import Judge
from quire.ports import Rule
from quire.records import Accepted, Link, Rejected, State, Verdict
from quire.settings import Filters, Scope, Settings

START = "https://x.test/docs"


def judge(start: str = START, filters: Filters | None = None, **scope: Any) -> Judge:
    return Judge(Settings(start=(start,), scope=Scope(**scope), filters=filters or Filters()))


def link(url: str, source: str = "a", **more: Any) -> Link:
    return Link(url, 0, source, **more)


def verdict(url: str, **scope: Any) -> Verdict:
    return judge("https://x.test/", **scope)(link(url))


def test_a_judge_is_a_rule() -> None:
    rule: Rule = judge()
    assert rule(link("https://x.test/docs/a")) == Accepted(2)


def test_a_start_url_is_always_crawled_and_first() -> None:
    """D1, P1, P2"""
    strict = judge(
        filters=Filters(include_pattern=("never",), exclude_pattern=(".",), changefreq="daily", trap_budget=1),
        max_depth=0,
    )
    for url in (START, "https://other.test/file.pdf", START + "?" + "a" * 3000, "https://x.test/a/a/a/a"):
        assert strict(link(url, start=True)) == Accepted(0)


def test_an_overlong_url_is_filtered() -> None:
    """F7"""
    assert verdict("https://x.test/" + "a" * 100, max_url_length=115) == Accepted(2)
    assert verdict("https://x.test/" + "a" * 101, max_url_length=115) == Rejected(
        State.FILTERED, "url-length", "116 characters"
    )


@pytest.mark.parametrize("url", ["", "mailto:a@x.test", "https://", "https://x.test:99999/", "/docs", "https://[::1"])
def test_what_is_no_web_address_is_invalid(url: str) -> None:
    """U10, U9"""
    refused = verdict(url)
    assert isinstance(refused, Rejected)
    assert (refused.state, refused.reason) == (State.INVALID, "bad-url")


def test_other_hosts_and_paths_are_external_and_say_why() -> None:
    """U6, U7, U8"""
    here = judge()
    assert here(link("https://y.test/docs/a")) == Rejected(State.EXTERNAL, "other-host", "y.test")
    assert here(link("https://www.x.test/docs/a")) == Rejected(State.EXTERNAL, "other-host", "www.x.test")
    assert here(link("https://x.test/docs-old")) == Rejected(State.EXTERNAL, "outside-base-path", "/docs")
    assert judge(loose_paths=True)(link("https://x.test/docs-old")) == Accepted(2)


def test_external_pages_are_crawled_on_request_as_far_as_allowed() -> None:
    """U8"""
    outside = "https://y.test/a"
    assert isinstance(judge()(link(outside, hops=1)), Rejected)
    follow = judge(follow_external=True)
    assert follow(link(outside, hops=1)) == Accepted(2)
    assert follow(link("https://x.test/blog", hops=1)) == Accepted(2)
    assert follow(link(outside, hops=2)) == Rejected(State.EXTERNAL, "other-host", "y.test")
    assert judge(follow_external=True, max_external_hops=2)(link(outside, hops=2)) == Accepted(2)
    assert isinstance(judge(follow_external=True, max_external_hops=0)(link(outside, hops=1)), Rejected)


def test_filters_judge_external_pages_too() -> None:
    """U8, F1"""
    follow = judge(filters=Filters(exclude_paths="/b"), follow_external=True)
    assert follow(link("https://y.test/b", hops=1)) == Rejected(State.FILTERED, "exclude-paths", "/b")


def test_the_engine_can_ask_what_is_internal() -> None:
    """U8"""
    here = judge()
    assert here.internal("http://x.test/docs/a?b")
    assert not here.internal("https://x.test/blog")
    assert not here.internal("javascript:void(0)")


def test_a_moved_base_judges_from_where_it_landed() -> None:
    """R1"""
    here = judge("https://x.test/")
    here.rebase("x.test", "https://www.x.test/")
    assert here.bases == ("https://www.x.test/",)
    assert here.internal("https://www.x.test/a")
    assert here(link("https://www.x.test/a")) == Accepted(2)
    assert here(link("https://x.test/a")) == Rejected(State.EXTERNAL, "other-host", "x.test")


SOURCES = (
    "pdf jpg jpeg png gif svg webp css js ico zip tar gz mp4 mov avi mp3 wav "
    "doc docx xls xlsx xlsm ppt pptx rar 7z exe dmg apk csv xml json sql"
)
RELATIVES = "tgz woff2 webm flac epub odt avif mjs tsv yaml msi rss bz2 ics"
PAGES = "html htm xhtml shtml php asp aspx jsp jsf cfm cgi md txt com net org io"


@pytest.mark.parametrize("extension", SOURCES.split())
def test_every_download_extension_of_both_sources_is_skipped(extension: str) -> None:
    """U9"""
    for name in (f"file.{extension}", f"a/File.Name.{extension.upper()}", f"a.{extension}?x=1", f"a.{extension};v=2"):
        assert verdict("https://x.test/" + name) == Rejected(State.SKIPPED, "extension", f".{extension}")


@pytest.mark.parametrize("extension", RELATIVES.split())
def test_the_relatives_of_downloads_are_skipped_too(extension: str) -> None:
    """U9"""
    assert verdict(f"https://x.test/a.{extension}") == Rejected(State.SKIPPED, "extension", f".{extension}")


@pytest.mark.parametrize(
    "path",
    [
        "",
        "page",
        "page.html",
        "page.htm",
        "page.php",
        "page.asp",
        "page.aspx",
        "page.jsp",
        "page.md",
        "page.txt",
        "release/2.7",
        "docs/v1.7",
        "v2.0.0-rc.1",
        "package/socket.io",
        "profile/example.com",
        "api/jQuery.map",
        "file.pdf/view",
        "tags/node.js/",
        "download?file=a.pdf",
        "download?a.zip",
        "a.unknown",
        "pdf",
        "a.",
        "..a",
        ".well-known/a",
    ],
)
def test_pages_and_unknown_extensions_are_not_skipped(path: str) -> None:
    """U9: an extension is judged on the path, never on the query"""
    assert verdict("https://x.test/" + path) == Accepted(2)


def test_a_download_is_skipped_wherever_it_is() -> None:
    """U9: skipped outright, not recorded as external"""
    assert verdict("https://y.test/a.pdf") == Rejected(State.SKIPPED, "extension", ".pdf")
    assert verdict("https://x.test/a%2Epdf") == Rejected(State.SKIPPED, "extension", ".pdf")


def test_no_web_page_extension_is_a_download() -> None:
    """U9"""
    assert not DOWNLOADS & set(PAGES.split())


def test_the_depth_is_bounded_on_request() -> None:
    """P7"""
    here = judge(max_depth=2)
    assert here(link("https://x.test/docs/a", depth=2)) == Accepted(2)
    assert here(link("https://x.test/docs/a", depth=3)) == Rejected(State.FILTERED, "max-depth", "2")
    assert judge()(link("https://x.test/docs/a", depth=10_000)) == Accepted(2)


def test_only_an_accepted_url_spends_a_trap_budget() -> None:
    """P7"""
    here = judge("https://x.test/", Filters(exclude_pattern=("excluded",), trap_budget=2))
    for number in range(10):
        here(link(f"https://x.test/a?excluded={number}"))
        here(link(f"https://y.test/a?page={number}"))
    assert here.traps == {}


def test_a_trap_is_refused_and_reported() -> None:
    """P7"""
    here = judge("https://x.test/", Filters(trap_budget=2))
    verdicts = [here(link(f"https://x.test/list?page={number}")) for number in range(5)]
    refused = Rejected(State.FILTERED, "trap", "x.test/list?page")
    assert verdicts == [Accepted(2), Accepted(2), refused, refused, refused]
    assert here.traps == {"x.test/list?page": 3}


def test_a_sitemap_leads_into_no_trap() -> None:
    """P7"""
    here = judge("https://x.test/", Filters(trap_budget=1))
    for number in range(5):
        assert here(link(f"https://x.test/a/a/a/a?page={number}", "sitemap")) == Accepted(2)


def test_the_trap_budget_can_be_switched_off() -> None:
    """P7"""
    here = judge("https://x.test/", Filters(trap_budget=0))
    for number in range(5000):
        assert here(link(f"https://x.test/a/a/a/a?page={number}")) == Accepted(2)


@pytest.mark.parametrize(
    ("flag", "filters"),
    [("--include-pattern", Filters(include_pattern=("[a",))), ("--exclude-pattern", Filters(exclude_pattern=("[a",)))],
)
def test_a_bad_pattern_stops_before_anything_is_fetched(flag: str, filters: Filters) -> None:
    """F6"""
    with pytest.raises(UsageError) as caught:
        judge(filters=filters)
    assert str(caught.value) == f"{flag}: '[a' is not a regular expression (unterminated character set at position 0)"


def test_a_pattern_beyond_linear_time_is_warned_about_or_refused() -> None:
    """F6"""
    given = Settings(start=(START,), filters=Filters(exclude_pattern=(r"/(?!docs)\w+$",)))
    (warning,) = Judge(given).warnings
    assert warning.startswith("--exclude-pattern: ")
    assert judge().warnings == ()
    with pytest.raises(UsageError, match=r"--exclude-pattern: .* cannot be matched in linear time"):
        Judge(given, linear_only=True)
