"""How much of the memory that is free again glibc keeps for later; with another C library nothing happens."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Final

# Of glibc's malloc.h.
_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3


def keep_at_most(size: int) -> None:
    """Have the system get back all free memory beyond this, and blocks of a quarter of it as soon as they are free.

    Left to itself, glibc would keep ever more, by the largest block that it has seen.
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_MMAP_THRESHOLD, size // 4)
        libc.mallopt(_M_TRIM_THRESHOLD, size)


def give_back() -> None:
    """Let the system have all that is free now."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
