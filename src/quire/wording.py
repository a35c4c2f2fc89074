"""How numbers and moments are put into words."""

from __future__ import annotations

import time


def counted(number: int, one: str, many: str = "") -> str:
    """The number with what it counts: `1 page`, `2 pages`; `many` where that is more than an `s` at the end."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def timestamp() -> str:
    """The present moment as it stands in every file: UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
