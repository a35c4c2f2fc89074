"""`--assets`: the images that the mirror's pages show are downloaded, when all pages are known (M7)."""

from __future__ import annotations

import asyncio
import posixpath
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Final
from urllib.parse import unquote

from msgspec import structs

from quire import urls
from quire.answers import outcome_of_error, outcome_of_rules, outcome_of_status
from quire.convert.destinations import images_of, unedited
from quire.convert.front_matter import body_hash, parts
from quire.errors import CrawlError, FetchError, UnsafePath
from quire.events import Notice
from quire.ports import Listener
from quire.records import Failed, Lease, Link, Outcome, Response, Retry, Skipped, State
from quire.schedule import assets, edits
from quire.schedule.asset_queue import AssetQueue
from quire.schedule.assets import Asset
from quire.schedule.edits import Edited
from quire.settings import Settings
from quire.stages import Stages
from quire.store.files import MirrorFiles
from quire.store.paths import asset_path
from quire.store.shelf import folded
from quire.wording import counted

# What a server says that does not know a file's type.
_UNTOLD_TYPES: Final = ("", "application/octet-stream", "binary/octet-stream")


async def download(
    database: sqlite3.Connection, files: MirrorFiles, stages: Stages, settings: Settings, listener: Listener
) -> None:
    """Fetch the images that were not dealt with yet, at the pace of their hosts."""
    assets.retry_failed(database)
    for page in edits.files(database, in_mirror=True):
        images = _shown_on(page, database, files)
        assets.note_shown(database, islice(images, settings.content.max_links))
        await asyncio.sleep(0)
    try:
        async with asyncio.TaskGroup() as tasks:
            await _Download(database, files, stages, settings).run(tasks)
    except BaseExceptionGroup as several:
        stops, others = several.split(CrawlError)
        raise (others or stops or several).exceptions[0] from None
    if failed := assets.failed_count(database):
        listener(Notice(f"{counted(failed, 'image')} could not be fetched; see assets in the manifest"))


def drop_unused(database: sqlite3.Connection, files: MirrorFiles, *, wanted: bool) -> None:
    """Have images deleted that no page of the mirror shows; if they are not `wanted`, pages show those of the site."""
    if next(assets.kept(database), None) is None:
        return
    find = _shown_on if wanted else _shown_from_files
    shown = {assets.key_of(url) for page in edits.files(database) for url in find(page, database, files)}
    assets.drop(database, lambda url: assets.key_of(url) not in shown)


def check_files(database: sqlite3.Connection, files: MirrorFiles) -> None:
    """After an unclean end: images whose file is missing or of another size are fetched again."""
    for asset in assets.kept(database):
        if _size_on_disk(asset, files) != asset.size:
            assets.forget(database, asset.id)


def _shown_on(page: Edited, database: sqlite3.Connection, files: MirrorFiles) -> Iterator[str]:
    """Yield the URLs of the images that a page shows, also where somebody has changed its file."""
    _, body, _ = parts(files.read_page(page.path))
    if page.edits and body_hash(body.encode()) == page.hash:
        body = unedited(body, page.edits)
    for image in dict.fromkeys(images_of(body)):
        url = urls.resolve(image, "") or _url_of_file(image, page, database)
        if url is not None:
            yield url


def _shown_from_files(page: Edited, database: sqlite3.Connection, files: MirrorFiles) -> Iterator[str]:
    """Yield the URLs of the images that a page shows from the mirror, as somebody may have written it."""
    _, body, _ = parts(files.read_page(page.path))
    for image in images_of(body):
        if url := _url_of_file(image, page, database):
            yield url


def _url_of_file(image: str, page: Edited, database: sqlite3.Connection) -> str | None:
    if ":" in image:
        return None
    return assets.url_of(database, posixpath.normpath(posixpath.join(posixpath.dirname(page.path), unquote(image))))


