"""What an earlier crawl left in a folder, and how it goes when another starts over."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from msgspec import MsgspecError, Struct, json

from quire.errors import UnsafePath
from quire.mending import PROCESSED_FILE
from quire.report.manifest import MANIFEST_FILE
from quire.schedule import crawls
from quire.schedule.database import DAMAGE
from quire.store.files import MirrorFiles
from quire.store.paths import placeholder_path
from quire.store.shelf import FAILED_LOG

OWN_FILES = (PROCESSED_FILE, FAILED_LOG, "_progress.json", MANIFEST_FILE, "_index.md", "_report.html")


class _Listed(Struct, frozen=True):
    path: str | None = None


class _Manifest(Struct, frozen=True):
    pages: tuple[_Listed, ...] = ()
    assets: tuple[_Listed, ...] = ()


def forget(files: MirrorFiles, frontier: Path) -> None:
    """Start over: nothing of the earlier crawl stays, and nothing that was not its own is touched."""
    for name in _listed_files(files):
        _remove(name, files)
    if frontier.exists():
        # Of whatever format: here it is asked for nothing but names.
        with closing(sqlite3.connect(frontier)) as database:
            for table in ("pages", "assets"):
                with suppress(*DAMAGE):
                    for name in crawls.files_of(database, table):
                        _remove(name, files)
            with suppress(*DAMAGE):
                remove_notes(database, files)
    for suffix in ("", "-wal", "-shm"):
        Path(f"{frontier}{suffix}").unlink(missing_ok=True)
    for name in OWN_FILES:
        files.remove(name)


def _listed_files(files: MirrorFiles) -> list[str]:
    """The files that the manifest lists, for where the frontier is lost or damaged."""
    with suppress(UnsafePath, MsgspecError):
        manifest = json.decode(files.read(MANIFEST_FILE) or b"{}", type=_Manifest)
        return [each.path for each in (*manifest.pages, *manifest.assets) if each.path]
    return []


def _remove(name: str, files: MirrorFiles) -> None:
    with suppress(UnsafePath):
        files.remove(name)


def remove_notes(database: sqlite3.Connection, files: MirrorFiles) -> None:
    """Delete what says why a URL has no page."""
    for url in crawls.noted(database):
        _remove(placeholder_path("_failed", url), files)
        _remove(placeholder_path("_skipped", url), files)
