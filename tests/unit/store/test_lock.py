"""The lock of a mirror: who has it, and who may look."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from threading import Timer

import pytest

from quire.errors import UsageError
from quire.store.lock import LOCK_FILE, acquire, is_held


def test_a_lock_is_held_until_it_is_closed(tmp_path: Path) -> None:
    """C6, C9"""
    assert is_held(tmp_path) is False
    lock = acquire(tmp_path)
    assert is_held(tmp_path) is True
    with pytest.raises(UsageError, match="another quire"):
        acquire(tmp_path)
    os.close(lock)
    assert is_held(tmp_path) is False


def test_whoever_looks_at_a_lock_keeps_no_crawl_out(tmp_path: Path) -> None:
    """C6: to look at it is to hold it for a moment"""
    os.close(acquire(tmp_path))
    looking = os.open(tmp_path / LOCK_FILE, os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)
    Timer(0.05, os.close, [looking]).start()
    os.close(acquire(tmp_path))


def test_something_else_in_its_place_tells_nothing(tmp_path: Path) -> None:
    """C6, S3: it is neither followed nor waited for"""
    (tmp_path / LOCK_FILE).symlink_to("elsewhere")
    assert is_held(tmp_path) is None
    with pytest.raises(UsageError, match="cannot be written"):
        acquire(tmp_path)
    assert not (tmp_path / "elsewhere").exists()
    (tmp_path / LOCK_FILE).unlink()
    os.mkfifo(tmp_path / LOCK_FILE)
    assert is_held(tmp_path) is False
