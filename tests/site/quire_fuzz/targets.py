"""What is fuzzed: each target takes any bytes and keeps its promises, or says no with an error of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec import json

from quire import config, urls
from quire.answers import seconds_to_wait
from quire.crawling import finished_by
from quire.discover.reading import SitemapReader, looks_like_sitemap
from quire.errors import FetchError, PageError, QuireError, UsageError
from quire.fetch.egress import Egress
from quire.fetch.http import HttpFetcher
from quire.filter.judge import Judge
from quire.filter.patterns import Patterns, split_patterns
from quire.finishing import finish, take_stock, write_reports
from quire.mending import PROCESSED_FILE
from quire.opening import FRONTIER_FILE, open_mirror
from quire.orders import Order
from quire.press.frames import Job, decode_reply
from quire.records import Failed, Link
from quire.robots import parse
from quire.schedule.ledger import Ledger
from quire.schedule.sqlite import SqliteFrontier
from quire.settings import Fetch, Mirror, Pace, Settings
from quire.store.files import MirrorFiles
from quire.store.paths import page_path, placeholder_path
from quire.worker import PageMaker, answer

from . import seeds

Feed = Callable[[bytes], None]
_LONGEST_LINE = 8192
_HOME = "https://example.org/docs/"
_PLAIN_HOME = "http://example.org/docs/"


class Target(NamedTuple):
    """Seeds, words of the language, and what opens the target with a folder of its own."""

    seeds: Callable[[], Sequence[bytes]]
    words: Sequence[bytes]
    open: Callable[[Path], Feed]
    largest: int = 1_000_000


def robots(folder: Path) -> Feed:
    def feed(data: bytes) -> None:
        rules = parse(data, "Quire/0.1 (+https://example.org)")
        assert rules.delay is None or 0 <= rules.delay <= 3600
        for path in ("", "private/open1.html", "x?session=1&page=2", "a" * 1000, "%E9/~user"):
            rules.allowed(f"https://example.org/{path}")

    return feed


def heads(folder: Path) -> Feed:
    """Answers of a server, as a page and as a document; it is the proxy too, so that nobody else is asked."""
    runner = asyncio.Runner()
    answer = b""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            await writer.drain()
        writer.close()

    async def ask() -> None:
        with suppress(FetchError):
            response = await http.get(_PLAIN_HOME)
            assert response.location is None or urls.resolve(response.location, _PLAIN_HOME) != ""
        with suppress(FetchError):
            _ = [piece async for piece in http.stream(_PLAIN_HOME, 5)]

    async def opened() -> HttpFetcher:
        server = await asyncio.start_server(talk, "127.0.0.1")
        proxy = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        return HttpFetcher(Fetch(proxy=proxy, timeout=5.0), {}, Egress(allow_private=True))

    http = runner.run(opened())

    def feed(data: bytes) -> None:
        nonlocal answer
        answer = data
        runner.run(ask())
        for line in _lines(data):
            assert seconds_to_wait(line.partition(":")[2]) >= 0

    return feed


def sitemaps(folder: Path) -> Feed:
    def feed(data: bytes) -> None:
        looks_like_sitemap(_HOME, "text/plain", data[:65536])
        reader = SitemapReader(max_bytes=10_000_000, max_entries=50_000)
        for at in range(0, len(data), 4096):
            for entry in reader.feed(data[at : at + 4096]):
                assert entry.loc
            if reader.done:
                return
        for entry in reader.close():
            assert entry.loc

    return feed


def patterns(folder: Path) -> Feed:
    """Up to eight lines are patterns of one kind; a URL from each of them is judged."""

    def feed(data: bytes) -> None:
        text = data.decode(errors="surrogateescape")
        split_patterns(text)
        lines = [line[:2000] for line in text.split("\n")[:8]]
        try:
            found = Patterns("--include-pattern", lines, linear_only=True)
        except UsageError:
            return
        for line in lines:
            found.find(f"https://example.org/{line}", text)

    return feed


def paths(folder: Path) -> Feed:
    """Each line is a link on a page: resolved, normalised, judged, given a path and written."""
    files = MirrorFiles(folder / "mirror")
    files.create()
    settings = Settings((_HOME,))

    def feed(data: bytes) -> None:
        judge = Judge(settings)
        for number, line in enumerate(_lines(data)):
            url = urls.resolve(line, _HOME)
            judge(Link(line if url is None else url, 0, "a"))
            if url is None:
                continue
            normal = urls.normalise(url)
            assert normal is not None
            assert urls.normalise(normal) == normal
            assert urls.fingerprint_of(url, urls.UrlPolicy()) is not None
            path = page_path(url)
            assert page_path(url) == path
            if number % 16 == 0:
                for each in (path, placeholder_path("_failed", url)):
                    files.write(each, b"x")
                    assert (folder / "mirror" / each).resolve().is_relative_to(folder.resolve() / "mirror")
                    files.remove(each)
        assert [entry.name for entry in folder.iterdir()] == ["mirror"]

    return feed


def pages(folder: Path) -> Feed:
    """The worker's way from bytes to Markdown."""
    jobs = [Job(None, part, True, False, "meaningful", False, ()) for part in ("main", "full", "p, td")]
    makers = [PageMaker(job) for job in jobs]
    types = ("text/html", "text/html; charset=utf-8", "", "text/html; charset=shift_jis", "application/xhtml+xml")

    def feed(data: bytes) -> None:
        number = len(data)
        order = Order(_HOME, types[number % 5], data, None, "2024-01-01T00:00:00Z")
        made = makers[number % 3](order)
        assert made.markdown is not None
        assert len(made.links.keys) == 8 * len(made.links.urls)
        # As the crawl gets it.
        _, frame = answer(lambda _: made, order)
        decode_reply.decode(frame)

    return feed


