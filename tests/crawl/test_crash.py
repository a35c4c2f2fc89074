"""A crawl or its processes may die at any instant: nothing saved is asked again, nothing lost, the result the same.

Each round starts the crawl, kills a page worker or a process of the browser in half of the cases, and then the main
process (S4, S5).
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from quire_test_site import Quire, Site
from quire_test_site.crashes import lasting, settled

FAST = ("--delay", "0", "--concurrency", "8", "--per-host", "8", "-q")


def build(site: Site, pages: int) -> None:
    site.grow(pages, 6)
    site.page("/", "<h1>Start</h1>", links=["/p/0", "/old", "/About", "/about", "/copy"])
    site.redirect("/old", "/p/7")
    site.page("/About", "<p>One page about us</p>")
    site.page("/about", "<p>Another page about us</p>")
    site.page("/copy", "<p>A copy</p>", head='<link rel="canonical" href="/p/3">')


def kill_a_helper(crawl: int, dice: random.Random) -> None:
    """Kill one of the processes that the crawl has started, or that those have; it goes on with another."""
    with suppress(psutil.NoSuchProcess):
        helpers = psutil.Process(crawl).children(recursive=True)
        if helpers:
            dice.choice(helpers).kill()


def crawl_with_kills(
    site: Site, quire: Quire, mirror: Path, options: Sequence[str], pages: int, kills: int, dice: random.Random
) -> None:
    """Kill the crawl at random instants, start it again each time, and watch what it asks for."""
    for _ in range(kills):
        done = settled(mirror)
        site.clear()
        process = quire.start("mirror", site.url + "/", "-o", mirror, *options)
        first, second = (dice.randrange(1, pages // (2 * kills)) for _ in range(2))
        if dice.random() < 0.5:
            site.wait(first)
            kill_a_helper(process.pid, dice)
        site.wait(first + second)
        process.kill()
        process.wait()
        assert done.isdisjoint(site.paths())
    done = settled(mirror)
    site.clear()
    finished = quire("mirror", site.url + "/", "-o", mirror, *options)
    assert finished.status == 0, finished.err
    assert done.isdisjoint(site.paths())


def check(
    site: Site, quire: Quire, folder: Path, pages: int, kills: int, seed: int, options: Sequence[str] = FAST
) -> None:
    build(site, pages)
    crawl_with_kills(site, quire, folder / "killed", options, pages, kills, random.Random(seed))
    assert quire("mirror", site.url + "/", "-o", folder / "whole", *options).status == 0
    assert lasting(folder / "killed") == lasting(folder / "whole")


@pytest.mark.parametrize("seed", [1, 2])
def test_a_killed_crawl_loses_nothing(site: Site, quire: Quire, tmp_path: Path, seed: int) -> None:
    """S5, S4: the finished mirror equals an uninterrupted one, and no page is asked for after it was settled."""
    check(site, quire, tmp_path, pages=150, kills=6, seed=seed)


def check_ends(site: Site, quire: Quire, folder: Path, kills: int, seed: int) -> None:
    """Kill crawls of which every page was asked for: over the last pages, the frame, the reports, or after them."""
    build(site, 60)
    dice = random.Random(seed)
    assert quire("mirror", site.url + "/", "-o", folder / "whole", *FAST).status == 0
    whole, requests = lasting(folder / "whole"), len(site.paths())
    for number in range(kills):
        mirror = folder / f"killed-{number}"
        site.clear()
        process = quire.start("mirror", site.url + "/", "-o", mirror, *FAST)
        site.wait(requests)
        with suppress(subprocess.TimeoutExpired):
            process.wait(dice.random() * 0.3)
        process.kill()
        process.wait()
        assert quire("mirror", site.url + "/", "-o", mirror, *FAST).status == 0
        assert lasting(mirror) == whole


def test_a_crawl_that_is_killed_at_its_end_leaves_nothing_behind(site: Site, quire: Quire, tmp_path: Path) -> None:
    """S5"""
    check_ends(site, quire, tmp_path, kills=4, seed=3)


@pytest.mark.soak
def test_kills_at_the_end_leave_nothing_behind(site: Site, quire: Quire, tmp_path: Path) -> None:
    """S5"""
    check_ends(site, quire, tmp_path, kills=60, seed=4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 14))
def test_rounds_of_kills_lose_nothing(site: Site, quire: Quire, tmp_path: Path, seed: int) -> None:
    """S5, S4: forty rounds for each seed; with those below two hundred"""
    check(site, quire, tmp_path, pages=1200, kills=40, seed=seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [20, 21])
def test_rounds_of_kills_with_a_browser_lose_nothing(site: Site, quire: Quire, tmp_path: Path, seed: int) -> None:
    """S5, S4, E2: twenty rounds for each seed, in which processes of the browser die too"""
    check(site, quire, tmp_path, pages=200, kills=20, seed=seed, options=(*FAST, "--render", "always"))
