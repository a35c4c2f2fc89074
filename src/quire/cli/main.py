"""`quire`: pick the command, and import nothing it does not need."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import NoReturn

from quire.cli.running import run_command
from quire.cli.streams import open_standard_files

COMMANDS = {
    "mirror": "gather a site, a section or a sitemap into a folder of Markdown",
    "cluster": "mirror many sites on many machines, with Ray",
    "map": "print the URLs of a site",
    "page": "fetch single pages: Markdown to stdout, or into a mirror",
    "why": "tell what was decided about a URL, and from where it was found",
    "status": "tell the state of a mirror",
    "search": "find the pages of a mirror that have certain words",
    "diff": "tell what changed between two mirrors of a site",
    "export": "write a mirror as JSONL, Parquet, WARC, one Markdown file or llms.txt",
    "serve": "serve projects, crawls and pages over HTTP",
    "demo": "mirror a small bundled site; works with no network",
}

_INTERRUPTED = 130

_OVERVIEW = """usage: quire COMMAND …

Gathers a website into a folder of clean Markdown, and keeps it true as the site changes.

commands:
{commands}

`quire COMMAND --help` lists a command's options.
"""


def main(arguments: list[str] | None = None) -> None:
    """Run one command; exits with its status (C9)."""
    if arguments is None:
        open_standard_files()
    given = sys.argv[1:] if arguments is None else arguments
    try:
        status = run_command(lambda: _run(given))
    except KeyboardInterrupt:
        # Before there is anything to save.
        status = _INTERRUPTED
    except SystemExit as end:
        # What argparse has to say is said.
        status = end.code if isinstance(end.code, int) else 0
    if arguments is None:
        _leave(status)
    sys.exit(status)


def _run(given: list[str]) -> int:
    if not given or given[0] in ("-h", "--help", "help"):
        listing = "\n".join(f"  {name:8}{text}" for name, text in COMMANDS.items())
        (sys.stdout if given else sys.stderr).write(_OVERVIEW.format(commands=listing))
        return 0 if given else 2
    if given[0] == "--version":
        from quire.version import VERSION

        sys.stdout.write(f"quire {VERSION}\n")
        return 0
    if given[0] not in COMMANDS:
        sys.stderr.write(f"quire: there is no command {given[0]!r}; `quire --help` lists them\n")
        return 2
    status: int = import_module(f"quire.cli.{given[0]}").run(given[1:])
    return status


def _leave(status: int) -> NoReturn:
    """End at once: all is done, and to take apart what a crawl had in memory would take longer than its reports."""
    status = run_command(lambda: _told(status))
    sys.stderr.flush()
    os._exit(status)


def _told(status: int) -> int:
    if sys.stdout is not None:
        sys.stdout.flush()
    return status
