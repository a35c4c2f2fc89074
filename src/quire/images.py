"""`--assets`: the images that the mirror's pages show are downloaded, when all pages are known (M7)."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from msgspec import structs

from quire import urls
from quire.convert.destinations import images_of, unedited
from quire.convert.front_matter import parts
from quire.errors import CrawlError, FetchError, UnsafePath
from quire.events import Notice
from quire.ports import Listener
from quire.records import Response, State
from quire.schedule import assets, edits
from quire.schedule.assets import Asset
from quire.settings import Settings
from quire.stages import Stages
from quire.store.files import MirrorFiles
from quire.store.paths import asset_path
from quire.store.shelf import folded

# What a server says that does not know a file's type.
_UNTOLD_TYPES: Final = ("", "application/octet-stream", "binary/octet-stream")
_GONE: Final = {404: "not-found", 410: "gone"}


async def download(
    database: sqlite3.Connection, files: MirrorFiles, stages: Stages, settings: Settings, listener: Listener
) -> None:
    """Fetch the images that were not dealt with yet, at the pace of their hosts."""
    assets.retry_failed(database)
    for page in _shown_by_page(database, files):
        assets.note_shown(database, page)
        await asyncio.sleep(0)
    work = _Download(database, files, stages, settings)
    try:
        async with asyncio.TaskGroup() as tasks:
            for host in assets.waiting_hosts(database):
                waiting = assets.waiting(database, host)
                for _ in range(settings.pace.per_host):
                    tasks.create_task(work.fetch_all(waiting))
    except BaseExceptionGroup as several:
        stops, others = several.split(CrawlError)
        raise (others or stops or several).exceptions[0] from None
    if failed := assets.failed_count(database):
        listener(Notice(f"{failed} images could not be fetched; the manifest lists them under assets"))


def drop_unused(database: sqlite3.Connection, files: MirrorFiles) -> None:
    """Have images deleted that no page of the mirror shows."""
    shown = {assets.key_of(url) for page in _shown_by_page(database, files) for url in page}
    assets.drop(database, lambda url: assets.key_of(url) not in shown)


def check_files(database: sqlite3.Connection, files: MirrorFiles) -> None:
    """After an unclean end: images whose file is missing or of another size are fetched again."""
    for asset in assets.kept(database):
        if _size_on_disk(asset, files) != asset.size:
            assets.forget(database, asset.id)


def remove_files(database: sqlite3.Connection, files: MirrorFiles) -> None:
    for asset in assets.kept(database):
        with suppress(UnsafePath):
            files.remove(asset.path or "")


def _shown_by_page(database: sqlite3.Connection, files: MirrorFiles) -> Iterator[list[str]]:
    """Yield the URLs of the images of each page."""
    for page in edits.files(database):
        _, body, _ = parts(files.read_page(page.path))
        images = (urls.resolve(image, "") for image in images_of(unedited(body, page.edits)))
        yield [url for url in dict.fromkeys(images) if url]


class _Download:
    """One run over the images that wait."""

    def __init__(self, database: sqlite3.Connection, files: MirrorFiles, stages: Stages, settings: Settings) -> None:
        self._database = database
        self._files = files
        self._stages = stages
        self._settings = settings
        self._meeting: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def fetch_all(self, waiting: Iterator[Asset]) -> None:
        """Fetch one image after the other; several tasks may share what waits."""
        for asset in waiting:
            settled, response = await self._ask(asset)
            if response is not None:
                settled = self._keep(settled, response)
            assets.settle(self._database, settled, folded(settled.path) if settled.path else None)
            self._stages.shelf.check_space()

    async def _ask(self, asset: Asset) -> tuple[Asset, Response | None]:
        """Return what became of an image; with the answer, if that holds it."""
        url = asset.url
        known = _size_on_disk(asset, self._files) is not None
        try:
            for _ in range(self._settings.fetch.max_redirects + 1):
                refusal = await self._refusal(url)
                if refusal:
                    return _ended(asset, State.SKIPPED, *refusal), None
                response = await self._stages.image(
                    url, asset.etag if known else None, asset.last_modified if known else None
                )
                if response.location is None:
                    return self._judged(asset, response)
                target = urls.resolve(response.location, url)
                if target is None:
                    return _ended(asset, State.FAILED, "redirect", f"leads to {response.location[:200]!r}"), None
                url = target
        except FetchError as error:
            return _ended(asset, State.FAILED, error.reason, str(error)), None
        return _ended(asset, State.FAILED, "redirects", "too many redirects"), None

    async def _refusal(self, url: str) -> tuple[str, str] | None:
        """Ask robots.txt, and take the host's pace from it."""
        frontier, robots, host = self._stages.frontier, self._stages.robots, urls.host(url)
        gap = self._settings.pace.seconds_between
        async with self._meeting[host]:
            rules = await robots.rules(url) if robots else None
            if not frontier.paced(host):
                frontier.pace(host, max(gap, (rules.delay if rules else None) or 0.0))
        if rules and rules.out_of_bounds:
            raise rules.out_of_bounds
        if rules and rules.refusal:
            return "robots-unreachable", rules.refusal
        if rules and not rules.allowed(url):
            return "robots", "disallowed by robots.txt"
        return None

    def _judged(self, asset: Asset, response: Response) -> tuple[Asset, Response | None]:
        status = response.status
        if status == 304 and asset.path:
            return _ended(asset, State.UNCHANGED), None
        if status in _GONE:
            return _ended(asset, State.SKIPPED, _GONE[status], str(status)), None
        if status != 200:
            return _ended(asset, State.FAILED, f"http-{status}", f"the server answered {status}"), None
        kind = response.content_type.partition(";")[0].strip().lower()
        if kind in _UNTOLD_TYPES:
            kind = _type_by_name(asset.url) or kind
        if not kind.startswith("image/"):
            return _ended(asset, State.SKIPPED, "content-type", kind or "unknown"), None
        return structs.replace(asset, content_type=kind, reason="", detail=""), response

    def _keep(self, asset: Asset, response: Response) -> Asset:
        """Write the image, unless its file holds it already."""
        try:
            path = asset.path or self._free_path(asset)
            is_same = asset.path == path and self._files.read(path) == response.body
            if not is_same:
                self._files.write(path, response.body)
        except UnsafePath as error:
            return _ended(asset, State.FAILED, error.reason, str(error))
        return structs.replace(
            asset,
            state=State.UNCHANGED if is_same else State.SAVED,
            path=path,
            size=len(response.body),
            etag=response.etag,
            last_modified=response.last_modified,
        )

    def _free_path(self, asset: Asset) -> str:
        for hashed in (False, True):
            path = asset_path(asset.url, asset.content_type, hashed=hashed)
            if assets.owner(self._database, folded(path)) is None:
                return path
        raise UnsafePath(f"{path}: another image has this file")


def _size_on_disk(asset: Asset, files: MirrorFiles) -> int | None:
    with suppress(UnsafePath):
        status = files.stat(asset.path) if asset.path else None
        return status.st_size if status else None
    return None


def _type_by_name(url: str) -> str | None:
    import mimetypes

    return mimetypes.guess_type(urls.path(url))[0]


def _ended(asset: Asset, state: State, reason: str = "", detail: str = "") -> Asset:
    return structs.replace(asset, state=state, reason=reason, detail=detail)
