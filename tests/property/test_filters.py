"""Properties of the decision about a URL."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from quire.errors import UsageError
from quire.filter.judge import Judge
from quire.filter.patterns import Patterns, split_patterns
from quire.filter.rules import filters_applied, fingerprint
from quire.filter.traps import TrapBudget
from quire.records import Accepted, Link, Rejected, State
from quire.settings import Filters, Scope, Settings

SEGMENTS = st.sampled_from(
    ["docs", "docs-old", "Docs", "api", "a", "b", "..", ".", "", "2024", "01", "%64ocs", "é", "file.pdf", "index.html"]
)
PATHS = st.lists(SEGMENTS, max_size=5).map(lambda segments: "/" + "/".join(segments))
HOSTS = st.sampled_from(["x.test", "X.test", "www.x.test", "x.test:443", "x.test:8080", "y.test"])
QUERIES = st.sampled_from(["", "?", "?page=1", "?page=2&sort=a", "?utm_source=x", "?q=docs"])
URLS = st.builds("{}://{}{}{}".format, st.sampled_from(["http", "https", "HTTPS"]), HOSTS, PATHS, QUERIES)
ANYTHING = st.one_of(URLS, st.text(), st.text(alphabet=st.characters()).map("https://x.test/".__add__))

LINKS = st.builds(
    Link,
    url=ANYTHING,
    key=st.integers(-(2**63), 2**63 - 1),
    source=st.sampled_from(["sitemap", "a", "json-ld"]),
    depth=st.integers(0, 5),
    hops=st.integers(0, 3),
    start=st.booleans(),
    priority=st.none() | st.floats(),
    changefreq=st.none() | st.sampled_from(["daily", "Weekly", "", "x"]),
)

PATTERNS = st.lists(
    st.sampled_from(["docs", "^.*/docs/.*$", "/$", "[?]", "a|b", "(?i)DOCS", "é", r"\d{4}"]), max_size=3
)
PREFIXES = st.lists(st.sampled_from(["/docs", "api/", "/docs/a", "/", "é", "/Docs"]), max_size=3).map(",".join)
FILTERS = st.builds(
    Filters,
    include_pattern=PATTERNS.map(tuple),
    exclude_pattern=PATTERNS.map(tuple),
    include_paths=PREFIXES,
    exclude_paths=PREFIXES,
    priority_min=st.none() | st.floats(0, 1),
    changefreq=st.sampled_from(["", "daily", "daily,weekly"]),
    include_mode=st.sampled_from(["only", "prefer"]),
    trap_budget=st.sampled_from([0, 1, 2000]),
)
SCOPES = st.builds(
    Scope,
    loose_paths=st.booleans(),
    follow_external=st.booleans(),
    max_external_hops=st.integers(0, 2),
    max_depth=st.none() | st.integers(0, 3),
    ignore_case=st.booleans(),
    max_url_length=st.sampled_from([50, 2000]),
)
STARTS = st.lists(URLS, min_size=1, max_size=3).map(tuple)
SETTINGS = st.builds(Settings, start=STARTS, scope=SCOPES, filters=FILTERS)


def accepted(settings: Settings, links: list[Link]) -> set[int]:
    judge = Judge(settings)
    return {place for place, link in enumerate(links) if isinstance(judge(link), Accepted)}


@given(SETTINGS, st.lists(LINKS, max_size=20))
def test_every_url_gets_one_verdict_and_the_same_one_each_time(settings: Settings, links: list[Link]) -> None:
    """F7, U10"""
    one, other = Judge(settings), Judge(settings)
    for link in links:
        verdict = one(link)
        assert verdict == other(link)
        if isinstance(verdict, Rejected):
            assert verdict.reason
            assert verdict.state in (State.FILTERED, State.EXTERNAL, State.SKIPPED, State.INVALID)
        else:
            assert verdict.rank in (0, 1, 2)
            assert 0.0 <= verdict.weight <= 1.0
        assert not link.start or verdict == Accepted(0)


@given(SETTINGS, st.lists(LINKS, max_size=20), st.sampled_from(["docs", "a", "/$", "[0-9]"]))
def test_an_added_exclude_never_grows_the_accepted_set(settings: Settings, links: list[Link], pattern: str) -> None:
    """F1"""
    # A trap's budget goes to those who come first, so with one an exclude may well make room for others.
    filters = replace(settings.filters, trap_budget=0)
    before = replace(settings, filters=filters)
    by_pattern = replace(settings, filters=replace(filters, exclude_pattern=(*filters.exclude_pattern, pattern)))
    by_path = replace(settings, filters=replace(filters, exclude_paths=filters.exclude_paths + ",/docs"))
    assert accepted(by_pattern, links) <= accepted(before, links)
    assert accepted(by_path, links) <= accepted(before, links)


@given(SETTINGS, st.lists(ANYTHING, max_size=20))
def test_a_strict_scope_is_part_of_the_loose_one(settings: Settings, urls: list[str]) -> None:
    """U7"""
    strict = Judge(replace(settings, scope=replace(settings.scope, loose_paths=False)))
    loose = Judge(replace(settings, scope=replace(settings.scope, loose_paths=True)))
    for url in urls:
        assert loose.internal(url) or not strict.internal(url)


@given(SETTINGS, st.lists(LINKS, max_size=20))
def test_preferring_crawls_all_that_including_only_does(settings: Settings, links: list[Link]) -> None:
    """P2"""
    filters = replace(settings.filters, trap_budget=0)
    only = replace(settings, filters=replace(filters, include_mode="only"))
    prefer = replace(settings, filters=replace(filters, include_mode="prefer"))
    assert accepted(only, links) <= accepted(prefer, links)


@given(SETTINGS, URLS)
def test_what_is_internal_is_never_refused_as_external(settings: Settings, url: str) -> None:
    """U8"""
    scope = replace(settings.scope, follow_external=False)
    judge = Judge(replace(settings, scope=scope))
    verdict = judge(Link(url, 0, "a"))
    external = isinstance(verdict, Rejected) and verdict.state is State.EXTERNAL
    assert not (external and judge.internal(url))


@given(SETTINGS, URLS, URLS)
def test_a_moved_base_holds_where_it_landed(settings: Settings, start: str, landing: str) -> None:
    """R1"""
    judge = Judge(replace(settings, start=(start,)))
    for base in judge.bases:
        judge.rebase(base.partition("://")[2].partition("/")[0], landing)
    assert judge.internal(landing)
    assert len(judge.bases) == 1


@given(SETTINGS)
def test_the_fingerprint_and_the_list_of_filters_are_the_settings_own(settings: Settings) -> None:
    """F7, S11"""
    assert fingerprint(settings) == fingerprint(replace(settings))
    assert fingerprint(settings) == fingerprint(replace(settings, start=tuple(reversed(settings.start))))
    assert all(value not in ("", (), [], None) for value in filters_applied(settings).values())


@given(st.text(alphabet=st.sampled_from("ab,()[]{}\\^:. \n")))
def test_splitting_loses_nothing_but_commas_and_blanks(text: str) -> None:
    """F5"""
    parts = split_patterns(text)
    remaining = text
    for part in parts:
        before, found, remaining = remaining.partition(part)
        assert found
        assert not before.strip(", \n")
    assert not remaining.strip(", \n")


@given(st.text(alphabet=st.sampled_from("ab()[]{}|*+?\\^$:!<=1,")) | st.text(alphabet=st.characters()))
def test_any_text_is_a_pattern_or_a_usage_error(text: str) -> None:
    """F6"""
    with contextlib.suppress(UsageError):
        Patterns("--include-pattern", (text,), linear_only=True).find("https://x.test/ab")


@given(st.lists(URLS | ANYTHING, max_size=30), st.integers(0, 3))
def test_traps_never_stop_at_odd_urls_and_count_what_they_refuse(urls: list[str], budget: int) -> None:
    """P7, U10"""
    traps = TrapBudget(budget)
    refused = [template for url in urls if (template := traps.check(url)) is not None]
    assert sum(traps.refused.values()) == len(refused)
    assert set(traps.refused) == set(refused)
