"""The pages that a mirror holds, with what tells how their files differ from what was made of the pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from msgspec import Struct
from xxhash import xxh3_64_hexdigest

from quire import urls
from quire.records import FACTS, Edit, Facts
from quire.schedule.crawls import crawl_number
from quire.schedule.edits import edits_in
from quire.schedule.listing import listed


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
    for url, path, hash, facts, fetched_at, lastmod, edits in _all(database, columns):
        yield Holding(urls.shown(url), path, hash, FACTS.decode(facts), fetched_at, lastmod, edits_in(edits))


def hashes(database: sqlite3.Connection) -> dict[str, str]:
    """The same hash of every page, by its URL."""
    return {urls.shown(url): hash for url, hash in _all(database, "url, coalesce(plain, hash)")}


def versions(database: sqlite3.Connection) -> dict[str, str]:
    """By the path of every page what is another when its Markdown is, or its title, which need not be in that."""
    rows = _all(database, "path, coalesce(plain, hash), facts")
    return {path: f"{hash} {xxh3_64_hexdigest(facts)}" for path, hash, facts in rows}


def _all(database: sqlite3.Connection, columns: str) -> sqlite3.Cursor:
    return listed(database, crawl_number(database), columns)
