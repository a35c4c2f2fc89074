"""Folders for a while: of a run that lives they stay, of one that was killed they go."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from quire.scratch import Scratch, delete_left

HOLD = """
import sys
from quire.scratch import Scratch
folder = Scratch("quire-test-")
print(folder.path, flush=True)
sys.stdin.read()
"""


def test_only_what_nobody_needs_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """X2, E2: neither the folder of a run that lives, nor one with another name or without a lock"""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    mine = Scratch("quire-test-")
    others = [tmp_path / "quire-other-x", tmp_path / "quire-test-unlocked"]
    for other in others:
        other.mkdir()
    (others[0] / "quire.lock").touch()
    command = [sys.executable, "-c", HOLD]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={"TMPDIR": str(tmp_path)}
    ) as process:
        assert process.stdout
        killed = Path(process.stdout.readline().strip())
        assert killed.parent == tmp_path
        delete_left("quire-test-")
        assert killed.is_dir()
        process.kill()
    delete_left("quire-test-")
    assert not killed.exists()
    assert Path(mine.path).is_dir()
    assert all(other.is_dir() for other in others)
    mine.delete()
    assert sorted(tmp_path.iterdir()) == sorted(others)
