"""Regular expressions over URLs."""

from __future__ import annotations

import time

import pytest

from quire.errors import UsageError
from quire.filter.patterns import PRESETS, Patterns, split_patterns


def patterns(*given: str, ignore_case: bool = False, linear_only: bool = False) -> Patterns:
    return Patterns("--include-pattern", given, ignore_case=ignore_case, linear_only=linear_only)


@pytest.mark.parametrize("pattern", ["docs", "^.*/docs/.*$", "/docs/", r"test/do[a-z]s", "(?i)DOCS", r"\bdocs\b", "a$"])
def test_a_pattern_is_searched_in_the_url_and_need_not_match_all_of_it(pattern: str) -> None:
    """F2"""
    assert patterns(pattern).find("https://x.test/docs/a") == pattern
    assert patterns(pattern).find("https://x.test/blog/b") is None


def test_the_first_pattern_that_is_found_is_named() -> None:
    """F1, F7"""
    several = patterns("/blog/", "/tag/", "/blog/old/")
    assert several.find("https://x.test/blog/old/a") == "/blog/"
    assert several.find("https://x.test/tag/a") == "/tag/"
    assert several.find("https://x.test/a") is None


def test_any_of_several_spellings_of_a_url_can_match() -> None:
    """F2"""
    assert patterns("/docs/$").find("https://x.test/docs", "https://x.test/docs/") == "/docs/$"


def test_empty_patterns_are_as_good_as_none() -> None:
    """F1, C8"""
    none = patterns("", "")
    assert not none
    assert none.find("https://x.test/") is None


def test_case_is_ignored_on_request_only() -> None:
    """U4, F2"""
    assert patterns("/Docs/").find("https://x.test/docs/") is None
    assert patterns("/Docs/", ignore_case=True).find("https://x.test/docs/") == "/Docs/"
    assert patterns("/(?!a)Docs/", ignore_case=True).find("https://x.test/docs/") == "/(?!a)Docs/"


@pytest.mark.parametrize("linear_only", [False, True])
@pytest.mark.parametrize(
    ("pattern", "cause"),
    [
        ("[a", "unterminated character set"),
        ("(a", "missing ), unterminated subpattern"),
        ("a)", "unbalanced parenthesis"),
        ("*", "nothing to repeat"),
        ("a{3,2}", "min repeat greater than max repeat"),
        ("\\", "bad escape"),
    ],
)
def test_a_bad_pattern_is_a_usage_error_that_names_it(pattern: str, cause: str, linear_only: bool) -> None:
    """F6, C10"""
    with pytest.raises(UsageError) as caught:
        patterns("good", pattern, linear_only=linear_only)
    assert str(caught.value).startswith(f"--include-pattern: {pattern!r} is not a regular expression ({cause}")


def test_nothing_is_written_about_a_bad_pattern_but_the_error(capfd: pytest.CaptureFixture[str]) -> None:
    """F6, C10"""
    with pytest.raises(UsageError):
        patterns("[a")
    patterns("(?=a)b")
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


@pytest.mark.parametrize("pattern", [r"/(?!blog)\w+", r"(?<=/)docs", r"(a)\1", r"docs\Z", "(a{500}){500}"])
def test_a_pattern_beyond_linear_time_runs_with_a_warning_or_is_refused(pattern: str) -> None:
    """F6"""
    with pytest.raises(UsageError, match="cannot be matched in linear time") as caught:
        patterns(pattern, linear_only=True)
    assert repr(pattern) in str(caught.value)
    (warning,) = patterns("ok", pattern).warnings
    assert warning.startswith(f"--include-pattern: {pattern!r} cannot be matched in linear time")


def test_patterns_of_both_kinds_are_searched_together() -> None:
    """F6, F2"""
    mixed = patterns("/blog/", r"/(?!docs/)d\w+/", "/tag/")
    assert mixed.find("https://x.test/data/") == r"/(?!docs/)d\w+/"
    assert mixed.find("https://x.test/docs/") is None
    assert mixed.find("https://x.test/tag/") == "/tag/"


