"""Stopped from outside: SIGINT and SIGTERM end a crawl cleanly, and the same command goes on (C9, S5)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from quire_test_site import Quire, Site, environment

PAGES = 60
FAST = ("--delay", "0", "--workers", "1")


def pages_of(mirror: Path) -> set[str]:
    return {page["url"] for page in json.loads((mirror / "_manifest.json").read_bytes())["pages"]}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_crawl_with_130(site: Site, quire: Quire, mirror_dir: Path, number: signal.Signals) -> None:
    """C9, C10, S5: the state is saved and it is said; no process stays behind; the same command completes"""
    site.grow(PAGES, 4)
    command = ("mirror", f"{site.url}/", "-o", str(mirror_dir), *FAST)
    site.pause_after(30)
    process = quire.start(*command)
    site.wait(30)
    workers = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert "the same command" in err
    assert workers
    assert not any(psutil.pid_exists(worker.pid) and worker.is_running() for worker in workers)
    saved = pages_of(mirror_dir)
    assert 5 < len(saved) < PAGES
    site.go_on()
    site.clear()
    finished = quire(*command)
    assert finished.status == 0, finished.err
    assert saved.isdisjoint(site.url + path for path in site.paths())
    assert len(pages_of(mirror_dir)) == PAGES + 1


@pytest.mark.parametrize("where", ["/robots.txt", "/", "/sitemap.xml"])
def test_a_signal_before_the_first_page_stops_at_once(site: Site, quire: Quire, mirror_dir: Path, where: str) -> None:
    """C9: while robots.txt, the start page or a sitemap is awaited"""
    site.grow(3)
    site.sitemap("/sitemap.xml", ["/p/0"])
    site.hang(where)
    command = ("mirror", f"{site.url}/", "-o", str(mirror_dir), *FAST)
    process = quire.start(*command)
    site.wait(path=where)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert "Traceback" not in err
    site.release(where)
    finished = quire(*command)
    assert finished.status == 0, finished.err
    assert len(pages_of(mirror_dir)) == 4


def test_a_signal_to_the_whole_group_costs_no_page(site: Site, mirror_dir: Path, tmp_path: Path) -> None:
    """C9, S5: service managers signal every process, page workers too; no page is failed for that"""
    site.grow(PAGES, 4)
    command = [sys.executable, "-m", "quire", "mirror", f"{site.url}/", "-o", str(mirror_dir), *FAST]
    for hits in (15, 30):
        site.pause_after(hits)
        with subprocess.Popen(
            command, cwd=tmp_path, env=environment({}), stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as process:
            site.wait(hits)
            os.killpg(process.pid, signal.SIGTERM)
            _, err = process.communicate(timeout=20)
        assert process.returncode == 130, err
        assert "Traceback" not in err
        manifest = json.loads((mirror_dir / "_manifest.json").read_bytes())
        assert manifest["failed"] == []
        site.go_on()
        site.clear()
    finished = subprocess.run(command, cwd=tmp_path, env=environment({}), capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert len(pages_of(mirror_dir)) == PAGES + 1


def test_a_second_signal_ends_a_slow_stop(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C9: whoever presses Ctrl-C twice is not kept waiting"""
    site.page("/", links=["/slow"])
    site.hang("/slow")
    process = quire.start("mirror", f"{site.url}/", "-o", mirror_dir, *FAST)
    site.wait(path="/slow")
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    assert process.wait(10) in (130, -signal.SIGINT)


def test_map_and_page_can_be_interrupted(site: Site, quire: Quire) -> None:
    """C9, C10, C2: neither keeps a state, and neither says so; what was found so far is printed"""
    site.page("/", links=["/slow"])
    site.hang("/slow")
    for command in (("map", f"{site.url}/"), ("page", f"{site.url}/slow")):
        site.clear()
        process = quire.start(*command, "--delay", "0")
        site.wait(path="/slow")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
        assert process.returncode == 130, command
        assert "Traceback" not in err
        assert "begins anew" in err
        assert "saved" not in err
        assert out == (f"{site.url}/\n{site.url}/slow\n" if command[0] == "map" else "")


def test_a_reader_that_has_had_enough_ends_the_command(site: Site, quire: Quire) -> None:
    """C10: `quire map URL | head -1` is no error"""
    site.page("/", links=[f"http://127.0.0.9/{number}" for number in range(5000)])
    command = f"{sys.executable} -m quire map {site.url}/ --json --delay 0 | head -1"
    finished = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        env=environment({}), cwd=quire.folder, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert finished.stdout.count("\n") == 1
    assert "Traceback" not in finished.stderr
    assert "BrokenPipe" not in finished.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_stdout_is_told(site: Site, quire: Quire, mirror_dir: Path, unbuffered: str) -> None:
    """C9, C10: one line and status 3, whatever the command has to say"""
    site.page("/", "<p>Words</p>")
    start = f"{site.url}/"
    assert quire("mirror", start, "-o", mirror_dir, "-q", *FAST).status == 0
    export = ["export", str(mirror_dir), "--format", "jsonl", "-o", "-"]
    about = [["status", str(mirror_dir)], ["why", start, "-o", str(mirror_dir)], ["search", str(mirror_dir), "words"]]
    for command in (*about, export, ["map", start, "-q"], ["page", start, "-q"], ["--help"], ["mirror", "--help"]):
        with Path("/dev/full").open("w") as full:
            finished = subprocess.run(
                [sys.executable, "-m", "quire", *command], env=environment({"PYTHONUNBUFFERED": unbuffered}),
                cwd=quire.folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60,
            )  # fmt: skip
        (line,) = finished.stderr.splitlines()
        assert line.startswith("quire: stdout cannot be written to (No space left on device)"), command
        assert finished.returncode == 3, command


def test_a_crawl_goes_on_when_nobody_hears_it_any_more(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C9, C10, S10: `quire mirror URL 2>&1 | head -1`"""
    site.grow(PAGES, 4)
    site.page("/", links=["/p/0", "/broken"])
    site.page("/broken")
    site.fail("/broken", status=500)
    process = quire.start("mirror", f"{site.url}/", "-o", mirror_dir, *FAST)
    assert process.stderr
    process.stderr.close()
    assert process.wait(30) == 1
    assert len(pages_of(mirror_dir)) == PAGES + 1


def test_a_crawl_that_nobody_hears_can_be_stopped(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C9, S5"""
    site.page("/", links=["/slow"])
    site.hang("/slow")
    process = quire.start("mirror", f"{site.url}/", "-o", mirror_dir, *FAST)
    site.wait(path="/slow")
    assert process.stderr
    process.stderr.close()
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 130


def test_a_signal_before_anything_began_ends_with_130(quire: Quire, tmp_path: Path) -> None:
    """C9, C10: while the settings are read there is nothing to save, and nothing to show of the program"""
    settings = tmp_path / "settings.toml"
    os.mkfifo(settings)
    process = quire.start("mirror", "http://127.0.0.1:1/", "--config", settings)
    with settings.open("wb"):
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in err
