"""The page workers, with real processes: the dead are replaced, and a bad page costs itself only."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from msgspec import structs

from quire.errors import CrawlError, GuardStop, PageError, PageUnreadable
from quire.orders import Order
from quire.press.frames import Job
from quire.press.pool import PressPool
from quire.press.processes import start_workers
from quire.records import Made

FETCHED_AT = "2024-01-01T00:00:00Z"


def job(output: Path | None = None, *, part: str = "main", links_only: bool = False) -> Job:
    return Job(str(output) if output else None, part, True, links_only, "meaningful", False, ())


def order(name: str, body: str = "", path: str | None = None) -> Order:
    html = f"<title>{name}</title><main><h1>{name}</h1>{body}</main>"
    return Order(f"http://127.0.0.1/{name}", "text/html; charset=utf-8", html.encode(), path, FETCHED_AT)


def deadly(name: str) -> Order:
    """An order that no worker can read: each that tries dies of it."""
    return structs.replace(order(name), content_type=None)


@asynccontextmanager
async def pool_of(workers: int = 1, page_timeout: float = 20.0, what: Job | None = None) -> AsyncIterator[PressPool]:
    pool = PressPool(what or job(), start_workers(workers), page_timeout)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


def processes() -> list[psutil.Process]:
    """The page workers of this process."""
    return [child for child in psutil.Process().children() if not is_dead(child) and is_worker(child)]


def is_worker(process: psutil.Process) -> bool:
    try:
        return "quire.worker" in " ".join(process.cmdline())
    except psutil.Error:
        return False


def is_dead(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def until(condition: Callable[[], bool]) -> None:
    """Give the loop time until something is so, ten seconds at most."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - another process sets no event
            await asyncio.sleep(0.005)


async def waiting(pool: PressPool, first: Order) -> tuple[psutil.Process, asyncio.Future[Made]]:
    """Stop the only worker, and give it an order that it cannot finish."""
    await pool.make(order("warm-up"))
    (process,) = processes()
    process.suspend()
    task = asyncio.ensure_future(pool.make(first))
    await asyncio.sleep(0)
    return process, task


async def outcome(answer: Awaitable[Made]) -> Made | BaseException:
    return (await asyncio.gather(answer, return_exceptions=True))[0]


async def test_a_page_is_read_and_converted() -> None:
    """M1, M4, D6"""
    async with pool_of() as pool:
        made = await pool.make(order("a", '<p>Text</p><a href="/b">b</a><a href="http://[">bad</a>'))
    assert made.facts.title == made.facts.h1 == "a"
    assert made.markdown is not None
    assert made.markdown.startswith("# a\n\nText\n")
    assert made.links.urls == ["http://127.0.0.1/b"]
    assert len(made.links.keys) == 8
    assert [raw for raw, _ in made.links.invalid] == ["http://["]


async def test_a_page_with_a_path_is_written(tmp_path: Path) -> None:
    """M5, S3: the worker writes the file, and says how large it is"""
    tmp_path.joinpath("mirror").mkdir()
    async with pool_of(what=job(tmp_path / "mirror")) as pool:
        made = await pool.make(order("a", "<p>Text</p>", "host/a/index.md"))
        file = tmp_path / "mirror" / "host" / "a" / "index.md"
        assert (made.size, made.changed, made.markdown) == (file.stat().st_size, True, None)
        known = structs.replace(order("a", "<p>Text</p>", "host/a/index.md"), known_hash=made.hash)
        before = file.stat().st_mtime_ns
        again = await pool.make(known)
    assert (again.changed, again.size, again.hash) == (False, made.size, made.hash)
    assert file.stat().st_mtime_ns == before


async def test_a_worker_that_cannot_be_replaced_stops_the_crawl() -> None:
    """C10, E2: no page waits for ever because the system has no process or no open file left"""
    async with pool_of() as pool:
        process, task = await waiting(pool, order("a"))
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, before[1]))
        try:
            os.kill(process.pid, signal.SIGKILL)
            async with asyncio.timeout(10):
                answers = [await outcome(task), await outcome(pool.make(order("b")))]
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
    for answer in answers:
        assert isinstance(answer, CrawlError)
        assert "a page worker cannot be started (Too many open files)" in str(answer)


async def test_links_only_converts_nothing() -> None:
    """C2"""
    async with pool_of(what=job(links_only=True)) as pool:
        made = await pool.make(order("a", '<a href="/b">b</a>'))
    assert made.markdown is None
    assert made.links.urls == ["http://127.0.0.1/b"]