def test_an_exponential_pattern_is_quick() -> None:
    """F6"""
    slow_elsewhere = patterns(r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(a+)+$", r"(.*)*=(.*)*x", linear_only=True)
    began = time.perf_counter()
    assert slow_elsewhere.find("https://x.test/" + "a" * 100_000 + "!") is None
    assert time.perf_counter() - began < 2


def test_patterns_too_large_for_the_matcher_are_a_usage_error() -> None:
    """F6"""
    with pytest.raises(UsageError, match="--include-pattern: the patterns together are too large"):
        patterns(*(f"[^{letter}]{{1000}}" + ".{1000}" * 20 for letter in "abcdefghijklmnopqrstuvwxyz"))


def test_text_that_is_no_unicode_is_searched_all_the_same() -> None:
    """F6, U10"""
    assert patterns("docs").find("https://x.test/\udcff/docs") == "docs"
    assert patterns("\udcff")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        (" , ,", ()),
        ("/collections/", ("/collections/",)),
        ("/collections/, /pages/ ", ("/collections/", "/pages/")),
        (r"/a{2,3}/,/b/", (r"/a{2,3}/", "/b/")),
        (r"/[a,b]/,/c/", (r"/[a,b]/", "/c/")),
        (r"/(a,b|c{1,2})/,/d/", (r"/(a,b|c{1,2})/", "/d/")),
        (r"a\,b,c", (r"a\,b", "c")),
        (r"\(a,b\)", (r"\(a", r"b\)")),
        (r"\[a,b]", (r"\[a", "b]")),
        (r"\\,b", (r"\\", "b")),
        (r"[(],b", ("[(]", "b")),
        (r"[],],b", ("[],]", "b")),
        (r"[^],],b", ("[^],]", "b")),
        (r"[\],],b", (r"[\],]", "b")),
        (r"[[:alpha:],],b", ("[[:alpha:],]", "b")),
        (r"([)],x),b", ("([)],x)", "b")),
        ("a),b", ("a)", "b")),
        ("(a,b", ("(a,b",)),
        ("[a,b", ("[a,b",)),
        ("[a,b\\", ("[a,b\\",)),
        ("a,\\", ("a", "\\")),
    ],
)
def test_a_list_of_patterns_splits_at_commas_outside_of_brackets(text: str, expected: tuple[str, ...]) -> None:
    """F5"""
    assert split_patterns(text) == expected


def test_splitting_a_long_hostile_list_is_quick() -> None:
    """F5, F6"""
    began = time.perf_counter()
    for piece in ("[", "(", "[\\", "[a]", "[[:", ","):
        split_patterns(piece * 50_000)
    assert time.perf_counter() - began < 5


def test_the_shopify_preset_is_the_contracts() -> None:
    """F5"""
    assert PRESETS["shopify"].include == ("/collections/", "/pages/")
    assert PRESETS["shopify"].exclude == ("/products/", "/account/", "/cart/", "/checkout/", "/policies/", "/apps/")


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://docs.x.test/intro", True),
        ("https://x.test/docs", True),
        ("https://x.test/en/docs/intro", True),
        ("https://lib.readthedocs.io/en/latest/", True),
        ("https://x.test/documentation/a?b=c", True),
        ("https://x.test/docs/genindex.html", False),
        ("https://docs.x.test/_sources/a.rst.txt", False),
        ("https://docs.x.test/blog/a", False),
        ("https://x.test/pricing", False),
        ("https://x.test/docsomething", False),
    ],
)
def test_the_docs_preset_takes_documentation_and_leaves_the_rest(url: str, wanted: bool) -> None:
    """F5"""
    include, exclude = PRESETS["docs"].include, PRESETS["docs"].exclude
    found = patterns(*include, linear_only=True).find(url), patterns(*exclude, linear_only=True).find(url)
    assert (found[0] is not None and found[1] is None) is wanted


def test_every_preset_matches_in_linear_time() -> None:
    """F5, F6"""
    for preset in PRESETS.values():
        assert patterns(*preset.include, linear_only=True)
        assert patterns(*preset.exclude, linear_only=True)