class _Download:
    """One run over the images that wait."""

    def __init__(self, database: sqlite3.Connection, files: MirrorFiles, stages: Stages, settings: Settings) -> None:
        self._database = database
        self._files = files
        self._stages = stages
        self._settings = settings
        self._queue = AssetQueue(database, settings.pace)
        self._free = asyncio.Semaphore(settings.pace.concurrency)

    async def run(self, tasks: asyncio.TaskGroup) -> None:
        await self._free.acquire()
        while asset := await self._queue.take():
            tasks.create_task(self._visit(asset))
            await self._free.acquire()

    async def _visit(self, asset: Asset) -> None:
        try:
            outcome = await self._refusal(asset) or await self._ask(asset)
            if isinstance(outcome, Retry):
                self._queue.postpone(asset, structs.replace(outcome, later=False))
            elif isinstance(outcome, Response) and outcome.location is not None:
                self._follow(asset, outcome.location)
            else:
                self._end(asset, outcome)
            self._stages.shelf.check_space()
        finally:
            self._free.release()

    async def _refusal(self, asset: Asset) -> Outcome | None:
        """Ask robots.txt, and take the host's pace from it."""
        url, host, gap = asset.request, urls.host(asset.request), self._settings.pace.seconds_between
        rules = await self._stages.robots.rules(url) if self._stages.robots else None
        is_new = not self._queue.paced(host)
        refusal = outcome_of_rules(rules, _lease(asset), self._settings) if rules else None
        if is_new and not refusal:
            # Pages, and robots.txt just now, were asked for at the frontier's pace. It is one image at a time until the
            # host has its own here: others would not wait while another crawl has claimed it.
            await self._stages.frontier.pass_by(host)
        if is_new:
            self._queue.pace(host, max(gap, (rules.delay if rules else None) or 0.0))
        if refusal:
            self._queue.refund(asset)
        return refusal

    async def _ask(self, asset: Asset) -> Response | Outcome:
        self._queue.sending(asset)
        is_there = _size_on_disk(asset, self._files) is not None
        etag, last_modified = (asset.etag, asset.last_modified) if is_there else (None, None)
        try:
            response = await self._stages.image(asset.request, etag, last_modified)
        except FetchError as error:
            return outcome_of_error(error, _lease(asset), self._settings)
        if response.location is not None or (response.status == 304 and is_there):
            return response
        return outcome_of_status(response, _lease(asset), self._settings) or response

    def _follow(self, asset: Asset, location: str) -> None:
        """Ask where a redirect leads, one request a hop."""
        target = urls.resolve(location, asset.request)
        if target is None:
            self._end(asset, Failed("redirect", f"leads to {urls.shown(location)[:200]!a}"))
        elif asset.hops >= self._settings.fetch.max_redirects:
            self._end(asset, Failed("redirects", "too many redirects"))
        else:
            self._queue.move(asset, target)

    def _end(self, asset: Asset, outcome: Response | Outcome) -> None:
        problem = outcome if isinstance(outcome, Failed | Skipped) else None
        if isinstance(outcome, Response) and outcome.status != 304:
            kind = _type_of(outcome)
            if kind.startswith("image/"):
                try:
                    asset = self._keep(structs.replace(asset, content_type=kind, reason="", detail=""), outcome)
                except UnsafePath as error:
                    problem = Failed(error.reason, str(error))
            else:
                problem = Skipped("content-type", kind or "unknown")
        elif problem is None:
            asset = structs.replace(asset, state=State.UNCHANGED, reason="", detail="")
        if problem:
            state = State.FAILED if isinstance(problem, Failed) else State.SKIPPED
            asset = structs.replace(asset, state=state, reason=problem.reason, detail=problem.detail)
        self._queue.settle(asset, folded(asset.path) if asset.path else None, problem)

    def _keep(self, asset: Asset, response: Response) -> Asset:
        """Write the image, unless its file holds it already."""
        path = self._path_for(asset)
        is_same = asset.path == path and self._files.read_page(path) == response.body
        if not is_same:
            self._files.write(path, response.body)
        return structs.replace(
            asset,
            state=State.UNCHANGED if is_same else State.SAVED,
            path=path,
            size=len(response.body),
            etag=response.etag,
            last_modified=response.last_modified,
        )

    def _path_for(self, asset: Asset) -> str:
        for hashed in (False, True):
            path = asset_path(asset.url, asset.content_type, hashed=hashed)
            if assets.owner(self._database, folded(path)) in (None, asset.id):
                return path
        raise UnsafePath(f"{path}: another image has this file")


def _lease(asset: Asset) -> Lease:
    return Lease(asset.id, 0, Link(asset.request, 0, "image"), asset.attempts)


def _size_on_disk(asset: Asset, files: MirrorFiles) -> int | None:
    with suppress(UnsafePath):
        status = files.stat(asset.path) if asset.path else None
        return status.st_size if status else None
    return None


def _type_of(response: Response) -> str:
    kind = response.content_type.partition(";")[0].strip().lower()
    if kind not in _UNTOLD_TYPES:
        return kind
    import mimetypes

    return mimetypes.guess_type(urls.path(response.url))[0] or kind