async def test_many_orders_at_once_are_answered_each_with_its_own_page() -> None:
    """X1: over several processes, in whatever order they end"""
    async with pool_of(2) as pool:
        bodies = ["<p>word</p>" * (number * 37 % 400) for number in range(200)]
        made = await asyncio.gather(*(pool.make(order(str(number), bodies[number])) for number in range(200)))
        assert len(processes()) == 2
    assert [each.facts.title for each in made] == [str(number) for number in range(200)]


async def test_large_pages_pass_through() -> None:
    """E1: larger than any buffer on the way, several at once"""
    async with pool_of(1) as pool:
        bodies = ["<p>" + f"word{number} " * 400_000 + "</p>" for number in range(3)]
        made = await asyncio.gather(*(pool.make(order(str(number), bodies[number])) for number in range(3)))
    assert [each.facts.word_count for each in made] == [400_001] * 3


async def test_a_page_that_kills_its_worker_costs_that_page_only() -> None:
    """S7: it is tried on a second worker, which dies too; those behind it are made"""
    async with pool_of() as pool:
        process, guilty = await waiting(pool, deadly("guilty"))
        others = [asyncio.ensure_future(pool.make(order(str(number)))) for number in range(5)]
        await asyncio.sleep(0)
        process.resume()
        failed = await outcome(guilty)
        made = await asyncio.gather(*others)
        assert [each.pid for each in processes()] != [process.pid]
    assert isinstance(failed, PageUnreadable)
    assert "http://127.0.0.1/guilty" in str(failed)
    assert [each.facts.title for each in made] == ["0", "1", "2", "3", "4"]


async def test_deadly_pages_one_after_the_other_fail_each_by_itself() -> None:
    """S7"""
    async with pool_of(2) as pool:
        names = [str(number) for number in range(8)]
        orders = [deadly(name) if int(name) % 3 == 0 else order(name) for name in names]
        results = await asyncio.gather(*map(pool.make, orders), return_exceptions=True)
        assert (await pool.make(order("after"))).facts.title == "after"
    told = [each.facts.title if isinstance(each, Made) else type(each) for each in results]
    assert told == [PageUnreadable, "1", "2", PageUnreadable, "4", "5", PageUnreadable, "7"]


async def test_a_worker_that_is_killed_at_work_costs_no_page() -> None:
    """S7: killed from outside, by whoever; the page it had is made by the next one, in order with the others"""
    async with pool_of() as pool:
        process, first = await waiting(pool, order("first"))
        others = [asyncio.ensure_future(pool.make(order(str(number)))) for number in range(5)]
        await asyncio.sleep(0)
        process.kill()
        made = await asyncio.gather(first, *others)
        assert [each.pid for each in processes()] != [process.pid]
    assert [each.facts.title for each in made] == ["first", "0", "1", "2", "3", "4"]


async def test_a_hung_worker_is_replaced() -> None:
    """S7: a page that takes too long fails by that name, and the worker with it"""
    async with pool_of(page_timeout=1.0) as pool:
        process, guilty = await waiting(pool, order("guilty"))
        other = asyncio.ensure_future(pool.make(order("other")))
        failed = await outcome(guilty)
        assert (await other).facts.title == "other"
        await until(lambda: is_dead(process))
        assert len(processes()) == 1
    assert isinstance(failed, PageUnreadable)
    assert "1 s" in str(failed)


async def test_the_time_is_each_pages_own() -> None:
    """S7: waiting behind others is not held against a page"""
    async with pool_of(page_timeout=1.0) as pool:
        bodies = "<p>" + "some words here " * 60_000 + "</p>"
        made = await asyncio.gather(*(pool.make(order(str(number), bodies)) for number in range(12)))
    assert len(made) == 12


async def test_a_worker_that_dies_idle_costs_no_page() -> None:
    """S7: killed from outside between two pages, it is to blame, not the next page"""
    async with pool_of() as pool:
        await pool.make(order("before"))
        (process,) = processes()
        process.kill()
        await until(lambda: is_dead(process))
        made = await outcome(pool.make(order("after")))
    assert isinstance(made, Made), made
    assert made.facts.title == "after"


