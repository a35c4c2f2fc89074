"""What only a database can show of the service's frontier: crashes, and others who look on."""

from __future__ import annotations

import asyncio

import pytest
from quire_test_site.frontiers import ServiceFrontiers
from quire_test_site.turns import drained, leased
from sqlalchemy import text

from quire import urls
from quire.records import (
    Accepted,
    Facts,
    Failed,
    FoundLinks,
    Lease,
    Link,
    Made,
    PageRecord,
    Retry,
    Saved,
    State,
    Verdict,
)
from quire.schedule.sqlite import SqliteFrontier
from quire.service.data import crawls, decisions, events, pages
from quire.service.data.values import LeaseLost, PageStatus
from quire.settings import Pace

HURRY = Pace(delay=0.0, per_host=100, retry_delay=0.01)
NO_LINKS = FoundLinks()


def accept(link: Link, /) -> Verdict:
    return Accepted(0 if link.start else 2)


def link(path: str, **more: object) -> Link:
    key = urls.fingerprint_of("http://a.test" + path, urls.UrlPolicy())
    assert key is not None
    return Link("http://a.test" + path, key, **({"source": "a"} | more))  # type: ignore[arg-type]


def saved(lease: Lease, title: str = "Title") -> Saved:
    made = Made(Facts(title=title, word_count=3), NO_LINKS, markdown="# Title", text="Title\0 and \ud800 text")
    return Saved(PageRecord(None, lease.id, False, 1, "sha256:", Facts(), content=made))


def opened(frontiers: ServiceFrontiers, *, by_distance: bool = False) -> SqliteFrontier:
    frontier = frontiers.open(accept, HURRY, by_distance=by_distance)
    frontier.pace("a.test", 0.0)
    return frontier


async def test_what_was_not_settled_is_there_after_a_crash(service_frontiers: ServiceFrontiers) -> None:
    """A7, S5: with its order, its tries and its notes"""
    before = opened(service_frontiers)
    await before.add([link("/", start=True), link("/a"), link("/b", source="sitemap", found_on="http://a.test/s.xml")])
    start = await leased(before)
    before.put("bases", "http://a.test/")
    await before.settle(start, saved(start), [link("/c", depth=1)])
    tried = await leased(before)
    await before.settle(tried, Retry("timeout", 60.0))
    # Nobody closes it: the process is gone.
    after = opened(service_frontiers)
    assert after.note("bases") == "http://a.test/"
    assert after.counts()[State.SAVED] == 1
    assert not (await after.add([link("/"), link("/c")])).accepted
    again = await leased(after)
    assert (urls.path(again.link.url), again.attempts) == ("/a", 1)
    await after.settle(again, saved(again))
    assert await drained(after, saved) == ["/b", "/c"]
    with service_frontiers.database.reading() as connection:
        crawl = crawls.latest(connection, service_frontiers.project_id)
        assert crawl is not None
        rows = decisions.listed(connection, crawl.id, [], 0, 10)
        assert [(row.place, row.parent_url) for row in rows][2:] == [
            ("http://a.test/s.xml", None),
            (None, "http://a.test/"),
        ]


async def test_an_outcome_its_page_its_links_and_its_event_become_true_together(
    service_frontiers: ServiceFrontiers,
) -> None:
    """A5–A7"""
    it = opened(service_frontiers)
    await it.add([link("/a")])
    lease = await leased(it)
    query = text(
        "SELECT (SELECT count(*) FROM decisions), (SELECT sum(state) FROM decisions),"
        " (SELECT count(*) FROM crawled_pages), (SELECT count(*) FROM events WHERE type = 'page')"
    )

    def look() -> tuple[int, ...]:
        with service_frontiers.database.reading() as connection:
            return tuple(connection.execute(query).one())

    settling = asyncio.ensure_future(it.settle(lease, saved(lease), [link("/b"), link("/c")]))
    seen = set()
    while not settling.done():
        seen.add(look())
        await asyncio.sleep(0)
    seen.add(look())
    assert seen == {(1, 0, 0, 0), (3, 1, 1, 1)}


async def test_an_instance_that_lost_its_lease_settles_nothing(service_frontiers: ServiceFrontiers) -> None:
    """A7"""
    before = opened(service_frontiers)
    await before.add([link("/a")])
    lease = await leased(before)
    after = opened(service_frontiers)
    with pytest.raises(LeaseLost):
        await before.settle(lease, saved(lease, "Late"))
    again = await leased(after)
    await after.settle(again, saved(again, "In time"))
    with service_frontiers.database.reading() as connection:
        wanted = pages.Wanted(service_frontiers.project_id)
        assert [page.title for page in pages.listed(connection, wanted, None, 10)] == ["In time"]
        told = [
            each.data for each in events.after(connection, service_frontiers.project_id, 0, 100) if each.type == "page"
        ]
        assert [each["title"] for each in told] == ["In time"]


async def test_pages_of_a_host_that_was_given_up_are_recorded_as_failed(service_frontiers: ServiceFrontiers) -> None:
    """P5"""
    it = opened(service_frontiers)
    await it.add([link(f"/{number}") for number in range(8)])
    while (lease := await asyncio.wait_for(it.lease(), 5)) is not None:
        await it.settle(lease, Failed("unreachable", "refused"))
    with service_frontiers.database.reading() as connection:
        assert pages.counts(connection, service_frontiers.project_id)[PageStatus.FAILED] == 8
    assert it.counts()[State.FAILED] == 8


async def test_text_that_a_database_cannot_hold_is_mended(service_frontiers: ServiceFrontiers) -> None:
    """A5: PostgreSQL has no NUL, and nobody has lone surrogates"""
    it = opened(service_frontiers)
    await it.add([link("/a")])
    lease = await leased(it)
    await it.settle(lease, saved(lease, "x" * 600))
    with service_frontiers.database.reading() as connection:
        (brief,) = pages.listed(connection, pages.Wanted(service_frontiers.project_id), None, 10)
        page = pages.get(connection, service_frontiers.project_id, brief.id)
    assert page is not None
    assert (len(page.title), page.content_text) == (500, "Title and ? text")


async def test_the_shortest_way_counts_also_after_a_crash(service_frontiers: ServiceFrontiers) -> None:
    """P7"""
    before = opened(service_frontiers, by_distance=True)
    await before.add([link("/far", depth=2)])
    far = await leased(before)
    below = link("/below", depth=3)
    content = Made(Facts(), NO_LINKS, markdown="", text="")
    record = PageRecord(
        None, far.id, False, 1, "", Facts(), links=below.key.to_bytes(8, "little", signed=True), content=content
    )
    await before.settle(far, Saved(record), [below])
    after = opened(service_frontiers, by_distance=True)
    await after.add([link("/far", depth=0)])
    lease = await leased(after)
    assert (urls.path(lease.link.url), lease.link.depth) == ("/below", 1)
