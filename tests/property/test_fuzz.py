"""Everything that reads what strangers wrote takes any bytes: no crash, no second of work, no memory without bound.

`make test` feeds each target a megabyte, `make soak` a hundred; QUIRE_FUZZ_MEGABYTES and QUIRE_FUZZ_SEED change that.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest
from quire_fuzz import TARGETS, fuzz
from quire_fuzz.driving import timed

PEAK = 300
"""Megabytes that no target may take, of which some 45 are Python and Quire."""


@pytest.mark.parametrize("target", TARGETS)
def test_a_megabyte_of_broken_input(target: str, tmp_path: Path) -> None:
    """U10, F6, D3, M2, S3, S6, C8"""
    figures = fuzz(target, 1.0, findings=tmp_path)
    assert figures.megabytes >= 1.0
    assert figures.peak_megabytes < PEAK


def test_an_input_is_slow_that_takes_long_each_time() -> None:
    """One that other work on the machine has slowed down once is not."""
    fed: list[bytes] = []

    def work(seconds: float) -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    def disturbed(data: bytes) -> None:
        work(0.0 if data in fed else 0.1)
        fed.append(data)

    assert timed(lambda _: work(0.1), b"x", limit=0.05) >= 0.1
    assert timed(disturbed, b"x", limit=0.05) < 0.05
    assert len(fed) == 2


def test_nothing_is_left_where_nothing_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fuzz("settings", 0.01)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.soak
@pytest.mark.parametrize("target", TARGETS)
def test_a_hundred_megabytes_of_broken_input(target: str) -> None:
    """U10, F6, D3, M2, S3, S6, C8: what breaks is kept in the temporary folder, in a file quire-fuzz-*.input"""
    megabytes, seed = (os.environ.get(f"QUIRE_FUZZ_{name}") for name in ("MEGABYTES", "SEED"))
    figures = fuzz(target, float(megabytes or 100), int(seed or 0))
    print(figures)
    assert figures.peak_megabytes < PEAK