def checkpoints(folder: Path) -> Feed:
    """A damaged frontier is opened, worked off without a network, and reported."""
    root = folder / "mirror"
    settings = Settings(("http://127.0.0.1:9/",), mirror=Mirror(output=str(root)), pace=Pace(delay=0.0, retries=0))

    def feed(data: bytes) -> None:
        root.mkdir(exist_ok=True)
        for name in (FRONTIER_FILE, f"{FRONTIER_FILE}-wal", f"{FRONTIER_FILE}-shm", PROCESSED_FILE):
            (root / name).unlink(missing_ok=True)
        (root / FRONTIER_FILE).write_bytes(data)
        if len(data) % 3 == 0:
            (root / PROCESSED_FILE).write_bytes(data[::7])
        with suppress(QuireError):
            judge = Judge(settings)
            mirror = open_mirror(settings, judge, lambda _: None)
            try:
                frontier = SqliteFrontier(mirror.database, judge, settings.pace)
                asyncio.run(_work_off(frontier))
                finish(mirror, frontier, judge, urls.UrlPolicy())
                finished = finished_by(Ledger(mirror.database), 0.0)
                write_reports(mirror, settings, finished, take_stock(mirror, settings, finished).changes)
            finally:
                mirror.close()

    return feed


async def _work_off(frontier: SqliteFrontier) -> None:
    await frontier.add([Link("http://127.0.0.1:9/", urls.fingerprint("http://127.0.0.1:9/"), "start", start=True)])
    for _ in range(20):
        for host in ("127.0.0.1:9",):
            frontier.pace(host, 0.0)
        try:
            async with asyncio.timeout(0.05):
                lease = await frontier.lease()
        except TimeoutError:
            return
        if lease is None:
            return
        with suppress(PageError):
            page_path(lease.link.url)
        await frontier.settle(lease, Failed("http-500", "broken"), [])


def settings(folder: Path) -> Feed:
    """A settings file, and the body of a request that sets the same things."""
    file = folder / "quire.toml"

    def feed(data: bytes) -> None:
        file.write_bytes(data)
        with suppress(UsageError):
            Judge(config.load((_HOME,), {}, str(file), {}), linear_only=True)
        with suppress(UsageError, ValueError, RecursionError):
            values = json.decode(data)
            if isinstance(values, dict):
                Judge(config.build((_HOME,), values), linear_only=True)

    return feed


def _lines(data: bytes) -> Iterator[str]:
    for line in data.decode(errors="surrogateescape").split("\n"):
        for at in range(0, len(line), _LONGEST_LINE):
            yield line[at : at + _LONGEST_LINE]


TARGETS: Mapping[str, Target] = {
    "robots": Target(lambda: [seeds.ROBOTS], seeds.ROBOTS_WORDS, robots),
    "heads": Target(lambda: seeds.HEADS, seeds.HEAD_WORDS, heads),
    "sitemaps": Target(lambda: seeds.SITEMAPS, seeds.SITEMAP_WORDS, sitemaps),
    "patterns": Target(lambda: [seeds.PATTERNS, seeds.URLS], seeds.PATTERN_WORDS, patterns),
    # Each line is a URL, and is given a file: that many are no single input any more.
    "paths": Target(lambda: [seeds.URLS], seeds.URL_WORDS, paths, largest=100_000),
    "pages": Target(seeds.pages, seeds.HTML_WORDS, pages),
    "checkpoints": Target(seeds.checkpoints, seeds.URL_WORDS, checkpoints),
    "settings": Target(lambda: [seeds.SETTINGS, seeds.BODY], seeds.SETTINGS_WORDS, settings),
}
