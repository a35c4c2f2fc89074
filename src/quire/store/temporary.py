"""Files that are being written: what they are called, and what dead crawls left of them."""

from __future__ import annotations

import errno
import os
import re
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

_LIST: Final = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_RDONLY
_CREATE: Final = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_WRONLY
_NAME: Final = re.compile(r"\.quire-([1-9][0-9]{0,8})-[0-9]+\.tmp")
_LIFE: Final = 3600.0
_TRIES: Final = 100
_numbers: Final = count()


def create(folder: int) -> tuple[bytes, int]:
    """Make a new file in the folder; returns its name and its descriptor."""
    for _ in range(_TRIES):
        name = b".quire-%d-%d.tmp" % (os.getpid(), next(_numbers))
        # A dead crawl may have had the same process number, as is usual in containers.
        with suppress(FileExistsError):
            return name, os.open(name, _CREATE, 0o666, dir_fd=folder)
    raise FileExistsError(errno.EEXIST, "temporary file")


def sweep(name: bytes, parent: int, deeper: int) -> int:
    """Delete what crawls that are dead were just writing, so many folders deep; return how many files that were."""
    removed = 0
    folder = os.open(name, _LIST, dir_fd=parent)
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):  # What cannot be entered or removed is not worth stopping a crawl.
                    if entry.is_dir(follow_symlinks=False):
                        removed += sweep(os.fsencode(entry.name), folder, deeper - 1) if deeper else 0
                    elif _is_left_over(entry):
                        os.unlink(entry.name, dir_fd=folder)
                        removed += 1
    finally:
        os.close(folder)
    return removed


def _is_left_over(entry: os.DirEntry[str]) -> bool:
    match = _NAME.fullmatch(entry.name)
    if match is None:
        return False
    # A living process may have a dead one's number, but no write takes that long.
    return not _is_running(int(match[1])) or entry.stat(follow_symlinks=False).st_mtime < time.time() - _LIFE


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return not _is_zombie(process)


def _is_zombie(process: int) -> bool:
    """Whether a process is dead and nobody has asked how it ended, as in a container whose first process never does."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_bytes().rpartition(b") ")[2][:1] == b"Z"
    return False
