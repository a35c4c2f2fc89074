"""What a run finds of the one before it in the same folder (X2)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

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


def told(root: Path) -> dict[str, dict[str, Any]]:
    """What the file says of each host."""
    return {each["host"]: each for each in json.loads((root / "_cluster.json").read_bytes())["hosts"]}


def run_over(root: Path, *hosts: str, settings: Settings = PLAIN, state: str = "finished") -> list[str]:
    """Have a run come to this end, with ten pages in every host that it has to crawl; returns these."""
    run = Hosts(root, gather([f"https://{host}/" for host in hosts], None), settings)
    crawled = run.unclean()
    for each in crawled:
        (root / each.folder).mkdir(exist_ok=True)
        each.state, each.clean, each.pages = "finished", True, 10
    run.write(state)
    return [each.host for each in crawled]


def test_hosts_that_a_later_run_does_not_name_stay_as_they_were(tmp_path: Path) -> None:
    """X2: the file tells of every host of the folder, and which of them the last run was about"""
    run_over(tmp_path, "a.test", "b.test")
    before = told(tmp_path)
    assert run_over(tmp_path, "b.test", "c.test") == ["c.test"]
    assert told(tmp_path).keys() == {"a.test", "b.test", "c.test"}
    assert told(tmp_path)["a.test"] == before["a.test"] | {"named": False}
    assert told(tmp_path)["b.test"] == before["b.test"]
    overview = json.loads((tmp_path / "_cluster.json").read_bytes())
    assert (overview["counts"], overview["pages"]) == ({"finished": 3}, 30)
    assert run_over(tmp_path, "a.test", "b.test", "c.test") == []


def test_a_run_counts_its_own_hosts_only(tmp_path: Path) -> None:
    """X2, C10: what its summary says is about what it was asked for"""
    run_over(tmp_path, "a.test")
    run = Hosts(tmp_path, gather(["https://b.test/"], None), PLAIN)
    assert (len(run), run.pages(), [each.host for each in run.unclean()]) == (1, 0, ["b.test"])


def test_a_host_whose_mirror_was_deleted_is_forgotten(tmp_path: Path) -> None:
    """X2: once no command names it"""
    run_over(tmp_path, "a.test", "b.test")
    (tmp_path / "a.test").rmdir()
    run_over(tmp_path, "b.test", settings=UPDATE)
    assert told(tmp_path).keys() == {"b.test"}


def test_a_host_of_other_settings_is_crawled_again_when_it_is_named(tmp_path: Path) -> None:
    """X2: also after a run with these settings over other hosts"""
    run_over(tmp_path, "a.test")
    other = replace(PLAIN, scope=Scope(query="all"))
    run_over(tmp_path, "b.test", settings=other)
    assert run_over(tmp_path, "a.test", "b.test", settings=other) == ["a.test"]


def test_an_update_that_goes_on_looks_at_hosts_that_it_did_not_name_before(tmp_path: Path) -> None:
    """X2, S13: they are done, but not by this update"""
    run_over(tmp_path, "a.test", "b.test")
    run_over(tmp_path, "a.test", settings=UPDATE, state="stopped")
    assert run_over(tmp_path, "a.test", "b.test", settings=UPDATE) == ["b.test"]


def test_settings_are_told_apart_but_for_secrets() -> None:
    """X2, E1: who reads the file may try passwords until one has its hash"""
    assert fingerprint(PLAIN) != fingerprint(replace(PLAIN, scope=Scope(query="all")))
    secret = Fetch(auth="me:word", header=("X-Key: word",), cookie=("key=word",), proxy="http://me:word@127.0.0.1:3128")
    assert fingerprint(PLAIN) == fingerprint(replace(PLAIN, fetch=secret))