async def test_one_worker_dying_leaves_the_other_alone() -> None:
    """S7"""
    async with pool_of(2) as pool:
        await asyncio.gather(*(pool.make(order(str(number))) for number in range(8)))
        first, second = processes()
        for process in (first, second):
            process.suspend()
        answers = [asyncio.ensure_future(pool.make(order(str(number)))) for number in range(6)]
        await asyncio.sleep(0)
        first.send_signal(signal.SIGSEGV)
        first.resume()
        second.resume()
        made = await asyncio.gather(*answers)
        assert second.pid in [each.pid for each in processes()]
    assert [each.facts.title for each in made] == [str(number) for number in range(6)]


async def test_signals_to_stop_are_left_to_the_crawl() -> None:
    """C9: a terminal and a service manager send them to every process"""
    async with pool_of() as pool:
        process, answer = await waiting(pool, order("a"))
        for number in (signal.SIGINT, signal.SIGTERM):
            process.send_signal(number)
        process.resume()
        assert (await answer).facts.title == "a"
        assert [each.pid for each in processes()] == [process.pid]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00" * 1000,
        b"\xff\xfe",
        b"<" * 100_000,
        b"<div>" * 50_000,
        b"<table>" * 3000 + b"<td>" * 3000,
        b"<a href=" + b"x" * 1_000_000,
        b"<!--" * 10_000,
        b"&" * 100_000,
        b"<p>" + "\u202e\ud7ff\uffff".encode() * 1000,
        b"<svg><math><annotation-xml>" * 2000,
        b"<b><i>" * 5000,
        b"<script type='application/ld+json'>" + b"[" * 100_000,
    ],
)
async def test_hostile_pages_are_made_or_refused(body: bytes) -> None:
    """U10, M1: in bounded time, without the pool losing its way"""
    async with pool_of(page_timeout=15.0) as pool:
        hostile = Order("http://127.0.0.1/hostile", "text/html", body, None, FETCHED_AT)
        result = await outcome(pool.make(hostile))
        assert isinstance(result, Made | PageError), result
        assert (await pool.make(order("after"))).facts.title == "after"


async def test_a_page_that_cannot_be_written_fails_by_its_reason(tmp_path: Path) -> None:
    """S3: a link in its place"""
    (tmp_path / "host").symlink_to("/")
    async with pool_of(what=job(tmp_path)) as pool:
        failed = await outcome(pool.make(order("a", path="host/a/index.md")))
        other = await pool.make(order("b", path="other/b/index.md"))
    assert isinstance(failed, PageError)
    assert failed.reason == "unsafe_path"
    assert other.size > 0


async def test_trouble_with_the_mirror_stops_the_crawl(tmp_path: Path) -> None:
    """S8: the folder is gone"""
    folder = tmp_path / "mirror"
    folder.mkdir()
    async with pool_of(what=job(folder)) as pool:
        await pool.make(order("a", path="host/a/index.md"))
        folder.rename(tmp_path / "elsewhere")
        made = await outcome(pool.make(order("b", path="host/b/index.md")))
    assert isinstance(made, Made | CrawlError)
    assert not isinstance(made, GuardStop)


async def test_closing_ends_the_processes() -> None:
    """C9: also while they work or hang"""
    pool = PressPool(job(), start_workers(2), 20.0)
    await pool.start()
    await pool.make(order("a"))
    await until(lambda: len(processes()) == 2)
    found = processes()
    found[0].suspend()
    task = asyncio.ensure_future(pool.make(order("b")))
    await asyncio.sleep(0)
    task.cancel()
    await pool.close()
    assert all(map(is_dead, found))
    assert processes() == []


async def test_a_cancelled_order_does_not_confuse_the_next() -> None:
    """S5: its answer comes and nobody waits for it"""
    async with pool_of() as pool:
        _, first = await waiting(pool, order("first"))
        second = asyncio.ensure_future(pool.make(order("second")))
        await asyncio.sleep(0)
        first.cancel()
        os.kill(processes()[0].pid, signal.SIGCONT)
        assert (await second).facts.title == "second"
        assert (await pool.make(order("third"))).facts.title == "third"


async def test_a_file_called_quire_is_not_taken_for_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """S3: whatever lies in the folder where the command is run"""
    (tmp_path / "quire.py").write_text("raise SystemExit(1)")
    (tmp_path / "turbohtml.py").write_text("raise SystemExit(1)")
    monkeypatch.chdir(tmp_path)
    async with pool_of() as pool:
        assert (await pool.make(order("a"))).facts.title == "a"
