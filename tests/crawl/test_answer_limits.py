"""Every answer has its limits, of time and size; what breaks one costs its page only, and is told (P7, F7)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from quire_test_site import Answer, Hit, Quire, Site, encoded

from quire.events import Notice

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror


def crawled_beside(site: Site, mirror: Mirror, path: str, **options: Any) -> tuple[str, str]:
    """Crawl the page at the path together with good ones; return the reason and detail of its failure."""
    site.page("/", links=[path, "/good"])
    site.page("/good", "<p>Good</p>")
    mirror.crawl(**({"retries": 0} | options))
    assert set(mirror.pages) == {"/", "/good"}
    (failed,) = mirror.manifest["failed"]
    assert mirror.short(failed["url"]) == path
    assert mirror.statistics["failed_by"] == {failed["reason"]: 1}
    assert mirror.statistics["pending_count"] == 0
    return failed["reason"], failed["detail"]


def test_an_answer_that_does_not_begin(site: Site, mirror: Mirror) -> None:
    """P7: time to the first byte"""
    site.page("/bad")
    site.hang("/bad")
    begun = time.monotonic()
    reason, detail = crawled_beside(site, mirror, "/bad", first_byte_timeout=2)
    assert time.monotonic() - begun < 20
    assert (reason, "within 2 s (--first-byte-timeout)" in detail) == ("timeout", True)


def test_a_body_of_one_byte_a_second(site: Site, mirror: Mirror) -> None:
    """P7: minimum rate, whatever the time for the whole"""
    site.page("/bad", "<p>Slow</p>" * 100)
    site.drip("/bad", 1)
    begun = time.monotonic()
    reason, detail = crawled_beside(site, mirror, "/bad", first_byte_timeout=2, timeout=3600)
    assert time.monotonic() - begun < 20
    assert (reason, "(--min-rate)" in detail) == ("timeout", True)


def test_a_body_that_takes_too_long_in_all(site: Site, mirror: Mirror) -> None:
    """P7: total time"""
    site.page("/bad", "<p>Slow</p>" * 10_000)
    site.drip("/bad", 5000)
    reason, detail = crawled_beside(site, mirror, "/bad", timeout=2)
    assert (reason, "within 2 s (--timeout)" in detail) == ("timeout", True)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(404, b"x" * 1000, {"Content-Type": "text/html"}),
        Answer(500, b"x" * 1000, {"Content-Type": "text/html"}),
        Answer(301, b"x" * 1000, {"Location": "/good"}),
        Answer(200, b"x" * 1000, {"Content-Type": "application/pdf"}),
    ],
    ids=["404", "500", "redirect", "pdf"],
)
def test_a_body_that_nobody_wants_is_not_waited_for(site: Site, mirror: Mirror, answer: Answer) -> None:
    """P6, P7: the head is the answer; a body that hangs costs a second"""

    async def give(hit: Hit) -> Answer:
        return answer

    site.page("/", links=["/bad", "/good"])
    site.page("/good", "<p>Good</p>")
    site.handler("/bad", give)
    site.stall("/bad", after=10)
    begun = time.monotonic()
    mirror.crawl(retries=0, timeout=60)
    assert time.monotonic() - begun < 20
    decided = mirror.listed("skipped") | mirror.listed("failed") | mirror.listed("duplicates")
    assert decided == {"/bad": {404: "not-found", 500: "http-500", 301: "redirect", 200: "content-type"}[answer.status]}
    assert site.count("/bad") == 1


def test_a_head_that_is_too_large(site: Site, mirror: Mirror) -> None:
    """P7"""
    site.page("/bad", headers=[(f"X-{number}", "y" * 1000) for number in range(20)])
    reason, detail = crawled_beside(site, mirror, "/bad", max_header=10_000)
    assert (reason, "larger than --max-header 10000 bytes" in detail) == ("head-too-large", True)
    assert site.count("/bad") == 1


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_body_that_unpacks_too_far(site: Site, mirror: Mirror, encoding: str) -> None:
    """P7: the ratio counts long before --max-body does"""
    site.bomb("/bad", 5_000_000, encoding)
    reason, detail = crawled_beside(site, mirror, "/bad")
    assert (reason, "more than 250 times its size (--max-ratio)" in detail) == ("ratio", True)
    assert site.count("/bad") == 1


def test_a_small_page_may_be_as_empty_as_it_likes(site: Site, mirror: Mirror) -> None:
    """P7, E1: the ratio of a page under 1 MB does not count"""
    site.page("/", "<p>" + "a" * 900_000 + "</p>", encoding="br")
    assert mirror.crawl().finished.clean


LIES = {
    "plain": b"<p>not packed at all</p>",
    "garbage": bytes(range(256)) * 10,
    "cut": encoded(b"<p>short</p>" * 1000, "gzip")[10:],
    "twice": encoded(encoded(b"<p>twice</p>", "gzip"), "gzip"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_body_that_is_not_packed_as_it_says(site: Site, mirror: Mirror, lie: str) -> None:
    """E1, P7: it is not saved, not asked for again, and told by that name"""
    site.raw("/bad", LIES[lie], "text/html", headers={"Content-Encoding": "gzip"})
    reason, detail = crawled_beside(site, mirror, "/bad", retries=3)
    assert (reason, "cannot be unpacked" in detail) == ("bad-encoding", True)
    assert site.count("/bad") == 1


def test_a_page_that_is_too_long_as_markdown(site: Site, mirror: Mirror, quire: Quire) -> None:
    """P7, C5"""
    site.page("/bad", "<p>word </p>" * 2000)
    reason, detail = crawled_beside(site, mirror, "/bad", max_markdown=5000)
    assert (reason, "larger than --max-markdown 5000 bytes" in detail) == ("markdown-too-large", True)
    told = quire("why", f"{site.url}/bad", "-o", mirror.folder)
    assert "decision: failed: markdown-too-large" in told.out
    assert "--max-markdown 5000" in told.out


def test_short_links_that_become_long(site: Site, mirror: Mirror) -> None:
    """P7: a page of 2 MB whose links alone would be 380 MB; it is refused before memory is"""
    path = "/" + "y" * 1900 + "/bad"
    site.page(path, "".join(f"<p><a href={number}>y</a>" for number in range(100_000)))
    reason, _ = crawled_beside(site, mirror, path, worker_memory=0)
    assert reason == "markdown-too-large"


def test_a_page_that_needs_too_much_memory(site: Site, mirror: Mirror) -> None:
    """P7: it costs itself; its converter is replaced where it does not survive"""
    site.page("/bad", "".join(f"<b><i><p>{number}" for number in range(200_000)))
    reason, _ = crawled_beside(site, mirror, "/bad", worker_memory=250_000_000)
    assert reason == "unreadable"


def test_links_beyond_the_limit(site: Site, mirror: Mirror) -> None:
    """P7, F7, S13: they are counted and told, and nothing is taken for gone because of them"""
    site.page("/", links=[f"/{number}" for number in range(8)])
    for number in range(8):
        site.page(f"/{number}", f"<p>{number}</p>")
    mirror.crawl()
    crawled = mirror.crawl(max_links=5, update=True, prune=True)
    told = f"{site.url}/: 3 links beyond the first 5 were left out (--max-links)"
    assert [event.text for event in crawled.events if isinstance(event, Notice)] == [told]
    assert mirror.statistics["links_left_out"] == 3
    assert len([name for name in mirror.files() if name.endswith("index.md")]) == 9
    mirror.crawl(update=True, prune=True)
    assert mirror.statistics["links_left_out"] == 0
    assert len(mirror.pages) == 9


@pytest.mark.parametrize("tag", ["div", "blockquote", "ul><li", "table><tr><td", "em", "a href=x", "math><mrow"])
def test_nesting_without_end(site: Site, mirror: Mirror, tag: str) -> None:
    """P7, M1: a page of 100,000 tags within each other is converted like any other"""
    site.page("/", "<h1>Deep</h1>" + f"<{tag}>" * 100_000 + "The bottom", raw=True)
    begun = time.monotonic()
    assert mirror.crawl().finished.clean
    assert time.monotonic() - begun < 30
    assert "The bottom" in mirror.text("/")
