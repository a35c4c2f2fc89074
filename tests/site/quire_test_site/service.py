"""`quire serve` as a process, and a client that knows it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, Self
from uuid import uuid4

import httpx
from websockets.sync.client import ClientConnection, connect

from .commands import environment

ENDS = ("completed", "failed", "cancelled")
EAGER = {"delay_seconds": 0, "retry_delay": 0}


class Service:
    """One instance over a database; loopback may be crawled."""

    def __init__(self, database: str | None, folder: Path, *args: str, env: dict[str, str] | None = None) -> None:
        where = ["--database", database] if database else []
        self._command = ["serve", "--port", "0", "--data-dir", str(folder), *where, *args]
        if "--no-private" in args:
            self._command.remove("--no-private")
        else:
            self._command += ["--allow-private"]
        if "--rate-limit" not in args:
            self._command += ["--rate-limit", "0"]
        self._env = env or {}
        self._folder = folder
        self.process: subprocess.Popen[str] | None = None
        self.http = httpx.Client()
        self.port = 0

    def start(self) -> Self:
        self._log = self._folder / f"log-{uuid4().hex}"
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "quire", *self._command],
                stdin=subprocess.DEVNULL,
                stderr=log,
                env=environment(self._env),
                text=True,
            )
        self.port = until(self._listening, 60)
        self.http.close()
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}/api/v1", timeout=60)
        return self

    def _listening(self) -> int:
        assert self.process
        assert self.process.poll() is None, self.log()
        ports = [line["port"] for line in self.lines() if "port" in line]
        if not ports:
            return 0
        try:
            httpx.get(f"http://127.0.0.1:{ports[0]}/healthz").raise_for_status()
        except httpx.TransportError:
            return 0
        return int(ports[0])

    def log(self) -> str:
        return self._log.read_text("utf-8")

    def lines(self) -> list[dict[str, Any]]:
        """What it logged, as far as it is JSON."""
        found = []
        for line in self.log().splitlines():
            try:
                found.append(json.loads(line))
            except json.JSONDecodeError:
                continue
        return found

    def kill(self) -> None:
        """kill -9"""
        assert self.process
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to end; returns its exit status."""
        assert self.process
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.process.wait()
            self.http.close()

    def end(self) -> None:
        """Leave nothing behind, however the test went."""
        if self.process is not None and self.process.poll() is None:
            self.kill()
        self.http.close()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def project(self, website_url: str, **settings: Any) -> Project:
        given = {"name": "A project", "website_url": website_url, "settings": EAGER | settings}
        made = self.http.post("/projects", json=given)
        assert made.status_code == 201, made.text
        return Project(self, made.json()["id"])


class Serve(Protocol):
    """Makes a service; with a database, or with a file of its own."""

    def __call__(self, *args: str, database: str | None = None, env: dict[str, str] | None = None) -> Service: ...


class Project:
    """One project of a service."""

    def __init__(self, service: Service, id: str) -> None:
        self.service = service
        self.id = id

    def on(self, service: Service) -> Project:
        """The same project as another instance shows it."""
        return Project(service, self.id)

    def get(self, path: str = "", **params: Any) -> Any:
        answer = self.service.http.get(f"/projects/{self.id}{path}", params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, status: int = 202, **body: Any) -> Any:
        answer = self.service.http.post(f"/projects/{self.id}{path}", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def run(self, **settings: Any) -> Any:
        return self.post("/phases/crawl/run", **settings)

    @property
    def status(self) -> Any:
        return self.get("/phases/crawl/status")

    def wait(self, timeout: float = 120) -> Any:
        """Wait for the end of the crawl; returns the status."""
        return until(lambda: (found := self.status)["status"] in ENDS and found, timeout)

    def crawl(self, **settings: Any) -> Any:
        """Run a crawl to its end."""
        self.run(**settings)
        return self.wait()

    def pages(self, **params: Any) -> dict[str, dict[str, Any]]:
        """All pages by their path, those of one host."""
        found: list[dict[str, Any]] = []
        cursor: dict[str, str] = {}
        while True:
            part = self.get("/pages", limit=200, **params, **cursor)
            found += part["items"]
            if part["next_cursor"] is None:
                break
            cursor = {"cursor": part["next_cursor"]}
        by_path = {"/" + page["url"].split("/", 3)[3]: page for page in found}
        assert len(by_path) == len(found)
        return by_path

    def page(self, path: str) -> Any:
        return self.get(f"/pages/{self.pages()[path]['id']}")

    def decisions(self, **params: Any) -> list[Any]:
        found: list[Any] = self.get("/decisions", limit=200, **params)["items"]
        return found

    def events(self) -> list[Any]:
        found: list[Any] = []
        while part := self.get("/events", after=len(found) and found[-1]["number"], limit=200)["items"]:
            found += part
        return found

    def socket(self, **params: Any) -> ClientConnection:
        query = "&".join(f"{name}={value}" for name, value in params.items())
        return connect(f"ws://127.0.0.1:{self.service.port}/api/v1/projects/{self.id}/ws?{query}", proxy=None)


def heard(socket: ClientConnection, timeout: float = 60) -> Iterator[Any]:
    """What a socket tells, up to the end of the crawl."""
    while True:
        message = json.loads(socket.recv(timeout))
        yield message
        if message["type"] in ENDS:
            return


def until(condition: Callable[[], Any], timeout: float) -> Any:
    """Wait for something to become true, and return it."""
    end = time.monotonic() + timeout
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"nothing after {timeout} s")
        time.sleep(0.05)
    return found
