"""Everything that reads what strangers wrote takes any bytes: no crash, no second of work, no memory without bound.

`make test` feeds each target a megabyte, `make soak` a hundred; QUIRE_FUZZ_MEGABYTES and QUIRE_FUZZ_SEED change that.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from quire_fuzz import TARGETS, fuzz

PEAK = 300
"""Megabytes that no target may take, of which some 45 are Python and Quire."""


@pytest.mark.parametrize("target", TARGETS)
def test_a_megabyte_of_broken_input(target: str, tmp_path: Path) -> None:
    """U10, F6, D3, M2, S3, S6, C8"""
    figures = fuzz(target, 1.0, findings=tmp_path)
    assert figures.megabytes >= 1.0
    assert figures.peak_megabytes < PEAK


@pytest.mark.soak
@pytest.mark.parametrize("target", TARGETS)
def test_a_hundred_megabytes_of_broken_input(target: str) -> None:
    """U10, F6, D3, M2, S3, S6, C8: what breaks is kept in the folder quire-fuzz of the temporary folder"""
    megabytes, seed = (os.environ.get(f"QUIRE_FUZZ_{name}") for name in ("MEGABYTES", "SEED"))
    figures = fuzz(target, float(megabytes or 100), int(seed or 0))
    print(figures)
    assert figures.peak_megabytes < PEAK
