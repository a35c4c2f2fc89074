"""The folder that all machines see: who leads the run, whether it goes on, and which hosts are taken.

The lock of the folder is held by the one process that leads. A word in the lock's file names this run. A crawl goes on
as long as it sees both, whatever becomes of the network between the machines.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
from pathlib import Path
from typing import Self

import xxhash

from quire.errors import CrawlError, UsageError
from quire.opening import frontier_path
from quire.store.lock import LOCK_FILE, acquire, is_held

HOSTS_FILE = ".quire.hosts"
_NOT_OURS = (errno.EACCES, errno.EAGAIN)


class Leadership:
    """This process leads the run in the folder, until it ends."""

    def __init__(self, root: Path, lock: int, word: str) -> None:
        self.root = root
        self.word = word
        self._lock = lock
        self._say(word)

    @classmethod
    def take(cls, output: str) -> Self:
        """Make the folder, and lock it; raise UsageError where that cannot be."""
        root = Path(output).absolute()
        try:
            root.mkdir(parents=True, exist_ok=True)
            if frontier_path(root).exists():
                raise UsageError(f"{output} holds the mirror of one site; choose another --output")
        except OSError as error:
            raise UsageError(f"{output} cannot be made ({error.strerror}); choose another --output") from error
        return cls(root, acquire(root), secrets.token_hex(8))

    def stop(self) -> None:
        """Have every crawl of this run save its state and end."""
        self._say("stop")

    def close(self) -> None:
        os.close(self._lock)

    def _say(self, word: str) -> None:
        os.pwrite(self._lock, word.ljust(16).encode(), 0)


def goes_on(root: Path, word: str) -> bool:
    """Whether the run that this word names goes on, as far as can be seen from here."""
    try:
        return _word_in(root) == word and is_held(root) is not False
    except FileNotFoundError:
        return False
    except OSError:
        # The crawl learns by itself what is wrong with the folder.
        return True


def problem_with(root: Path, word: str) -> str:
    """What keeps this machine from crawling into the folder; empty when nothing does."""
    try:
        if _word_in(root) != word:
            return f"has another folder at {root}"
    except OSError as error:
        return f"does not see {root} ({error.strerror})"
    if not os.access(root, os.W_OK):
        return f"may not write to {root}"
    if not is_held(root):
        return f"does not see who has locked {root}: its file system must share locks between machines"
    return ""


def _word_in(root: Path) -> str:
    return (root / LOCK_FILE).read_text().strip()


class Claims:
    """The hosts that this process may ask, in the whole cluster it alone (ports.Claim).

    A claim is the lock of one byte, by the host's name, in a file of the shared folder. It ends with the process,
    however that ends.
    """

    def __init__(self, root: Path) -> None:
        self._path = root / HOSTS_FILE
        self._file = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        self.refused = ""

    def __call__(self, host: str) -> bool:
        place = xxhash.xxh3_64_intdigest(host.encode()) >> 2
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError as error:
            if error.errno not in _NOT_OURS:
                raise CrawlError(
                    f"{self._path} cannot be locked ({error.strerror}); choose another --output"
                ) from error
            self.refused = host
            return False
        self.refused = ""
        return True

    def close(self) -> None:
        os.close(self._file)
