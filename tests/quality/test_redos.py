"""No published attack on regular expressions hangs the matching of URLs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from quire.errors import UsageError
from quire.filter.patterns import Patterns

CASES = Path(__file__).resolve().parents[3] / "shared" / "data" / "sec-redos" / "cases.jsonl"
pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the corpus of vulnerable patterns is not here")

# Of 682 patterns: the share that re2 runs, which may only rise.
LEAST_LINEAR = 587
SECONDS = 1.0


def cases() -> list[dict[str, Any]]:
    with CASES.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def compiled(regex: str, *, linear_only: bool) -> tuple[Patterns | None, str]:
    """Return the patterns, or the message of the usage error."""
    try:
        return Patterns("--include-pattern", (regex,), linear_only=linear_only), ""
    except UsageError as error:
        return None, str(error)


def attack(case: dict[str, Any], times: int | None = None) -> str:
    parts = case["attack"]
    return str(parts["prefix"] + parts["pump"] * (times or parts["times"]) + parts["suffix"])


def test_no_vulnerable_pattern_hangs() -> None:
    """F6"""
    linear = 0
    for case in cases():
        began = time.perf_counter()
        patterns, problem = compiled(case["regex"], linear_only=True)
        if patterns:
            linear += 1
            patterns.find(attack(case))
        else:
            assert problem.startswith(f"--include-pattern: {case['regex']!r} ")
        assert time.perf_counter() - began < SECONDS, case["regex"]
    assert linear >= LEAST_LINEAR


def test_many_vulnerable_patterns_together_do_not_hang_either() -> None:
    """F6"""
    several = cases()[:100]
    linear = [case["regex"] for case in several if compiled(case["regex"], linear_only=True)[0]]
    together = Patterns("--exclude-pattern", linear, linear_only=True)
    for case in several:
        began = time.perf_counter()
        together.find(attack(case, 500))
        assert time.perf_counter() - began < SECONDS, case["regex"]


def test_from_the_command_line_a_pattern_runs_or_is_warned_about_or_is_refused() -> None:
    """F6"""
    linear = warned = refused = 0
    for case in cases():
        patterns, problem = compiled(case["regex"], linear_only=False)
        linear += bool(patterns and not patterns.warnings)
        warned += bool(patterns and patterns.warnings)
        refused += "is not a regular expression" in problem
    assert linear >= LEAST_LINEAR
    assert linear + warned + refused == len(cases())
