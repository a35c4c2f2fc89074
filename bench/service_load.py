"""The service under load: many WebSocket clients and page listings on a large project while a crawl of it runs.

    python bench/service_load.py [--pages N] [--clients N] [--rate R] [--write]

One instance; a project that has many pages already crawls the Python documentation from nginx, alone and then with
clients that listen to every event and requests for parts of the list, at random places, 50 pages each, at a steady
rate. Clients, server, database and nginx share the cores. Then parts of the list at its beginning, middle and end are
asked for, one at a time.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import random
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from uuid import UUID, uuid4

import report
from installing import install_packages
from loopback import Nginx
from page_writes import page
from sites import PYTHON

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "site"))

import psutil
from quire_test_site.postgres import Cluster, programs
from quire_test_site.service import Project, Service
from websockets.asyncio.client import connect

from quire.service.data import pages
from quire.service.data.database import open_database

LIMIT = 50


def fill(service: Service, project: Project, database_url: str, number: int) -> None:
    """Give the project so many pages."""
    database = open_database(database_url, Path())
    for first in range(0, number, 500):
        with database.writing() as connection:
            made = [page(UUID(project.id), each) for each in range(first, min(first + 500, number))]
            pages.write(connection, UUID(project.id), uuid4(), made)
    database.close()


def cursors(project: Project) -> list[str]:
    """Where each part of the list begins."""
    found = [""]
    while True:
        more = project.get("/pages", limit=LIMIT, **({"cursor": found[-1]} if found[-1] else {}))["next_cursor"]
        if more is None:
            return found
        found.append(more)


class Listings:
    """Asks for parts of the list at a steady rate, from four threads; times are from when each was due."""

    def __init__(self, service: Service, project: Project, places: list[str], rate: float) -> None:
        self._target = f"/api/v1/projects/{project.id}/pages?limit={LIMIT}"
        self._port = service.port
        self._places = places
        self._stop = threading.Event()
        self.times: list[float] = []
        self._threads = [threading.Thread(target=self._ask, args=[rate / 4, place]) for place in range(4)]

    def __enter__(self) -> Listings:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, rate: float, seed: int) -> None:
        dice = random.Random(seed)
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        due = time.perf_counter() + dice.random() / rate
        while not self._stop.wait(max(0.0, due - time.perf_counter())):
            self.times.append(ask(connection, self._target, dice.choice(self._places), due))
            due += 1 / rate


def ask(connection: http.client.HTTPConnection, target: str, cursor: str, begun: float) -> float:
    connection.request("GET", target + (f"&cursor={cursor}" if cursor else ""))
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status == 200, body
    return time.perf_counter() - begun


class Clients(threading.Thread):
    """WebSocket clients in a loop of their own; each counts what it hears."""

    def __init__(self, service: Service, project: Project, number: int) -> None:
        super().__init__()
        self._url = f"ws://127.0.0.1:{service.port}/api/v1/projects/{project.id}/ws?after={{}}"
        self._after = project.get("/events", limit=1, after=0)["last_event"]
        self.heard = [0] * number
        self.ready = threading.Event()

    def run(self) -> None:
        asyncio.run(self._listen())

    async def _listen(self) -> None:
        waiting = len(self.heard)

        async def one(place: int) -> None:
            nonlocal waiting
            async with connect(self._url.format(self._after), proxy=None, compression=None) as socket:
                await socket.recv()
                waiting -= 1
                if not waiting:
                    self.ready.set()
                async for text in socket:
                    self.heard[place] += 1
                    if '"type":"completed"' in str(text):
                        return

        await asyncio.gather(*(one(place) for place in range(len(self.heard))))


def crawl(service: Service, project: Project) -> tuple[float, float]:
    """Seconds of a crawl, and CPU seconds of the server and its page worker meanwhile."""
    assert service.process
    process = psutil.Process(service.process.pid)
    before = process.cpu_times()
    project.run()
    while (state := project.status)["status"] in ("pending", "in_progress"):
        time.sleep(0.5)
    after = process.cpu_times()
    assert state["status"] == "completed", state
    cpu = after.user + after.system - before.user - before.system
    return state["statistics"]["seconds"], cpu


def by_place(service: Service, project: Project, places: list[str]) -> dict[str, float]:
    """Median seconds of one part of the list, by where it is."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port)
    target = f"/api/v1/projects/{project.id}/pages?limit={LIMIT}"
    wanted = {"first": places[0], "middle": places[len(places) // 2], "last": places[-2]}
    found: dict[str, list[float]] = {name: [] for name in wanted}
    for _ in range(40):
        for name, cursor in wanted.items():
            found[name].append(ask(connection, target, cursor, time.perf_counter()))
    return {name: median(times) for name, times in found.items()}


def measured(database_url: str | None, folder: Path, site: str, given: argparse.Namespace) -> dict[str, Any]:
    service = Service(database_url, folder).start()
    try:
        project = service.project(site, max_pages=1000, max_concurrent=16)
        fill(service, project, database_url or f"sqlite:///{folder}/quire.sqlite", given.pages)
        places = cursors(project)
        crawl(service, project)
        alone = [crawl(service, project) for _ in range(given.rounds)]
        loaded, times = [], []
        for _ in range(given.rounds):
            clients = Clients(service, project, given.clients)
            clients.start()
            clients.ready.wait(60)
            with Listings(service, project, places, given.rate) as listings:
                loaded.append(crawl(service, project))
            clients.join()
            assert len(set(clients.heard)) == 1, "some clients heard less than others"
            times += listings.times
        parts = quantiles(times, n=100)
        return {
            "alone": median(each for each, _ in alone),
            "alone cpu": median(each for _, each in alone),
            "loaded": median(each for each, _ in loaded),
            "loaded cpu": median(each for _, each in loaded),
            "requests": len(times),
            "p50": parts[49],
            "p99": parts[98],
            "events": clients.heard[0],
            "by place": by_place(service, project, places),
        }
    finally:
        service.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--rate", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--note", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    about = report.setting(given.note)
    install_packages()
    bin = programs()
    if bin is None:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
    found = {}
    with tempfile.TemporaryDirectory(prefix="quire-load-") as name, Nginx(PYTHON.root, Path(name)) as server:
        for kind in ("SQLite", "PostgreSQL"):
            folder = Path(name) / kind
            folder.mkdir()
            if kind == "SQLite":
                found[kind] = measured(None, folder, server.url, given)
            else:
                with Cluster(bin, durable=True) as cluster:
                    found[kind] = measured(cluster.create(), folder, server.url, given)
            print(kind, json.dumps(found[kind]), file=sys.stderr)
    report.publish("service_load", text(found, given), found, about, write=given.write)


def text(found: dict[str, dict[str, Any]], given: argparse.Namespace) -> str:
    rows = [
        [
            kind,
            f"{each['p50'] * 1000:.0f}",
            f"{each['p99'] * 1000:.0f}",
            f"{each['alone']:.2f}",
            f"{each['loaded']:.2f}",
            f"{each['loaded'] / each['alone']:.2f}",
            f"{each['loaded cpu'] - each['alone cpu']:.2f}",
            *(f"{each['by place'][name] * 1000:.1f}" for name in ("first", "middle", "last")),
        ]
        for kind, each in found.items()
    ]
    head = [
        "", "listing p50 ms", "p99 ms", "crawl alone s", "under load s", "ratio", "server CPU s for the load",
        "first part ms", "middle", "last",
    ]  # fmt: skip
    events = next(iter(found.values()))["events"]
    return (
        f"{given.pages:,} pages in the project, {given.clients} WebSocket clients that each hear all {events:,} events"
        f" of the crawl, {given.rate:g} listings a second; {os.cpu_count()} cores for everything. Times of listings"
        f" count from when they were due. The last three columns are a part of {LIMIT} pages, asked for on an idle"
        f" service; medians.\n\n{report.table(head, rows)}"
    )


if __name__ == "__main__":
    main()
