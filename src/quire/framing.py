"""The site's frame: what its pages repeat at their ends is learnt when all of them are known, and cut (M3).

Everything is decided from the pages alone, so that neither the order of answers nor a crash shows in the result.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from quire import urls
from quire.convert import edges
from quire.convert.destinations import unedited
from quire.convert.front_matter import body_hash, joined, parts
from quire.convert.words import count_words
from quire.records import Cut, Ends
from quire.schedule import crawls, frames
from quire.schedule.frames import Framed, Recut
from quire.store.files import MirrorFiles

UNDER_WAY: Final = "framing"
"""The note that stands as long as the frontier may be ahead of the files."""
_FEW_PAGES: Final = 10
# A page that marks its content has said what it is: only what all but a few pages repeat is frame there.
_SHARE: Final = 2 / 3
_SHARE_OF_MARKED: Final = 0.9
_MOST_GROUPS: Final = 200
_MOST_PAGES: Final = 2_000
# After so many pages of a group, what was on few of them is counted no further.
_LOOK: Final = 40
_BATCH: Final = 4_000_000  # characters


class _Draft(Struct, frozen=True):
    """A file to be written, and what the frontier is to know of it."""

    path: str
    text: str
    recut: Recut


class Frames:
    """What counts as frame on each host, and in each of its top folders."""

    def __init__(self, pages: Iterable[tuple[str, Ends]]) -> None:
        tallies: dict[tuple[str, bool], _Tally] = {}
        for url, ends in pages:
            if not ends.prints and not ends.dropped:
                continue
            for group in _groups(url):
                key = group, ends.judged
                if key not in tallies and len(tallies) < _MOST_GROUPS:
                    tallies[key] = _Tally()
                if key in tallies and not tallies[key].is_full:
                    tallies[key].add({*_each(ends.prints), *_each(ends.dropped)})
        self._frames = {key: tally.frame(judged=key[1]) for key, tally in tallies.items()}

    def of(self, url: str, ends: Ends) -> frozenset[bytes]:
        """Return the fingerprints of what is frame on a page."""
        return frozenset().union(*(self._frames.get((group, ends.judged), ()) for group in _groups(url)))


class _Tally:
    """On how many pages each fingerprint was seen."""

    def __init__(self) -> None:
        self._pages = 0
        self._counts: Counter[bytes] = Counter()

    @property
    def is_full(self) -> bool:
        return self._pages >= _MOST_PAGES

    def add(self, prints: Iterable[bytes]) -> None:
        self._pages += 1
        counts = self._counts
        for each in prints:
            if self._pages <= _LOOK or each in counts:
                counts[each] += 1
        if self._pages == _LOOK:
            self._counts = Counter({each: count for each, count in counts.items() if count >= _LOOK / 4})

    def frame(self, *, judged: bool) -> frozenset[bytes]:
        if self._pages < _FEW_PAGES:
            return frozenset()
        least = self._pages * (_SHARE if judged else _SHARE_OF_MARKED)
        return frozenset(each for each, count in self._counts.items() if count >= least)


async def cut_frame(database: sqlite3.Connection, files: MirrorFiles) -> int:
    """Cut the frame out of every page that this crawl has written; returns of how many.

    Pages that an update left alone keep their files as they are (S13).
    """
    found = Frames(frames.all_ends(database))
    drafts: list[_Draft] = []
    size = count = 0
    crawls.put(database, UNDER_WAY, "yes")
    for page in frames.written_pages(database):
        draft = _draft(page, found.of(page.url, page.ends), files)
        if draft is None:
            continue
        drafts.append(draft)
        size += len(draft.text)
        count += 1
        if size > _BATCH:
            _write(drafts, database, files)
            drafts, size = [], 0
            await asyncio.sleep(0)
    _write(drafts, database, files)
    crawls.put(database, UNDER_WAY, None)
    return count


def _draft(page: Framed, frame: frozenset[bytes], files: MirrorFiles) -> _Draft | None:
    """Return the page's file as it should be; None if it is, or if it was changed by somebody else."""
    if not page.cuts and frame.isdisjoint(_each(page.ends.prints)):
        return None
    head, body, hash = parts(files.read_page(page.path))
    body = unedited(body, page.edits)
    whole = edges.restored(body, page.cuts) if page.cuts else body
    if body_hash(whole.encode()) != page.made:
        return None
    cuts = edges.cuts_of(whole, frame, judged=page.ends.judged)
    if cuts == page.cuts:
        return None
    draft = _drafted(page, head, whole, cuts, hash)
    if draft and (page.cuts or page.edits):
        # Whatever happens now, the file is the whole page or what the frontier says: `mending` can tell.
        files.write(page.path, joined(head, whole, hash).encode())
    return draft


def _drafted(page: Framed, head: str, whole: str, cuts: tuple[Cut, ...], hash: str) -> _Draft | None:
    body = edges.without(whole, cuts) if cuts else whole
    if cuts and edges.restored(body, cuts) != whole:
        return None
    data = body.encode()
    text = joined(head, body, hash)
    size = len(text.encode())
    return _Draft(page.path, text, Recut(page.id, cuts, body_hash(data), size, count_words(data)))


def _write(drafts: Sequence[_Draft], database: sqlite3.Connection, files: MirrorFiles) -> None:
    frames.record(database, [draft.recut for draft in drafts])
    for draft in drafts:
        files.write(draft.path, draft.text.encode())


def _groups(url: str) -> tuple[str, ...]:
    """Return the host, and the folder below its root that a page is in."""
    host = urls.host(url)
    folder, *below = urls.path(url)[1:].split("/")
    return (host, f"{host}/{folder}") if below else (host,)


def _each(prints: bytes) -> Iterable[bytes]:
    size = edges.PRINT
    return [prints[start : start + size] for start in range(0, len(prints), size)]
