"""The pages of a mirror, read from its frontier and its files, for export, search and comparison (C6)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Container, Iterator

from quire.convert.destinations import unedited
from quire.convert.front_matter import split
from quire.export.pages import ExportedPage
from quire.schedule.holdings import Holding, holdings
from quire.store.files import MirrorFiles


class MirroredPages:
    """The pages of a mirror as they are on disk; those whose file is not there are counted as `missing`."""

    def __init__(self, database: sqlite3.Connection, files: MirrorFiles) -> None:
        self._database = database
        self._files = files
        self.missing = 0

    def __iter__(self) -> Iterator[ExportedPage]:
        """Yield all pages, a folder's own before what is below it."""
        return self._read(holdings(self._database))

    def of_paths(self, paths: Container[str]) -> Iterator[ExportedPage]:
        """Yield those that have one of these paths."""
        return self._read(each for each in holdings(self._database) if each.path in paths)

    def by_url(self, urls: Container[str]) -> Callable[[str], ExportedPage | None]:
        """Return what reads one of the pages with these URLs when it is asked for."""
        held = {each.url: each for each in holdings(self._database) if each.url in urls}
        return lambda url: next(self._read(iter([held[url]])), None)

    def _read(self, held: Iterator[Holding]) -> Iterator[ExportedPage]:
        for each in held:
            data = self._files.read_page(each.path)
            if data:
                yield _exported(each, data.decode("utf-8", "replace"))
            else:
                self.missing += 1


def _exported(held: Holding, text: str) -> ExportedPage:
    _, body = split(text)
    return ExportedPage(
        url=held.url,
        path=held.path,
        title=held.facts.name,
        h1=held.facts.h1,
        description=held.facts.description,
        language=held.facts.language,
        author=held.facts.author,
        published=held.facts.published,
        modified=held.facts.modified,
        lastmod=held.lastmod,
        fetched_at=held.fetched_at,
        content_hash=held.hash,
        word_count=held.facts.word_count,
        markdown=unedited(body, held.edits),
    )
