"""Files and frontier brought together: what was decided and not yet done, what a crash left behind (S4, S5)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress

from quire import images
from quire.convert import edges
from quire.convert.destinations import edited
from quire.convert.front_matter import body_hash, joined, parts, split
from quire.errors import UnsafePath
from quire.schedule import closing, crawls, frames
from quire.store.files import MirrorFiles
from quire.wording import counted

PROCESSED_FILE = "_processed.txt"


def do_chores(database: sqlite3.Connection, files: MirrorFiles) -> None:
    """Delete and rename the files that committed decisions ask for; what is done already stays done."""
    for id, old, new in closing.chores(database):
        with suppress(UnsafePath):  # Something else is in the place of the file, which is not ours to move.
            if new is None:
                files.remove(old)
            elif files.stat(old):
                files.rename(old, new)
        closing.done(database, id)


def check_files(database: sqlite3.Connection, files: MirrorFiles, warn: Callable[[str], None]) -> None:
    """After an unclean end: pages whose file is missing or not what was written are asked for again."""
    lost = 0
    for id, path, hash in crawls.kept_pages(database):
        data = None
        with suppress(UnsafePath):  # Asked for again, it fails by that name.
            data = files.read(path)
        if data is not None and body_hash(split(data.decode("utf-8", "replace"))[1].encode()) == hash:
            continue
        if data is None or not _mend(id, path, hash, data, database, files):
            crawls.ask_again(database, id)
            lost += 1
    images.check_files(database, files)
    if lost:
        what = "that did not survive the last run's end"
        warn(f"{counted(lost, f'file {what} is', f'files {what} are')} fetched again")


def _mend(id: int, path: str, hash: str, data: bytes, database: sqlite3.Connection, files: MirrorFiles) -> bool:
    """Write a file again that is as it was before the frontier's last changes; False if it is something else."""
    made, cuts, edits = frames.changes_of(database, id)
    head, body, named = parts(data)
    if cuts and body_hash(body.encode()) == made:
        body = edges.without(body, cuts)
    body = edited(body, edits)
    if body_hash(body.encode()) != hash:
        return False
    files.write(path, joined(head, body, named).encode())
    return True


def mend_processed(database: sqlite3.Connection, files: MirrorFiles) -> None:
    """Write `_processed.txt` anew where it does not say what the frontier says."""
    listed = (files.read(PROCESSED_FILE) or b"").splitlines(keepends=True)
    saved = [f"{url}\n".encode() for url in crawls.processed(database)]
    if sorted(listed) != sorted(saved):
        files.write(PROCESSED_FILE, b"".join(saved))
