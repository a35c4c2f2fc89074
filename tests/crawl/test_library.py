"""Quire as a library: the events of a crawl as an async iterator, and the same without async."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from quire_test_site import Site, files_in

import quire
from quire.config import build

FAST: dict[str, Any] = {"delay": 0, "workers": 1}


async def test_a_crawl_tells_its_events_in_order(site: Site, mirror_dir: Path) -> None:
    """S10, S11: begun, each page, ended; what it saved is on disk when it is told"""
    site.page("/", "<p>Home</p>", title="Home", links=["/a", "/missing", "/broken", "/x.pdf"])
    site.page("/a", "<p>A</p>", title="A")
    site.page("/broken", status=500)
    events = []
    async for event in quire.crawl(f"{site.url}/", output=str(mirror_dir), **FAST):
        events.append(event)
        if isinstance(event, quire.PageSaved):
            assert event.path is not None
            assert (mirror_dir / event.path).is_file()
    assert isinstance(events[0], quire.CrawlStarted)
    assert isinstance(events[-1], quire.CrawlFinished)
    saved = {event.url: event.facts.title for event in events if isinstance(event, quire.PageSaved)}
    assert saved == {f"{site.url}/": "Home", f"{site.url}/a": "A"}
    assert [event.url for event in events if isinstance(event, quire.PageFailed)] == [f"{site.url}/broken"]
    skipped = {event.url for event in events if isinstance(event, quire.PageSkipped | quire.UrlRejected)}
    assert skipped == {f"{site.url}/missing", f"{site.url}/x.pdf"}
    started = {event.url for event in events if isinstance(event, quire.PageStarted)}
    assert started == {*saved, f"{site.url}/missing", f"{site.url}/broken"}
    finished = events[-1]
    assert isinstance(finished, quire.CrawlFinished)
    assert (finished.complete, finished.clean, finished.counts["saved"]) == (True, False, 2)


async def test_a_crawl_without_async_is_refused_in_a_running_loop(site: Site, mirror_dir: Path) -> None:
    """C9: with the way that there is"""
    with pytest.raises(quire.UsageError, match="inside a running one, use `async for` with crawl"):
        quire.crawl_sync(f"{site.url}/", output=str(mirror_dir), **FAST)
    assert site.hits == []


async def test_leaving_the_loop_stops_the_crawl_and_the_next_goes_on(site: Site, mirror_dir: Path) -> None:
    """S5"""
    site.grow(40, 4)
    crawl = quire.crawl(f"{site.url}/", output=str(mirror_dir), **FAST)
    saved = 0
    async for event in crawl:
        saved += isinstance(event, quire.PageSaved)
        if saved == 5:
            break
    await crawl.aclose()
    before = len(site.hits)
    assert before < 40
    events = [event async for event in quire.crawl(f"{site.url}/", output=str(mirror_dir), **FAST)]
    finished = events[-1]
    assert isinstance(finished, quire.CrawlFinished)
    assert finished.counts["saved"] == 41
    assert sum(isinstance(event, quire.PageSaved) for event in events) < 41
    started = events[0]
    assert isinstance(started, quire.CrawlStarted)
    assert (started.resumed, started.already_saved >= 5) == (True, True)


async def test_a_cancelled_crawl_saves_its_state(site: Site, mirror_dir: Path) -> None:
    """S5, C9: and lets go of the folder, so that another can begin at once"""
    site.page("/", links=["/slow", "/a"])
    site.page("/a", "<p>A</p>")
    site.page("/slow", "<p>Slow</p>")
    site.hang("/slow")

    async def consume() -> None:
        async for _ in quire.crawl(f"{site.url}/", output=str(mirror_dir), **FAST):
            pass

    task = asyncio.create_task(consume())
    await asyncio.to_thread(site.wait, 1, "/slow")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    site.release("/slow")
    events = [event async for event in quire.crawl(f"{site.url}/", output=str(mirror_dir), **FAST)]
    assert isinstance(events[-1], quire.CrawlFinished)
    assert events[-1].counts["saved"] == 3


async def test_two_crawls_run_side_by_side(site: Site, tmp_path: Path) -> None:
    """P3: in one process, each with its own mirror"""
    site.grow(10, 4)

    async def crawl(name: str, host: str) -> quire.CrawlFinished:
        events = [event async for event in quire.crawl(f"{site.url_on(host)}/", output=str(tmp_path / name), **FAST)]
        assert isinstance(events[-1], quire.CrawlFinished)
        return events[-1]

    ends = await asyncio.gather(crawl("one", "127.0.0.1"), crawl("two", "127.0.0.2"))
    assert [end.counts["saved"] for end in ends] == [11, 11]


def test_crawl_sync_returns_the_end(site: Site, mirror_dir: Path) -> None:
    """S11: with settings by name, or whole"""
    site.grow(3)
    assert quire.crawl_sync(f"{site.url}/", output=str(mirror_dir), **FAST).counts["saved"] == 4
    settings = build([f"{site.url}/"], {"output": str(mirror_dir), "update": True, **FAST})
    assert quire.crawl_sync(settings).counts["unchanged"] == 4


def test_trouble_is_raised(site: Site, mirror_dir: Path) -> None:
    """C9: what the command line tells by its status"""
    site.page("/", links=["/broken"])
    site.page("/broken", status=500)
    with pytest.raises(quire.UsageError, match="max-pages"):
        quire.crawl_sync(f"{site.url}/", max_pages=0)
    with pytest.raises(quire.UsageError, match="no_such_option"):
        quire.crawl_sync(f"{site.url}/", no_such_option=1)
    with pytest.raises(quire.UsageError, match="include-pattern"):
        quire.crawl_sync(f"{site.url}/", include_pattern="[a", output=str(mirror_dir))
    with pytest.raises(quire.UsageError, match="address"):
        quire.crawl_sync("ftp://127.0.0.1/", output=str(mirror_dir))
    with pytest.raises(quire.UsageError, match="each as a string"):
        quire.crawl_sync([f"{site.url}/"], output=str(mirror_dir))  # type: ignore[arg-type]
    with pytest.raises(quire.CrawlError, match="/broken"):
        quire.crawl_sync(f"{site.url}/", output=str(mirror_dir), on_error="abort", **FAST)
    with pytest.raises(quire.GuardStop):
        quire.crawl_sync(f"{site.url}/", output=str(mirror_dir), min_free_disk=10**15, **FAST)
    assert not [name for name in files_in(mirror_dir) if name.endswith(".tmp")]


async def test_a_listener_that_fails_is_not_swallowed(site: Site, mirror_dir: Path) -> None:
    """S5: a bug propagates, and the mirror can be taken up again"""
    site.grow(5)

    def broken(event: quire.Event) -> None:
        if isinstance(event, quire.PageSaved):
            raise RuntimeError("a bug of the caller")

    with pytest.raises(RuntimeError, match="a bug of the caller"):
        await asyncio.to_thread(quire.crawl_sync, f"{site.url}/", on_event=broken, output=str(mirror_dir), **FAST)
    finished = await asyncio.to_thread(quire.crawl_sync, f"{site.url}/", output=str(mirror_dir), **FAST)
    assert finished.counts["saved"] == 6
