"""What the frontier keeps of the images that pages show (M7): which are to be fetched, and what became of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Final

from msgspec import Struct, convert

from quire import urls
from quire.records import State
from quire.schedule.crawls import crawl_number

_IDENTITY: Final = urls.UrlPolicy(query="all")
_COLUMNS: Final = """
    id, url, state, reason, detail, path, size, content_type, etag, last_modified, coalesce(target, url), hops, attempts
"""
_SHOWN: Final = """
    INSERT INTO assets (key, url, host, crawl) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (key) DO UPDATE SET state = 0, reason = '', detail = '', crawl = ?4, host = ?3, target = NULL, hops = 0,
    attempts = 0 WHERE crawl < ?4"""
_WAITING: Final = "SELECT id FROM assets WHERE state = 0 AND host = ? AND crawl = ? AND id > ? ORDER BY id LIMIT ?"


class Asset(Struct, frozen=True, array_like=True):
    """An image, and what is known of it; without a path it has no file."""

    id: int
    url: str
    state: State
    reason: str = ""
    detail: str = ""
    path: str | None = None
    size: int = 0
    content_type: str = ""
    etag: str | None = None
    last_modified: str | None = None
    request: str = ""
    """The URL to ask for: its own, or where that led so far."""
    hops: int = 0
    attempts: int = 0


def key_of(url: str) -> int | None:
    """The identity of an image: all of its URL but the scheme."""
    return urls.fingerprint_of(url, _IDENTITY)


def note_shown(database: sqlite3.Connection, images: Iterable[str]) -> None:
    """Have images fetched that this crawl's pages show; those it has dealt with already stay as they are."""
    crawl = crawl_number(database)
    database.execute("BEGIN")
    database.executemany(
        _SHOWN, [(key, url, urls.host(url), crawl) for url in images if (key := key_of(url)) is not None]
    )
    database.execute("COMMIT")


def retry_failed(database: sqlite3.Connection) -> None:
    """Let images that failed have another turn."""
    database.execute(
        """UPDATE assets SET state = 0, attempts = 0
           WHERE crawl = ? AND (state = ? OR (state = ? AND reason = 'robots-unreachable'))""",
        (crawl_number(database), State.FAILED, State.SKIPPED),
    )


def waiting_hosts(database: sqlite3.Connection) -> list[str]:
    query = "SELECT DISTINCT host FROM assets WHERE state = 0 AND crawl = ?"
    return [host for (host,) in database.execute(query, (crawl_number(database),)).fetchall()]


def waiting(database: sqlite3.Connection, host: str, after: int, limit: int) -> list[int]:
    """The ids of a host's next images that are to be fetched."""
    rows = database.execute(_WAITING, (host, crawl_number(database), after, limit)).fetchall()
    return [id for (id,) in rows]


def get(database: sqlite3.Connection, id: int) -> Asset:
    return _asset(database.execute(f"SELECT {_COLUMNS} FROM assets WHERE id = ?", (id,)).fetchone())  # noqa: S608


def move(database: sqlite3.Connection, id: int, url: str) -> None:
    """Ask for the image where its URL leads."""
    database.execute(
        "UPDATE assets SET target = ?, host = ?, hops = hops + 1, attempts = 0 WHERE id = ?", (url, urls.host(url), id)
    )


def try_again(database: sqlite3.Connection, id: int) -> None:
    database.execute("UPDATE assets SET attempts = attempts + 1 WHERE id = ?", (id,))


def give_up(database: sqlite3.Connection, host: str, under_way: Collection[int]) -> None:
    """Fail every image that waits for a host."""
    busy = ",".join(map(str, under_way))
    database.execute(
        f"""UPDATE assets SET state = ?, reason = 'host-given-up', detail = ?
            WHERE host = ? AND state = 0 AND id NOT IN ({busy})""",  # noqa: S608 - whole numbers
        (State.FAILED, f"{host} did not answer many times in a row", host),
    )


