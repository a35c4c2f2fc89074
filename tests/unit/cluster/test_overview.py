"""What a run finds of the one before it in the same folder (X2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quire.cluster.overview import Hosts, fingerprint
from quire.cluster.sites import gather
from quire.settings import Fetch, Mirror, Scope, Settings

SITES = gather(["https://a.test/", "https://b.test/"], None)
PLAIN = Settings()
UPDATE = Settings(mirror=Mirror(update=True))


def unfinished_after(root: Path, before: Settings, state: str, now: Settings) -> list[str]:
    """The hosts that a run has to crawl after one that came to a good end with the first host only."""
    first = Hosts(root, SITES, before)
    first["a.test"].clean = True
    first.write(state)
    return [each.host for each in Hosts(root, SITES, now).unclean()]


@pytest.mark.parametrize("state", ["finished", "stopped", "running"])
def test_an_update_looks_at_every_host(tmp_path: Path, state: str) -> None:
    """X2, S13: also after a run that was stopped, which was none"""
    assert unfinished_after(tmp_path, PLAIN, state, PLAIN) == ["b.test"]
    assert unfinished_after(tmp_path, PLAIN, state, UPDATE) == ["a.test", "b.test"]


def test_an_update_goes_on_with_one_that_did_not_come_to_its_end(tmp_path: Path) -> None:
    """X2, S13"""
    assert unfinished_after(tmp_path, UPDATE, "stopped", UPDATE) == ["b.test"]
    assert unfinished_after(tmp_path, UPDATE, "running", UPDATE) == ["b.test"]
    assert unfinished_after(tmp_path, UPDATE, "finished", UPDATE) == ["a.test", "b.test"]


def test_settings_are_told_apart_but_for_secrets() -> None:
    """X2, E1: who reads the file may try passwords until one has its hash"""
    assert fingerprint(PLAIN) != fingerprint(replace(PLAIN, scope=Scope(query="all")))
    secret = Fetch(auth="me:word", header=("X-Key: word",), cookie=("key=word",), proxy="http://me:word@127.0.0.1:3128")
    assert fingerprint(PLAIN) == fingerprint(replace(PLAIN, fetch=secret))
