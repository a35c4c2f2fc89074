"""How quick the service's dashboard is with many pages: `bench/dashboard_service.py [PAGES]`, by itself 100,000.

A made-up crawl is written into a database by the service's own code, `quire serve` is started on it, and its pages are
opened in Chromium. What is measured is the time from a click to the frame that shows its effect, the CPU time of the
page's main thread, and that of the server.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from datetime import datetime
from itertools import islice
from pathlib import Path
from struct import pack, unpack
from typing import Any
from uuid import UUID, uuid5

from dashboard import FLAGS, RUNS, TIMED, WORDS, MadeUp
from msgspec import msgpack
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "site"))

import psutil
from quire_test_site.service import Service

from quire.records import Surveyed
from quire.service.data import crawls, projects
from quire.service.data.database import FILE_NAME, open_database
from quire.service.data.values import Batch, PageStatus, PageWrite, PhaseStatus, Standing
from quire.service.naming import key_of

SITE = "https://example.com/"
BATCH = 500
# Each begins where the one before has ended; the first is opened by its address.
ACTIONS: tuple[tuple[str, dict[str, str], str], ...] = (
    ("sorted by words", {"click": "[data-sort=words]"}, "th[aria-sort] [data-sort=words]"),
    ("sorted by title", {"click": "[data-sort=title]"}, "th[aria-sort] [data-sort=title]"),
    ("next fifty", {"click": ".pager button:last-child"}, ".pager button:not([disabled])"),
    ("only what failed", {"choose": "failed"}, ".state"),
    ("all again", {"choose": "kept"}, "tbody tr"),
    ("search: one page", {"type": "number{last}"}, "tbody tr"),
    ("search: every page", {"type": "returns"}, "tbody tr:nth-child(50)"),
    ("the same, failed", {"choose": "failed"}, ".state"),
    ("one page, its text", {"hash": "#/page/{page}", "part": "yes"}, ".markdown"),
    ("its links, from the crawl as a whole", {}, ".columns h3"),
    ("tree", {"hash": "#/tree"}, "[role=treeitem]"),
    ("graph", {"hash": "#/graph"}, ".node"),
    ("graph, more detail", {"click": "[role=group] button:nth-child(3)"}, ".node:nth-child(100)"),
    ("problems", {"hash": "#/problems/thin"}, ".problem-list"),
    ("charts", {"hash": "#/charts"}, "figure"),
    ("overview", {"hash": "#/overview"}, ".tiles"),
)


def text_of(row: Surveyed, number: int) -> str:
    """Some two hundred words that hold what is searched for."""
    return f"# {row.facts.title}\n\nnumber{number} " + " ".join(WORDS[(number + at) % 10] for at in range(200))


def decision(row: Surveyed, id: int, keys: list[int]) -> dict[str, Any]:
    links = pack("<20q", *(keys[number] for number in unpack("<20q", row.links)))
    return {
        "id": id, "key": keys[row.key], "url": row.url, "state": int(row.state), "rank": 2, "weight": -0.5,
        "reason": "", "detail": "", "source": "a", "parent": (row.parent or 0) + 1, "place": None, "depth": row.depth,
        "hops": 0, "redirects": 0, "start": 0, "attempts": 0, "listed": 0, "lastmod": None, "priority": None,
        "changefreq": None, "target": None, "facts": msgpack.encode(row.facts), "links": links, "size": row.size,
        "hash": row.hash, "content_type": row.content_type, "fetched_by": row.fetched_by,
        "response_ms": row.response_ms, "asked_at": datetime.fromisoformat(row.fetched_at),
    }  # fmt: skip


def written(project_id: UUID, row: Surveyed, number: int) -> PageWrite:
    text = text_of(row, number)
    return PageWrite(
        uuid5(project_id, row.url), row.url, row.url, PageStatus.SUCCESS, datetime.fromisoformat(row.fetched_at), None,
        row.facts.title, row.facts.title, row.facts.description, text, text, row.facts.word_count, [SITE],
        row.content_type, row.fetched_by, row.response_ms,
    )  # fmt: skip


def fill(folder: Path, number: int) -> str:
    """Write one crawl of so many pages; returns the project's id."""
    database = open_database(f"sqlite:///{folder / FILE_NAME}", folder)
    database.migrate()
    with database.writing() as connection:
        project = projects.create(connection, "A large site", SITE, {})
        crawls.request(connection, project, {}, number)
        claim = crawls.claim(database, connection, "bench", 36_000)
    assert claim
    keys = [key_of(row.url) for row in MadeUp(number).pages()]
    rows = enumerate(MadeUp(number).pages())
    while some := list(islice(rows, BATCH)):
        done = some[-1][0] + 1
        pages = [written(project.id, row, at) for at, row in some]
        standing = Standing(1.0, number, done, {"saved": done})
        batch = Batch([decision(row, at + 1, keys) for at, row in some], pages, [], standing)
        with database.writing() as connection:
            crawls.record(database, connection, claim, 36_000, batch)
    with database.writing() as connection:
        crawls.finish(connection, claim, PhaseStatus.COMPLETED, statistics={})
    database.close()
    return str(project.id)


class Watch:
    """CPU milliseconds of the page's main thread and of the server."""

    def __init__(self, page: Page, server: psutil.Process) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._server = server

    def spent(self) -> tuple[float, float]:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        busy = next(each["value"] for each in metrics if each["name"] == "TaskDuration")
        times = self._server.cpu_times()
        return 1000 * busy, 1000 * (times.user + times.system)


def measure(page: Page, address: str, number: int, server: psutil.Process) -> dict[str, tuple[float, ...]]:
    """Milliseconds, those of CPU in the page, and in the server: for opening the table and for each action."""
    watch = Watch(page, server)
    page.goto("about:blank")
    before = watch.spent()
    page.goto(f"{address}#/pages")
    page.wait_for_selector("tbody tr")
    opened = page.evaluate("performance.now()")
    painted = page.evaluate("performance.getEntriesByType('paint').at(-1).startTime")
    found = {"first paint": (painted, 0.0, 0.0), "table of pages": (opened, *_since(watch, before))}
    first = page.locator("tbody a").first.get_attribute("href") or ""
    for name, action, selector in ACTIONS:
        asked = {key: value.format(page=first.partition("/page/")[2], last=number - 1) for key, value in action.items()}
        before = watch.spent()
        found[name] = page.evaluate(TIMED, [asked, selector]), *_since(watch, before)
    return found


def _since(watch: Watch, before: tuple[float, float]) -> tuple[float, ...]:
    return tuple(now - then for now, then in zip(watch.spent(), before, strict=True))


def main() -> None:
    number = int(sys.argv[1]) if sys.argv[1:] else 100_000
    with tempfile.TemporaryDirectory(prefix="quire-bench-") as name:
        folder = Path(name)
        project = fill(folder, number)
        size = (folder / FILE_NAME).stat().st_size
        service = Service(None, folder).start()
        runs = watched(f"{service.root}/projects/{project}", number, service)
        service.stop()
    print(f"{number:,} pages, a database of {size / 1e6:.0f} MB")
    print("  | | ms | of CPU, page | of CPU, server |\n  |---|---|---|---|")
    for action in runs[0]:
        figures = " | ".join(f"{statistics.median(run[action][part] for run in runs):.0f}" for part in range(3))
        print(f"  | {action} | {figures} |")


def watched(address: str, number: int, service: Service) -> list[dict[str, tuple[float, ...]]]:
    assert service.process
    server = psutil.Process(service.process.pid)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        runs = [measure(page, address, number, server) for _ in range(RUNS)]
        browser.close()
    return runs


if __name__ == "__main__":
    main()
