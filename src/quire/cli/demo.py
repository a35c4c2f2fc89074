"""`quire demo` (C7)."""

from __future__ import annotations

import sys
from contextlib import closing, suppress
from pathlib import Path

from quire.cli.options import Parser
from quire.cli.running import run_command
from quire.errors import UsageError

_NOTE = "demo"


def run(arguments: list[str]) -> int:
    parser = Parser("demo", "Mirror a small bundled site served on loopback: works with no network.")
    parser.add_argument("-o", "--output", default="demo-output", metavar="DIR", help="folder (default: demo-output)")
    parsed = parser.parse_args(arguments)
    return run_command(lambda: demo(parsed.output))


def demo(output: str) -> int:
    from quire.cli.mirror import mirror
    from quire.config import build
    from quire.demo.server import DemoSite

    _check_free(output)
    with DemoSite() as site:
        # Each demo is served on another port, so it is always a new mirror.
        settings = build([site.url], {"output": output, "delay": 0, "fresh": True})
        status = mirror(settings)
    _mark(output)
    if status > 1:
        return status
    folder = Path(output)
    if not (folder / "_index.md").is_file():
        raise UsageError(f"the demo left no mirror in {output}; see what it said above")
    sys.stdout.write("\n".join([f"{output}/", *_tree(folder)]) + "\n\n")
    sys.stdout.write(_next_steps(output, site.url))
    return 0


def _check_free(output: str) -> None:
    """Raise UsageError where a mirror would be overwritten that is no demo's."""
    from quire.cli.why import open_ledger
    from quire.forgetting import OWN_FILES
    from quire.opening import FRONTIER_FILE
    from quire.schedule.crawls import note

    if not any((Path(output) / name).exists() for name in (FRONTIER_FILE, *OWN_FILES)):
        return
    with suppress(UsageError), open_ledger(output) as database:
        if note(database, _NOTE):
            return
    raise UsageError(f"{output} holds a mirror that is no finished demo's; delete it, or choose another folder with -o")


def _mark(output: str) -> None:
    """Have the next demo know this one."""
    from quire.opening import frontier_path
    from quire.schedule.crawls import put
    from quire.schedule.database import open_database

    with closing(open_database(frontier_path(output))) as database:
        put(database, _NOTE, "yes")


def _tree(folder: Path, indent: str = "") -> list[str]:
    """The mirror's files as a tree, cut where it gets long."""
    lines: list[str] = []
    entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    for number, entry in enumerate(entries):
        last = number == len(entries) - 1
        lines.append(f"{indent}{'└── ' if last else '├── '}{entry.name}{'/' if entry.is_dir() else ''}")
        if entry.is_dir():
            lines.extend(_tree(entry, indent + ("    " if last else "│   ")))
    return lines


def _next_steps(output: str, url: str) -> str:
    return f"""One page failed, one is a PDF and one is forbidden by robots.txt: that is part of the demo.
Where to look next:
  {output}/_report.html       the crawl to look at, in a browser
  {output}/_index.md          contents, linked to the pages
  {output}/_manifest.json     every page, and why the others are not there
  quire why {url}private/roadmap -o {output}
  quire status {output}
  quire mirror https://example.com/docs/     your own site
"""
