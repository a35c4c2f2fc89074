"""What a crash must not change: reading a mirror from outside."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

from quire_test_site.commands import files_in


def settled(mirror: Path) -> set[str]:
    """The paths that the frontier has settled, read from outside."""
    if not (mirror / "_frontier.sqlite").exists():
        return set()
    database = sqlite3.connect(mirror / "_frontier.sqlite")
    try:
        rows = database.execute("SELECT url FROM urls WHERE state IN (1, 2, 3, 5)").fetchall()
    except sqlite3.OperationalError:  # killed before the first table was there
        return set()
    finally:
        database.close()
    return {re.sub(r"^https?://[^/]+", "", url) for (url,) in rows}


def kill_when(process: subprocess.Popen[str], mirror: Path, note: str, value: str, delay: float) -> None:
    """Kill the crawl some seconds after its frontier notes that it has begun with something."""
    while process.poll() is None and not _notes(mirror, note, value):
        pass
    time.sleep(delay)
    process.kill()
    process.wait()


def _notes(mirror: Path, note: str, value: str) -> bool:
    with closing(sqlite3.connect(f"file:{mirror}/_frontier.sqlite?mode=ro", uri=True, timeout=10)) as database:
        return database.execute("SELECT 1 FROM meta WHERE name = ? AND value = ?", (note, value)).fetchone() is not None


def lasting(mirror: Path) -> dict[str, object]:
    """Everything in the mirror that must not depend on when it was made or how often it was interrupted."""
    database = {"_frontier.sqlite", "_frontier.sqlite-wal", "_frontier.sqlite-shm"}
    # The report shows when pages came, and what the manifest says.
    volatile = database | {"_progress.json", "_report.html", ".quire.lock"}
    files: dict[str, object] = {}
    for path, data in files_in(mirror).items():
        if path == "_manifest.json":
            manifest = json.loads(data)
            for page in manifest["pages"]:
                del page["fetched_at"]
            del manifest["crawl"]["started_at"], manifest["crawl"]["finished_at"]
            for name in ("failed", "skipped", "duplicates"):
                manifest[name].sort(key=lambda each: each["url"])
            files[path] = manifest
        elif path == "_processed.txt":
            files[path] = sorted(data.decode().splitlines())
        elif path not in volatile:
            files[path] = re.sub(rb"^fetched_at: .*$", b"", data, flags=re.MULTILINE)
    return files
