"""The frontier's contract, over every form of it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from struct import pack

import pytest
from quire_test_site.frontiers import ServiceFrontiers
from quire_test_site.turns import drained, leased

from quire import urls
from quire.errors import InUse
from quire.records import (
    Accepted,
    Facts,
    Failed,
    FoundLinks,
    Lease,
    Link,
    Moved,
    PageRecord,
    Redirected,
    Rejected,
    Retry,
    Saved,
    Skipped,
    State,
    Verdict,
)
from quire.schedule import crawls
from quire.schedule.database import open_database
from quire.schedule.ledger import Ledger
from quire.schedule.salvage import open_sound
from quire.schedule.sqlite import SqliteFrontier
from quire.settings import Pace

POLICY = urls.UrlPolicy()
HURRY = Pace(delay=0.0, per_host=100, retry_delay=0.01)


def link(url: str, **more: object) -> Link:
    if "://" not in url:
        url = "http://a.test" + url
    key = urls.fingerprint_of(url, POLICY)
    assert key is not None
    return Link(url, key, **({"source": "a"} | more))  # type: ignore[arg-type]


def saved(lease: Lease, path: str | None = None) -> Saved:
    return Saved(PageRecord(path or f"{lease.id}.md", lease.id, False, 1, "sha256:", Facts()))


@dataclass
class Judging:
    """A rule that refuses /no and counts how often it is asked."""

    asked: list[str] = field(default_factory=list)

    def __call__(self, link: Link, /) -> Verdict:
        self.asked.append(link.url)
        if "/no" in link.url:
            return Rejected(State.FILTERED, "exclude-pattern", "/no")
        if link.nofollow:
            return Rejected(State.FILTERED, "nofollow", link.nofollow)
        return Accepted(0 if link.start else 1 if "/first" in link.url else 2, link.priority or 0.5)


_opened: list[sqlite3.Connection] = []


def opened(path: str | Path) -> sqlite3.Connection:
    """Open a database that is closed after the test, as a crash would."""
    _opened.append(open_database(path))
    return _opened[-1]


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while _opened:
        _opened.pop().close()


Opener = Callable[..., SqliteFrontier]


MIRRORS = ["memory", "sqlite"]


@pytest.fixture(params=[*MIRRORS, "service on sqlite", "service on postgresql"])
def frontier(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    services: list[ServiceFrontiers] = []

    def made(pace: Pace = HURRY, rule: Judging | None = None) -> SqliteFrontier:
        if request.param.startswith("service"):
            on_file = request.param.endswith("sqlite")
            url = (
                f"sqlite:///{tmp_path / 'service.sqlite'}" if on_file else request.getfixturevalue("postgres").create()
            )
            services.append(ServiceFrontiers(url, tmp_path))
            it = services[-1].open(rule or Judging(), pace)
        else:
            where = ":memory:" if request.param == "memory" else tmp_path / "frontier.sqlite"
            it = SqliteFrontier(opened(where), rule or Judging(), pace)
        for host in ("a.test", "b.test"):
            it.pace(host, pace.seconds_between)
        return it

    yield made
    for each in services:
        each.close()


async def never_comes(waiting: Awaitable[object]) -> bool:
    """Whether something still waits after the loop has had every chance to run it."""
    task = asyncio.ensure_future(waiting)
    for _ in range(20):
        await asyncio.sleep(0)
    return not task.done() and task.cancel()


async def test_a_url_is_taken_in_once(frontier: Opener) -> None:
    """D10: in the queue, in flight and when done."""
    it = frontier()
    assert (await it.add([link("/a"), link("/a"), link("/a/")])).accepted == 1
    lease = await leased(it)
    assert (await it.add([link("/a")])).accepted == 0
    await it.settle(lease, saved(lease), [link("/a"), link("/b")])
    assert (await it.add([link("/a")])).accepted == 0
    assert await drained(it, saved) == ["/b"]


async def test_unknown_links_are_the_new_ones_and_the_first_by_https(frontier: Opener) -> None:
    """D10, U3"""
    it = frontier()
    await it.add([link("/a"), link("https://a.test/b")])
    found = [link("/a"), link("/new"), link("/b"), link("https://a.test/a"), link("https://a.test/b")]
    columns = FoundLinks(
        [each.url for each in found], pack(f"<{len(found)}q", *(each.key for each in found)), ["a"] * len(found)
    )
    assert [url for url, _, _ in it.unknown(columns)] == ["http://a.test/new", "https://a.test/a"]


async def test_the_lowest_rank_goes_first_then_weight_then_the_order_of_discovery(frontier: Opener) -> None:
    """P1"""
    it = frontier()
    await it.add([link("/x"), link("/y"), link("/first/1"), link("/heavy", priority=0.9), link("/first/2")])
    await it.add([link("/home", start=True)])
    assert await drained(it, saved) == ["/home", "/first/1", "/first/2", "/heavy", "/x", "/y"]


@pytest.mark.parametrize("frontier", MIRRORS, indirect=True)
async def test_the_order_holds_for_more_urls_than_the_window(frontier: Opener) -> None:
    """P1, X1"""
    it = frontier()
    await it.add([link(f"/{number}") for number in range(2500)])
    first = [await leased(it) for _ in range(10)]
    await it.add([link(f"/first/{number}") for number in range(3)])
    for lease in first:
        await it.settle(lease, saved(lease))
    expected = [f"/first/{number}" for number in range(3)] + [f"/{number}" for number in range(10, 2500)]
    assert await drained(it, saved) == expected


async def test_a_refusal_is_recorded_and_never_leased(frontier: Opener) -> None:
    """F7"""
    it = frontier()
    added = await it.add([link("/no/1"), link("/yes"), link("/no/2")])
    assert [(each.url, why.reason) for each, why in added.rejected] == [
        ("http://a.test/no/1", "exclude-pattern"),
        ("http://a.test/no/2", "exclude-pattern"),
    ]
    assert await drained(it, saved) == ["/yes"]
    assert it.counts()[State.FILTERED] == 2


async def test_nobody_gets_a_url_that_is_under_way(frontier: Opener) -> None:
    it = frontier()
    await it.add([link("/a")])
    lease = await leased(it)
    assert await never_comes(it.lease())
    await it.settle(lease, saved(lease))
    assert await it.lease() is None


async def test_a_stale_lease_settles_nothing(frontier: Opener) -> None:
    it = frontier()
    await it.add([link("/a")])
    stale = await leased(it)
    await it.settle(stale, Retry("http-500"))
    fresh = await leased(it)
    await it.settle(stale, Failed("late"), [link("/ghost")])
    assert it.counts()[State.FAILED] == 0
    await it.settle(fresh, saved(fresh))
    assert await it.lease() is None
    assert it.counts()[State.SAVED] == 1


async def test_links_of_the_last_page_are_waited_for(frontier: Opener) -> None:
    it = frontier()
    await it.add([link("/a")])
    first = await leased(it)
    second = asyncio.create_task(it.lease())
    await it.settle(first, saved(first), [link("/b")])
    lease = await asyncio.wait_for(second, 5)
    assert lease is not None
    assert lease.link.url.endswith("/b")


async def test_a_host_is_asked_no_faster_than_its_pace(frontier: Opener) -> None:
    """P3"""
    it = frontier(Pace(delay=0.05, per_host=10))
    await it.add([link(f"/{number}") for number in range(4)])
    loop = asyncio.get_running_loop()
    times = []
    for _ in range(4):
        lease = await leased(it)
        times.append(loop.time())
        it.sending(lease)
        await it.settle(lease, saved(lease))
    assert all(later - earlier >= 0.05 for earlier, later in pairwise(times))


async def test_hosts_run_side_by_side(frontier: Opener) -> None:
    """P3"""
    it = frontier(Pace(delay=0.0, per_host=1))
    await it.add([link("/1"), link("/2"), link("http://b.test/1")])
    assert {urls.host((await leased(it)).link.url) for _ in range(2)} == {"a.test", "b.test"}
    assert await never_comes(it.lease())


async def test_no_more_than_per_host_are_under_way(frontier: Opener) -> None:
    """R15"""
    it = frontier(Pace(delay=0.0, per_host=2))
    await it.add([link(f"/{number}") for number in range(5)])
    first, _ = await leased(it), await leased(it)
    assert await never_comes(it.lease())
    await it.settle(first, saved(first))
    assert (await leased(it)).link.url.endswith("/2")


async def test_a_host_that_was_not_heard_of_gets_one_request_at_a_time(frontier: Opener) -> None:
    """P3: until its robots.txt is read."""
    it = frontier()
    await it.add([link("http://new.test/1"), link("http://new.test/2")])
    await leased(it)
    assert await never_comes(it.lease())
    it.pace("new.test", 0.0)
    assert (await leased(it)).link.url.endswith("/2")


async def test_too_many_requests_pause_that_host_only(frontier: Opener) -> None:
    """P4"""
    it = frontier()
    await it.add([link("/1"), link("/2")])
    lease = await leased(it)
    await it.settle(lease, Retry("http-429", 60.0, pause=True))
    await it.add([link("http://b.test/1")])
    assert (await leased(it)).link.url == "http://b.test/1"
    assert await never_comes(it.lease())


async def test_a_retry_waits_its_time_while_others_go_on(frontier: Opener) -> None:
    """P5"""
    it = frontier()
    await it.add([link("/1"), link("/2")])
    first = await leased(it)
    await it.settle(first, Retry("http-500", 0.5))
    second = await leased(it)
    assert second.link.url.endswith("/2")
    await it.settle(second, saved(second))
    again = await leased(it)
    assert (again.link.url, again.attempts) == (first.link.url, 1)


async def test_what_is_put_off_comes_after_everything_else(frontier: Opener) -> None:
    """S7"""
    it = frontier()
    await it.add([link("/1"), link("/2"), link("/3")])
    first = await leased(it)
    await it.settle(first, Retry("http-503", later=True), [link("/4")])
    assert await drained(it, saved) == ["/2", "/3", "/4", "/1"]


@pytest.mark.parametrize("frontier", MIRRORS, indirect=True)
async def test_more_urls_are_put_off_than_the_window_holds(frontier: Opener) -> None:
    """S7, X1"""
    it = frontier()
    await it.add([link(f"/{number}") for number in range(2100)])
    for _ in range(2100):
        lease = await leased(it)
        await it.settle(lease, Retry("http-503", later=True))
    assert len(await drained(it, saved)) == 2100


async def test_a_held_host_gives_its_start_urls_only(frontier: Opener) -> None:
    """D1: also while a start URL waits for another try"""
    it = frontier()
    await it.add([link("/", start=True), link("/a")])
    it.hold("a.test")
    start = await leased(it)
    assert await never_comes(it.lease())
    await it.settle(start, Retry("http-429", 0.02))
    again = await leased(it)
    assert again.id == start.id
    await it.settle(again, saved(again))
    it.release("a.test")
    assert await drained(it, saved) == ["/a"]


async def test_start_urls_only(frontier: Opener) -> None:
    """C2, C3"""
    it = frontier()
    it.lease_starts_only()
    await it.add([link("/a"), link("/", start=True), link("http://b.test/x")])
    assert await drained(it, saved) == ["/"]
    assert it.counts()[State.PENDING] == 2


async def test_a_host_that_keeps_failing_is_given_up(frontier: Opener) -> None:
    """P5: parked, not hammered; the other host goes on."""
    it = frontier(Pace(delay=0.0, retry_delay=0.0))
    await it.add([link(f"/{number}") for number in range(30)] + [link("http://b.test/1")])
    asked = given_up = 0
    while (lease := await asyncio.wait_for(it.lease(), 5)) is not None:
        if urls.host(lease.link.url) == "b.test":
            await it.settle(lease, saved(lease))
            continue
        asked += 1
        given_up += (await it.settle(lease, Failed("unreachable", "refused"))).given_up
    assert asked == 5
    assert given_up == 25
    assert it.counts()[State.FAILED] == 30
    assert it.counts()[State.SAVED] == 1


async def test_https_is_preferred_when_both_occur(frontier: Opener) -> None:
    """U3"""
    it = frontier()
    await it.add([link("http://a.test/x"), link("https://a.test/x"), link("https://a.test/y"), link("http://a.test/y")])
    assert [(await leased(it)).link.url for _ in range(2)] == ["https://a.test/x", "https://a.test/y"]


async def test_another_spelling_of_the_same_url_is_asked_under_one_name(frontier: Opener) -> None:
    """U5, R8"""
    it = frontier()
    await it.add([link("/docs")])
    lease = await leased(it)
    await it.settle(lease, Moved("http://a.test/docs/"))
    again = await leased(it)
    assert (again.id, again.link.url, again.link.redirects) == (lease.id, "http://a.test/docs/", 1)


async def test_a_redirect_that_comes_round_is_seen(frontier: Opener) -> None:
    """P6"""
    it = frontier()
    await it.add([link("/a")])
    first = await leased(it)
    await it.settle(first, Redirected(link("/b")), [link("/b")])
    second = await leased(it)
    assert not it.leads_back(second, link("/c").key)
    assert it.leads_back(second, link("/a").key)


async def test_stop_ends_every_wait(frontier: Opener) -> None:
    it = frontier()
    await it.add([link("/a")])
    await leased(it)
    waiting = asyncio.create_task(it.lease())
    await asyncio.sleep(0)
    it.stop()
    assert await asyncio.wait_for(waiting, 5) is None
    assert await it.lease() is None


async def test_every_url_has_one_decision_and_the_counts_add_up(frontier: Opener) -> None:
    """F7"""
    it = frontier()
    await it.add([link(f"/{number}") for number in range(6)] + [link("/no")])
    outcomes = [
        None,
        Failed("http-500"),
        Skipped("not-found"),
        Skipped("x", state=State.EXTERNAL),
        Redirected(link("/0")),
    ]
    for outcome in outcomes:
        lease = await leased(it)
        await it.settle(lease, outcome or saved(lease))
    counts = it.counts()
    assert sum(counts.values()) == 7
    assert (counts[State.PENDING], counts[State.SAVED], counts[State.FAILED], counts[State.DUPLICATE]) == (1, 1, 1, 1)


async def test_a_sitemap_adds_what_it_knows_of_a_url_seen_before(frontier: Opener) -> None:
    """D3"""
    it = frontier()
    await it.add([link("/a", start=True)])
    await it.add([link("/a", source="sitemap", lastmod="2026-01-01", priority=0.3, changefreq="daily")])
    lease = await leased(it)
    assert (lease.link.lastmod, lease.link.priority, lease.link.changefreq) == ("2026-01-01", 0.3, "daily")


async def test_a_shorter_way_counts_whenever_it_is_found() -> None:
    """P7: the limit of depth does not depend on the order of answers."""
    it = SqliteFrontier(opened(":memory:"), Shallow(), HURRY, by_distance=True)
    it.pace("a.test", 0.0)
    await it.add([link("/far", depth=2), link("/deep", depth=3)])
    far = await leased(it)
    page = Saved(PageRecord("far.md", 1, False, 1, "sha256:", Facts(), links=pack("<q", link("/below").key)))
    assert [each.url for each, _ in (await it.settle(far, page, [link("/below", depth=3)])).rejected] == [
        "http://a.test/below"
    ]
    await it.add([link("/far", depth=1), link("/deep", depth=2)])
    assert sorted(await drained(it, saved)) == ["/below", "/deep"]
    assert it.counts()[State.FILTERED] == 0


class Shallow:
    def __call__(self, link: Link, /) -> Verdict:
        return Rejected(State.FILTERED, "max-depth", "2") if link.depth > 2 else Accepted(2)


# What only a file can show.


async def test_what_is_left_out_for_where_it_was_found_is_taken_in_from_another_page(frontier: Opener) -> None:
    """P7, F7: once, and every count follows"""
    it = frontier()
    hidden = [link("/q?a=1", nofollow="hidden"), link("/q?a=2", nofollow="hidden")]
    assert len((await it.add(hidden)).rejected) == 2
    assert (await it.add(hidden)).rejected == ()
    assert it.counts()[State.FILTERED] == 2
    assert (await it.add([link("/q?a=2"), link("/no?b=1", nofollow="hidden")])).accepted == 1
    assert (await it.add([link("/q?a=2"), link("/q?a=2", nofollow="hidden")])).accepted == 0
    assert (it.counts()[State.FILTERED], it.counts()[State.PENDING]) == (2, 1)
    assert await drained(it, saved) == ["/q"]
    assert it.counts()[State.SAVED] == 1


async def test_what_is_left_out_may_be_taken_in_after_a_restart(tmp_path: Path) -> None:
    """P7, S5"""
    path = tmp_path / "frontier.sqlite"
    first = SqliteFrontier(opened(path), Judging(), HURRY)
    await first.add([link("/q?a=1", nofollow="hidden"), link("/q?a=2", nofollow="hidden")])
    await first.close()
    second = SqliteFrontier(opened(path), Judging(), HURRY)
    assert (await second.add([link("/q?a=1", nofollow="hidden"), link("/q?a=2")])).accepted == 1
    assert (second.counts()[State.FILTERED], second.counts()[State.PENDING]) == (1, 1)
    await second.close()
    with closing(open_database(path)) as database:
        assert Ledger(database).reasons(State.FILTERED) == {"nofollow": 1}


async def test_a_host_that_another_crawl_has_waits(tmp_path: Path) -> None:
    """X2, P3: for pages as for what has no lease; the others have their turns"""
    taken = {"a.test"}
    it = SqliteFrontier(
        open_database(tmp_path / "frontier.sqlite"), Judging(), HURRY, claim=lambda host: host not in taken
    )
    await it.add([link("/a"), link("http://b.test/b")])
    lease = await leased(it)
    assert lease.link.url == "http://b.test/b"
    await it.settle(lease, saved(lease))
    assert await never_comes(it.pass_by("a.test"))
    assert await never_comes(it.lease())
    taken.clear()
    assert (await leased(it)).link.url == "http://a.test/a"
    await asyncio.wait_for(it.pass_by("a.test"), 5)


def test_a_frontier_that_is_alone_keeps_others_out(tmp_path: Path) -> None:
    """X2, S6: who comes meanwhile is told so, and does not take it for damaged"""
    path = tmp_path / "frontier.sqlite"
    with closing(open_sound(path, pytest.fail, alone=True)):
        with pytest.raises(InUse):
            open_sound(path, pytest.fail)
        assert not Path(f"{path}-shm").exists()
    with closing(open_sound(path, pytest.fail)), pytest.raises(InUse):
        open_sound(path, pytest.fail, alone=True)
    assert [each.name for each in tmp_path.iterdir()] == ["frontier.sqlite"]


async def test_what_was_not_settled_is_there_after_a_crash(tmp_path: Path) -> None:
    """S5"""
    path = tmp_path / "frontier.sqlite"
    before = SqliteFrontier(opened(path), Judging(), HURRY)
    await before.add([link("/a"), link("/b"), link("/no")])
    lease = await leased(before)
    await before.settle(lease, saved(lease), [link("/c")])
    # No close: the process is gone.
    rule = Judging()
    after = SqliteFrontier(opened(path), rule, HURRY)
    after.pace("a.test", 0.0)
    await after.add([link("/a"), link("/no")])
    assert await drained(after, saved) == ["/b", "/c"]
    assert rule.asked == []


async def test_every_url_is_found_by_its_key_also_after_a_crash(tmp_path: Path) -> None:
    """S5, U3: keys that are in the index, and those that still wait for it."""
    path, number = tmp_path / "frontier.sqlite", 10_100
    before = SqliteFrontier(opened(path), Judging(), HURRY)
    await before.add([link(f"/{each}") for each in range(number)])
    for _ in range(2):
        with closing(open_database(path)) as database:
            found = [Ledger(database).decision(link(f"/{each}").key) for each in range(number)]
            assert [each.url for each in found if each] == [f"http://a.test/{each}" for each in range(number)]
        # No close: the process is gone.
        after = SqliteFrontier(opened(path), Judging(), HURRY)
    await after.add([link("https://a.test/0"), link(f"https://a.test/{number - 1}")])
    with closing(open_database(path)) as database:
        secure = database.execute("SELECT url FROM urls WHERE url LIKE 'https:%' ORDER BY id").fetchall()
    assert secure == [("https://a.test/0",), (f"https://a.test/{number - 1}",)]


async def test_an_outcome_and_its_links_become_true_together(tmp_path: Path) -> None:
    """S5: settle is one transaction, visible to others whole or not at all."""
    path = tmp_path / "frontier.sqlite"
    it = SqliteFrontier(opened(path), Judging(), HURRY)
    await it.add([link("/a")])
    lease = await leased(it)
    other = opened(path)
    settling = asyncio.ensure_future(it.settle(lease, saved(lease), [link("/b"), link("/c")]))
    seen = set()
    while not settling.done():
        seen.add(other.execute("SELECT count(*), sum(state), (SELECT count(*) FROM pages) FROM urls").fetchone())
        await asyncio.sleep(0)
    seen.add(other.execute("SELECT count(*), sum(state), (SELECT count(*) FROM pages) FROM urls").fetchone())
    assert seen == {(1, 0, 0), (3, 1, 1)}


async def test_changed_filters_judge_again_and_the_same_do_not(tmp_path: Path) -> None:
    """F7"""
    database = opened(tmp_path / "frontier.sqlite")
    it = SqliteFrontier(database, Judging(), HURRY)
    await it.add([link("/a"), link("/no/1"), link("/no/2")])
    rule = Judging()
    assert crawls.judge_again(database, rule) == 0
    assert len(rule.asked) == 3
    assert crawls.judge_again(database, lambda _: Accepted(2)) == 2
    assert SqliteFrontier(database, Judging(), HURRY).counts()[State.PENDING] == 3


async def test_an_update_sees_every_url_anew_and_remembers_its_page(tmp_path: Path) -> None:
    """S13"""
    database = opened(tmp_path / "frontier.sqlite")
    it = SqliteFrontier(database, Judging(), HURRY)
    await it.add([link("/a"), link("/b")])
    lease = await leased(it)
    await it.settle(lease, saved(lease, "a.md"))
    crawls.begin_update(database, "sitemap,links")
    again = SqliteFrontier(database, Judging(), HURRY)
    assert await again.lease() is None
    assert (await again.add([link("/a")])).accepted == 1
    known = (await leased(again)).known
    assert known is not None
    assert known.path == "a.md"
