"""Small disks in memory, for what happens when one is full or may only be read."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """The folder as a disk of its own, of this size."""
    if os.geteuid() != 0 and not os.environ.get("CI"):
        pytest.skip("only root can mount a disk")
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "quire-test", folder], check=True)
    yield folder
    subprocess.run(["umount", folder], check=True)
