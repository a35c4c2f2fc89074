"""Views: what a site makes of each of its pages under a query, such as a form to edit it or its history (S9).

A view is hidden, it says noindex and nofollow; the page that it is made of is not. One such pair proves nothing: an
imprint may be hidden too. It is the kind that tells, the parameters that a view has beyond its page: views are of a
kind that hangs on several pages, and is hidden on all of them.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Container, Iterator
from itertools import combinations
from typing import Final

from msgspec import Struct

from quire import urls
from quire.records import FACTS, Facts
from quire.schedule import keys
from quire.schedule.closing import make_duplicate
from quire.schedule.crawls import crawl_number
from quire.schedule.listing import in_mirror

SEVERAL: Final = 5
"""Pages on which a kind must hang."""
_MOST_PARAMETERS: Final = 5
_NUMBER: Final = re.compile(r"\d+")
_ONLY_NUMBERS: Final = re.compile(r"[\d.,-]*").fullmatch
# A number chooses a page of a thread or a list; under one of these names, an older state of the same page.
_STATES: Final = frozenset(["curid", "diff", "oldid", "rev", "revision", "version"])
_WITH_QUERY: Final = """
    SELECT u.id, u.url, pages.path, facts, parent.url FROM pages JOIN urls u USING (id)
    LEFT JOIN urls parent ON parent.id = u.found_on
    WHERE u.crawl = ? AND u.state IN (1, 2) AND instr(u.url, '?') AND NOT u.start AND NOT u.listed"""
_KEPT: Final = f"""
    SELECT url, facts FROM keys JOIN urls USING (id) JOIN pages USING (id)
    WHERE keys.key = :key AND {in_mirror()}"""  # noqa: S608


class _Ground(Struct, frozen=True):
    """The page that another would be a view of, and of which kind."""

    key: int
    url: str
    language: str | None
    kind: str


def drop_views(database: sqlite3.Connection, policy: urls.UrlPolicy, may_be_view: Callable[[str], bool]) -> int:
    """Make views of pages that were saved duplicates of these; returns how many."""
    crawl = crawl_number(database)
    keys.catch_up(database)

    def pages(*, hidden: bool, kinds: Container[str] | None = None) -> Iterator[tuple[int, str, Facts, _Ground]]:
        """Yield id, path and facts of pages that may be views, of these kinds, and what they would be views of."""
        for id, url, path, packed, parent in database.execute(_WITH_QUERY, (crawl,)):
            facts = FACTS.decode(packed)
            if facts.hidden == hidden and may_be_view(url):
                candidates = _candidates(url, parent, policy)
                wanted = (each for each in candidates if kinds is None or each[1] in kinds)
                if ground := _ground(database, crawl, wanted):
                    yield id, path, facts, ground

    found = [(id, path, facts.language, ground) for id, path, facts, ground in pages(hidden=True)]
    grounds = defaultdict[str, set[int]](set)
    # A hidden translation is no view of the original.
    exceptions = {ground.kind for _, _, language, ground in found if language != ground.language}
    for _, _, _, ground in found:
        grounds[ground.kind].add(ground.key)
    kinds = {kind for kind, pages_with_it in grounds.items() if len(pages_with_it) >= SEVERAL} - exceptions
    if kinds:
        kinds -= {ground.kind for _, _, _, ground in pages(hidden=False, kinds=frozenset(kinds))}
    views = [(id, path, ground) for id, path, _, ground in found if ground.kind in kinds]
    database.execute("BEGIN")
    for id, path, ground in views:
        make_duplicate(database, id, path, "view", ground.url, ground.key)
    database.execute("COMMIT")
    return len(views)


def _ground(database: sqlite3.Connection, crawl: int, candidates: Iterator[tuple[int, str]]) -> _Ground | None:
    """Return the first of these pages that was saved and is not hidden itself."""
    for key, kind in candidates:
        row = database.execute(_KEPT, {"key": key, "crawl": crawl}).fetchone()
        if row and not (facts := FACTS.decode(row[1])).hidden:
            return _Ground(key, row[0], facts.language, kind)
    return None


def _candidates(url: str, parent: str | None, policy: urls.UrlPolicy) -> Iterator[tuple[int, str]]:
    """Yield key and kind for the URL with fewer parameters, and for the page it was found on if it names that one."""
    address, _, query = (urls.normalise(url) or "").partition("?")
    own = urls.fingerprint_of(url, policy)
    pairs = [pair for pair in query.split("&") if pair]
    sizes = range(len(pairs) - 1, -1, -1) if len(pairs) <= _MOST_PARAMETERS else (0,)
    for kept in (kept for size in sizes for kept in combinations(pairs, size)):
        kind = _kind(address, [pair for pair in pairs if pair not in kept])
        key = urls.fingerprint_of(f"{address}?{'&'.join(kept)}", policy) if kind else None
        if kind and key is not None and key != own:
            yield key, kind
    if parent is None or urls.host(parent) != urls.host(url):
        return
    # MediaWiki has a page at /wiki/Its_name, and views of it at /index.php?title=Its_name&action=edit.
    key, path = urls.fingerprint_of(parent, policy), urls.path(parent)
    for pair in pairs:
        name = pair.partition("=")[2].replace("+", "_")
        kind = _kind(address, [other for other in pairs if other is not pair])
        if kind and key is not None and name and path.endswith(f"/{name}"):
            yield key, kind


def _kind(address: str, parameters: list[str]) -> str | None:
    """Return the parameters with numbers left open; None where they rather choose a page."""
    named = [pair.partition("=") for pair in parameters]
    if all(_ONLY_NUMBERS(value) and name not in _STATES for name, _, value in named):
        return None
    return f"{urls.host(address)}/*?{_NUMBER.sub('{n}', '&'.join(sorted(parameters)))}"
