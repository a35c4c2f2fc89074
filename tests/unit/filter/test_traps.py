"""Traps, and what only looks like one."""

from __future__ import annotations

import itertools
import shutil
import sys
import time
from pathlib import Path
from uuid import UUID

import pytest

from quire.filter import traps
from quire.filter.traps import FACET_FACTOR, PATH_FACTOR, TrapBudget

SITE = "https://x.test"


def passed(budget: TrapBudget, *paths: str) -> int:
    return sum(budget.check(SITE + path) is None for path in paths)


def test_a_query_is_cut_off_at_the_budget() -> None:
    """P7"""
    budget = TrapBudget(100)
    assert passed(budget, *(f"/search?q={number}&page=1" for number in range(500))) == 100
    assert budget.refused == {"x.test/search?page&q": 400}


def test_the_order_of_parameters_makes_no_new_template() -> None:
    """P7"""
    budget = TrapBudget(10)
    paths = [f"/s?{'&'.join(pair)}" for n in range(10) for pair in ((f"a={n}", f"b={n}"), (f"b={n}", f"a={n}"))]
    assert passed(budget, *paths) == 10


def test_numbered_facets_are_one_template() -> None:
    """P7"""
    budget = TrapBudget(10)
    assert passed(budget, *(f"/s?f%5B{n}%5D=x" for n in range(50))) == 10
    assert list(budget.refused) == ["x.test/s?f%5B{n}%5D"]


def test_facets_on_every_path_run_out_together() -> None:
    """P7"""
    budget = TrapBudget(4)
    paths = [f"/shop/{chr(97 + a)}{chr(97 + b)}?sid={n}" for n in range(3) for a in range(26) for b in range(26)]
    assert passed(budget, *paths) == 4 * PATH_FACTOR
    assert list(budget.refused) == ["x.test/*?sid"]


def test_a_session_id_in_the_path_counts_as_a_query() -> None:
    """P7"""
    budget = TrapBudget(10)
    assert passed(budget, *(f"/page;jsessionid={n:032X}" for n in range(50))) == 10
    assert list(budget.refused) == ["x.test/page?jsessionid"]


@pytest.mark.parametrize(
    "pattern",
    ["/calendar/{y}/{m}/{d}", "/{y}/{m:02}/{d:02}", "/events/{y}-{m:02}-{d:02}", "/cal/{y}/{m}/{d}.html"],
)
def test_a_calendar_in_the_path_is_cut_off_at_the_budget(pattern: str) -> None:
    """P7"""
    budget = TrapBudget(100)
    days = [(y, m, d) for y in range(2020, 2024) for m in range(1, 13) for d in range(1, 29)]
    assert passed(budget, *(pattern.format(y=y, m=m, d=d) for y, m, d in days)) == 100
    (template,) = budget.refused
    assert "{date}" in template


def test_articles_under_a_date_are_no_calendar() -> None:
    """P7"""
    budget = TrapBudget(10)
    paths = [f"/2024/{n % 12 + 1}/{n % 28 + 1}/story-{'abcdefghij'[n % 10] * (n // 10 + 1)}" for n in range(500)]
    assert passed(budget, *paths) == 500


def test_numbered_articles_have_a_larger_budget() -> None:
    """P7"""
    budget = TrapBudget(10)
    assert passed(budget, *(f"/article/{number}" for number in range(1000))) == 10 * PATH_FACTOR
    assert budget.refused == {"x.test/article/{n}": 1000 - 10 * PATH_FACTOR}


def test_a_news_site_of_tens_of_thousands_of_articles_is_no_trap_by_default() -> None:
    """P7"""
    assert passed(TrapBudget(2000), *(f"/article/{number}" for number in range(50_000))) == 50_000


@pytest.mark.parametrize("token", ["{0}", "{0.hex}", "s{0.hex}"])
def test_tokens_in_the_path_are_one_template(token: str) -> None:
    """P7"""
    budget = TrapBudget(4)
    ids = [UUID(int=number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128, version=4) for number in range(1, 301)]
    assert passed(budget, *(f"/s/{token.format(each)}/page" for each in ids)) == 4 * PATH_FACTOR
    assert list(budget.refused) == ["x.test/s/{id}/page"]


def test_pages_without_anything_open_are_never_counted() -> None:
    """P7"""
    budget = TrapBudget(1)
    assert passed(budget, *("/about" for _ in range(100)), *("/%E4%B8%AD%20%41" for _ in range(100))) == 200


def test_titles_in_other_scripts_are_not_taken_for_numbers() -> None:
    """P7"""
    budget = TrapBudget(1)
    assert passed(budget, *(f"/wiki/%E{a}%B{b}%8{c}" for a in range(4, 9) for b in range(10) for c in range(10))) == 500


@pytest.mark.parametrize(
    ("path", "run"),
    [
        ("/a/a/a", "a/"),
        ("/x/a/b/a/b/a/b", "a/b/"),
        ("/en/docs/docs/docs/page.html", "docs/"),
        ("/a/b/c/a/b/c/a/b/c/d", "a/b/c/"),
        ("/a////b", "/"),
    ],
)
def test_a_path_that_repeats_itself_is_refused_at_once(path: str, run: str) -> None:
    """P7"""
    budget = TrapBudget(2000)
    assert budget.check(SITE + path) == f"x.test/... repeated: {run}"
    assert budget.refused == {f"x.test/... repeated: {run}": 1}


