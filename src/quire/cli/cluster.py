"""`quire cluster URL…` (X2)."""

from __future__ import annotations

from typing import Any

from quire.cli.mirror import GROUPS
from quire.cli.options import Parser, add_settings, settings_from
from quire.cli.running import run_command
from quire.errors import UsageError
from quire.settings import Settings


def run(arguments: list[str]) -> int:
    parser = Parser("cluster", "Mirror many sites on many machines: one crawl for each host, into a folder all share.")
    parser.add_argument("urls", nargs="*", metavar="URL", help="where to start; those of one host are one mirror")
    own = parser.add_argument_group("the cluster")
    own.add_argument("--urls-from", metavar="FILE", help="read start URLs from this file, one a line; - for stdin")
    own.add_argument("--address", metavar="HOST:PORT", help="the Ray cluster to use, or auto for the one that this"
                     " machine is part of (default: start Ray on this machine alone)")  # fmt: skip
    own.add_argument("--crawls-per-machine", metavar="N", type=int, help="crawls at once on each machine (default: 4 a"
                     " core)")  # fmt: skip
    add_settings(parser, GROUPS)
    parsed = parser.parse_args(arguments)
    cluster_only = {name: vars(parsed).pop(name) for name in ("urls_from", "address", "crawls_per_machine")}
    urls, parsed.urls = parsed.urls, []
    return run_command(
        lambda: cluster(urls, settings_from(parsed), **cluster_only, quiet=parsed.quiet, verbose=parsed.verbose)
    )


def cluster(urls: list[str], settings: Settings, **options: Any) -> int:
    try:
        from quire.cluster.running import run_cluster
    except ModuleNotFoundError as error:
        raise UsageError(
            f"`quire cluster` needs the extra `cluster`, of which {error.name} is missing:"
            " install it with `pip install 'quire[cluster]'`"
        ) from error
    return run_cluster(urls, settings, **options)
