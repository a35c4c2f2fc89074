"""Opening a mirror: new, to be resumed, to be brought up to date, or damaged (S4–S6, S13)."""

from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from msgspec import Struct, json

from quire import urls
from quire.errors import UnsafePath, UsageError
from quire.filter.judge import Judge
from quire.filter.rules import fingerprint
from quire.forgetting import forget, remove_notes
from quire.framing import UNDER_WAY
from quire.mending import PROCESSED_FILE, check_files, do_chores, mend_processed
from quire.schedule import crawls
from quire.schedule.database import stop_for
from quire.schedule.salvage import open_sound
from quire.settings import Settings
from quire.store.files import MirrorFiles
from quire.store.lock import acquire
from quire.store.paths import placeholder_path
from quire.wording import counted

FRONTIER_FILE = "_frontier.sqlite"
SINGLE_PAGES = "given one by one"
# What `quire why` and `quire status` tell by; headers and passwords are not kept.
KEPT_SETTINGS = ("scope", "filters", "content", "mirror")
# What mirrors were made with before there was a setting for it.
_SINCE = {"--heading": "keep"}
_LATE = {
    "sitemap": "the crawl so far has not read the site's sitemaps; --update reads them",
    "links": "the crawl so far has not followed the links of the pages that are saved; --update follows them",
}


class OpenMirror(Struct, frozen=True):
    """A mirror in use by this process."""

    files: MirrorFiles
    database: sqlite3.Connection
    lock: int
    resumed: bool
    processed: list[str]
    """URLs that `_processed.txt` names and a new frontier does not know."""

    def close(self) -> None:
        self.database.close()
        self.files.close()
        os.close(self.lock)


def open_mirror(settings: Settings, judge: Judge, warn: Callable[[str], None], *, alone: bool = False) -> OpenMirror:
    """Lock the folder and bring its frontier into the state in which the crawl can go on.

    Without discovery (`settings.scope.discover` is empty) the start URLs are single pages for any mirror.
    """
    files = MirrorFiles(settings.mirror.output)
    files.create()
    lock = acquire(files.root)
    try:
        _check_frontier_file(files)
        if settings.mirror.fresh:
            forget(files, frontier_path(files.root))
        database = open_sound(frontier_path(files.root), warn, alone=alone)
        try:
            _check_identity(database, settings)
            if settings.scope.discover:
                resumed = _prepare(database, files, settings, judge, warn)
            else:
                resumed = _prepare_pages(database, files, settings, judge, warn)
            processed = _take_processed(database, files, warn, new=not resumed)
        except BaseException:
            database.close()
            raise
    except sqlite3.DatabaseError as error:
        os.close(lock)
        raise stop_for(error) from error
    except BaseException:
        os.close(lock)
        raise
    return OpenMirror(files, database, lock, resumed, processed)


def frontier_path(output: str | Path) -> Path:
    return Path(output) / FRONTIER_FILE


