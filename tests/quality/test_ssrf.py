"""Published spellings of addresses that a server must not be made to ask: none is dialled, and public ones are."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any, Protocol

import pytest
from quire_test_site import Names
from quire_test_site.isolation import Canary, own

from quire import urls
from quire.errors import BadResponse, Refused, Unreachable
from quire.fetch.browser import BrowserFetcher
from quire.fetch.egress import Egress
from quire.fetch.http import HttpFetcher
from quire.ports import Fetcher
from quire.records import Link
from quire.settings import Fetch, Render

CASES = Path(__file__).resolve().parents[3] / "shared" / "data" / "sec-ssrf" / "cases.jsonl"
pytestmark = [
    pytest.mark.skipif(not CASES.exists(), reason="the corpus of SSRF attacks is not here"),
    pytest.mark.isolated,
]
# Where attacks lead; everything else cannot be reached from an isolated network.
NETWORKS = ("10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "192.0.0.0/24", "192.168.0.0/16")
PORTS = (22, 80, 443, 2375, 8080, 8500, 9001)
RIGHT = {
    "block": {"refused"},
    "allow": {"dialled"},
    "reject": {"no URL", "refused"},
    # 307: Chromium itself, about names that it asks by https only.
    "depends-on-dns": {"refused", "no host", "307"},
    "either": {"refused", "dialled"},
}
Case = dict[str, Any]


class Closable(Fetcher, Protocol):
    async def close(self) -> None: ...


def cases() -> list[Case]:
    with CASES.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


async def what_happens(fetcher: Fetcher, written: str) -> str:
    url = urls.resolve(written, "")
    if url is None:
        return "no URL"
    try:
        return str((await fetcher.fetch(Link(url, 1, "start"))).status)
    except Refused:
        return "refused"
    except Unreachable as error:
        return "no host" if error.permanent else "dialled"
    except BadResponse as error:
        # Chromium knows ports that no page is at.
        return "refused" if "unsafe port" in str(error) else "dialled"


async def outcomes(names: Names, fetcher: Closable, asked: list[Case]) -> list[tuple[Case, str]]:
    """Ask for these cases, with names at the addresses that they give them, and else at 127.0.0.1."""
    names.add_rest("127.0.0.1")
    found = []
    for case in asked:
        for name, address in (case.get("dns") or {}).items():
            names.add(name, address)
        found.append((case, await what_happens(fetcher, case["input"])))
    await fetcher.close()
    return found


def check(names: Names, fetcher: Closable, asked: list[Case]) -> Counter[str]:
    """Ask where somebody listens at every private address; count what happened."""
    own(NETWORKS)
    with Canary(PORTS) as canary:
        found = asyncio.run(outcomes(names, fetcher, asked))
        assert canary.visited() == []
    wrong = [(case["input"], case["expected"], what) for case, what in found if what not in RIGHT[case["expected"]]]
    assert wrong == []
    return Counter(what for _, what in found)


def test_no_attack_is_dialled(names: Names) -> None:
    """A9"""
    assert check(names, HttpFetcher(Fetch(timeout=5), {}, Egress()), cases())["no host"] == 1


def browser() -> BrowserFetcher:
    return BrowserFetcher(Fetch(timeout=5), Render(), {}, Egress())


def attacks() -> list[Case]:
    return [case for case in cases() if case["expected"] in ("block", "depends-on-dns", "reject")]


def test_no_attack_is_dialled_by_a_browser(names: Names) -> None:
    """A9, E2: every twentieth, and all of them below"""
    assert check(names, browser(), attacks()[::20])["refused"] > 20


@pytest.mark.soak
def test_none_of_all_attacks_is_dialled_by_a_browser(names: Names) -> None:
    """A9, E2"""
    assert check(names, browser(), attacks())["refused"] > 500
