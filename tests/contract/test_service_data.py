"""The service's data layer, on SQLite and on PostgreSQL."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4, uuid5

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from quire_test_site.postgres import Cluster
from sqlalchemy import Connection, inspect, text

from quire.records import State
from quire.service.data import crawls, decisions, events, pages, projects, texts
from quire.service.data.database import SCHEMA_VERSION, Database, open_database
from quire.service.data.tables import metadata
from quire.service.data.values import (
    AlreadyRunning,
    Batch,
    Claim,
    EventWrite,
    LeaseLost,
    PageStatus,
    PageWrite,
    PhaseStatus,
    Standing,
)

LEASE = 30.0


@pytest.fixture
def database(database_url: str, tmp_path: Path) -> Iterator[Database]:
    opened = open_database(database_url, tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def writing(database: Database) -> Iterator[Connection]:
    with database.writing() as connection:
        yield connection


def project(connection: Connection, name: str = "Shop") -> projects.Project:
    return projects.create(connection, name, "https://shop.test/", {})


def page(project_id: UUID, number: int, **values: Any) -> PageWrite:
    url = f"https://shop.test/{number:03}"
    plain: dict[str, Any] = {
        "id": uuid5(project_id, url),
        "url": url,
        "normalized_url": url,
        "status": PageStatus.SUCCESS,
        "crawled_at": datetime.now(UTC),
        "title": f"Page {number}",
        "content_text": f"The text number{number} of a page",
        "word_count": number % 7,
        "links_found": ["https://shop.test/"],
    }
    return PageWrite(**(plain | values))


def batch(*written: PageWrite, told: list[EventWrite] | None = None, **values: Any) -> Batch:
    standing = Standing(1.5, 10, len(written), {"saved": len(written)})
    plain: dict[str, Any] = {"decisions": [], "pages": written, "events": told or [], "standing": standing}
    return Batch(**(plain | values))


def claimed(database: Database, connection: Connection, owner: str = "one", lease: float = LEASE) -> Claim:
    claim = crawls.claim(database, connection, owner, lease)
    assert claim is not None
    return claim


@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
def test_the_migrated_schema_is_what_the_queries_expect(database: Database) -> None:
    """A5"""
    with database.reading() as connection:
        found = inspect(connection)
        for table in metadata.sorted_tables:
            columns = {each["name"] for each in found.get_columns(table.name)}
            assert {each.name for each in table.c} <= columns
            for name in {str(index.name) for index in table.indexes}:
                assert name in {each["name"] for each in found.get_indexes(table.name)}
        unique = [each["column_names"] for each in found.get_unique_constraints("crawled_pages")]
        assert ["project_id", "normalized_url"] in unique


def test_the_newest_migration_is_known_by_its_number() -> None:
    """A5: a start looks at the number only"""
    folder = files("quire.service.data.migrations.versions")
    numbers = [
        re.findall(r'^revision = "(.+)"$', each.read_text(), re.MULTILINE)
        for each in folder.iterdir()
        if each.is_file()
    ]
    assert max(number for found in numbers for number in found) == SCHEMA_VERSION


def test_postgresql_has_uuids_jsonb_and_timestamptz(postgres: Cluster) -> None:
    """A5: the types of the source."""
    query = "SELECT column_name, udt_name FROM information_schema.columns WHERE table_name = 'crawled_pages'"
    with psycopg.connect(postgres.create(template="migrated")) as connection:
        kinds: dict[str, str] = dict(connection.execute(query).fetchall())
    assert (kinds["id"], kinds["project_id"]) == ("uuid", "uuid")
    assert (kinds["links_found"], kinds["crawled_at"]) == ("jsonb", "timestamptz")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_database_of_an_earlier_version_is_brought_up_to_date(kind: str, tmp_path: Path, postgres: Cluster) -> None:
    """A5: with what is in it"""
    url = f"sqlite:///{tmp_path / 'old.sqlite'}" if kind == "sqlite" else postgres.create()
    database = open_database(url, tmp_path)
    config = Config()
    config.set_main_option("script_location", "quire.service.data:migrations")
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        shop = project(connection)
        crawl = crawls.request(connection, shop, {}, 200)
        old = "INSERT INTO decisions VALUES (:crawl, 1, 7, 'u', 1, 2, 0, '', '', 'a', NULL, NULL, 0, 0, 0, 0, 0, 0"
        values = {"crawl": crawl.id.hex if kind == "sqlite" else crawl.id}
        connection.execute(text(f"{old}, NULL, NULL, NULL, NULL, NULL, NULL)"), values)
    database.migrate()
    with database.writing() as connection:
        (row,) = decisions.load(connection, crawl.id)
        assert (row.url, row.response_ms) == ("u", None)
        pages.write(connection, shop.id, crawl.id, [page(shop.id, 1, response_ms=3)])
        (listed,) = pages.listed(connection, pages.Wanted(shop.id), None, 10)
        assert listed.response_ms == 3
    database.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_several_instances_may_migrate_at_once(kind: str, tmp_path: Path, postgres: Cluster) -> None:
    """A5"""
    url = f"sqlite:///{tmp_path / 'new.sqlite'}" if kind == "sqlite" else postgres.create()
    instances = [open_database(url, tmp_path) for _ in range(4)]
    problems: list[BaseException] = []

    def migrate(instance: Database) -> None:
        try:
            instance.migrate()
        except BaseException as problem:  # noqa: BLE001 - reported below
            problems.append(problem)

    threads = [threading.Thread(target=migrate, args=[instance]) for instance in instances]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    with instances[0].writing() as connection:
        project(connection)
    for instance in instances:
        instance.close()


def test_a_project_is_created_changed_listed_and_deleted(database: Database) -> None:
    """A1"""
    with database.writing() as connection:
        made = [project(connection, f"Shop {number}") for number in range(5)]
    with database.writing() as connection:
        changed = projects.change(connection, made[1].id, {"name": "Market", "settings": {"max_pages": 3}})
        assert changed is not None
        assert (changed.name, changed.settings) == ("Market", {"max_pages": 3})
        assert projects.change(connection, uuid4(), {"name": "x"}) is None
    with database.reading() as connection:
        for newest_first in (False, True):
            first = projects.listed(connection, None, 2, newest_first=newest_first)
            place = (first[-1].created_at, first[-1].id)
            rest = projects.listed(connection, place, 10, newest_first=newest_first)
            expected = made[::-1] if newest_first else made
            assert [each.id for each in (*first, *rest)] == [each.id for each in expected]
    with database.writing() as connection:
        assert projects.remove(connection, made[0].id)
        assert not projects.remove(connection, made[0].id)
        assert projects.get(connection, made[0].id) is None


def test_a_project_has_one_crawl_at_a_time(database: Database) -> None:
    """A2"""
    with database.writing() as connection:
        shop = project(connection)
        crawls.request(connection, shop, {}, 200)
    with database.writing() as connection, pytest.raises(AlreadyRunning):
        crawls.request(connection, shop, {}, 200)
    with database.writing() as connection, pytest.raises(AlreadyRunning):
        projects.remove(connection, shop.id)


def test_crawls_are_claimed_once_and_in_the_order_they_were_asked_for(database: Database) -> None:
    """A7"""
    with database.writing() as connection:
        asked = [crawls.request(connection, project(connection), {"a": 1}, 200) for _ in range(3)]
    taken = []
    for owner in ("one", "two", "one"):
        with database.writing() as connection:
            taken.append(claimed(database, connection, owner))
    assert [claim.crawl_id for claim in taken] == [crawl.id for crawl in asked]
    assert not any(claim.resumed for claim in taken)
    with database.writing() as connection:
        assert crawls.claim(database, connection, "one", LEASE) is None


def test_a_crawl_whose_lease_ended_is_taken_up_and_its_old_owner_writes_no_more(database: Database) -> None:
    """A7"""
    with database.writing() as connection:
        shop = project(connection)
        crawls.request(connection, shop, {}, 200)
        first = claimed(database, connection, lease=-1.0)
        second = claimed(database, connection, "two")
    assert (second.crawl_id, second.resumed) == (first.crawl_id, True)
    with pytest.raises(LeaseLost), database.writing() as connection:
        crawls.record(database, connection, first, LEASE, batch(page(shop.id, 1)))
    with database.reading() as connection:
        assert sum(pages.counts(connection, shop.id).values()) == 0
    with database.writing() as connection:
        crawls.record(database, connection, second, LEASE, batch(page(shop.id, 1)))
        assert pages.counts(connection, shop.id)[PageStatus.SUCCESS] == 1


def test_a_released_crawl_is_free_at_once(database: Database, writing: Connection) -> None:
    """A10"""
    crawls.request(writing, project(writing), {}, 200)
    crawls.release(writing, claimed(database, writing))
    assert claimed(database, writing).resumed


def test_cancelling_ends_a_waiting_crawl_and_reaches_a_running_one(database: Database, writing: Connection) -> None:
    """A2"""
    shop = project(writing)
    assert crawls.request_cancel(writing, shop.id) is None
    crawls.request(writing, shop, {}, 200)
    cancelled = crawls.request_cancel(writing, shop.id)
    assert cancelled is not None
    assert cancelled.status == PhaseStatus.CANCELLED
    crawls.request(writing, shop, {}, 200)
    claim = claimed(database, writing)
    assert not crawls.keep(database, writing, claim, LEASE)
    crawls.request_cancel(writing, shop.id)
    assert crawls.keep(database, writing, claim, LEASE)
    assert crawls.record(database, writing, claim, LEASE, batch())


def test_events_are_numbered_by_project_without_gaps(database: Database, writing: Connection) -> None:
    """A6"""
    shop, other = project(writing), project(writing)
    for each in (shop, other):
        crawls.request(writing, each, {}, 200)
    claim = claimed(database, writing)
    for number in range(3):
        told = [EventWrite("page", {"n": number}), EventWrite("progress", {"n": number})]
        crawls.record(database, writing, claim, LEASE, batch(told=told))
    crawls.finish(writing, claim, PhaseStatus.COMPLETED, statistics={"x": 1})
    found = events.after(writing, shop.id, 0, 100)
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    assert [each.type for each in found] == ["queued", "started", *["page", "progress"] * 3, "completed"]
    assert [each.number for each in events.after(writing, shop.id, 7, 1)] == [8]
    assert events.span(writing, shop.id) == (1, 9)
    assert events.last_numbers(writing, [shop.id, other.id]) == {shop.id: 9, other.id: 1}


def test_a_completed_crawl_is_at_100_with_its_statistics(database: Database, writing: Connection) -> None:
    """A4"""
    shop = project(writing)
    crawls.request(writing, shop, {}, 200)
    claim = claimed(database, writing)
    crawls.record(database, writing, claim, LEASE, batch(page(shop.id, 1), notes={"seeded": "yes"}))
    crawls.finish(writing, claim, PhaseStatus.COMPLETED, statistics={"words": 7})
    latest = crawls.latest(writing, shop.id)
    assert latest is not None
    assert (latest.status, latest.progress, latest.pages_crawled) == ("completed", 100.0, 1)
    assert (latest.statistics, latest.notes, latest.owner) == ({"words": 7}, {"seeded": "yes"}, None)
    with pytest.raises(LeaseLost):
        crawls.finish(writing, claim, PhaseStatus.FAILED, statistics={}, error="late")


def test_the_text_of_a_page_is_known_for_each_crawl(writing: Connection) -> None:
    """A8: only what changed is kept, and forgotten with its crawl"""
    shop = project(writing)
    url = page(shop.id, 1).normalized_url
    for crawl, words in enumerate(("one", "one", "two", "one"), 1):
        written = [page(shop.id, 1, markdown=words), page(shop.id, 2, markdown="always")]
        texts.keep_former(writing, shop.id, crawl, written)
        pages.write(writing, shop.id, uuid4(), written)
    assert [texts.at(writing, shop.id, url, crawl) for crawl in (1, 2, 3, 4)] == ["one", "one", "two", "one"]
    assert texts.changed(writing, shop.id, 2, 3) == texts.changed(writing, shop.id, 4, 3) == [url]
    assert texts.changed(writing, shop.id, 1, 2) == texts.changed(writing, shop.id, 1, 4) == []
    texts.forget(writing, shop.id, 3)
    assert [texts.at(writing, shop.id, url, crawl) for crawl in (3, 4)] == ["two", "one"]
    assert texts.at(writing, shop.id, "https://shop.test/nowhere", 1) is None


def test_a_page_is_written_over_and_a_failure_keeps_what_was_read(database: Database, writing: Connection) -> None:
    """A4, A5"""
    shop = project(writing)
    first, second, third = (uuid4() for _ in range(3))
    pages.write(writing, shop.id, first, [page(shop.id, 1), page(shop.id, 2)])
    failure = page(shop.id, 1, status=PageStatus.FAILED, error_message="http-500", title=None, content_text=None)
    pages.write(writing, shop.id, second, [failure, page(shop.id, 2, title="New")])
    one, two = (pages.get(writing, shop.id, page(shop.id, number).id) for number in (1, 2))
    assert one is not None
    assert (one.status, one.error_message, one.title, one.crawl_id) == ("failed", "http-500", "Page 1", second)
    assert two is not None
    assert (two.title, two.links_found, two.crawled_at.tzinfo is not None) == ("New", ["https://shop.test/"], True)
    assert pages.failed_urls(writing, shop.id, 10) == [one.url]
    gone = page(shop.id, 2, status=PageStatus.SKIPPED, error_message="not-found", title=None, content_text=None)
    pages.write(writing, shop.id, third, [gone])
    skipped = pages.get(writing, shop.id, gone.id)
    assert skipped is not None
    assert (skipped.status, skipped.title, skipped.content_text) == ("skipped", None, None)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("sort", pages.SORTS)
def test_pages_are_listed_whole_and_in_order_by_any_key(
    database: Database, writing: Connection, sort: str, descending: bool
) -> None:
    """A2: keyset paging, also over equal and missing values"""
    shop, other = project(writing), project(writing)
    texts: list[dict[str, Any]] = [{}, {"title": None}, {"title": "Zebra"}, {"title": "äpfel"}, {"word_count": None}]
    for number in range(30):
        pages.write(writing, shop.id, uuid4(), [page(shop.id, number, **texts[number % 5])])
    pages.write(writing, other.id, uuid4(), [page(other.id, 1)])
    wanted = pages.Wanted(shop.id, sort, descending)
    found: list[Any] = []
    after = None
    while part := pages.listed(writing, wanted, after, 7, whole=True):
        found += part
        value = getattr(part[-1], sort)
        after = ({"title": value or "", "word_count": value or 0}.get(sort, value), part[-1].id)
    assert len({each.id for each in found}) == len(found) == 30
    defaults = {"title": "", "word_count": 0}
    keys = [(getattr(each, sort) or defaults.get(sort), each.id) for each in found]
    assert keys == sorted(keys, reverse=descending)


def test_pages_are_filtered_by_status_crawl_and_words(database: Database, writing: Connection) -> None:
    """A2"""
    shop, crawl = project(writing), uuid4()
    texts = {
        1: "Opening hours: Mo-Fr 9.30",
        2: "Grüße aus Köln, opening_hours",
        3: "nothing",
        5: "我们在北京大学学习 Python 编程。IT部门 Trà Việt",
    }
    pages.write(writing, shop.id, crawl, [page(shop.id, n, content_text=words) for n, words in texts.items()])
    failed = page(shop.id, 4, status=PageStatus.FAILED, title="Opened", content_text=None)
    pages.write(writing, shop.id, uuid4(), [failed])

    def found(**values: Any) -> list[int]:
        listed = pages.listed(writing, pages.Wanted(shop.id, "url", **values), None, 10)
        return [int(each.url[-3:]) for each in listed]

    assert found(statuses=(PageStatus.FAILED,)) == [4]
    assert found(statuses=(PageStatus.FAILED, PageStatus.SUCCESS)) == [1, 2, 3, 4, 5]
    assert found(crawl_id=crawl) == [1, 2, 3, 5]
    assert found(search="OPENING hours") == [1, 2]
    assert found(search="open") == [1, 2, 4]
    assert found(search="grüße") == [2]
    assert found(search="大学") == [5]
    assert found(search="编程 pyth") == [5]
    assert found(search="编程 open") == []
    assert found(search="it部门") == [5]
    assert found(search="việt") == [5]
    assert found(search="hours 9.30") == [1]
    assert found(search="page noth") == [3]
    assert found(search="'\" OR (x) & !:* \\") == []
    assert found(search="...") == []
    pages.write(writing, shop.id, crawl, [page(shop.id, 1, content_text="closed")])
    assert found(search="opening") == [2]


def test_decisions_come_back_as_they_were_written(database: Database, writing: Connection) -> None:
    """F7, A7"""
    shop = project(writing)
    crawl = crawls.request(writing, shop, {}, 200)
    row = dict.fromkeys(decisions.COLUMNS) | {
        "id": 1, "key": -(2**63), "url": "https://shop.test/", "state": 0, "rank": 0, "weight": -0.5, "reason": "",
        "detail": "", "source": "start", "depth": 0, "hops": 0, "redirects": 0, "start": 1, "attempts": 0,
        "listed": 0, "facts": b"\x90", "links": b"\0\1",
    }  # fmt: skip
    second = row | {"id": 2, "key": 5, "parent": 1, "state": int(State.FILTERED), "reason": "exclude-pattern"}
    decisions.write(writing, crawl.id, [row, second])
    decisions.write(writing, crawl.id, [row | {"state": int(State.SAVED)}])
    loaded = [each._asdict() for each in decisions.load(writing, crawl.id)]
    assert loaded == [row | {"state": int(State.SAVED)}, second]
    listed = decisions.listed(writing, crawl.id, [State.FILTERED], 0, 10)
    assert [(each.id, each.parent_url) for each in listed] == [(2, "https://shop.test/")]


def test_old_crawls_lose_their_events_and_decisions_but_not_their_pages(
    database: Database, writing: Connection
) -> None:
    """A6"""
    shop = project(writing)
    for number in range(crawls.KEPT_CRAWLS + 2):
        crawls.request(writing, shop, {}, 200)
        claim = claimed(database, writing)
        crawls.record(database, writing, claim, LEASE, batch(page(shop.id, number)))
        crawls.finish(writing, claim, PhaseStatus.COMPLETED, statistics={})
    oldest, last = events.span(writing, shop.id) or (0, 0)
    assert last == 3 * (crawls.KEPT_CRAWLS + 2)
    assert oldest == 3 * 2 + 1
    assert pages.counts(writing, shop.id)[PageStatus.SUCCESS] == crawls.KEPT_CRAWLS + 2
    assert len(crawls.listed(writing, shop.id, None, 100)) == crawls.KEPT_CRAWLS + 2
