"""`quire search DIR QUERY` (C6)."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from quire.cli.options import Parser
from quire.cli.running import run_command
from quire.cli.why import open_ledger
from quire.errors import GuardStop, UsageError

INDEX_FILE = "_search.sqlite"
_MOST = 10
_PATIENCE = 30.0  # seconds, for another search that brings the index up to date


def run(arguments: list[str]) -> int:
    parser = Parser(
        "search", "Find the pages of a mirror with all of these words; quotation marks keep words together."
    )
    parser.add_argument("mirror", metavar="DIR", help="folder of the mirror")
    parser.add_argument("query", nargs="+", metavar="QUERY", help="words, or beginnings of words")
    parser.add_argument("-n", "--most", type=int, default=_MOST, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parsed = parser.parse_args(arguments)
    if parsed.most < 1:
        parser.error(f"argument -n/--most: {parsed.most} is less than 1")
    return run_command(lambda: search(parsed.mirror, " ".join(parsed.query), parsed.most, as_json=parsed.json))


def search(mirror: str, query: str, most: int, *, as_json: bool) -> int:
    from msgspec import json

    from quire.export.search import SearchIndex
    from quire.exporting import MirroredPages
    from quire.schedule.holdings import versions
    from quire.store.files import MirrorFiles

    with open_ledger(mirror) as database, _index(mirror) as kept:
        index = SearchIndex(kept)
        index.follow(versions(database), MirroredPages(database, MirrorFiles(mirror)).of_paths)
        hits = index.find(query, most)
    for hit in hits:
        if as_json:
            sys.stdout.write(json.encode(hit).decode() + "\n")
        else:
            sys.stdout.write(f"{hit.title or hit.url}\n  {hit.url}\n  {Path(mirror) / hit.path}\n  {hit.snippet}\n\n")
    if not hits:
        sys.stderr.write(f"quire: no page of {mirror} has all of {query!r}\n")
    return 0 if hits else 1


@contextmanager
def _index(mirror: str) -> Iterator[sqlite3.Connection]:
    """Open the index beside the pages, or one in memory where nothing may be written."""
    path = Path(mirror) / INDEX_FILE
    if path.is_symlink():
        raise UsageError(f"{path} is a link, which may lead anywhere; remove it")
    place = path if os.access(mirror, os.W_OK) else ":memory:"
    try:
        with closing(sqlite3.connect(place, timeout=_PATIENCE)) as database:
            yield database
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL:
            raise GuardStop(f"{path} cannot be written ({error}); free some space and search again") from error
        raise UsageError(f"{path} cannot be used ({error}); remove it, the next search makes it anew") from error
