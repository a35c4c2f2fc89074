"""`quire serve` (C4)."""

from __future__ import annotations

import os

from quire.cli.options import Parser, warn_of_unknown_variables
from quire.cli.running import run_command
from quire.errors import UsageError


def run(arguments: list[str]) -> int:
    parser = Parser("serve", "Serve projects, crawls and pages over HTTP, with live progress over WebSocket.")
    add = parser.add_argument
    add("--host", help="address to serve (default: 127.0.0.1); another than loopback needs a token")
    add("--port", metavar="N", help="port to serve (default: 8321); 0 for a free one")
    add("--data-dir", metavar="DIR", help="folder of the SQLite database (default: quire-data)")
    add("--database", metavar="URL", help="use this database: postgresql://user:password@host/name")
    add("--token-file", metavar="FILE", help="demand the token in this file; QUIRE_TOKEN does the same")
    add("--allowed-host", action="append", metavar="NAME", help="answer requests to this name too")
    add(
        "--allow-private",
        action="store_true",
        default=None,
        help="crawl private, loopback and link-local addresses too",
    )
    add(
        "--allow-network", action="append", metavar="NETWORK", help="crawl addresses in this network too, as 10.0.0.0/8"
    )
    add("--max-crawls", metavar="N", help="crawls at once; more wait (default: 4)")
    add("--lease-seconds", metavar="N", help="after so long without a sign, a crawl is taken over (default: 15)")
    add("--rate-limit", metavar="R", help="requests a second from one address; 0 for no limit (default: 50)")
    add("--log-format", choices=("auto", "json", "text"), help="json, text, or auto: text on a terminal")
    parsed = vars(parser.parse_args(arguments))
    return run_command(lambda: serve({name: value for name, value in parsed.items() if value is not None}))


def serve(given: dict[str, object]) -> int:
    from quire.service.options import options_from

    warn_of_unknown_variables()
    options, log_format = options_from(given, os.environ)
    try:
        from quire.service.serving import serve as run_service
    except ModuleNotFoundError as error:
        raise UsageError(
            f"`quire serve` needs the extra `service`, of which {error.name} is missing:"
            " install it with `pip install 'quire[service]'`"
        ) from error
    return run_service(options, log_format)
