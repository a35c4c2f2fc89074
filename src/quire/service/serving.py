"""Running the application on a socket until a signal ends it."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from quire.errors import UsageError
from quire.service import logs
from quire.service.app import create_app
from quire.service.data.database import open_database
from quire.service.options import Options

log = logging.getLogger("quire.service")

_GRACE_SECONDS = 5


class _Server(uvicorn.Server):
    """Ends by itself when a signal comes, with the status of a server that was asked to stop."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield


def serve(options: Options, log_format: str = "auto") -> int:
    """Serve until SIGINT or SIGTERM; crawls that run are left so that the next start resumes them."""
    logs.set_up(log_format)
    database = open_database(options.database, options.data_dir)
    try:
        database.migrate()
        listener = _listen(options)
        host, port = listener.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        log.info("Quire serves http://%s:%d/ from %s", shown, port, database.place, extra={"port": port})
        config = uvicorn.Config(
            create_app(options, database),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws_max_size=64_000,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        server = _Server(config)
        server.run(sockets=[listener])
        return 0 if server.started else 1
    finally:
        database.close()


def _listen(options: Options) -> socket.socket:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    try:
        return socket.create_server((options.host, options.port), family=family, backlog=1024)
    except OSError as error:
        raise UsageError(
            f"--port {options.port}: {options.host} cannot be bound ({error.strerror}); choose another"
        ) from error
