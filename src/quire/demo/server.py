"""The bundled site on a free loopback port, with nothing but the standard library."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import sys
import threading
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote

from .site import Answer, answers, not_found


class DemoSite:
    """Serves the bundled site while the context lasts; `url` is its home page."""

    url: str

    def __enter__(self) -> Self:
        self._server = _Server()
        self.url = f"{self._server.base}/"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="demo-site", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.disconnect()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self) -> None:
        self._clients: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)
        self.base = f"http://127.0.0.1:{self.server_port}"
        self.answers: Mapping[str, Answer] = answers(self.base)

    def server_bind(self) -> None:
        # HTTPServer asks the resolver for the host's name here, which can take seconds without a network.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.socket.getsockname()[1]

    def get_request(self) -> tuple[socket.socket, Any]:
        client, address = super().get_request()
        self._clients.add(client)
        return client, address

    def shutdown_request(self, request: Any) -> None:
        self._clients.discard(request)
        super().shutdown_request(request)

    def disconnect(self) -> None:
        """End the connections that clients keep alive, and with them their threads."""
        for client in list(self._clients):
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def answer(self, target: str) -> Answer:
        """Return the answer for a request target; a query that means nothing here is ignored."""
        path = unquote(target.partition("#")[0])
        return self.answers.get(path) or self.answers.get(path.partition("?")[0]) or not_found(path)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "QuireDemo"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def do_GET(self) -> None:
        self._send(self.server.answer(self.path), with_body=True)

    def do_HEAD(self) -> None:
        self._send(self.server.answer(self.path), with_body=False)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the terminal belongs to the crawl."""

    def _send(self, answer: Answer, *, with_body: bool) -> None:
        known = self._is_known(answer)
        self.send_response(304 if known else answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if not known:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if with_body and not known:
            self.wfile.write(answer.body)

    def _is_known(self, answer: Answer) -> bool:
        """Tell whether the client has this answer already; a tag decides before a date (RFC 9110 §13.2.2)."""
        tags, since = self.headers.get("If-None-Match"), self.headers.get("If-Modified-Since")
        if tags is not None:
            return answer.headers.get("ETag", "-") in (tag.strip().removeprefix("W/") for tag in tags.split(","))
        if since is None or "Last-Modified" not in answer.headers:
            return False
        try:
            return parsedate_to_datetime(answer.headers["Last-Modified"]) <= parsedate_to_datetime(since)
        except (ValueError, TypeError):
            return False
