"""`quire`: pick the command, and import nothing it does not need."""

from __future__ import annotations

import os
import sys
from importlib import import_module

COMMANDS = {
    "mirror": "gather a site, a section or a sitemap into a folder of Markdown",
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
        _open_standard_files()
    given = sys.argv[1:] if arguments is None else arguments
    if not given or given[0] in ("-h", "--help", "help"):
        listing = "\n".join(f"  {name:8}{text}" for name, text in COMMANDS.items())
        (sys.stdout if given else sys.stderr).write(_OVERVIEW.format(commands=listing))
        sys.exit(0 if given else 2)
    if given[0] == "--version":
        from quire.version import VERSION

        sys.stdout.write(f"quire {VERSION}\n")
        sys.exit(0)
    if given[0] not in COMMANDS:
        sys.stderr.write(f"quire: there is no command {given[0]!r}; `quire --help` lists them\n")
        sys.exit(2)
    try:
        status = import_module(f"quire.cli.{given[0]}").run(given[1:])
    except KeyboardInterrupt:
        # Before there is anything to save.
        status = _INTERRUPTED
    if arguments is None:
        _leave(status)
    sys.exit(status)


def _open_standard_files() -> None:
    """Have all three, whatever was closed before: a connection that got such a number would abort the event loop."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    # Nobody reads these, so that no text may fail there; they stay open for as long as we run.
    sys.stdout = sys.stdout or open(1, "w", errors="replace", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", errors="replace", closefd=False)  # noqa: SIM115


def _leave(status: int) -> None:
    """End at once: all is done, and to take apart what a crawl had in memory would take longer than its reports."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError:
        # Whoever read it is gone; the usual way out copes with that.
        return
    os._exit(status)
