"""On a terminal: a live bar in place of lines (S10)."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from quire_test_site import Site, environment


def run_on_a_terminal(folder: Path, *args: str) -> tuple[int, str, str]:
    """Run quire with stderr on a terminal; returns status, stdout and what the terminal saw."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "quire", *args],
        cwd=folder, env=environment({"TERM": "xterm", "COLUMNS": "100"}), stdout=subprocess.PIPE, stderr=theirs,
        stdin=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 65_536)
            except OSError:  # how Linux tells that the other end is closed
                break
            if not piece:
                break
            seen += piece
        assert process.stdout is not None
        out = process.stdout.read()
    os.close(ours)
    return process.returncode, out, seen.decode()


def test_a_terminal_shows_a_bar(site: Site, tmp_path: Path) -> None:
    """S10, C10: no line for each page; failures and the summary stand above it, titles cannot break it"""
    site.page("/", links=[*(f"/[bold]{number}" for number in range(10)), "/broken"])
    for number in range(10):
        site.page(f"/[bold]{number}", f"<p>{number}</p>")
    site.page("/broken", status=500)
    status, out, seen = run_on_a_terminal(tmp_path, "mirror", f"{site.url}/", "--delay", "0", "-o", "m")
    assert status == 1
    assert out == ""
    assert "Processing:" not in seen
    assert "/broken" in seen
    assert "11 pages" in seen
    assert "Traceback" not in seen
    assert "12/12" in seen


def test_verbose_and_quiet_have_no_bar(site: Site, tmp_path: Path) -> None:
    """S10, C10"""
    site.grow(3)
    _, _, seen = run_on_a_terminal(tmp_path, "mirror", f"{site.url}/", "--delay", "0", "-o", "v", "-v")
    assert seen.count("Processing:") == 4
    _, _, seen = run_on_a_terminal(tmp_path, "mirror", f"{site.url}/", "--delay", "0", "-o", "q", "-q")
    assert seen == ""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_files_do_no_harm(site: Site, tmp_path: Path, closed: str) -> None:
    """C9, C10: as some ways to start a program in the background leave them"""
    site.grow(3)
    command = [sys.executable, "-m", "quire", "mirror", f"{site.url}/", "-o", "out", "--delay", "0"]
    said = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *command], cwd=tmp_path, env=environment({}), check=False
    )
    assert said.returncode == 0
    assert len(list((tmp_path / "out").glob("*/**/index.md"))) == 4
