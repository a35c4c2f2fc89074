"""`quire mirror URL…` (C1)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from quire.cli.options import Parser, add_settings, settings_from
from quire.cli.running import run_command, run_crawl
from quire.cli.workers import page_workers
from quire.settings import Settings
from quire.wording import counted

if TYPE_CHECKING:
    from quire.events import CrawlFinished

_MEMORY_KEPT = 2**20
GROUPS = ("scope", "filters", "pace", "fetch", "render", "sitemaps", "content", "mirror")


def run(arguments: list[str]) -> int:
    parser = Parser("mirror", "Gather a site, a section or a sitemap into a folder of Markdown.")
    parser.add_argument("urls", nargs="+", metavar="URL", help="where to start: a site, a section, or a sitemap")
    add_settings(parser, GROUPS)
    parsed = parser.parse_args(arguments)
    return run_command(lambda: mirror(settings_from(parsed), quiet=parsed.quiet, verbose=parsed.verbose))


def mirror(settings: Settings, *, quiet: bool = False, verbose: bool = False) -> int:
    with page_workers(settings) as workers:
        from quire.cli.console import Console
        from quire.crawling import crawl_mirror
        from quire.memory import keep_at_most

        keep_at_most(_MEMORY_KEPT)
        console = Console(quiet=quiet, verbose=verbose)

        async def crawl() -> CrawlFinished:
            finished = await crawl_mirror(settings, console, workers)
            if not quiet and not finished.problem:
                sys.stderr.write(summary(finished, settings))
            return finished

        try:
            return run_crawl(crawl())
        finally:
            console.close()


def summary(finished: CrawlFinished, settings: Settings) -> str:
    """A few lines: what is there, what is not, and where to look."""
    counts, output = finished.counts, settings.mirror.output
    there = counted(counts["saved"] + counts["unchanged"], "page")
    if settings.mirror.assets:
        there += f" and {counted(finished.images, 'image')}"
    lines = [f"{there} in {output} ({finished.seconds:.1f} s)"]
    if settings.mirror.update and counts["unchanged"] + finished.added + finished.changed + finished.removed:
        changes = f"{finished.added} added, {finished.changed} changed, {finished.removed} removed"
        lines[0] += f": {changes}, {counts['unchanged']} as before"
    others = [
        f"{counts[name]} {name}"
        for name in ("failed", "skipped", "filtered", "duplicate", "external", "invalid")
        if counts[name]
    ]
    if others:
        lines.append(f"  not there: {', '.join(others)}; `quire why URL -o {output}` tells about one")
    if counts["failed"]:
        lines.append(f"  the failures are in {Path(output) / '_failed.log'}; the same command tries them again")
    if finished.traps:
        lines.append(
            f"  {counted(finished.traps, 'URL looks', 'URLs look')} like a trap, pages without end: see `traps` in"
            " _manifest.json; --trap-budget and --allow-trap let such URLs in"
        )
    if finished.stopped_by:
        lines.append(f"  stopped by {finished.stopped_by}: {counted(finished.waiting, 'URL is', 'URLs are')} waiting")
    report = f", or open {Path(output) / '_report.html'} in a browser" if settings.mirror.report else ""
    lines.append(f"  read {Path(output) / '_index.md'} first{report}")
    return "\n".join(lines) + "\n"
