"""Which URLs of the site are wanted: the scenarios of the filtering contract, by name."""

from __future__ import annotations

from typing import Any

import pytest

from quire.errors import UsageError
from quire.filter.judge import Judge
from quire.filter.rules import filters_applied, fingerprint
from quire.records import Accepted, Link, Rejected, State
from quire.settings import Filters, Scope, Settings

SITE = "https://x.test/"


def settings(*, start: str = SITE, loose_paths: bool = False, ignore_case: bool = False, **filters: Any) -> Settings:
    return Settings(
        start=(start,), scope=Scope(loose_paths=loose_paths, ignore_case=ignore_case), filters=Filters(**filters)
    )


def listed(path: str, priority: float | None = None, changefreq: str | None = None) -> Link:
    return Link(SITE + path, hash(path), "sitemap", priority=priority, changefreq=changefreq)


def linked(path: str) -> Link:
    return Link(SITE + path, hash(path), "a", depth=1)


def wanted(given: Settings, *paths: str) -> list[str]:
    judge = Judge(given)
    return [path for path in paths if isinstance(judge(linked(path)), Accepted)]


def refusal(given: Settings, link: Link) -> tuple[str, str]:
    verdict = Judge(given)(link)
    assert isinstance(verdict, Rejected)
    assert verdict.state is State.FILTERED
    return verdict.reason, verdict.detail


def test_include_only_documentation_urls() -> None:
    """F1, F2"""
    given = settings(include_pattern=("^.*/docs/.*$",))
    assert wanted(given, "docs/a", "docs/b/c", "blog/a", "products/a", "docs/") == ["docs/a", "docs/b/c", "docs/"]
    assert refusal(given, linked("blog/a")) == ("include-pattern", "matches none of ^.*/docs/.*$")


def test_exclude_blog_and_archive_sections() -> None:
    """F1, F2"""
    given = settings(exclude_pattern=("^.*/(blog|archive)/.*$",))
    assert wanted(given, "docs/a", "blog/a", "archive/2020/x", "about") == ["docs/a", "about"]
    assert refusal(given, linked("blog/a")) == ("exclude-pattern", "^.*/(blog|archive)/.*$")


def test_complex_filter_combination() -> None:
    """F1: include first, then exclude, and exclude wins"""
    given = settings(include_pattern=("^.*/docs/api/.*$",), exclude_pattern=(".*/legacy/.*",))
    assert wanted(given, "docs/api/users", "docs/api/legacy/users", "docs/intro") == ["docs/api/users"]
    assert refusal(given, linked("docs/api/legacy/users")) == ("exclude-pattern", ".*/legacy/.*")
    assert refusal(given, linked("legacy/old"))[0] == "include-pattern"


def test_include_multiple_top_level_sections() -> None:
    """F1, F3"""
    given = settings(include_paths="/docs,/api")
    paths = ("docs", "docs/", "docs/a", "api/v1", "docs-old/a", "tutorials/a", "en/docs/a")
    assert wanted(given, *paths) == ["docs", "docs/", "docs/a", "api/v1"]
    assert refusal(given, linked("tutorials/a")) == ("include-paths", "matches none of /docs, /api")


def test_exclude_specific_paths() -> None:
    """F1, F3"""
    given = settings(exclude_paths="/tag,/category")
    assert wanted(given, "tag/a", "tag", "category/b", "tags", "posts/tag/a") == ["tags", "posts/tag/a"]
    assert refusal(given, linked("category/b")) == ("exclude-paths", "/category")


def test_only_process_high_priority_pages() -> None:
    """F1, F4"""
    judge = Judge(settings(priority_min=0.8))
    verdicts = {priority: judge(listed("a", priority)) for priority in (0.3, 0.79, 0.8, 1.0, None)}
    assert [priority for priority, verdict in verdicts.items() if isinstance(verdict, Accepted)] == [0.8, 1.0, None]
    assert verdicts[0.3] == Rejected(State.FILTERED, "priority-min", "0.3 is below 0.8")


def test_only_process_frequently_updated_content() -> None:
    """F1, F4"""
    judge = Judge(settings(changefreq="daily"))
    verdicts = {word: judge(listed("a", changefreq=word)) for word in ("always", "daily", "monthly", " Daily\n", None)}
    assert [word for word, verdict in verdicts.items() if isinstance(verdict, Accepted)] == ["daily", " Daily\n"]
    assert verdicts["monthly"] == Rejected(State.FILTERED, "changefreq", "monthly")
    assert verdicts[None] == Rejected(State.FILTERED, "changefreq", "none given")


