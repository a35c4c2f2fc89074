"""By which spelling of its URL the mirror knows a page, and how the site writes it now, where that is not the same.

A page keeps its name through all updates, whichever of its spellings is found first, so that `changes`, file names and
whoever keeps books by them agree. It is asked for as the site writes it: the old spelling may work no more (U5).
"""

from __future__ import annotations

import sqlite3
from typing import Final

from quire import urls
from quire.schedule.crawls import put

AS_ASKED: Final = "coalesce((SELECT value FROM meta WHERE name = 'asked:' || urls.id), url)"
"""A column of `urls`: the URL as it is requested."""


def named(database: sqlite3.Connection, id: int, url: str) -> str:
    """Return the spelling by which a page is known, and note how it is to be asked for."""
    row = database.execute("SELECT url FROM pages JOIN urls USING (id) WHERE id = ?", (id,)).fetchone()
    name = url if row is None or _is_no_other(url, row[0]) else str(row[0])
    put(database, f"asked:{id}", None if name == url else url)
    return name


def _is_no_other(new: str, old: str) -> bool:
    """Whether a spelling is shown like the one before, or is https at last (U3)."""
    return new == old or urls.shown(new) == urls.shown(old) or (new.startswith("https:") > old.startswith("https:"))
