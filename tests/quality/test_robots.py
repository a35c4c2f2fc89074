"""Agreement with two public collections of robots.txt cases; the floors may only rise."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quire import robots

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data folder is not there")

# In these cases a column of the original table was taken for the rule: `Disallow: False` names no path.
GARBLED = "Disallow: False"
# Protego also reads these; Quire has no use for them.
UNUSED = {"request_rate", "visit_time", "preferred_host"}


def cases(folder: str) -> Iterator[dict[str, Any]]:
    for line in (DATA / folder / "cases.jsonl").read_text().splitlines():
        case = json.loads(line)
        if case.get("call") not in UNUSED:
            yield case


def agrees(case: dict[str, Any]) -> bool:
    if "expected_allowed" in case:
        rules = robots.parse(case["robots"], case["user_agent"])
        return bool(rules.allowed(case["url"]) == case["expected_allowed"])
    rules = robots.parse(case["robots"], *case["args"] or ["*"])
    return bool({"sitemaps": list(rules.sitemaps), "crawl_delay": rules.delay}[case["call"]] == case["expected"])


@pytest.mark.parametrize(("folder", "floor"), [("robots-rfc9309", 76), ("robots-protego", 385)])
def test_robots_rules_agree_with_the_public_cases(folder: str, floor: int) -> None:
    """F8, D2"""
    differing = [case for case in cases(folder) if not agrees(case)]
    assert [case for case in differing if GARBLED not in case["robots"]] == []
    assert sum(1 for _ in cases(folder)) - len(differing) >= floor
