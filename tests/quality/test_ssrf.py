"""Published spellings of addresses that a server must not be made to ask: none is dialled, and public ones are."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from quire_test_site import Names
from quire_test_site.isolation import Canary, own

from quire import urls
from quire.errors import Refused, Unreachable
from quire.fetch.egress import Egress
from quire.fetch.http import HttpFetcher
from quire.settings import Fetch

CASES = Path(__file__).resolve().parents[3] / "shared" / "data" / "sec-ssrf" / "cases.jsonl"
pytestmark = [
    pytest.mark.skipif(not CASES.exists(), reason="the corpus of SSRF attacks is not here"),
    pytest.mark.isolated,
]
# Where attacks lead; everything else cannot be reached from an isolated network.
NETWORKS = ("10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "192.0.0.0/24", "192.168.0.0/16")
PORTS = (22, 80, 443, 2375, 8080, 8500, 9001)


def cases() -> list[dict[str, Any]]:
    with CASES.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


async def what_happens(http: HttpFetcher, written: str) -> str:
    url = urls.resolve(written, "")
    if url is None:
        return "no URL"
    try:
        return str((await http.get(url)).status)
    except Refused:
        return "refused"
    except Unreachable as error:
        return "no host" if error.permanent else "dialled"


async def outcomes(names: Names) -> list[tuple[dict[str, Any], str]]:
    """Ask for every case, with names at the addresses that it gives them, and else at 127.0.0.1."""
    names.add_rest("127.0.0.1")
    http = HttpFetcher(Fetch(timeout=5), frozenset(), Egress())
    found = []
    for case in cases():
        for name, address in (case.get("dns") or {}).items():
            names.add(name, address)
        found.append((case, await what_happens(http, case["input"])))
    await http.close()
    return found


def test_no_attack_is_dialled(names: Names) -> None:
    """A9"""
    own(NETWORKS)
    right = {
        "block": {"refused"},
        "allow": {"dialled"},
        "reject": {"no URL", "refused"},
        "depends-on-dns": {"refused", "no host"},
        "either": {"refused", "dialled"},
    }
    with Canary(PORTS) as canary:
        found = asyncio.run(outcomes(names))
        assert canary.visited() == []
    wrong = [(case["input"], case["expected"], what) for case, what in found if what not in right[case["expected"]]]
    assert wrong == []
    assert Counter(what for _, what in found)["no host"] == 1
