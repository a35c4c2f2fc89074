"""What whole crawls need: one mirror of the test site, made by command or in process, and ways to look at it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from quire_test_site import Finished, Quire, Site, files_in

import quire as library
from quire.events import CrawlFinished, Event

OWN_FILES = (
    ".quire.lock",
    "_failed.log",
    "_frontier.sqlite",
    "_index.md",
    "_manifest.json",
    "_processed.txt",
    "_progress.json",
    "_report.html",
)


@dataclass(frozen=True, slots=True)
class Crawled:
    """How a crawl in this process ended, and everything it told."""

    finished: CrawlFinished
    events: list[Event]


class Mirror:
    """The mirror of the test site in one folder; calling it runs `quire mirror` as a subprocess."""

    def __init__(self, site: Site, quire: Quire, folder: Path) -> None:
        self._site = site
        self._quire = quire
        self.folder = folder

    def __call__(self, *args: str | Path, start: str | tuple[str, ...] = "/", timeout: float = 60) -> Finished:
        """Mirror from these paths or URLs; as fast as the machine can unless a pace is given."""
        return self._quire("mirror", *self.command(*args, start=start), timeout=timeout)

    def command(self, *args: str | Path, start: str | tuple[str, ...] = "/") -> list[str | Path]:
        """The arguments of `quire mirror`."""
        pace = [] if {"--delay", "--content-rate-limit"} & set(args) else ["--delay", "0"]
        return [*self._urls(start), "-o", self.folder, "--workers", "1", *pace, *args]

    def crawl(self, start: str | tuple[str, ...] = "/", **options: Any) -> Crawled:
        """The same in this process, which is faster; options are settings by their names."""
        events: list[Event] = []
        options = {"output": str(self.folder), "workers": 1} | options
        if not options.keys() & {"delay", "content_rate_limit"}:
            options["delay"] = 0
        finished = library.crawl_sync(*self._urls(start), on_event=events.append, **options)
        return Crawled(finished, events)

    @property
    def manifest(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads((self.folder / "_manifest.json").read_bytes())
        return loaded

    @property
    def statistics(self) -> dict[str, Any]:
        found: dict[str, Any] = self.manifest["statistics"]
        return found

    @property
    def changes(self) -> dict[str, list[str]]:
        """What the manifest tells of an update, those of the home host by their path."""
        return {name: [self.short(url) for url in urls] for name, urls in self.manifest["changes"].items()}

    @property
    def pages(self) -> dict[str, dict[str, Any]]:
        """The manifest's pages by URL, those of the home host by their path."""
        return {self.short(page["url"]): page for page in self.manifest["pages"]}

    def listed(self, name: str) -> dict[str, str]:
        """URL and reason of what the manifest lists as failed, skipped or duplicates."""
        return {self.short(each["url"]): each["reason"] for each in self.manifest[name]}

    def text(self, url: str) -> str:
        """What the file of a page holds, front matter included."""
        path: str = self.pages[url]["path"]
        return (self.folder / path).read_text("utf-8")

    def body(self, url: str) -> str:
        """The Markdown of a page, without front matter."""
        return self.text(url).partition("\n---\n")[2].lstrip("\n")

    def files(self) -> set[str]:
        """Every file of the mirror but its own records; those of the home host without its folder."""
        return {name.removeprefix(f"{self.host}/") for name in files_in(self.folder) if name not in OWN_FILES}

    def states(self) -> Mapping[str, tuple[int, bytes]]:
        """When each page's file was written, and what it holds."""
        paths = [page["path"] for page in self.manifest["pages"]]
        return {path: ((self.folder / path).stat().st_mtime_ns, (self.folder / path).read_bytes()) for path in paths}

    @property
    def host(self) -> str:
        """The folder of the home host."""
        return f"127.0.0.1_{self._site.port}"

    def short(self, url: str) -> str:
        return url.removeprefix(self._site.url) if url.startswith(self._site.url + "/") else url

    def _urls(self, start: str | tuple[str, ...]) -> list[str]:
        starts = (start,) if isinstance(start, str) else start
        return [self._site.url + each if each.startswith("/") else each for each in starts]


@pytest.fixture
def mirror(site: Site, quire: Quire, mirror_dir: Path) -> Mirror:
    """The mirror of the test site; its folder does not exist yet."""
    return Mirror(site, quire, mirror_dir)
