"""What a command has loaded when it makes its page workers, which are copies of it, and how many it makes."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import psutil  # type: ignore[import-untyped]
import pytest
from quire_test_site import Quire, Site

_SAY = "import json, sys; print(json.dumps(sorted(sys.modules)))"


def loaded(statement: str) -> set[str]:
    said = subprocess.run([sys.executable, "-c", f"{statement}; {_SAY}"], capture_output=True, text=True, check=True)
    return set(json.loads(said.stdout))


def test_what_is_loaded_for_page_workers_is_needed_by_them_and_by_the_crawl() -> None:
    """C1: anything else would keep the command from its first request"""
    shared = loaded("from quire.cli.workers import load_for_both; load_for_both()") - loaded("import quire.cli.workers")
    assert "quire.press.frames" in shared
    assert not shared - loaded("import quire.worker")
    assert not shared - loaded("import quire.cli.console, quire.crawling, quire.memory")


def workers_of(pid: int, number: int) -> list[psutil.Process]:
    """The page workers of a command; the first takes a moment to make the others."""
    found: list[psutil.Process] = []
    for _ in range(500):
        found = psutil.Process(pid).children(recursive=True)
        if len(found) >= number:
            break
        time.sleep(0.02)
    return found


@pytest.mark.parametrize(("command", "number"), [("map", 3), ("page", 1)])
def test_page_workers_are_copies_and_no_more_than_there_are_pages(
    site: Site, quire: Quire, command: str, number: int
) -> None:
    """C2, C3, X1"""
    site.page("/", "<p>Text</p>")
    site.hang("/")
    process = quire.start(command, f"{site.url}/", "--delay", "0", "--workers", "3", "-q")
    site.wait(path="/")
    found = workers_of(process.pid, number)
    assert [each.cmdline() for each in found] == [psutil.Process(process.pid).cmdline()] * number
    site.release("/")
    assert process.wait(30) == 0
    assert not any(each.is_running() for each in found)
