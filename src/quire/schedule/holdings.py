"""The pages that a mirror holds, with what tells how their files differ from what was made of the pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, msgpack

from quire import urls
from quire.records import Edit, Facts
from quire.schedule.crawls import note
from quire.schedule.edits import edits_in
from quire.schedule.listing import listed

_FACTS: Final = msgpack.Decoder(Facts)


class Holding(Struct, frozen=True):
    """One page of the mirror: `hash` is that of its Markdown before links were made local, which `edits` did."""

    url: str
    path: str
    hash: str
    facts: Facts
    fetched_at: str
    lastmod: str | None
    edits: tuple[Edit, ...]


def holdings(database: sqlite3.Connection) -> Iterator[Holding]:
    """The pages as the manifest lists them."""
    columns = "url, path, coalesce(plain, hash), facts, fetched_at, lastmod, edits"
    for url, path, hash, facts, fetched_at, lastmod, edits in listed(
        database, int(note(database, "crawl") or 1), columns
    ):
        yield Holding(urls.shown(url), path, hash, _FACTS.decode(facts), fetched_at, lastmod, edits_in(edits))


def hashes(database: sqlite3.Connection, by: str) -> dict[str, str]:
    """The same hash of every page, by its `url` or its `path`."""
    rows = listed(database, int(note(database, "crawl") or 1), f"{by}, coalesce(plain, hash)")
    return {urls.shown(name) if by == "url" else name: hash for name, hash in rows}