@pytest.mark.parametrize("path", ["/a/a", "/a/b/a/b", "/a/b/a/c/a", "/bible/1/1/1", "/a/b/c/b/a", "/tiles/0/0/0/0"])
def test_some_repetition_is_no_trap(path: str) -> None:
    """P7"""
    assert TrapBudget(2000).check(SITE + path) is None


def test_a_path_without_a_bottom_is_refused() -> None:
    """P7"""
    budget = TrapBudget(2000)
    deep = "".join(f"/{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(40))
    assert budget.check(SITE + deep) is None
    assert budget.check(SITE + deep + "/z") == "x.test/... over 40 segments"


def test_each_host_has_budgets_of_its_own() -> None:
    """P7"""
    budget = TrapBudget(1)
    assert budget.check("https://x.test/a?b=1") is None
    assert budget.check("https://y.test/a?b=1") is None
    assert budget.check("https://10.0.0.1:8080/a") is None
    assert budget.check("http://x.test/a?b=2") == "x.test/a?b"


def test_a_budget_of_nothing_lets_everything_pass() -> None:
    """P7"""
    assert passed(TrapBudget(0), "/a/a/a/a", "/x" * 100, *("/a?b=1" for _ in range(100))) == 102


def test_memory_is_bounded_and_a_big_template_outlives_the_rare_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """P7, X1"""
    monkeypatch.setattr(traps, "MOST_TEMPLATES", 100)
    budget = TrapBudget(50)
    for number in range(40):
        budget.check(f"{SITE}/trap?n={number}")
    for number in range(10_000):
        budget.check(f"{SITE}/story-1-{'abcdefghij'[number % 10] * (number // 10 + 1)}")
        assert len(budget._counts) <= 100
    assert passed(budget, *(f"/trap?n={number}" for number in range(40, 100))) == 10


def test_the_report_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """P7, X1"""
    monkeypatch.setattr(traps, "MOST_TEMPLATES", 10)
    budget = TrapBudget(1)
    for number in range(100):
        name = "abcdefghij"[number % 10] * (number // 10 + 1)
        budget.check(f"{SITE}/{name}/{name}/{name}")
    assert len(budget.refused) == 11
    assert budget.refused[traps.OTHER] == 90


def test_hostile_urls_are_checked_quickly() -> None:
    """P7"""
    budget = TrapBudget(2000)
    hostile = ["/a" * 40 + "/b", "/1a" * 30, "/" + "a1" * 900, "/" + "1" * 1900, "/" + "a-" * 900, "/x?" + "a1&" * 600]
    hostile += ["/" + "1a2b" * 450, "/" + "/a/b" * 9 + "/c", "/?" + ";" * 1900, "/" + ";1=2" * 400, "/2024" + "/1" * 30]
    began = time.perf_counter()
    for path in hostile:
        for _ in range(20):
            budget.check(SITE + path)
    assert time.perf_counter() - began < 2


def documentation() -> list[str]:
    """Return the paths of whatever HTML documentation this machine has."""
    found: list[str] = []
    share = Path(shutil.which("env") or sys.executable).resolve().parents[1] / "share"
    for name in ("doc", "javadoc", "gtk-doc"):
        root = share / name
        found += [str(path.relative_to(root)) for path in sorted(root.rglob("*.html"))] if root.is_dir() else []
    return found


def test_real_documentation_never_looks_like_a_trap() -> None:
    """P7"""
    pages = documentation()
    if not pages:
        pytest.skip("no HTML documentation is installed here")
    # A tenth of the default.
    budget = TrapBudget(200)
    assert [page for page in pages if budget.check(f"{SITE}/{page}") is not None] == []


def test_combinations_of_parameters_run_out_together() -> None:
    """P7"""
    budget = TrapBudget(3)
    names = "abcdefgh"
    queries = ["&".join(f"{name}=1" for place, name in enumerate(names) if mask >> place & 1) for mask in range(1, 256)]
    assert passed(budget, *(f"/shop?{query}" for query in queries)) == 3 * FACET_FACTOR
    assert budget.refused == {"x.test/shop?*": 255 - 3 * FACET_FACTOR}


def test_the_same_words_in_another_order_are_one_template() -> None:
    """P7"""
    budget = TrapBudget(10)
    paths = ["/wear/" + "/".join(order) for order in itertools.permutations(("red", "new", "wide", "silk", "warm"))]
    assert passed(budget, *paths) == 11
    assert budget.refused == {"x.test/wear/... the same words in another order": 109}


def test_one_segment_five_times_has_no_end() -> None:
    """P7"""
    budget = TrapBudget(2000)
    assert budget.check(f"{SITE}/a/x/a/y/a/z/a/w") is None
    assert budget.check(f"{SITE}/a/x/a/y/a/z/a/w/a") == "x.test/... repeated: a/"
