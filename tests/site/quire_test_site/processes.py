"""Processes that may end while they are looked at."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import psutil  # type: ignore[import-untyped]


def living(processes: Iterable[psutil.Process], name: str = "") -> list[psutil.Process]:
    """Those that have not ended, and are called so; one that waits for its parent to hear of its end has."""
    found = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            if name in process.name() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found
