"""The last decisions of a crawl, taken when every page is known: canonical URLs and the order of names."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from quire import urls
from quire.records import State
from quire.schedule import keys
from quire.schedule.crawls import note, put

_EVERYWHERE = 4
"""Different pages that name the same canonical URL, from which on it is taken for a mistake."""


def drop_copies(database: sqlite3.Connection) -> int:
    """Make pages that name another saved page as canonical duplicates of it (S9); returns how many.

    A canonical URL is believed when it was saved and is its own canonical. A template's mistake names one page
    everywhere, mostly the front page: then only a page that looks the same is believed.
    """
    crawl = int(note(database, "crawl") or 1)
    keys.catch_up(database)
    rows = database.execute(
        """SELECT copy.id, copied.url, copy.path, original.key, original.url,
                  copy.made = page.made OR copy.facts = page.facts
           FROM pages copy JOIN urls copied ON copied.id = copy.id
                JOIN keys ON keys.key = copy.canonical JOIN urls original ON original.id = keys.id
                JOIN pages page ON page.id = original.id
           WHERE copied.crawl = :crawl AND copied.state IN (1, 2) AND original.crawl = :crawl
                 AND original.state IN (1, 2) AND (page.canonical IS NULL OR page.canonical = original.key)""",
        {"crawl": crawl},
    ).fetchall()
    claims = Counter(
        key for _, url, _, key, original, same in rows if not same and urls.path(url) != urls.path(original)
    )
    dropped = 0
    database.execute("BEGIN")
    for id, url, path, key, original, same in rows:
        everywhere = claims[key] >= _EVERYWHERE or urls.path(original) == "/"
        if everywhere and not same and urls.path(url) != urls.path(original):
            continue
        database.execute(
            "UPDATE urls SET state = ?, reason = 'canonical', detail = ?, target = ? WHERE id = ?",
            (State.DUPLICATE, original, key, id),
        )
        database.execute("INSERT INTO chores (old, new) VALUES (?, NULL)", (path,))
        database.execute("DELETE FROM pages WHERE id = ?", (id,))
        dropped += 1
    database.execute("COMMIT")
    return dropped


class Naming(Struct, frozen=True):
    """How the mirror names files: a URL's plain path, the one it gets when that is taken, and a path's identity."""

    plain: Callable[[str], str]
    suffixed: Callable[[str, str], str]
    folded: Callable[[str], int]


def order_names(database: sqlite3.Connection, naming: Naming) -> None:
    """Give a contested path to the first URL in the alphabet, so that the order of answers does not show (S2)."""
    contested = database.execute(
        "SELECT id, url FROM pages JOIN urls USING (id) WHERE contested ORDER BY url"
    ).fetchall()
    for id, url in contested:
        plain = naming.plain(url)
        holder = database.execute(
            "SELECT id, url FROM pages JOIN urls USING (id) WHERE folded = ?", (naming.folded(plain),)
        ).fetchone()
        if holder and holder[1] <= url:
            continue
        database.execute("BEGIN")
        if holder:
            _rename(database, holder[0], naming.suffixed(naming.plain(holder[1]), holder[1]), naming, contested=True)
        _rename(database, id, plain, naming, contested=False)
        database.execute("COMMIT")


def _rename(database: sqlite3.Connection, id: int, path: str, naming: Naming, *, contested: bool) -> None:
    database.execute("INSERT INTO chores (old, new) SELECT path, ? FROM pages WHERE id = ?", (path, id))
    database.execute(
        "UPDATE pages SET path = ?, folded = ?, contested = ? WHERE id = ?", (path, naming.folded(path), contested, id)
    )


def mark_gone(database: sqlite3.Connection, *, sure: bool) -> None:
    """Mark the pages that this crawl was the first to miss (S13).

    When it is `sure` that nothing was overlooked, these are also the ones that it did not come across; a page that
    merely failed stays.
    """
    database.execute(
        """UPDATE pages SET gone = :crawl WHERE gone IS NULL AND id IN
           (SELECT id FROM urls WHERE (crawl < :crawl AND :sure)
            OR (crawl = :crawl AND state NOT IN (0, 1, 2, 5) AND reason <> 'robots-unreachable'))""",
        {"crawl": int(note(database, "crawl") or 1), "sure": sure},
    )


def drop_gone(database: sqlite3.Connection) -> None:
    """Forget pages the site no longer has, and have their files deleted; the crawl that told of them ends with that."""
    database.execute("BEGIN")
    put(database, "status", "finished")
    database.execute("INSERT INTO chores (old, new) SELECT path, NULL FROM pages WHERE gone IS NOT NULL")
    database.execute("DELETE FROM pages WHERE gone IS NOT NULL")
    database.execute("COMMIT")


def chores(database: sqlite3.Connection) -> list[tuple[int, str, str | None]]:
    """What is left to do with files: id, path, and the new path or None to delete."""
    return database.execute("SELECT id, old, new FROM chores ORDER BY id").fetchall()


def done(database: sqlite3.Connection, chore: int) -> None:
    database.execute("DELETE FROM chores WHERE id = ?", (chore,))
