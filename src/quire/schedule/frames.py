"""What the frontier keeps of the site's frame: both ends of each page, and what was cut there."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct, msgpack, structs

from quire.records import FACTS, Cut, Edit, Ends
from quire.schedule.crawls import crawl_number
from quire.schedule.edits import edits_in
from quire.schedule.listing import KEPT, in_mirror

_ENDS: Final = msgpack.Decoder(Ends)
_CUTS: Final = msgpack.Decoder(tuple[Cut, ...])
_WRITTEN: Final = """
    SELECT id, url, path, made, ends, cuts, edits FROM pages JOIN urls USING (id)
    WHERE id > ? AND state IN (?, ?) AND crawl = ? AND changed = crawl AND path IS NOT NULL ORDER BY id LIMIT ?"""
_PIECE: Final = 500


class Framed(Struct, frozen=True):
    """A page's file as the frontier knows it: what was cut and edited, and the hash of what was there before."""

    id: int
    url: str
    path: str
    made: str
    ends: Ends
    cuts: tuple[Cut, ...]
    edits: tuple[Edit, ...]


class Recut(Struct, frozen=True):
    """What is true of a page's file once these chunks are cut from it."""

    id: int
    cuts: tuple[Cut, ...]
    hash: str
    size: int
    word_count: int


def packed_ends(ends: Ends | None) -> bytes:
    return b"" if ends is None else msgpack.encode(ends)


def ends_in(packed: bytes) -> Ends:
    return _ENDS.decode(packed) if packed else Ends()


def cuts_in(packed: bytes) -> tuple[Cut, ...]:
    return _CUTS.decode(zlib.decompress(packed)) if packed else ()


def all_ends(database: sqlite3.Connection) -> Iterator[tuple[str, Ends]]:
    """URL and ends of the mirror's pages, in an order that is neither that of the answers nor of the site."""
    rows = database.execute(
        f"SELECT url, ends FROM pages JOIN urls USING (id) WHERE {in_mirror()} ORDER BY key",  # noqa: S608
        {"crawl": crawl_number(database)},
    )
    for url, ends in rows:
        yield url, ends_in(ends)


def written_pages(database: sqlite3.Connection) -> Iterator[Framed]:
    """The pages whose file this crawl has written."""
    crawl, after = crawl_number(database), 0
    # Piece by piece: whoever asks writes to the table.
    while rows := database.execute(_WRITTEN, (after, *KEPT, crawl, _PIECE)).fetchall():
        for id, url, path, made, ends, cuts, edits in rows:
            yield Framed(id, url, path, made, ends_in(ends), cuts_in(cuts), edits_in(edits))
            after = id


def changes_of(database: sqlite3.Connection, id: int) -> tuple[str, tuple[Cut, ...], tuple[Edit, ...]]:
    """The hash of what a page's worker made, what was cut from that, and what was edited then."""
    made, cuts, edits = database.execute("SELECT made, cuts, edits FROM pages WHERE id = ?", (id,)).fetchone()
    return made, cuts_in(cuts), edits_in(edits)


def record(database: sqlite3.Connection, recuts: Sequence[Recut]) -> None:
    """Make it true together that chunks are cut from these pages."""
    database.execute("BEGIN")
    database.executemany(
        "UPDATE pages SET cuts = ?, hash = ?, size = ?, facts = ?, edits = x'', plain = NULL WHERE id = ?",
        _rows(database, recuts),
    )
    database.execute("COMMIT")


def _rows(database: sqlite3.Connection, recuts: Iterable[Recut]) -> Iterator[tuple[object, ...]]:
    for each in recuts:
        facts = FACTS.decode(database.execute("SELECT facts FROM pages WHERE id = ?", (each.id,)).fetchone()[0])
        cuts = zlib.compress(msgpack.encode(each.cuts), 1) if each.cuts else b""
        words = structs.replace(facts, word_count=each.word_count)
        yield cuts, each.hash, each.size, msgpack.encode(words), each.id
