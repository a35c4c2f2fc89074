"""All access to the mirror's files: whatever a path says, and whatever lies in the folder, stays inside it (S3)."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from quire.errors import CrawlError, GuardStop, QuireError, UnsafePath, UsageError

from . import temporary
from .paths import DEEPEST

_ENTER: Final = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
# Never waits, should a pipe turn up where a file was.
_READ: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_RDONLY
_APPEND: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_WRONLY | os.O_APPEND | os.O_CREAT

_DISK_FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT))
# What is wrong with one name, not with the mirror: EINVAL and EILSEQ are how some filesystems refuse a character.
_BAD_PLACE: Final = frozenset(
    (errno.ENAMETOOLONG, errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.ENXIO, errno.EINVAL, errno.EILSEQ)
)

_TRIES: Final = 100
_BLOCK: Final = 1 << 18


class MirrorFiles:
    """The files below `root`, by their relative POSIX paths; no link is followed, and a page is replaced at once."""

    def __init__(self, root: str | Path) -> None:
        try:
            self.root = Path(os.path.realpath(root))
        except ValueError as error:
            raise UsageError(f"{str(root)!r} cannot be the mirror's folder ({error}); choose another one") from error
        self._root = -1
        with suppress(OSError):
            self._root = os.open(self.root, _ENTER)

    def create(self) -> None:
        """Make the mirror's folder if it is not there."""
        if self._root >= 0:
            return
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            self._root = os.open(self.root, _ENTER)
        except OSError as error:
            cause = os.strerror(error.errno or 0)
            raise UsageError(f"{self.root} cannot be the mirror's folder ({cause}); choose another one") from error

    def close(self) -> None:
        """Let go of the folder; nothing works afterwards."""
        if self._root >= 0:
            os.close(self._root)
            self._root = -1

    def write(self, path: str, data: bytes) -> None:
        """Put the file in place whole: a reader sees the old bytes or the new ones, also after a crash of Quire."""
        *folders, name = _names(path)
        with self._explained(path, "written"):
            for _ in range(_TRIES):
                # Another process may remove a file beside it, and with it the folder that becomes empty.
                with suppress(FileNotFoundError):
                    with self._folder(folders, make=True) as folder:
                        _check_is_file(path, name, folder)
                        _replace(name, (data,), folder)
                    return
            raise FileNotFoundError(errno.ENOENT, path)

    def write_pieces(self, path: str, pieces: Iterable[bytes]) -> None:
        """Put a file in place whole that is too long to be held in memory."""
        *folders, name = _names(path)
        with self._explained(path, "written"), self._folder(folders, make=True) as folder:
            _check_is_file(path, name, folder)
            _replace(name, _in_blocks(pieces), folder)

    def append(self, path: str, data: bytes) -> None:
        """Add to the end of the file, which is made if need be."""
        with self.appending(path) as add:
            add(data)

    @contextmanager
    def appending(self, path: str) -> Iterator[Callable[[bytes], None]]:
        """Give what adds to the end of the file; it is opened, or made, with the first that is added, and held."""
        *folders, name = _names(path)
        file = -1

        def add(data: bytes) -> None:
            nonlocal file
            with self._explained(path, "written"):
                if file < 0:
                    with self._folder(folders, make=True) as folder:
                        status = _check_is_file(path, name, folder)
                        if status and status.st_nlink > 1:
                            # Its other name may be outside; that file is to stay as it is.
                            _replace(name, (_contents(name, folder),), folder)
                        file = os.open(name, _APPEND, 0o666, dir_fd=folder)
                _write_all(file, data)

        try:
            yield add
        finally:
            if file >= 0:
                os.close(file)

    def read(self, path: str) -> bytes | None:
        """Return what the file holds; None if there is none."""
        *folders, name = _names(path)
        with self._explained(path, "read"), suppress(FileNotFoundError), self._folder(folders) as folder:
            _check_is_file(path, name, folder)
            return _contents(name, folder)
        return None

    def read_page(self, path: str) -> bytes:
        """Return what a page's file holds; nothing if there is none, or something else is in its place."""
        try:
            return self.read(path) or b""
        except UnsafePath:
            return b""

    def stat(self, path: str) -> os.stat_result | None:
        """Return the file's size and times; None if there is none."""
        *folders, name = _names(path)
        with self._explained(path, "read"), suppress(FileNotFoundError), self._folder(folders) as folder:
            return _check_is_file(path, name, folder)
        return None

    def rename(self, old: str, new: str) -> None:
        """Give the file another path, and delete the folders that it leaves empty; a file that has it is replaced."""
        *old_folders, old_name = _names(old)
        *new_folders, new_name = _names(new)
        with (
            self._explained(old, f"renamed to {new}"),
            self._folder(old_folders) as old_folder,
            self._folder(new_folders, make=True) as new_folder,
        ):
            _check_is_file(new, new_name, new_folder)
            os.rename(old_name, new_name, src_dir_fd=old_folder, dst_dir_fd=new_folder)
        self._remove_empty(old_folders)

    def remove(self, path: str) -> None:
        """Delete the file, if it is there, and the folders that it leaves empty."""
        *folders, name = _names(path)
        with self._explained(path, "removed"), suppress(FileNotFoundError):
            with self._folder(folders) as folder:
                os.unlink(name, dir_fd=folder)
            self._remove_empty(folders)

    def _remove_empty(self, folders: list[bytes]) -> None:
        with suppress(OSError):  # Not empty; or it stays, which does no harm.
            while folders:
                name = folders.pop()
                with self._folder(folders) as folder:
                    os.rmdir(name, dir_fd=folder)

    def free_bytes(self) -> int:
        """Return how much room is left on the mirror's disk."""
        with self._explained(".", "measured"):
            room = os.fstatvfs(self._root)
            return room.f_bavail * room.f_frsize

    def sweep_temporary(self) -> int:
        """Delete what crawls that are dead were just writing; return how many files that were."""
        with self._explained(".", "listed"), self._folder([]) as folder:
            return temporary.sweep(b".", folder, DEEPEST + 1)

    @contextmanager
    def _folder(self, names: list[bytes], *, make: bool = False) -> Iterator[int]:
        """Walk down to a folder one name at a time, so that no link can lead elsewhere, and hold it."""
        if self._root < 0:
            raise CrawlError(f"{self.root}: there is no such folder, or it may not be entered; check the mirror's name")
        folder = os.open(b".", _ENTER, dir_fd=self._root)
        try:
            for name in names:
                inner = _enter(name, folder, make=make)
                os.close(folder)
                folder = inner
            yield folder
        finally:
            os.close(folder)

    @contextmanager
    def _explained(self, path: str, done: str) -> Iterator[None]:
        """Turn an OSError into the Quire error that says whether the page or the crawl is at an end."""
        try:
            yield
        except OSError as error:
            raise self._explanation(path, done, error) from error

    def _explanation(self, path: str, done: str, error: OSError) -> QuireError:
        cause = f"{self.root / path} cannot be {done}: {os.strerror(error.errno or 0)}"
        if error.errno in _DISK_FULL:
            return GuardStop(f"{cause}; free some space and start again, the crawl goes on where it stopped")
        if error.errno in _BAD_PLACE:
            return UnsafePath(f"{cause}; a link or another file is in its place, or the disk refuses the name")
        return CrawlError(f"{cause}; make sure that the folder is there and may be used, then start again")