def settle(database: sqlite3.Connection, asset: Asset, folded: int | None) -> None:
    """Make true what became of an image; a file that it has no longer is to be deleted."""
    database.execute("BEGIN")
    database.execute(
        "INSERT INTO chores (old, new) SELECT path, NULL FROM assets WHERE id = ? AND path <> ?", (asset.id, asset.path)
    )
    database.execute(
        """UPDATE assets SET state = ?, reason = ?, detail = ?, path = ?, folded = ?, size = ?, content_type = ?,
           etag = ?, last_modified = ? WHERE id = ?""",
        (
            asset.state, asset.reason, asset.detail, asset.path, folded, asset.size, asset.content_type, asset.etag,
            asset.last_modified, asset.id,
        ),
    )  # fmt: skip
    database.execute("COMMIT")


def owner(database: sqlite3.Connection, folded: int) -> int | None:
    """The id of the image that has a path, as a disk that ignores case sees it."""
    row = database.execute("SELECT id FROM assets WHERE folded = ?", (folded,)).fetchone()
    return None if row is None else int(row[0])


def path_for(database: sqlite3.Connection, url: str) -> str | None:
    """The file of an image; None if it has none."""
    row = database.execute("SELECT path FROM assets WHERE key = ?", (key_of(url),)).fetchone()
    return None if row is None else row[0]


def find(database: sqlite3.Connection, url: str) -> Asset | None:
    row = database.execute(f"SELECT {_COLUMNS} FROM assets WHERE key = ?", (key_of(url),)).fetchone()  # noqa: S608
    return None if row is None else _asset(row)


def url_of(database: sqlite3.Connection, path: str) -> str | None:
    """The image that has a file."""
    row = database.execute("SELECT url FROM assets WHERE path = ?", (path,)).fetchone()
    return None if row is None else row[0]


def kept(database: sqlite3.Connection) -> Iterator[Asset]:
    """The images that should be on disk."""
    return map(_asset, database.execute(f"SELECT {_COLUMNS} FROM assets WHERE path IS NOT NULL").fetchall())  # noqa: S608


def listed(database: sqlite3.Connection) -> Iterator[Asset]:
    """The images that pages of this crawl show, by URL."""
    query = f"SELECT {_COLUMNS} FROM assets WHERE crawl = ? ORDER BY url"  # noqa: S608
    return map(_asset, database.execute(query, (crawl_number(database),)))


def kept_count(database: sqlite3.Connection) -> int:
    """How many images that pages of this crawl show are on disk."""
    return _count(database, "path IS NOT NULL")


def failed_count(database: sqlite3.Connection) -> int:
    return _count(database, f"state = {State.FAILED:d}")


def forget(database: sqlite3.Connection, id: int) -> None:
    """The image's file is not what it should be: it is fetched again, if it is still shown."""
    database.execute(
        "UPDATE assets SET state = 0, path = NULL, folded = NULL, etag = NULL, last_modified = NULL WHERE id = ?", (id,)
    )


def drop(database: sqlite3.Connection, is_unused: Callable[[str], bool]) -> None:
    """Forget images that are not shown any more, and have their files deleted."""
    rows = database.execute("SELECT id, url, path FROM assets").fetchall()
    unused = [(id, path) for id, url, path in rows if is_unused(url)]
    database.execute("BEGIN")
    database.executemany("INSERT INTO chores (old, new) VALUES (?, NULL)", [(path,) for _, path in unused if path])
    database.executemany("DELETE FROM assets WHERE id = ?", [(id,) for id, _ in unused])
    database.execute("COMMIT")


def _count(database: sqlite3.Connection, condition: str) -> int:
    query = f"SELECT count(*) FROM assets WHERE crawl = ? AND {condition}"  # noqa: S608
    return int(database.execute(query, (crawl_number(database),)).fetchone()[0])


def _asset(row: tuple[Any, ...]) -> Asset:
    return convert(row, Asset)
