"""How fast the service writes pages, against what each database can do at most.

    python bench/page_writes.py [--pages N] [--rounds N] [--write]

Pages of some 3 KB of text go into the migrated schema, 50 a transaction, by the function that crawls use: the crawl's
row, a decision, the page record with its index of words, and an event for each page. The limit is the same page records
alone, into the same table: COPY for PostgreSQL, one `executemany` for SQLite, all in one transaction.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4, uuid5

import report

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "site"))

from quire_test_site.growth import grown_page
from quire_test_site.postgres import Cluster, programs

from quire.service.data import crawls, projects
from quire.service.data.database import Database, open_database
from quire.service.data.values import Batch, EventWrite, PageStatus, PageWrite, Standing

BATCH = 50
COLUMNS = (
    "id", "project_id", "url", "normalized_url", "title", "h1", "meta_description", "content_text", "word_count",
    "links_found", "crawled_at", "status", "error_message", "crawl_id", "markdown",
)  # fmt: skip


def page(project_id: UUID, number: int) -> PageWrite:
    url = f"https://shop.test/section-{number // 100}/page-{number}"
    body = str(grown_page(number, 100_000, 10).body).replace("<p>", "").replace("</p>", "\n")
    links = [f"https://shop.test/section-{each}/page-{each * 7}" for each in range(number, number + 30)]
    return PageWrite(
        uuid5(project_id, url), url, url, PageStatus.SUCCESS, datetime.now(UTC), None, f"Page {number}",
        f"Page {number}", "What it is about", body, body, len(body.split()), links,
    )  # fmt: skip


def decision(number: int) -> dict[str, Any]:
    return {
        "id": number, "key": number, "url": f"https://shop.test/page-{number}", "state": 1, "rank": 2, "weight": -0.5,
        "reason": "", "detail": "", "source": "a", "parent": max(1, number - 1), "place": None, "depth": 1, "hops": 0,
        "redirects": 0, "start": 0, "attempts": 0, "listed": 0, "lastmod": None, "priority": None, "changefreq": None,
        "target": None, "facts": b"\x90", "links": bytes(240), "asked_at": datetime.now(UTC), "size": 4000,
        "hash": f"sha256:{number:064x}", "content_type": "text/html", "fetched_by": "http", "response_ms": 42,
    }  # fmt: skip


def batches(project_id: UUID, number: int) -> Iterator[Batch]:
    for first in range(0, number, BATCH):
        numbers = range(first, min(first + BATCH, number))
        written = [page(project_id, each) for each in numbers]
        told = [EventWrite("page", {"id": str(each.id), "url": each.url, "status": "success"}) for each in written]
        standing = Standing(1.0, number, first, {"saved": first})
        yield Batch([decision(each + 1) for each in numbers], written, told, standing)


def by_service(database: Database, number: int) -> float:
    with database.writing() as connection:
        project = projects.create(connection, "Shop", "https://shop.test/", {})
        crawls.request(connection, project, {}, number)
        claim = crawls.claim(database, connection, "bench", 3600)
    assert claim
    made = list(batches(project.id, number))
    begun = perf_counter()
    for batch in made:
        with database.writing() as connection:
            crawls.record(database, connection, claim, 3600, batch)
    return number / (perf_counter() - begun)


def rows(project_id: UUID, number: int) -> list[tuple[Any, ...]]:
    return [
        (
            each.id, project_id, each.url, each.normalized_url, each.title, each.h1, each.meta_description,
            each.content_text, each.word_count, json.dumps(each.links_found), each.crawled_at, "success", None,
            uuid4(), each.markdown,
        )
        for each in (page(project_id, place) for place in range(number))
    ]  # fmt: skip


def at_most(database: Database, number: int) -> float:
    with database.writing() as connection:
        project = projects.create(connection, "Shop", "https://shop.test/", {})
    made = rows(project.id, number)
    names = ", ".join(COLUMNS)
    with database.writing() as connection:
        raw: Any = connection.connection.dbapi_connection
        if database.is_sqlite:
            made = [tuple(each.hex if isinstance(each, UUID) else each for each in row) for row in made]
            made = [tuple(str(each) if isinstance(each, datetime) else each for each in row) for row in made]
            begun = perf_counter()
            marks = ",".join("?" * len(COLUMNS))
            raw.executemany(f"INSERT INTO crawled_pages ({names}) VALUES ({marks})", made)
        else:
            begun = perf_counter()
            with raw.cursor().copy(f"COPY crawled_pages ({names}) FROM STDIN") as copy:
                for row in made:
                    copy.write_row(row)
    return number / (perf_counter() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--note", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    about = report.setting(given.note)
    bin = programs()
    if bin is None:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
    rates: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with Cluster(bin, durable=True) as cluster, tempfile.TemporaryDirectory(prefix="quire-writes-") as name:
        for number in range(given.rounds):
            for kind in ("SQLite", "PostgreSQL"):
                url = cluster.create() if kind == "PostgreSQL" else f"sqlite:///{name}/{number}.sqlite"
                database = open_database(url, Path(name))
                database.migrate()
                rates[kind]["service"].append(by_service(database, given.pages))
                rates[kind]["limit"].append(at_most(database, given.pages))
                database.close()
    lines = []
    for kind, found in rates.items():
        service, limit = median(found["service"]), median(found["limit"])
        lines.append([kind, f"{service:,.0f}", f"{limit:,.0f}", f"{service / limit:.2f}"])
    head = ["", "pages a second, by the service", "limit: COPY or executemany", "share of the limit"]
    text = (
        f"{given.pages:,} pages, {BATCH} a transaction, on disk with each database's usual durability; medians of"
        f" {given.rounds}.\n\n{report.table(head, lines)}"
    )
    report.publish("page_writes", text, rates, about, write=given.write)


if __name__ == "__main__":
    main()
