"""Local links: when all is known, links lead to the files of pages (`--links local`) and images (`--assets`) (M7)."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from quire import urls
from quire.convert.destinations import Destination, Lead, edited, edits_of, unedited
from quire.convert.front_matter import body_hash, joined, parts
from quire.framing import UNDER_WAY
from quire.schedule import assets, crawls, edits, keys
from quire.schedule.edits import Edited, Reedit
from quire.settings import Mirror, Settings
from quire.store.files import MirrorFiles

_KINDS: Final = "local"
_LINKS: Final = "links"
_BATCH: Final = 4_000_000  # characters
_REMEMBERED: Final = 50_000
_IN_FRAGMENT: Final = "!$&'*+,;=:@/?%~"


class _Draft(Struct, frozen=True):
    """A file to be written, and what the frontier is to know of it."""

    path: str
    text: str
    reedit: Reedit


async def link_pages(
    database: sqlite3.Connection, files: MirrorFiles, policy: urls.UrlPolicy, settings: Mirror, *, pruned: bool
) -> None:
    """Have links lead to the files of the mirror's pages and images, where that is wanted, or to the site again.

    No link leads to a page that is gone if those are to be deleted (`pruned`).
    Files that were looked at before are looked at again when something that links lead to has come or gone since.
    """
    wanted = None
    if settings.links == "local" or settings.assets:
        wanted = f"{settings.links} {settings.assets} {edits.fingerprint(database, without_gone=pruned)}"
    before = crawls.note(database, _LINKS)
    if wanted is None and before is None:
        return
    crawls.put(database, _KINDS, f"{settings.links} {settings.assets}")
    crawls.put(database, _LINKS, "under way")
    crawls.put(database, UNDER_WAY, "yes")
    keys.catch_up(database)
    local = _Local(database, policy, settings, pruned=pruned)
    drafts: list[_Draft] = []
    size = 0
    for page in edits.files(database, edited=wanted != before, without_gone=pruned):
        await asyncio.sleep(0)
        draft = _draft(page, local.seen_from(page.path) if wanted else None, files)
        if draft is None:
            continue
        drafts.append(draft)
        size += len(draft.text)
        if size > _BATCH:
            _write(drafts, database, files)
            drafts, size = [], 0
    _write(drafts, database, files)
    crawls.put(database, UNDER_WAY, None)
    crawls.put(database, _LINKS, wanted)


def remembered(settings: Settings, database: sqlite3.Connection) -> Settings:
    """Return settings for single pages, whose links are to be like those of the mirror that they go into."""
    kinds = crawls.note(database, _KINDS)
    if settings.scope.discover or kinds is None:
        return settings
    links, _, has_images = kinds.partition(" ")
    return replace(settings, mirror=replace(settings.mirror, links=links, assets=has_images == "True"))


class _Local:
    """The files that links are to lead to, by URL."""

    def __init__(self, database: sqlite3.Connection, policy: urls.UrlPolicy, settings: Mirror, *, pruned: bool) -> None:
        self._database = database
        self._policy = policy
        self._has_pages = settings.links == "local"
        self._has_images = settings.assets
        self._pruned = pruned
        self._path_for = lru_cache(maxsize=_REMEMBERED)(self._find)
        self._image_for = lru_cache(maxsize=_REMEMBERED)(self._find_image)
        # Pages of one folder share most of what they link to.
        self._relative = lru_cache(maxsize=_REMEMBERED)(_relative)

    def seen_from(self, page: str) -> Lead:
        """Return where a link on the page at this path leads: to a file by its relative path, or None."""
        folder = page.rpartition("/")[0]

        def lead(found: Destination) -> str | None:
            bare, _, fragment = found.address.partition("#")
            if found.is_image:
                path = self._image_for(bare)
                return None if path is None else self._relative(folder, path)
            if fragment.startswith(("/", "!")) and (path := self._path_for(found.address)):
                return self._relative(folder, path)
            path = self._path_for(bare)
            if path is None:
                return None
            if not fragment:
                return self._relative(folder, path)
            anchor = f"#{_escaped(fragment)}"
            return anchor if path == page else self._relative(folder, path) + anchor

        return lead

    def _find(self, address: str) -> str | None:
        url = urls.routed(address)
        key = None if url is None else urls.fingerprint_of(url, self._policy)
        if self._has_pages and key is not None:
            page = edits.path_for(self._database, key, without_gone=self._pruned)
            if page is not None:
                return page
        return self._image_for(address)

    def _find_image(self, address: str) -> str | None:
        url = urls.resolve(address, "") if self._has_images else None
        return None if url is None else assets.path_for(self._database, url)


def _relative(folder: str, path: str) -> str:
    """Return the path as a link in a file of this folder names it."""
    here, there = folder.split("/"), path.split("/")
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return quote("/".join([*[".."] * (len(here) - shared), *there[shared:]]), safe="/")


@lru_cache(maxsize=_REMEMBERED)
def _escaped(fragment: str) -> str:
    return quote(fragment, safe=_IN_FRAGMENT)


def _draft(page: Edited, lead: Lead | None, files: MirrorFiles) -> _Draft | None:
    """Return the page's file as it should be; None if it is, or if it was changed by somebody else."""
    head, body, named = parts(files.read_page(page.path))
    if body_hash(body.encode()) != page.hash:
        return None
    plain = unedited(body, page.edits)
    made = edits_of(plain, lead) if lead else ()
    if made == page.edits:
        return None
    if page.edits:
        # Whatever happens now, the file is the page without edits or what the frontier says: `mending` can tell.
        files.write(page.path, joined(head, plain, named).encode())
    body = edited(plain, made)
    text = joined(head, body, named)
    hash, plain_hash = body_hash(body.encode()), body_hash(plain.encode())
    return _Draft(page.path, text, Reedit(page.id, made, hash, plain_hash, len(text.encode())))


def _write(drafts: Sequence[_Draft], database: sqlite3.Connection, files: MirrorFiles) -> None:
    edits.record(database, [draft.reedit for draft in drafts])
    for draft in drafts:
        files.write(draft.path, draft.text.encode())
