"""`quire page URL…` (C3)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from quire import urls
from quire.cli.mirror import mirror
from quire.cli.options import Parser, add_settings, settings_from
from quire.cli.running import run_command, run_crawl
from quire.cli.workers import page_workers
from quire.events import Event, PageFailed, PageSaved, PageSkipped
from quire.press.processes import WorkerProcess
from quire.records import State
from quire.settings import Settings


def run(arguments: list[str]) -> int:
    parser = Parser("page", "Fetch the given pages and nothing else: Markdown to stdout, or into a mirror with -o.")
    parser.add_argument("urls", nargs="+", metavar="URL", help="a page")
    add_settings(parser, ("filters", "pace", "fetch", "render", "content", "mirror"))
    parsed = parser.parse_args(arguments)
    into_mirror = "output" in vars(parsed)

    def command() -> int:
        settings = settings_from(parsed)
        settings = replace(settings, scope=replace(settings.scope, discover=""))
        if into_mirror:
            return mirror(settings, quiet=parsed.quiet, verbose=parsed.verbose)
        with page_workers(settings) as workers:
            return print_pages(settings, workers, quiet=parsed.quiet)

    return run_command(command)


def print_pages(settings: Settings, workers: Sequence[WorkerProcess], *, quiet: bool) -> int:
    from quire.cli.console import Console
    from quire.light_crawling import crawl_lightly
    from quire.wiring import completed, policy_of

    settings = completed(settings)
    console = Console(quiet=quiet)
    pages = _InOrder(settings.start, policy_of(settings))

    def listener(event: Event) -> None:
        if isinstance(event, PageSkipped) and event.state is State.SKIPPED:
            console.always(f"Skipped: {event.url} ({event.reason}: {event.detail})")
        else:
            console(event)
        pages(event)

    try:
        status = run_crawl(
            crawl_lightly(settings, listener, workers, links_only=False),
            "what is not printed yet is lost; the same command begins anew",
        )
    finally:
        console.close()
    return status or int(pages.missed)


class _InOrder:
    """Prints pages in the order they were asked for, each once, as soon as those before it are dealt with."""

    def __init__(self, start: Sequence[str], policy: urls.UrlPolicy) -> None:
        self._policy = policy
        keys = dict.fromkeys(map(self._key, start))
        self._places = {key: place for place, key in enumerate(keys)}
        self._ready: dict[int, str] = {}
        self._next = 0
        self._printed = False
        self.missed = False

    def __call__(self, event: Event) -> None:
        match event:
            case PageSkipped(url=url, state=State.DUPLICATE, detail=target):
                self._follow(url, target)
            case PageSaved(url=url, markdown=markdown):
                self._done(url, markdown or "")
            case PageSkipped(url=url) | PageFailed(url=url):
                self.missed = True
                self._done(url, "")

    def _follow(self, url: str, target: str) -> None:
        """Have the target of a redirect take its place, unless it has one."""
        place = self._places[self._key(url)]
        if self._places.setdefault(self._key(target), place) != place:
            self._done(url, "")

    def _key(self, url: str) -> str | None:
        """The identity of a URL, whether or not it is shown as people see it: only then it may have a fragment."""
        shown = url if "#" in url else urls.shown(url)
        return urls.key(urls.routed(shown) or shown, self._policy)

    def _done(self, url: str, markdown: str) -> None:
        self._ready[self._places[self._key(url)]] = markdown
        while self._next in self._ready:
            page = self._ready.pop(self._next)
            if page:
                sys.stdout.write(("\n" if self._printed else "") + page)
                self._printed = True
            self._next += 1
        sys.stdout.flush()
