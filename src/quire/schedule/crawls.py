"""What happens to the frontier's file between two runs: resume, retry, update, new filters."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from quire import urls
from quire.ports import Rule
from quire.records import FACTS, Accepted, Facts, Link, State
from quire.schedule import keys as key_index

_OF_ONE_CRAWL = ("bases", "seeded", "overlooked", "links_left_out", "started_at", "unfollowed", "unsought")
_SOURCES = ("sitemap", "links")
_LONG_AGO = "0001-01-01T00:00:00Z"


def note(database: sqlite3.Connection, name: str) -> str | None:
    row = database.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def put(database: sqlite3.Connection, name: str, value: str | None) -> None:
    """Keep a fact; None forgets it."""
    if value is None:
        database.execute("DELETE FROM meta WHERE name = ?", (name,))
    else:
        database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))


def crawl_number(database: sqlite3.Connection) -> int:
    """Which crawl of the mirror this is, or the last one was."""
    return int(note(database, "crawl") or 1)


def retry_failed(database: sqlite3.Connection) -> list[str]:
    """Let failed URLs of the last crawl have another turn; returns them."""
    crawl = crawl_number(database)
    rows = database.execute(
        """UPDATE urls SET state = 0, attempts = 0, reason = '', detail = ''
           WHERE crawl = ? AND (state = ? OR (state = ? AND reason = 'robots-unreachable')) RETURNING url""",
        (crawl, State.FAILED, State.SKIPPED),
    )
    return [url for (url,) in rows.fetchall()]


def ask_despite_robots(database: sqlite3.Connection) -> None:
    """Let the URLs of this crawl that robots.txt forbids have a turn."""
    database.execute(
        """UPDATE urls SET state = 0, attempts = 0, reason = '', detail = ''
           WHERE crawl = ? AND state = ? AND reason = 'robots'""",
        (crawl_number(database), State.SKIPPED),
    )


def sought_late(database: sqlite3.Connection, discover: str) -> list[str]:
    """Return where this crawl is to look for URLs that it has left aside so far; notes where it does not look now."""
    before = (note(database, "unsought") or "").split(",")
    if database.execute("SELECT EXISTS (SELECT 1 FROM urls WHERE start AND state = 0)").fetchone()[0]:
        # Where a start URL lands, the sitemaps are read: these are not late.
        before = [source for source in before if source != "sitemap"]
    _leave_out(database, [source for source in _SOURCES if source in before or source not in discover])
    return [source for source in _SOURCES if source in before and source in discover]


def _leave_out(database: sqlite3.Connection, sources: list[str]) -> None:
    put(database, "unsought", ",".join(sources) or None)


def start_over(database: sqlite3.Connection) -> None:
    """Forget a crawl that brought nothing."""
    database.execute("DELETE FROM urls")
    database.execute("DELETE FROM keys")
    database.execute("DELETE FROM meta WHERE name GLOB 'asked:*'")
    _forget_notes(database)


def _forget_notes(database: sqlite3.Connection) -> None:
    """Delete what is noted of one crawl only."""
    for name in _OF_ONE_CRAWL:
        put(database, name, None)
    database.execute("DELETE FROM meta WHERE name GLOB 'merged:*'")


def ask_for(database: sqlite3.Connection, keys: list[int]) -> None:
    """Let these URLs have a turn, whatever was decided about them."""
    database.executemany(
        "UPDATE urls SET state = 0, attempts = 0, redirects = 0, rank = 0, start = 1 WHERE id = ?",
        [(key_index.find(database, key),) for key in keys],
    )


def noted(database: sqlite3.Connection) -> list[str]:
    """The URLs for which a note stands in place of a page."""
    query = "SELECT url FROM urls WHERE state = ? OR (state = ? AND reason = 'content-type')"
    return [url for (url,) in database.execute(query, (State.FAILED, State.SKIPPED))]


def begin_update(database: sqlite3.Connection, discover: str) -> None:
    """Count a new crawl: every URL has to be seen again, pages keep what is known of them (S13)."""
    crawl = crawl_number(database) + 1
    database.execute("BEGIN")
    put(database, "crawl", str(crawl))
    unread = "links" in (note(database, "unsought") or "") and "links" in discover
    if unread or note(database, "unfollowed"):
        # Pages were asked for by name, or without links: nobody has looked where they lead. They are read, whatever is
        # known of them.
        database.execute(
            """UPDATE pages SET etag = NULL, last_modified = NULL, fetched_at = ?
               WHERE ? OR id IN (SELECT id FROM urls WHERE start)""",
            (_LONG_AGO, unread),
        )
    _forget_notes(database)
    _leave_out(database, [source for source in _SOURCES if source not in discover])
    put(database, "status", "running")
    # They have a turn when they are named again; a page that has not changed names them by what is known of them.
    database.execute(
        "UPDATE urls SET state = ?, reason = 'not-reached', detail = '' WHERE state = ?", (State.SKIPPED, State.PENDING)
    )
    database.execute("COMMIT")


def kept_pages(database: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
    """Yield id, path and hash of every page that should be on disk."""
    yield from database.execute("SELECT id, path, hash FROM pages").fetchall()


def files_of(database: sqlite3.Connection, table: str) -> list[str]:
    """The files of `pages` or `assets`, also in a frontier of another format."""
    rows = database.execute(f"SELECT path FROM {table} WHERE typeof(path) = 'text'")  # noqa: S608
    return [path for (path,) in rows.fetchall()]


def has_pages(database: sqlite3.Connection) -> bool:
    return bool(database.execute("SELECT EXISTS (SELECT 1 FROM pages)").fetchone()[0])


def ask_again(database: sqlite3.Connection, id: int) -> None:
    """The page's file is not what it should be: ask for it once more, whatever is known of it.

    It may be what an update wrote last. The mirror had the page before, and who reads of it is told what became of it.
    """
    crawl = crawl_number(database)
    database.execute("DELETE FROM pages WHERE id = ? AND (first = ? OR gone IS NOT NULL)", (id, crawl))
    database.execute(
        "UPDATE pages SET made = '', etag = NULL, last_modified = NULL, fetched_at = ? WHERE id = ?", (_LONG_AGO, id)
    )
    database.execute("UPDATE urls SET state = 0, attempts = 0 WHERE id = ? AND crawl = ?", (id, crawl))


def judge_again(database: sqlite3.Connection, rule: Rule) -> int:
    """Apply changed filters to the URLs of this crawl that were not asked for; returns how many verdicts changed (F7).

    What only earlier crawls saw is judged when this one sees it.
    """
    columns = (
        "url, key, source, NULL, depth, hops, redirects, start <> 0, lastmod, priority, changefreq, NULL,"
        " CASE WHEN reason IN ('nofollow', 'view') THEN detail END, reason"
    )
    undecided = (State.PENDING, State.FILTERED, State.EXTERNAL)
    rows = database.execute(
        f"SELECT id, state, rank, {columns} FROM urls WHERE crawl = ?"  # noqa: S608
        " AND (state IN (?, ?, ?) OR (state = ? AND reason = 'extension') OR reason = 'view')",
        (crawl_number(database), *undecided, State.SKIPPED),
    ).fetchall()
    changed = 0
    database.execute("BEGIN")
    for id, state, rank, *link, reason in rows:
        verdict = rule(Link(*link))
        if reason == "view" and not isinstance(verdict, Accepted):
            continue
        if isinstance(verdict, Accepted):
            new = (State.PENDING, verdict.rank if rank != 9 else rank, -verdict.weight, "", "")
        else:
            new = (verdict.state, 2, 0.0, verdict.reason, verdict.detail)
        if new[0] != state or (new[0] == State.PENDING and new[1] != rank):
            changed += 1
        database.execute(
            "UPDATE urls SET state = ?, rank = ?, weight = ?, reason = ?, detail = ? WHERE id = ?", (*new, id)
        )
    database.execute("COMMIT")
    return changed


def processed(database: sqlite3.Connection) -> Iterator[str]:
    """The URLs whose page was safe on disk at some time of this crawl, in order of discovery."""
    rows = database.execute(
        """SELECT url FROM urls WHERE crawl = ? AND (state IN (?, ?) OR (state = ? AND reason IN
           ('canonical', 'view', 'same-content'))) ORDER BY id""",
        (crawl_number(database), State.SAVED, State.UNCHANGED, State.DUPLICATE),
    )
    yield from (urls.shown(url) for (url,) in rows)


def accepted(database: sqlite3.Connection, *, pending: bool) -> Iterator[str]:
    """The URLs that links led to and that no rule refused, in order of discovery; with those that wait or without."""
    refused = (State.FILTERED, State.EXTERNAL, State.INVALID, State.FILTERED if pending else State.PENDING)
    rows = database.execute(
        """SELECT url FROM urls WHERE crawl = ? AND source <> 'sitemap' AND NOT start AND state NOT IN (?, ?, ?, ?)
           AND reason <> 'extension' ORDER BY id""",
        (crawl_number(database), *refused),
    )
    yield from (url for (url,) in rows)


def saved_facts(database: sqlite3.Connection) -> Iterator[tuple[str, Facts]]:
    """URL and facts of the pages that this crawl has saved, in order of discovery."""
    rows = database.execute(
        "SELECT url, facts FROM pages JOIN urls USING (id) WHERE crawl = ? AND state IN (?, ?) ORDER BY id",
        (crawl_number(database), State.SAVED, State.UNCHANGED),
    )
    yield from ((url, FACTS.decode(facts)) for url, facts in rows)
