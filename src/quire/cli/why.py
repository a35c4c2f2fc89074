"""`quire why URL -o DIR` (C5)."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from quire.cli.options import Parser, default_output
from quire.cli.running import run_command
from quire.errors import UsageError

if TYPE_CHECKING:
    from quire.schedule.ledger import Ledger


def run(arguments: list[str]) -> int:
    parser = Parser("why", "Tell what was decided about a URL, by which rule, and from which page it was found.")
    parser.add_argument("url", metavar="URL")
    parser.add_argument("-o", "--output", metavar="DIR", help="folder of the mirror (default: output)")
    parsed = parser.parse_args(arguments)
    return run_command(lambda: why(parsed.url, parsed.output or default_output()))


@contextmanager
def open_ledger(output: str) -> Iterator[sqlite3.Connection]:
    """Open a mirror's frontier for reading; raise UsageError when there is none, or it is damaged."""
    from quire.opening import frontier_path

    path = frontier_path(output)
    try:
        if not Path(output).is_dir():
            raise UsageError(f"{output} is not a folder; give the folder of a mirror")
        if not path.exists():
            raise UsageError(f"{output} holds no mirror; make one with `quire mirror URL -o {output}`")
        # Where nothing may be written, only a frontier that nobody has open can be read.
        still = not os.access(output, os.W_OK) and not Path(f"{path}-wal").exists()
    except OSError as error:
        raise UsageError(f"{output} cannot be read ({error.strerror}); give the folder of a mirror") from error
    address = f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if still else ''}"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            yield database
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            raise UsageError(f"{output} is being crawled in a cluster, and cannot be read before that ends") from error
        raise UsageError(f"{path} cannot be read ({error}); `quire mirror` with the same URL repairs it") from error


def why(text: str, output: str) -> int:
    from quire import explaining, urls
    from quire.schedule.ledger import Ledger

    with open_ledger(output) as database:
        ledger = Ledger(database)
        # What is no URL is known as a page has it.
        invalid = ledger.decision(urls.fingerprint_of_invalid(text.strip()))
        if invalid:
            lines, is_known = [*explaining.told(invalid, ledger)], True
        else:
            lines, is_known = _told_of_url(text, ledger, database)
        sys.stdout.write("\n".join(lines) + "\n")
        return 0 if is_known else 1


def _told_of_url(text: str, ledger: Ledger, database: sqlite3.Connection) -> tuple[list[str], bool]:
    """What can be said about a URL as people type it, and whether the mirror knows it."""
    from quire import explaining, urls
    from quire.schedule import assets
    from quire.wiring import complete_url

    settings = explaining.settings_of(ledger)
    url = complete_url(text)
    policy = urls.UrlPolicy(settings.scope.query, settings.scope.ignore_case, settings.scope.noise_params)
    decision = ledger.decision(urls.fingerprint_of(url, policy) or 0)
    image = assets.find(database, url)
    if decision:
        lines = [*explaining.told(decision, ledger)]
    else:
        lines = [urls.shown(url)] if image else [*explaining.never_seen(url, settings)]
    if image:
        lines.append(explaining.told_of_image(image))
    return lines, decision is not None or image is not None
