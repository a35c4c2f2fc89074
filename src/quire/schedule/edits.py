"""What the frontier keeps of local links: the file that each URL has, and what was edited in each page."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, msgpack
from xxhash import xxh3_128

from quire.records import Edit, State
from quire.schedule import listing
from quire.schedule.crawls import crawl_number

_EDITS: Final = msgpack.Decoder(tuple[Edit, ...])
_PIECE: Final = 500
_FILES: Final = f"""
    SELECT id, path, hash, edits FROM pages JOIN urls USING (id)
    WHERE id > :after AND path IS NOT NULL AND (:edited OR plain IS NULL)
          AND (NOT :in_mirror OR {listing.in_mirror()} OR (crawl = :crawl AND state = {int(State.FAILED)}))
          AND (NOT :without_gone OR gone IS NULL)
    ORDER BY id LIMIT :piece"""  # noqa: S608
_LEADING: Final = """
    SELECT key, path, CASE state WHEN 3 THEN target END FROM urls
    LEFT JOIN pages ON pages.id = urls.id AND (NOT :without_gone OR gone IS NULL)
    WHERE path IS NOT NULL OR (state = 3 AND target IS NOT NULL) ORDER BY urls.id"""
_LEADS: Final = """
    SELECT path, state, target FROM keys JOIN urls USING (id)
    LEFT JOIN pages ON pages.id = urls.id AND (NOT :without_gone OR gone IS NULL) WHERE keys.key = :key"""
_MOST_STEPS: Final = 20


class Edited(Struct, frozen=True):
    """A page's file as the frontier knows it: the hash of its Markdown, and what was edited there."""

    id: int
    path: str
    hash: str
    edits: tuple[Edit, ...]


class Reedit(Struct, frozen=True):
    """What is true of a page's file once these edits are made."""

    id: int
    edits: tuple[Edit, ...]
    hash: str
    plain: str
    size: int


def edits_in(packed: bytes) -> tuple[Edit, ...]:
    return _EDITS.decode(zlib.decompress(packed)) if packed else ()


def files(
    database: sqlite3.Connection, *, edited: bool = True, in_mirror: bool = False, without_gone: bool = False
) -> Iterator[Edited]:
    """The files of all pages, also of those that are gone; or only of some, as the names say.

    Those `in_mirror` are the ones that the manifest lists, and the ones that failed.
    """
    wanted = {
        "after": 0,
        "edited": edited,
        "in_mirror": in_mirror,
        "crawl": crawl_number(database),
        "without_gone": without_gone,
        "piece": _PIECE,
    }
    # Piece by piece: whoever asks writes to the table.
    while rows := database.execute(_FILES, wanted).fetchall():
        for id, path, hash, edits in rows:
            yield Edited(id, path, hash, edits_in(edits))
            wanted["after"] = id


def fingerprint(database: sqlite3.Connection, *, without_gone: bool) -> str:
    """A text that is another one as soon as a URL leads to another file."""
    found = xxh3_128()
    for table in (_LEADING, "SELECT key, path FROM assets WHERE path IS NOT NULL ORDER BY id"):
        for row in database.execute(table, {"without_gone": without_gone}):
            found.update(repr(row).encode())
    return found.hexdigest()


def path_for(database: sqlite3.Connection, key: int, *, without_gone: bool) -> str | None:
    """The file of the page that a URL leads to, by way of redirects and canonical URLs; None if it is not kept.

    Keys that were not entered in their index yet (`keys.catch_up`) are not found.
    """
    target: int | None = key
    for _ in range(_MOST_STEPS):
        row = database.execute(_LEADS, {"key": target, "without_gone": without_gone}).fetchone()
        if row is None:
            return None
        path, state, target = row
        if state != State.DUPLICATE or target is None:
            return None if path is None else str(path)
    return None


def record(database: sqlite3.Connection, changed: Sequence[Reedit]) -> None:
    """Make it true together that these pages are edited so."""
    database.execute("BEGIN")
    database.executemany(
        "UPDATE pages SET edits = ?, hash = ?, plain = ?, size = ? WHERE id = ?",
        [
            (
                zlib.compress(msgpack.encode(each.edits), 1) if each.edits else b"",
                each.hash,
                each.plain if each.edits else None,
                each.size,
                each.id,
            )
            for each in changed
        ],
    )
    database.execute("COMMIT")
