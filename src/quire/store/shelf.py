"""Where pages stand in the mirror: a path for each, never shared, and notes for those that are missing (S2, S7, M6)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from quire import urls
from quire.errors import GuardStop, UnsafePath
from quire.records import Lease, Place
from quire.store.files import MirrorFiles
from quire.store.paths import PlaceholderKind, collision_key, page_path, placeholder_path, with_suffix

FAILED_LOG = "_failed.log"
_OF_THE_PATH = (1 << 44) - 1


def folded(path: str) -> int:
    """The identity of a path on a disk that ignores case.

    The first bits are the folder's, so that pages found together are together in the index, too. Should two paths have
    the same number, one of them gets a suffix.
    """
    key = collision_key(path)
    page, _, _ = key.rpartition("/")
    folder, _, _ = page.rpartition("/")
    return urls.fingerprint(folder) & ~_OF_THE_PATH | urls.fingerprint(key) & _OF_THE_PATH


class MirrorShelf:
    """ports.Shelf on a folder; `owner` tells which settled page has a folded path."""

    def __init__(self, files: MirrorFiles, owner: Callable[[int], int | None], min_free: int) -> None:
        self._files = files
        self._owner = owner
        self._min_free = min_free
        self._claims: dict[int, int] = {}
        self._claimed: dict[int, int] = {}

    def place(self, lease: Lease) -> Place:
        plain = page_path(lease.name)
        path = lease.known.path if lease.known else plain
        while not self._free(identity := folded(path), lease.id):
            path = with_suffix(path, lease.name)
        self._claims[identity] = lease.id
        self._claimed[lease.id] = identity
        return Place(path, identity, path != plain)

    def release(self, lease: Lease) -> None:
        identity = self._claimed.pop(lease.id, None)
        if identity is not None:
            del self._claims[identity]

    def has(self, path: str) -> float | None:
        with suppress(UnsafePath):  # Whoever writes the page is told.
            stat = self._files.stat(path)
            return stat.st_mtime if stat else None
        return None

    def note_failure(self, lease: Lease, reason: str, detail: str) -> None:
        with suppress(UnsafePath):
            self._files.append(FAILED_LOG, f"{urls.shown(lease.name)}\t{reason}\t{detail}\n".encode())
        self._note("_failed", lease, "This page could not be saved", f"{reason}: {detail}")

    def note_skip(self, lease: Lease, content_type: str) -> None:
        self._note("_skipped", lease, "This is not an HTML page", f"content type: {content_type}")

    def _note(self, kind: PlaceholderKind, lease: Lease, title: str, cause: str) -> None:
        note = f"# {title}\n\n- URL: <{urls.shown(lease.name)}>\n- {cause}\n"
        # Where something else is in the way, the manifest still tells.
        with suppress(UnsafePath):
            self._files.write(placeholder_path(kind, lease.name), note.encode())

    def check_space(self) -> None:
        free = self._files.free_bytes()
        if free < self._min_free:
            raise GuardStop(
                f"only {free // 1_000_000} MB are free on the disk, less than --min-free-disk"
                f" {self._min_free // 1_000_000} MB: free some space and start again; nothing that was saved is lost"
            )

    def _free(self, identity: int, id: int) -> bool:
        return self._claims.get(identity, id) == id and self._owner(identity) in (None, id)


class NoShelf:
    """ports.Shelf for crawls that keep no files."""

    def place(self, lease: Lease) -> Place:
        return Place(None, lease.id)

    def release(self, lease: Lease) -> None: ...

    def has(self, path: str) -> float | None:
        return None

    def note_failure(self, lease: Lease, reason: str, detail: str) -> None: ...

    def note_skip(self, lease: Lease, content_type: str) -> None: ...

    def check_space(self) -> None: ...
