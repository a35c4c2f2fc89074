"""`_progress.json`: how far the crawl is (S10)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from quire.events import CrawlFinished, Notice, PageSkipped, PageStarted
from quire.records import State
from quire.report.progress import ProgressFile


class Crawl:
    """A crawl as the progress file sees it: its counts, and what was written."""

    def __init__(self) -> None:
        self.counts: dict[State, int] = {}
        self.written: list[dict[str, Any]] = []

    def write(self, path: str, data: bytes) -> None:
        assert path == "_progress.json"
        self.written.append(json.loads(data))

    def progress(self) -> ProgressFile:
        return ProgressFile(self.write, lambda: self.counts)


STARTED = PageStarted("http://h/", 1, 2)
FINISHED = CrawlFinished({}, True, True)


def test_it_is_written_every_hundred_urls() -> None:
    """S10"""
    crawl = Crawl()
    progress = crawl.progress()
    for done in range(251):
        crawl.counts = {State.SAVED: done, State.PENDING: 1000 - done}
        progress(STARTED)
    assert [each["processed"] for each in crawl.written] == [100, 200]
    assert [each["total"] for each in crawl.written] == [1000, 1000]


def test_it_is_written_at_the_end() -> None:
    """S10"""
    crawl = Crawl()
    progress = crawl.progress()
    crawl.counts = {State.SAVED: 3, State.FAILED: 1, State.DUPLICATE: 1, State.UNCHANGED: 1}
    progress(Notice("no reason to write"))
    assert crawl.written == []
    progress(FINISHED)
    (last,) = crawl.written
    assert (last["processed"], last["total"], last["eta_sec"]) == (6, 6, 0)
    assert last["elapsed_sec"] >= 0


def test_pages_that_were_asked_for_and_are_none_count() -> None:
    """S10: the total does not shrink by them; URLs that no rule let in count for nothing"""
    crawl = Crawl()
    progress = crawl.progress()
    crawl.counts = {State.SAVED: 1, State.PENDING: 3, State.SKIPPED: 5}
    progress(FINISHED)
    progress(PageSkipped("http://h/missing", State.SKIPPED, "not-found", "404"))
    progress(PageSkipped("http://h/moved", State.DUPLICATE, "redirect", "http://h/"))
    crawl.counts = {State.SAVED: 1, State.DUPLICATE: 1, State.PENDING: 1, State.SKIPPED: 6}
    progress(FINISHED)
    assert [(each["processed"], each["total"]) for each in crawl.written] == [(1, 4), (3, 4)]


def test_it_is_written_every_five_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """S10"""
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    crawl = Crawl()
    progress = crawl.progress()
    for _ in range(4):
        now += 2.6
        crawl.counts = {State.SAVED: int(now - 1000), State.PENDING: 20}
        progress(STARTED)
    assert [each["elapsed_sec"] for each in crawl.written] == [5.2, 10.4]
    assert crawl.written[-1]["eta_sec"] == pytest.approx(10.4 / 10 * 20)


def test_the_estimate_counts_this_run_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """S10, S5: what an earlier run did says nothing about the pace of this one"""
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    crawl = Crawl()
    crawl.counts = {State.SAVED: 1000, State.PENDING: 100}
    progress = crawl.progress()
    now = 10.0
    crawl.counts = {State.SAVED: 1010, State.PENDING: 90}
    progress(STARTED)
    (written,) = crawl.written
    assert written["processed"] == 1010
    assert written["eta_sec"] == pytest.approx(90)


def test_without_anything_done_there_is_no_estimate() -> None:
    """S10"""
    crawl = Crawl()
    crawl.counts = {State.PENDING: 5}
    crawl.progress()(FINISHED)
    assert crawl.written[0]["eta_sec"] is None
    assert crawl.written[0]["total"] == 5
