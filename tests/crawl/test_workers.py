"""Pages are made in other processes: one that hangs costs its page, one that dies costs nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]
import pytest
from quire_test_site import Quire, Site
from quire_test_site.commands import environment
from quire_test_site.service import until

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

PAGES = 40


def the_worker(pid: int) -> psutil.Process:
    """The page worker of a crawl; it takes a moment to start."""
    for _ in range(500):
        found = psutil.Process(pid).children()
        if found:
            return found[0]
        time.sleep(0.02)
    raise TimeoutError("the crawl has no page worker")


def both_workers(pid: int) -> tuple[psutil.Process, psutil.Process]:
    """The two page workers of a crawl that is under way: the first, and the one that it has made."""
    (first,) = psutil.Process(pid).children()
    # Pages are made before it is there.
    (second,) = until(first.children, 10)
    return first, second


def started_anew(pid: int) -> list[psutil.Process]:
    """The workers of a crawl that are no copies of it; those that it replaces may end meanwhile."""
    found = []
    for each in psutil.Process(pid).children():
        with suppress(psutil.NoSuchProcess):
            if "quire.worker" in " ".join(each.cmdline()):
                found.append(each)
    return found


def test_a_worker_that_hangs_costs_one_page(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S7, F7: the page fails by that name, the others are saved, and the next run makes up for it"""
    site.grow(PAGES, 4)
    site.hang("/p/20")
    process = quire.start("mirror", *mirror.command("--page-timeout", "1", "--concurrency", "1", "-q"))
    site.wait(path="/p/20")
    the_worker(process.pid).suspend()
    site.release("/p/20")
    assert process.wait(30) == 1
    assert mirror.listed("failed") == {"/p/20": "unreadable"}
    assert (mirror.folder / "_failed" / mirror.host / "p" / "20" / "index.md").is_file()
    assert len(mirror.pages) >= 20
    assert mirror().status == 0
    assert len(mirror.pages) == PAGES + 1


def test_a_worker_that_is_killed_costs_no_page(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S7, S5: whether it was at work or not, its pages are made by the next one"""
    site.grow(PAGES, 4)
    for path in ("/p/10", "/p/20"):
        site.hang(path)
    process = quire.start("mirror", *mirror.command("--concurrency", "1", "-q"))
    site.wait(path="/p/10")
    the_worker(process.pid).kill()
    site.release("/p/10")
    site.wait(path="/p/20")
    worker = the_worker(process.pid)
    assert "quire.worker" in " ".join(worker.cmdline())  # By now there may be threads: no fork.
    worker.suspend()
    site.release("/p/20")
    worker.kill()
    assert process.wait(30) == 0
    assert len(mirror.pages) == PAGES + 1


@pytest.mark.parametrize("number", [0, 1])
def test_of_two_workers_either_can_be_killed(site: Site, quire: Quire, mirror: Mirror, number: int) -> None:
    """S7, S5, X1: the one that has made the other, or that other one; none is left behind"""
    site.grow(PAGES, 4)
    for path in ("/p/10", "/p/20"):
        site.hang(path)
    process = quire.start("mirror", *mirror.command("--workers", "2", "--concurrency", "1", "-q"))
    site.wait(path="/p/10")
    workers = both_workers(process.pid)
    workers[number].kill()
    site.release("/p/10")
    site.wait(path="/p/20")
    assert workers[1 - number].status() != psutil.STATUS_ZOMBIE
    fresh = until(lambda: started_anew(process.pid), 10)
    assert len(fresh) == 1
    site.release("/p/20")
    assert process.wait(30) == 0
    assert not any(each.is_running() for each in (*workers, *fresh))
    assert len(mirror.pages) == PAGES + 1


def test_a_worker_killed_before_it_is_ready_is_started_again(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S5"""
    site.grow(PAGES, 4)
    process = quire.start("mirror", *mirror.command("-q"))
    the_worker(process.pid).kill()
    assert process.wait(60) == 0
    assert len(mirror.pages) == PAGES + 1


def test_workers_start_where_memory_is_short(site: Site, mirror: Mirror) -> None:
    """C10, S7: a limit that the system sets holds instead of a --worker-memory above it"""
    site.grow(3)
    command = [sys.executable, "-m", "quire", "mirror", *map(str, mirror.command("-q"))]
    limited = ["sh", "-c", 'ulimit -v 1500000; exec "$@"', "sh", *command]
    finished = subprocess.run(limited, env=environment({}), capture_output=True, text=True, timeout=60, check=False)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert len(mirror.pages) == 4


def test_workers_that_cannot_be_started_are_one_line(site: Site, mirror: Mirror) -> None:
    """C10: where too few files may be open for their lines"""
    site.grow(3)
    command = [sys.executable, "-m", "quire", "mirror", *map(str, mirror.command("-q", "--workers", "20"))]
    limited = ["sh", "-c", 'ulimit -n 16; exec "$@"', "sh", *command]
    finished = subprocess.run(limited, env=environment({}), capture_output=True, text=True, timeout=60, check=False)
    assert finished.returncode == 1
    assert "a page worker cannot be started (Too many open files)" in finished.stderr
    assert finished.stderr.count("\n") == 1
    assert site.hits == []


def test_both_cores_work(site: Site, quire: Quire, mirror: Mirror) -> None:
    """X1: one worker a core by default, as many as are asked for otherwise, forked; none is left behind"""
    site.page("/", links=["/slow"])
    site.page("/slow", "<p>Slow</p>")
    site.hang("/slow")
    process = quire.start("mirror", *mirror.command("--workers", "3", "-q"))
    site.wait(path="/slow")
    found = until(lambda: len(workers := psutil.Process(process.pid).children(recursive=True)) >= 3 and workers, 10)
    assert [each.cmdline() for each in found] == [psutil.Process(process.pid).cmdline()] * 3
    site.release("/slow")
    assert process.wait(30) == 0
    assert not any(each.is_running() for each in found)


def test_workers_end_with_a_crawl_that_was_killed(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S5: nobody is left who writes into the mirror"""
    site.page("/", links=["/slow"])
    site.page("/slow", "<p>Slow</p>")
    site.hang("/slow")
    process = quire.start("mirror", *mirror.command("-q"))
    site.wait(path="/slow")
    workers = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    gone, alive = psutil.wait_procs(workers, timeout=10)
    assert alive == []
    assert len(gone) == len(workers) > 0
