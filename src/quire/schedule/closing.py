"""The last decisions of a crawl, taken when every page is known: canonical URLs and the order of names."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from quire import urls
from quire.records import FACTS, State
from quire.schedule import keys
from quire.schedule.crawls import crawl_number, put
from quire.schedule.listing import in_mirror, still_there

_REPEATED = f"""
    SELECT made, facts, id, url, key, path, start OR listed OR {still_there()} FROM pages JOIN urls USING (id)
    WHERE {in_mirror()} AND made IN (
        SELECT made FROM pages JOIN urls USING (id) WHERE {in_mirror()}
        GROUP BY made HAVING count(*) > 1 AND max(instr(url, '?')))
    ORDER BY id"""  # noqa: S608
# A page that was in the mirror before this crawl, and is a copy now, is gone from it.
_MERGE = """
    INSERT OR REPLACE INTO meta SELECT 'merged:' || id, '' FROM pages
    WHERE id = ? AND gone IS NULL AND first < (SELECT coalesce(max(value), 1) + 0 FROM meta WHERE name = 'crawl')"""
_MANY = 20
_MANY_TIMES = 10
_EVERYWHERE = 4
"""Different pages that name the same canonical URL, from which on it is taken for a mistake."""


def drop_copies(database: sqlite3.Connection) -> int:
    """Make pages that name another saved page as canonical duplicates of it (S9); returns how many.

    A canonical URL is believed when it was saved and is its own canonical. A template's mistake names one page
    everywhere, mostly the front page: then only a page that looks the same is believed.
    """
    crawl = crawl_number(database)
    keys.catch_up(database)
    rows = database.execute(
        f"""SELECT copy.id, copied.url, copy.path, original.key, original.url,
                  copy.made = page.made OR copy.facts = page.facts
           FROM pages copy JOIN urls copied ON copied.id = copy.id
                JOIN keys ON keys.key = copy.canonical JOIN urls original ON original.id = keys.id
                JOIN pages page ON page.id = original.id
           WHERE copied.crawl = :crawl AND copied.state IN (1, 2) AND {in_mirror("original", "page")}
                 AND (page.canonical IS NULL OR page.canonical = original.key)""",  # noqa: S608
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
        make_duplicate(database, id, path, "canonical", original, key)
        dropped += 1
    database.execute("COMMIT")
    return dropped


def drop_repeats(database: sqlite3.Connection) -> int:
    """Make pages that are others with another query, to the letter, duplicates of these; returns how many.

    The one with the shortest query stays, and so does what was asked for on purpose, stands in a sitemap, or was not
    asked for by this crawl.
    """
    rows = database.execute(_REPEATED, {"crawl": crawl_number(database)}).fetchall()
    groups: dict[tuple[str, str | None, str, str], list[tuple[int, str, int, str, bool]]] = {}
    for made, facts, id, url, key, path, is_meant in rows:
        heading = FACTS.decode(facts).heading
        groups.setdefault((made, heading, urls.host(url), urls.path(url)), []).append((id, url, key, path, is_meant))
    dropped = 0
    database.execute("BEGIN")
    for group in groups.values():
        first = min(group, key=lambda page: (len(urls.query(page[1])), page[1]))
        for id, _, _, path, is_meant in group:
            if id != first[0] and not is_meant:
                make_duplicate(database, id, path, "same-content", first[1], first[2])
                dropped += 1
    database.execute("COMMIT")
    return dropped


def make_duplicate(database: sqlite3.Connection, id: int, path: str, reason: str, original: str, key: int) -> None:
    """Let a page be a duplicate of another one, and have its file deleted."""
    database.execute(
        "UPDATE urls SET state = ?, reason = ?, detail = ?, target = ? WHERE id = ?",
        (State.DUPLICATE, reason, original, key, id),
    )
    database.execute("INSERT INTO chores (old, new) VALUES (?, NULL)", (path,))
    database.execute(_MERGE, (id,))
    database.execute("DELETE FROM pages WHERE id = ?", (id,))


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


def missed(database: sqlite3.Connection) -> int:
    """Return how many pages this crawl has missed without being told so, if it has missed nearly all; else 0.

    A site that is out of order may answer with a page that leads nowhere. Whose filters refuse pages now wants fewer.
    """
    kept, lost, refused = database.execute(
        """SELECT total(crawl = :crawl AND state IN (1, 2)), total(crawl < :crawl),
                  total(crawl = :crawl AND state IN (6, 7)) FROM pages JOIN urls USING (id) WHERE gone IS NULL""",
        {"crawl": crawl_number(database)},
    ).fetchone()
    return int(lost) if lost >= _MANY and kept * _MANY_TIMES < lost and not refused else 0


def mark_gone(database: sqlite3.Connection, *, sure: bool) -> None:
    """Mark the pages that this crawl was the first to miss (S13).

    When it is `sure` that nothing was overlooked, these are also the ones that it did not come across; a page that
    merely failed, or that robots.txt does not let us ask for any more, stays.
    """
    database.execute(
        """UPDATE pages SET gone = :crawl WHERE gone IS NULL AND id IN
           (SELECT id FROM urls WHERE (crawl < :crawl AND :sure)
            OR (crawl = :crawl AND state NOT IN (0, 1, 2, 5) AND reason NOT IN ('robots', 'robots-unreachable')))""",
        {"crawl": crawl_number(database), "sure": sure},
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
