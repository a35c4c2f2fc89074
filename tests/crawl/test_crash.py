"""A crawl may die at any instant: nothing saved is asked again, nothing is lost, the result is the same (S4, S5)."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
from pathlib import Path

import pytest
from quire_test_site import Quire, Site, files_in

PAGES = 150
FAST = ("--delay", "0", "--concurrency", "8", "--per-host", "8", "-q")


def settled(mirror: Path) -> set[str]:
    """The paths that the frontier has settled, read from outside."""
    if not (mirror / "_frontier.sqlite").exists():
        return set()
    database = sqlite3.connect(mirror / "_frontier.sqlite")
    try:
        rows = database.execute("SELECT url FROM urls WHERE state IN (1, 2, 3, 5)").fetchall()
    except sqlite3.OperationalError:  # killed before the first table was there
        return set()
    finally:
        database.close()
    return {re.sub(r"^https?://[^/]+", "", url) for (url,) in rows}


def content(mirror: Path) -> dict[str, object]:
    """Everything in the mirror that must not depend on when it was made or how often it was interrupted."""
    volatile = {"_frontier.sqlite", "_frontier.sqlite-wal", "_frontier.sqlite-shm", "_progress.json", ".quire.lock"}
    files: dict[str, object] = {}
    for path, data in files_in(mirror).items():
        if path == "_manifest.json":
            manifest = json.loads(data)
            for page in manifest["pages"]:
                del page["fetched_at"]
            del manifest["crawl"]["started_at"], manifest["crawl"]["finished_at"]
            for name in ("failed", "skipped", "duplicates"):
                manifest[name].sort(key=lambda each: each["url"])
            files[path] = manifest
        elif path == "_processed.txt":
            files[path] = sorted(data.decode().splitlines())
        elif path not in volatile:
            files[path] = re.sub(rb"^fetched_at: .*$", b"", data, flags=re.MULTILINE)
    return files


def killed_and_resumed(site: Site, quire: Quire, mirror: Path, kills: int, dice: random.Random) -> None:
    """Kill the crawl at random instants, start it again each time, and watch what it asks for."""
    for _ in range(kills):
        done = settled(mirror)
        site.clear()
        process = quire.start("mirror", site.url + "/", "-o", mirror, *FAST)
        try:
            site.wait(dice.randrange(1, max(2, PAGES // 6)), timeout=20)
        except TimeoutError:
            assert process.wait(20) is not None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert done.isdisjoint(site.paths())
    done = settled(mirror)
    site.clear()
    finished = quire("mirror", site.url + "/", "-o", mirror, *FAST)
    assert finished.status == 0, finished.err
    assert done.isdisjoint(site.paths())


def build(site: Site) -> None:
    site.grow(PAGES, 6)
    site.page("/", "<h1>Start</h1>", links=["/p/0", "/old", "/About", "/about", "/copy"])
    site.redirect("/old", "/p/7")
    site.page("/About", "<p>One page about us</p>")
    site.page("/about", "<p>Another page about us</p>")
    site.page("/copy", "<p>A copy</p>", head='<link rel="canonical" href="/p/3">')


@pytest.mark.parametrize("seed", [1, 2])
def test_a_killed_crawl_loses_nothing(site: Site, quire: Quire, tmp_path: Path, seed: int) -> None:
    """S5, S4: the finished mirror equals an uninterrupted one, and no page is asked for after it was settled."""
    build(site)
    killed_and_resumed(site, quire, tmp_path / "killed", 6, random.Random(seed))
    assert quire("mirror", site.url + "/", "-o", tmp_path / "whole", *FAST).status == 0
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


@pytest.mark.soak
def test_thirty_kills_lose_nothing(site: Site, quire: Quire, tmp_path: Path) -> None:
    """S5"""
    build(site)
    killed_and_resumed(site, quire, tmp_path / "killed", 30, random.Random(30))
    assert quire("mirror", site.url + "/", "-o", tmp_path / "whole", *FAST).status == 0
    assert content(tmp_path / "killed") == content(tmp_path / "whole")
