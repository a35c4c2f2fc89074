"""The lock of a mirror: one crawl at a time writes it, and anybody may look whether one does."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from quire.errors import InUse, UsageError

LOCK_FILE = ".quire.lock"
_TRIES = 25
_BETWEEN = 0.02


def acquire(root: Path) -> int:
    """Return the lock, which is held until it is closed or the process ends; raise InUse if another has it."""
    try:
        lock = os.open(root / LOCK_FILE, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise UsageError(f"{root} cannot be written ({error.strerror}); choose another --output") from error
    try:
        _take(lock)
    except BlockingIOError:
        os.close(lock)
        raise InUse(f"{root} is being written by another quire; wait for it, or choose another --output") from None
    except OSError as error:
        os.close(lock)
        raise UsageError(f"{root} cannot be locked ({error.strerror}); choose another --output") from error
    return lock


def _take(lock: int) -> None:
    for _ in range(_TRIES):
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # Whoever looks at it holds it for a moment.
            time.sleep(_BETWEEN)
    return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_held(root: Path) -> bool | None:
    """Whether a crawl writes the mirror now, as far as this machine knows; None where the lock cannot be looked at."""
    try:
        # Something else in its place must neither be followed nor waited for.
        lock = os.open(root / LOCK_FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    else:
        return False
    finally:
        os.close(lock)
