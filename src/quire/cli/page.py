"""`quire page URL…` (C3)."""

from __future__ import annotations

import sys
from dataclasses import replace

from quire.cli.mirror import mirror
from quire.cli.options import Parser, add_settings, settings_from
from quire.cli.running import run_command, run_crawl
from quire.settings import Settings


def run(arguments: list[str]) -> int:
    parser = Parser("page", "Fetch the given pages and nothing else: Markdown to stdout, or into a mirror with -o.")
    parser.add_argument("urls", nargs="+", metavar="URL", help="a page")
    add_settings(parser, ("filters", "pace", "fetch", "content", "mirror"))
    parsed = parser.parse_args(arguments)
    into_mirror = "output" in vars(parsed)

    def command() -> int:
        settings = settings_from(parsed)
        settings = replace(settings, scope=replace(settings.scope, discover=""))
        if into_mirror:
            return mirror(settings, quiet=parsed.quiet, verbose=parsed.verbose)
        return print_pages(settings, quiet=parsed.quiet)

    return run_command(command)


def print_pages(settings: Settings, *, quiet: bool) -> int:
    from quire.cli.console import Console
    from quire.crawling import crawl_lightly
    from quire.events import Event, PageSaved

    console = Console(quiet=quiet)

    def listener(event: Event) -> None:
        console(event)
        if isinstance(event, PageSaved):
            sys.stdout.write(event.markdown or "")
            sys.stdout.flush()

    try:
        return run_crawl(crawl_lightly(settings, listener, links_only=False))
    finally:
        console.close()