def test_several_frequencies_may_be_asked_for() -> None:
    """F1"""
    judge = Judge(settings(changefreq="Daily, always"))
    assert isinstance(judge(listed("a", changefreq="always")), Accepted)
    assert isinstance(judge(listed("a", changefreq="weekly")), Rejected)
    assert judge.warnings == ()


def test_a_frequency_no_sitemap_uses_is_warned_about() -> None:
    """C10"""
    (warning,) = Judge(settings(changefreq="dayly")).warnings
    assert "'dayly'" in warning
    assert "daily" in warning


def test_a_url_known_from_links_only_fails_changefreq_and_passes_priority() -> None:
    """R2, F4"""
    assert refusal(settings(changefreq="daily"), linked("a")) == ("changefreq", "none given")
    assert wanted(settings(priority_min=1.0), "a") == ["a"]


def test_one_of_several_include_patterns_is_enough() -> None:
    """F1"""
    assert wanted(settings(include_pattern=("/docs/", "/api/")), "docs/a", "api/a", "blog/a") == ["docs/a", "api/a"]


def test_patterns_and_paths_must_both_pass() -> None:
    """F1"""
    given = settings(include_pattern=("install",), include_paths="/docs")
    assert wanted(given, "docs/install", "docs/a", "blog/install") == ["docs/install"]


def test_a_pattern_may_mean_the_slash_the_site_wrote() -> None:
    """F2, U5"""
    assert wanted(settings(include_pattern=("/$",)), "docs/", "docs/a") == ["docs/"]
    assert wanted(settings(exclude_pattern=("/$",)), "docs/", "docs/a") == ["docs/a"]
    assert wanted(settings(include_pattern=("/docs$",)), "docs/", "docs") == ["docs/", "docs"]


def test_a_pattern_may_be_written_in_any_script() -> None:
    """F2"""
    assert wanted(settings(include_pattern=("/文档/",)), "文档/a", "%E6%96%87%E6%A1%A3/b", "c/文") == [
        "文档/a",
        "%E6%96%87%E6%A1%A3/b",
    ]


def test_a_pattern_sees_the_query_and_a_path_prefix_does_not() -> None:
    """F2, F3"""
    assert wanted(settings(exclude_pattern=("print=1",)), "a?print=1", "a") == ["a"]
    assert wanted(settings(include_paths="/a"), "a?b=/c", "c?d=/a") == ["a?b=/c"]


@pytest.mark.parametrize("prefix", ["/docs", "docs", "/docs/", " docs ,", "/docs/*", "//docs", "/./docs", "/%64ocs"])
def test_a_path_prefix_may_be_written_in_many_ways(prefix: str) -> None:
    """F3"""
    assert wanted(settings(include_paths=prefix), "docs", "docs/a", "docs-old") == ["docs", "docs/a"]


def test_loose_paths_are_plain_prefixes() -> None:
    """F3"""
    loose = settings(include_paths="/docs", loose_paths=True)
    assert wanted(loose, "docs", "docs/a", "docs-old", "doc") == ["docs", "docs/a", "docs-old"]
    assert wanted(settings(include_paths="/docs/", loose_paths=True), "docs", "docs/a", "docs-old") == [
        "docs",
        "docs/a",
    ]


def test_the_root_as_a_prefix_holds_everything() -> None:
    """F3"""
    assert wanted(settings(include_paths="/"), "", "a") == ["", "a"]


def test_prefixes_and_urls_meet_in_their_normal_form() -> None:
    """F3, U1"""
    assert wanted(settings(include_paths="/größe/a b"), "gr%c3%b6%C3%9Fe/a%20b/c") == ["gr%c3%b6%C3%9Fe/a%20b/c"]


def test_a_url_given_as_a_path_is_a_usage_error() -> None:
    """C10"""
    with pytest.raises(UsageError, match=r"--exclude-paths: 'https://x\.test/a' is a URL; give a path such as /docs"):
        Judge(settings(exclude_paths="/b,https://x.test/a"))


def test_case_is_ignored_in_every_filter_on_request() -> None:
    """U4"""
    by_pattern: dict[str, Any] = {"include_pattern": ("/docs/",)}
    by_path: dict[str, Any] = {"include_paths": "/docs"}
    for filters in (by_pattern, by_path):
        assert wanted(settings(**filters), "DOCS/a") == []
        assert wanted(settings(ignore_case=True, **filters), "DOCS/a") == ["DOCS/a"]
    assert wanted(settings(ignore_case=True, exclude_paths="/Docs"), "docs/a") == []


