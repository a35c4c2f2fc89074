"""`quire map URL…` (C2)."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from quire.cli.options import Parser, add_settings, settings_from
from quire.cli.running import run_command, run_crawl
from quire.cli.workers import page_workers
from quire.press.processes import WorkerProcess
from quire.settings import Settings


def run(arguments: list[str]) -> int:
    parser = Parser("map", "Print the URLs of a site: discovery only, nothing is saved.")
    parser.add_argument("urls", nargs="+", metavar="URL", help="where to start: a site, a section, or a sitemap")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for every URL seen")
    add_settings(parser, ("scope", "filters", "pace", "fetch", "render", "sitemaps", "content"))
    parsed = parser.parse_args(arguments)
    as_json = vars(parsed).pop("json")

    def command() -> int:
        settings = settings_from(parsed)
        with page_workers(settings) as workers:
            return map_site(settings, workers, as_json=as_json, quiet=parsed.quiet)

    return run_command(command)


def map_site(settings: Settings, workers: Sequence[WorkerProcess], *, as_json: bool, quiet: bool) -> int:
    from msgspec import json

    from quire.cli.console import Console
    from quire.light_crawling import crawl_lightly
    from quire.schedule.ledger import Ledger

    console = Console(quiet=quiet)

    def report(ledger: Ledger) -> None:
        for url, entry in ledger.entries():
            if as_json:
                sys.stdout.write(json.encode({"url": url, **entry}).decode() + "\n")
            elif entry["decision"] in ("saved", "pending"):
                sys.stdout.write(url + "\n")
        sys.stdout.flush()

    try:
        return run_crawl(
            crawl_lightly(settings, console, workers, links_only=True, report=report),
            "what was found so far is printed; the same command begins anew",
        )
    finally:
        console.close()
