"""Instances that die: their crawls go on, nothing is lost or doubled, clients hear every event once (A6, A7)."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg
import pytest
from quire_test_site import Site
from quire_test_site.postgres import Cluster
from quire_test_site.service import ENDS, Project, Serve, Service, until
from websockets.exceptions import ConnectionClosed, InvalidHandshake

SHORT_LEASE = ("--lease-seconds", "1")


class Watcher:
    """A client that connects again whenever the service is back, from the last event it has."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.events: list[dict[str, Any]] = []
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self.events or self.events[-1]["type"] not in ENDS:
            try:
                with self._project.socket(after=len(self.events) and self.events[-1]["number"]) as socket:
                    self._listen(socket)
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                time.sleep(0.05)

    def _listen(self, socket: Any) -> None:
        for text in socket:
            message = json.loads(text)
            if message["type"] != "hello":
                self.events.append(message)
            if message["type"] in ENDS:
                return

    def ended(self) -> list[dict[str, Any]]:
        self._thread.join(120)
        assert not self._thread.is_alive()
        return self.events


def wait_for_requests(site: Site, number: int, projects: list[Project]) -> None:
    """Wait for so many requests, unless the crawls are at their end."""
    for _ in range(60):
        try:
            return site.wait(number, timeout=2)
        except TimeoutError:
            if all(project.status["status"] in ENDS for project in projects):
                return None
    raise TimeoutError(f"{number} requests did not come")


def check_crashes(service: Service, site: Site, projects: int, pages: int, kills: int, seed: int) -> None:
    """Crawl a site of so many pages in several projects, and kill the service in the middle so many times."""
    dice = random.Random(seed)
    site.grow(pages - 1)
    service.start()
    made = [service.project(site.url + "/", max_pages=1000, max_concurrent=8) for _ in range(projects)]
    watchers = [Watcher(project) for project in made]
    for project in made:
        project.run()
    settled: list[set[str]] = [set() for _ in made]
    for _ in range(kills):
        site.clear()
        wait_for_requests(site, dice.randrange(1, max(2, projects * pages // kills)), made)
        time.sleep(dice.random() * 0.05)
        service.kill()
        service.start()
        for place, project in enumerate(made):
            now = set(project.pages())
            assert settled[place] <= now
            settled[place] = now
    # What was settled at the last kill is not asked for again: each page once a project at most.
    site.clear()
    for project in made:
        state = project.wait(300)
        assert (state["status"], state["progress"], state["pages_crawled"]) == ("completed", 100.0, pages)
        assert len(project.pages(status="success")) == pages
    again = Counter(site.paths())
    for path in set.intersection(*settled):
        assert again[path] == 0, path
    for watcher in watchers:
        told = watcher.ended()
        assert [each["number"] for each in told] == list(range(1, len(told) + 1))
        urls = Counter(each["data"]["url"] for each in told if each["type"] == "page")
        assert len(urls) == pages
        assert set(urls.values()) == {1}
        progress = [each["data"]["progress"] for each in told if "progress" in each["data"]]
        assert progress == sorted(progress)
        assert progress[-1] == 100


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_killed_service_goes_on_where_it_was(
    kind: str, request: pytest.FixtureRequest, site: Site, serve: Serve
) -> None:
    """A4, A6, A7"""
    service = serve(*SHORT_LEASE, database=database_for(kind, request))
    check_crashes(service, site, projects=1, pages=150, kills=3, seed=1)
    assert service.stop() == 0


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_twenty_kills_lose_nothing(kind: str, request: pytest.FixtureRequest, site: Site, serve: Serve) -> None:
    """A6, A7: 2,000 pages; a crawl has 1,000 at most, so they are two crawls side by side."""
    service = serve(*SHORT_LEASE, database=database_for(kind, request))
    check_crashes(service, site, projects=2, pages=1000, kills=20, seed=2)
    assert service.stop() == 0


def database_for(kind: str, request: pytest.FixtureRequest) -> str | None:
    if kind == "sqlite":
        return None
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.create(template="migrated")


def owners(url: str) -> dict[str, str]:
    """Which process runs which project, from the database."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT project_id, owner FROM crawls WHERE status = 'in_progress'").fetchall()
    return {str(project): owner.split(":")[1] for project, owner in rows if owner}


def instance(service: Service) -> str:
    assert service.process
    return str(service.process.pid)


def test_two_instances_share_the_crawls_and_one_takes_over_those_of_the_other(
    postgres: Cluster, site: Site, serve: Serve
) -> None:
    """A7, A6: a client of one instance hears of crawls that the other runs."""
    url, lease = postgres.create(), 3.0
    # Both start on an empty database at once.
    options = ("--lease-seconds", f"{lease}", "--max-crawls", "2")
    first, second = (serve(*options, database=url) for _ in range(2))
    starting = threading.Thread(target=first.start)
    starting.start()
    second.start()
    starting.join()
    site.grow(60)
    projects = [first.project(site.url + "/", delay_seconds=0.1) for _ in range(3)]
    for project in projects:
        project.run()
    until(lambda: len(owners(url)) == 3, 30)
    mine = [project for project in projects if owners(url)[project.id] == instance(first)]
    assert len(mine) == 2
    watchers = [Watcher(project.on(second)) for project in mine]
    until(lambda: all(any(each["type"] == "page" for each in watcher.events) for watcher in watchers), 30)
    first.kill()
    killed = time.monotonic()
    until(lambda: list(owners(url).values()).count(instance(second)) == 2, 30)
    # It looks once a second; the rest is for a busy machine.
    assert time.monotonic() - killed < lease + 3
    for project in projects:
        assert project.on(second).wait(90)["pages_crawled"] == 61
    for watcher in watchers:
        told = watcher.ended()
        assert [each["number"] for each in told] == list(range(1, len(told) + 1))
        assert [each["type"] for each in told].count("resumed") == 1
    assert second.stop() == 0


def test_a_stopped_service_leaves_its_crawl_to_the_next_one(site: Site, serve: Serve) -> None:
    """A10: at once, without waiting for a lease to end"""
    site.grow(100)
    service = serve("--lease-seconds", "600").start()
    project = service.project(site.url + "/", delay_seconds=0.03)
    project.run()
    until(lambda: project.status["pages_crawled"] > 5, 30)
    assert service.stop() == 0
    service.start()
    settled = set(project.pages())
    site.clear()
    assert project.wait()["pages_crawled"] == 101
    assert settled.isdisjoint(site.paths())
    assert service.stop() == 0


def test_a_crawl_that_kills_its_service_is_given_up(serve: Serve, tmp_path: Path) -> None:
    """A7: after five times without any progress"""
    from quire.service.data import crawls, projects
    from quire.service.data.database import open_database

    database = open_database(None, tmp_path)
    database.migrate()
    with database.writing() as connection:
        made = projects.create(connection, "Deadly", "http://127.0.0.1:9/", {})
        crawls.request(connection, made, {}, 200)
        for _ in range(crawls.MOST_STALLS):
            assert crawls.claim(database, connection, "dead", -1.0)
    database.close()
    service = serve().start()
    state = Project(service, str(made.id)).wait()
    assert state["status"] == "failed"
    assert "got no further" in state["error"]
    assert service.stop() == 0