def test_what_matches_an_include_filter_goes_before_the_rest() -> None:
    """P1, P2"""
    for filters in ({"include_pattern": ("/docs/",)}, {"include_paths": "/docs"}):
        judge = Judge(settings(include_mode="prefer", **filters))
        assert judge(linked("docs/a")) == Accepted(1)
        assert judge(linked("blog/a")) == Accepted(2)
        assert isinstance(Judge(settings(**filters))(linked("blog/a")), Rejected)


def test_without_include_filters_all_pages_are_equal() -> None:
    """P1"""
    assert Judge(settings(exclude_pattern=("/blog/",)))(linked("docs/a")) == Accepted(2)


def test_exclude_wins_also_where_the_rest_is_crawled_last() -> None:
    """P2, F1"""
    given = settings(
        include_mode="prefer",
        include_pattern=("/docs/",),
        exclude_pattern=("/old/",),
        exclude_paths="/tag",
        priority_min=0.5,
    )
    assert refusal(given, linked("docs/old/a"))[0] == "exclude-pattern"
    assert refusal(given, linked("blog/old/a"))[0] == "exclude-pattern"
    assert refusal(given, linked("tag/a"))[0] == "exclude-paths"
    assert refusal(given, listed("docs/a", 0.1))[0] == "priority-min"


def test_the_sitemaps_priority_orders_within_a_class() -> None:
    """P1"""
    judge = Judge(settings(include_pattern=("/docs/",)))
    assert judge(listed("docs/a", 0.9)) == Accepted(1, 0.9)
    assert judge(listed("docs/b")) == Accepted(1, 0.5)


@pytest.mark.parametrize(("priority", "weight"), [(7.0, 1.0), (-1.0, 0.0), (float("nan"), 0.0), (float("inf"), 1.0)])
def test_a_priority_out_of_range_does_not_upset_the_order(priority: float, weight: float) -> None:
    """P1"""
    assert Judge(settings())(listed("a", priority)) == Accepted(2, weight)


def test_a_long_list_of_patterns_is_named_in_short() -> None:
    """F7"""
    given = settings(include_pattern=tuple(f"/p{number}/" for number in range(20)))
    assert refusal(given, linked("a"))[1] == "matches none of /p0/, /p1/, /p2/ and 17 more"


def test_only_filters_that_are_set_are_listed() -> None:
    """S11"""
    assert filters_applied(settings()) == {}
    assert filters_applied(settings(include_pattern=("",), include_paths=" ", include_mode="prefer")) == {}
    given = settings(include_pattern=("^.*/docs/.*$",), priority_min=0.0)
    assert filters_applied(given) == {"include_pattern": "^.*/docs/.*$", "priority_min": 0.0}
    everything = settings(
        include_pattern=("a", "b"),
        exclude_pattern=("c",),
        include_paths="/d,/e",
        exclude_paths="/f",
        changefreq="daily",
        include_mode="prefer",
    )
    assert filters_applied(everything) == {
        "include_pattern": ["a", "b"],
        "exclude_pattern": "c",
        "include_paths": "/d,/e",
        "exclude_paths": "/f",
        "changefreq": "daily",
        "include_mode": "prefer",
    }


def test_the_fingerprint_changes_with_every_setting_that_judges() -> None:
    """F7"""
    start = (SITE,)
    different = [
        settings(),
        settings(start=SITE + "docs"),
        settings(include_pattern=("a",)),
        settings(exclude_pattern=("a",)),
        settings(include_paths="/a"),
        settings(exclude_paths="/a"),
        settings(include_paths="/A"),
        settings(priority_min=0.5),
        settings(changefreq="daily"),
        settings(include_pattern=("a",), include_mode="prefer"),
        settings(trap_budget=5),
        settings(loose_paths=True),
        settings(ignore_case=True),
        Settings(start=start, scope=Scope(max_depth=0)),
        Settings(start=start, scope=Scope(max_url_length=100)),
        Settings(start=start, scope=Scope(follow_external=True)),
        Settings(start=start, scope=Scope(follow_external=True, max_external_hops=2)),
    ]
    assert len({fingerprint(each) for each in different}) == len(different)


def test_the_fingerprint_ignores_what_judges_alike() -> None:
    """F7"""
    one = settings(include_pattern=("a", "b"), include_paths="/a, /b", changefreq="Daily,weekly")
    same = settings(include_pattern=("b", "a", "a", ""), include_paths="/b,/a,", changefreq="weekly,daily")
    assert fingerprint(one) == fingerprint(same)
    assert fingerprint(settings()) == fingerprint(Settings(start=("http://x.test",), scope=Scope(max_pages=5)))


def test_the_fingerprint_is_the_same_in_every_process() -> None:
    """F7"""
    assert fingerprint(settings(include_pattern=("a",))) == "59428b8b1ebd4223"