def _check_frontier_file(files: MirrorFiles) -> None:
    """Refuse a frontier that is another file's second name: SQLite would write through the link (S3)."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        name = FRONTIER_FILE + suffix
        try:
            status = files.stat(name)
        except UnsafePath as error:
            raise UsageError(f"{files.root / name} is not a file; remove it, or choose another --output") from error
        if status and status.st_nlink > 1:
            raise UsageError(f"{files.root / name} has a second name; remove it, or choose another --output")


def _identity(settings: Settings) -> dict[str, object]:
    return {
        "start URLs": sorted(map(urls.shown, settings.start)) if settings.scope.discover else [SINGLE_PAGES],
        "--query": settings.scope.query,
        "--noise-params": sorted(settings.scope.noise_params),
        "--ignore-case": settings.scope.ignore_case,
        "--content": settings.content.content,
        "--remove": sorted(settings.content.remove),
        "--heading": settings.content.heading,
        "front matter": settings.content.front_matter,
    }


def _check_identity(database: sqlite3.Connection, settings: Settings) -> None:
    """Refuse to mix two different mirrors in one folder."""
    identity = _identity(settings)
    before = crawls.note(database, "identity")
    if before is None:
        crawls.put(database, "identity", json.encode(identity).decode())
        return
    for name, old in {**_SINCE, **json.decode(before)}.items():
        if identity.get(name) != old and (name != "start URLs" or settings.scope.discover):
            raise UsageError(
                f"{settings.mirror.output} holds a mirror made {_worded(name, old)}, not"
                f" {_worded(name, identity.get(name))}; choose another --output, or --fresh to start over"
            )


def _worded(name: str, value: object) -> str:
    """Tell a setting as one types it."""
    if name == "front matter":
        # It is the flag against it that is typed.
        name, value = "--no-front-matter", not value
    if isinstance(value, list):
        flags = [f"{name} {shlex.quote(each)}" for each in value] if name.startswith("--") else [f"the {name}", *value]
        return f"with {' '.join(flags)}" if value else f"without {name}"
    if isinstance(value, bool):
        return f"with {name}" if value else f"without {name}"
    return f"with {name} {shlex.quote(str(value))}"


def _prepare(
    database: sqlite3.Connection,
    files: MirrorFiles,
    settings: Settings,
    judge: Judge,
    warn: Callable[[str], None],
) -> bool:
    """Bring the frontier from where the last run left it to where this one starts; True when there was a last run."""
    status = _recover(database, files, warn)
    if status == "finished" and settings.mirror.update:
        remove_notes(database, files)
        crawls.begin_update(database, settings.scope.discover)
        files.remove(PROCESSED_FILE)
    elif status == "finished" and not crawls.has_pages(database):
        remove_notes(database, files)
        crawls.start_over(database)
    elif status in ("finished", "aborted"):
        for url in crawls.retry_failed(database):
            with suppress(UnsafePath):
                files.remove(placeholder_path("_failed", url))
    elif status and settings.mirror.update:
        warn("the last crawl did not finish: finishing it first; run --update again afterwards")
    if settings.filters.ignore_robots:
        crawls.ask_despite_robots(database)
    for source in crawls.sought_late(database, settings.scope.discover):
        warn(_LATE[source])
    filters = fingerprint(settings)
    new_filters = crawls.note(database, "filters") not in (None, filters)
    bases = crawls.note(database, "bases")
    judge.resume(
        bases.split("\n") if bases else judge.bases,
        crawls.accepted(database, pending=not new_filters),
        crawls.saved_facts(database),
    )
    if new_filters and (changed := crawls.judge_again(database, judge)):
        warn(f"the filters changed: {counted(changed, 'URL was', 'URLs were')} judged differently")
    _keep_settings(database, settings, judge)
    return status is not None


def _recover(database: sqlite3.Connection, files: MirrorFiles, warn: Callable[[str], None]) -> str | None:
    """Finish what the last run had begun with files; returns how that run ended."""
    status = crawls.note(database, "status")
    do_chores(database, files)
    if status is not None:
        # A crawl may also die when all its pages are settled, over its reports.
        files.sweep_temporary()
    if status == "running" or crawls.note(database, UNDER_WAY):
        check_files(database, files, warn)
    return status


def _prepare_pages(
    database: sqlite3.Connection,
    files: MirrorFiles,
    settings: Settings,
    judge: Judge,
    warn: Callable[[str], None],
) -> bool:
    """Let single pages be asked for, whatever the mirror knows of them."""
    status = _recover(database, files, warn)
    of_a_site = SINGLE_PAGES not in (crawls.note(database, "identity") or "")
    if status not in (None, "finished") and of_a_site:
        raise UsageError(
            f"{settings.mirror.output} holds a crawl that is not finished; finish it with `quire mirror` first,"
            " or choose another --output"
        )
    if status is None:
        _keep_settings(database, settings, judge)
        crawls.put(database, "seeded", "yes")
    elif of_a_site:
        # A canonical URL counts where it belongs to the mirror's site, not to the page's folder.
        judge.resume((crawls.note(database, "bases") or "").split("\n"), (), ())
        crawls.put(database, "unfollowed", "yes")
    else:
        before = json.decode(crawls.note(database, "start") or "[]")
        crawls.put(database, "start", json.encode([*dict.fromkeys([*before, *settings.start])]).decode())
    policy = urls.UrlPolicy(settings.scope.query, settings.scope.ignore_case, settings.scope.noise_params)
    crawls.ask_for(database, [key for url in settings.start if (key := urls.fingerprint_of(url, policy)) is not None])
    return status is not None


def _keep_settings(database: sqlite3.Connection, settings: Settings, judge: Judge) -> None:
    """What `quire why` and a later run need to know."""
    kept = {name: asdict(getattr(settings, name)) for name in KEPT_SETTINGS}
    crawls.put(database, "scope", json.encode(kept).decode())
    crawls.put(database, "start", json.encode(settings.start).decode())
    crawls.put(database, "bases", "\n".join(judge.bases))
    crawls.put(database, "filters", fingerprint(settings))
    crawls.put(database, "machine", os.uname().nodename)
    crawls.put(database, "status", "running")


def _take_processed(
    database: sqlite3.Connection, files: MirrorFiles, warn: Callable[[str], None], *, new: bool
) -> list[str]:
    """Make `_processed.txt` agree with the frontier (S4); returns what a new frontier has to take from it."""
    data = files.read(PROCESSED_FILE)
    if data is not None and not _is_url_list(data):
        files.rename(PROCESSED_FILE, PROCESSED_FILE + ".corrupt")
        warn(f"{PROCESSED_FILE} was damaged: it is kept as {PROCESSED_FILE}.corrupt")
        data = None
    if new:
        return data.decode().splitlines() if data else []
    mend_processed(database, files)
    return []


def _is_url_list(data: bytes) -> bool:
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return False
    # The last line may be cut short by a crash.
    return all(line.startswith(("http://", "https://")) for line in lines[:-1])
