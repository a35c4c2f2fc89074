"""A real web server on loopback: nginx with a configuration of its own."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

_CONFIGURATION = """
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.error;
events {{ worker_connections 512; }}
http {{
    include /etc/nginx/mime.types;
    access_log {folder}/nginx.log;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    keepalive_requests 1000000;
    sendfile on;
    server {{ listen 127.0.0.1:{port}; listen 127.0.0.2:{port}; root {root}; {landing} }}
}}
"""


class Nginx:
    """Serves a folder while the context lasts; `log` has a line for every request.

    `landing` is the path that `/` redirects to, for a folder whose own index page does not lead there by a link.
    The server also answers at 127.0.0.2, `second_url`.
    """

    def __init__(self, root: Path, folder: Path, landing: str = "") -> None:
        self._root = root
        self._folder = folder
        self._landing = f"location = / {{ return 302 {landing}; }}" if landing else ""
        self.log = folder / "nginx.log"

    def __enter__(self) -> Self:
        program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin")
        if program is None:
            raise SystemExit("nginx is not installed: apt-get install nginx-light")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/"
        self.second_url = f"http://127.0.0.2:{port}/"
        configuration = self._folder / "nginx.conf"
        configuration.write_text(
            _CONFIGURATION.format(folder=self._folder, port=port, root=self._root, landing=self._landing)
        )
        self._process = subprocess.Popen([program, "-c", str(configuration), "-p", str(self._folder)])
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return self
            except OSError:
                time.sleep(0.02)
        raise SystemExit(f"nginx does not answer; see {self._folder / 'nginx.error'}")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._process.terminate()
        self._process.wait()
