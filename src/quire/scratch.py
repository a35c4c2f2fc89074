"""Folders for what a run needs only while it lasts, also those that one left behind when it was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_LOCK = "quire.lock"


class Scratch:
    """A new folder that is locked as long as this process lives and needs it; its name begins with `prefix`."""

    def __init__(self, prefix: str) -> None:
        self.path = tempfile.mkdtemp(prefix=prefix)
        # Under its name it is locked already: whoever finds it so may not take the folder for one that was left.
        unnamed = Path(self.path, f"{_LOCK}.new")
        self._lock = unnamed.open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        unnamed.rename(Path(self.path, _LOCK))

    def delete(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def delete_left(prefix: str) -> None:
    """Delete the folders of runs that were killed: nobody holds their locks."""
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with suppress(OSError):
            lock = os.open(left / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(lock)