def _names(path: str) -> list[bytes]:
    """Return the names in the path; raise UnsafePath unless each is a plain one."""
    try:
        names = path.encode().split(b"/")
    except UnicodeEncodeError:
        names = [b""]
    if "\0" in path or any(name in (b"", b".", b"..") for name in names):
        raise UnsafePath(f"{path!r} is not a path inside the mirror")
    return names


def _enter(name: bytes, parent: int, *, make: bool) -> int:
    try:
        return os.open(name, _ENTER, dir_fd=parent)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):
        os.mkdir(name, dir_fd=parent)
    return os.open(name, _ENTER, dir_fd=parent)


def _check_is_file(path: str, name: bytes, folder: int) -> os.stat_result | None:
    """Return what is known of the file, None if there is none; raise UnsafePath if it is a link or anything else."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise UnsafePath(f"{path}: a link, a folder or a device is in its place; remove it from the mirror")
    return status


def _contents(name: bytes, folder: int) -> bytes:
    with os.fdopen(os.open(name, _READ, dir_fd=folder), "rb") as file:
        return file.read()


def _in_blocks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    block = bytearray()
    for piece in pieces:
        block += piece
        if len(block) >= _BLOCK:
            yield bytes(block)
            block.clear()
    yield bytes(block)


def _replace(name: bytes, pieces: Iterable[bytes], folder: int) -> None:
    draft, file = temporary.create(folder)
    try:
        try:
            for piece in pieces:
                _write_all(file, piece)
        finally:
            os.close(file)
        os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft, dir_fd=folder)
        raise


def _write_all(file: int, data: bytes) -> None:
    written = os.write(file, data)
    while written < len(data):
        written += os.write(file, memoryview(data)[written:])
