"""How hard a server is asked, from its own log (P3-P5, F8, R15)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest
from quire_test_site import Answer, Hit, Page, Site
from quire_test_site.log import BOOKKEEPING

from quire.events import PageRetried

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

# A request may be a little late at the server, and the next one on time; on a busy machine, a few may be very late.
NEARLY = 0.9


def gaps(site: Site, host: str = "127.0.0.1") -> list[float]:
    """The seconds between two requests of any kind."""
    return between(hit.time for hit in site.hits if hit.host == host)


def between(times: Iterable[float]) -> list[float]:
    return [after - before for before, after in pairwise(times)]


def are_paced(site: Site, seconds: float) -> bool:
    """Tell whether requests came so far apart, as a rule, and as few in all as that makes."""
    waits = gaps(site)
    spread = sum(waits) >= (len(waits) - 1) * seconds * NEARLY
    return spread and seconds * NEARLY <= median(waits)


def times_of(site: Site, path: str) -> list[float]:
    return [hit.time for hit in site.hits if hit.path == path]


def star(site: Site, number: int) -> list[str]:
    """A front page with links to so many others."""
    paths = [f"/{each}" for each in range(number)]
    site.page("/", links=paths)
    for path in paths:
        site.page(path, f"<p>{path}</p>")
    return paths


def test_default_rate_limiting(site: Site, mirror: Mirror) -> None:
    """P3: at least one second between two requests"""
    star(site, 2)
    mirror.crawl(delay=None, discover="links")
    assert site.paths() == ["/robots.txt", "/", "/0", "/1"]
    assert are_paced(site, 1.0), gaps(site)
    assert median(gaps(site)) < 1.5


@pytest.mark.parametrize(
    ("option", "value", "least", "pages"),
    [("content_rate_limit", 5, 0.2, 5), ("delay", 0.3, 0.3, 5), ("content_rate_limit", 0.5, 2.0, 1)],
)
def test_custom_rate_limit(site: Site, mirror: Mirror, option: str, value: float, least: float, pages: int) -> None:
    """P3: `--content-rate-limit R` is R a second, and `--delay` says the same"""
    star(site, pages)
    options: dict[str, Any] = {option: value}
    mirror.crawl(discover="links", **options)
    assert len(gaps(site)) == pages + 1
    assert are_paced(site, least), gaps(site)
    assert median(gaps(site)) < 2 * least


def test_a_slow_server_is_asked_at_the_same_rate(site: Site, mirror: Mirror) -> None:
    """P3, R15: the rate counts from request to request, not from answer to request"""
    for path in star(site, 6):
        site.delay(path, 0.5)
    mirror.crawl(delay=0.1)
    assert are_paced(site, 0.1), gaps(site)
    assert median(gaps(site)[-5:]) < 0.4
    assert 2 <= site.peak("127.0.0.1") <= 5


def test_sitemaps_and_robots_are_asked_politely_too(site: Site, mirror: Mirror) -> None:
    """P3, D4: one limiter for a host; waiting for it does not count against the sitemaps' time"""
    site.page("/", "<p>Home</p>")
    names = [f"/sitemap-{number}.xml" for number in range(5)]
    site.sitemap_index("/sitemap.xml", names)
    for number, name in enumerate(names):
        site.sitemap(name, [f"/{number}"])
        site.page(f"/{number}", f"<p>{number}</p>")
    mirror.crawl(delay=0.15, nested_sitemap_timeout=0.1, sitemap_timeout=0.1, sitemap_total_timeout=0.4)
    assert len(mirror.pages) == 6
    assert len(site.hits) == 14
    assert are_paced(site, 0.15), gaps(site)


def test_redirects_of_sitemaps_are_followed_politely(site: Site, mirror: Mirror) -> None:
    """P3, P4, D4: each at its host's pace, and the host that they lead to gets the pause that it asks for"""
    other = site.url_on("127.0.0.2")
    site.page("/", "<p>Home</p>")
    site.page("/listed", "<p>Listed</p>")
    site.redirect("/sitemap.xml", "/moved.xml")
    site.redirect("/moved.xml", "/again.xml")
    site.redirect("/again.xml", f"{other}/pages.xml")
    site.sitemap("/pages.xml", ["/listed"])
    site.fail("/pages.xml", times=1, status=429, headers={"Retry-After": "2"})
    mirror.crawl(delay=0.3, allow_private=True)
    assert site.paths("127.0.0.1")[2:5] == ["/sitemap.xml", "/moved.xml", "/again.xml"]
    assert times_of(site, "/again.xml")[0] - times_of(site, "/sitemap.xml")[0] >= 2 * 0.3 * NEARLY
    (wait,) = between(times_of(site, "/pages.xml"))
    assert wait >= 2 * NEARLY
    assert set(mirror.pages) == {"/", "/listed"}


def test_crawl_delay_is_respected(site: Site, mirror: Mirror) -> None:
    """F8: where it is slower than the own pace; not where it is faster"""
    star(site, 4)
    site.robots("User-agent: *\nCrawl-delay: 0.3")
    mirror.crawl(discover="links")
    assert are_paced(site, 0.3), gaps(site)
    site.clear()
    mirror.crawl(fresh=True, delay=0.4, discover="links")
    assert are_paced(site, 0.4), gaps(site)


def test_crawl_delay_is_ignored_with_robots(site: Site, mirror: Mirror) -> None:
    """F8: --ignore-robots"""
    star(site, 4)
    site.robots("User-agent: *\nCrawl-delay: 60\nDisallow: /")
    mirror.crawl(ignore_robots=True)
    assert len(mirror.pages) == 5
    assert sum(gaps(site)) < 60


def in_seconds(seconds: int) -> str:
    return str(seconds)


def as_date(seconds: int) -> str:
    # Whole seconds, rounded up as servers do.
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds + 1), usegmt=True)


@pytest.mark.parametrize("form", [in_seconds, as_date])
@pytest.mark.parametrize("status", [429, 503])
def test_429_response_handling(site: Site, mirror: Mirror, form: object, status: int) -> None:
    """P4: Retry-After is obeyed in both forms; the whole host pauses, and the page is saved in the end"""
    assert callable(form)
    asked_at: list[float] = []

    async def busy(hit: Hit) -> Answer:
        asked_at.append(hit.time)
        if len(asked_at) == 1:
            return Answer(status, b"slow down", {"Retry-After": form(1), "Content-Type": "text/html"})
        return Page("<p>Here it is</p>").answer()

    star(site, 6)
    site.handler("/busy", busy)
    site.page("/", links=["/busy", *(f"/{number}" for number in range(6))])
    crawled = mirror.crawl(concurrency=1)
    assert crawled.finished.clean
    assert mirror.body("/busy") == "Here it is\n"
    assert len(asked_at) == 2
    begun = asked_at[0]
    resumed = min(hit.time for hit in site.hits if hit.time > begun + 0.01)
    assert resumed - begun >= 0.97
    assert resumed - begun < 3
    assert sum(isinstance(event, PageRetried) for event in crawled.events) == 1


@pytest.mark.parametrize("path", ["/robots.txt", "/sitemap.xml"])
def test_a_429_for_robots_or_a_sitemap_pauses_the_host_too(site: Site, mirror: Mirror, path: str) -> None:
    """P4, D2, F8: Retry-After is obeyed, and what was asked for is read in the end"""
    site.robots("User-agent: *\nDisallow: /private")
    site.page("/", links=["/private"])
    site.page("/listed", "<p>Listed</p>")
    site.sitemap("/sitemap.xml", ["/listed"])
    site.fail(path, times=1, status=429, headers={"Retry-After": "1"})
    mirror.crawl()
    begun = times_of(site, path)[0]
    resumed = min(hit.time for hit in site.hits if hit.time > begun)
    assert resumed - begun >= 0.97
    assert set(mirror.pages) == {"/", "/listed"}
    assert mirror.listed("skipped") == {"/private": "robots"}


def test_a_503_without_retry_after_does_not_pause_the_host(site: Site, mirror: Mirror) -> None:
    """P4, R4"""
    paths = star(site, 5)
    site.fail(paths[0])
    mirror.crawl(retry_delay=60)
    assert len(mirror.pages) == 5
    assert sum(gaps(site)) < 60 * 0.75


def test_a_wait_beyond_the_bound_fails_the_page(site: Site, mirror: Mirror) -> None:
    """P4: --max-wait; nobody waits for a day"""
    site.page("/", links=["/busy", "/a"])
    site.page("/a", "<p>A</p>")
    site.fail("/busy", status=429, headers={"Retry-After": "86400"})
    begun = time.monotonic()
    mirror.crawl(max_wait=60)
    assert time.monotonic() - begun < 60
    assert mirror.listed("failed") == {"/busy": "http-429"}
    assert "/a" in mirror.pages


@pytest.mark.parametrize("value", ["soon", "-5", "0", "1e3", "Thu, 01 Jan 1970 00:00:00 GMT", "９"])
def test_an_unusable_retry_after_is_no_retry_after(site: Site, mirror: Mirror, value: str) -> None:
    """P4, U10: back-off takes its place; the page is saved"""
    site.page("/", links=["/busy"])
    site.page("/busy", "<p>Here</p>")
    site.fail("/busy", times=1, status=429, headers={"Retry-After": value})
    mirror.crawl(retry_delay=0.1)
    first, second = times_of(site, "/busy")
    assert 0.07 <= second - first < 2
    assert "/busy" in mirror.pages


def test_back_off_grows_and_has_jitter(site: Site, mirror: Mirror) -> None:
    """P4: 0.2, 0.4, 0.8 s, each a little different; hosts do not wait for one another"""
    hosts = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"]
    starts = tuple(f"{site.url_on(host)}/busy" for host in hosts)
    site.page("/busy", "<p>Here</p>")
    for start in starts:
        site.fail(start, times=3, status=429)
    assert mirror.crawl(starts, retry_delay=0.2, discover="links").finished.clean
    asked = [[hit.time for hit in site.hits if hit.host == host and hit.path == "/busy"] for host in hosts]
    ratios = []
    for nominal, waits in zip((0.2, 0.4, 0.8), zip(*map(between, asked), strict=True), strict=True):
        assert 0.74 * nominal <= median(waits) < 1.25 * nominal + 0.35, waits
        ratios += [wait / nominal for wait in waits]
    assert max(ratios) - min(ratios) > 0.05
    assert max(first for first, *_ in asked) < min(last for *_, last in asked), "one host waited for another"


def test_the_rate_falls_after_a_429_and_recovers_slowly(site: Site, mirror: Mirror) -> None:
    """P4"""
    paths = star(site, 20)
    site.fail(paths[5], times=1, status=429, headers={"Retry-After": "1"})
    mirror.crawl(delay=0.1, concurrency=1)
    hits = [hit for hit in site.hits if hit.path not in BOOKKEEPING]
    waits = between([hit.time for hit in hits])
    pause = next(number for number, hit in enumerate(hits) if hit.path == paths[5])
    before, after = waits[:pause], waits[pause + 1 :]
    assert waits[pause] > 0.9
    assert len(before) >= 5
    assert len(after) >= 10
    assert median(after[:3]) > 1.5 * median(before), waits
    assert median(after[-5:]) < 0.75 * median(after[:3]), after


def test_one_slow_host_does_not_slow_another(site: Site, mirror: Mirror) -> None:
    """P3, P4: a host that answers late, and one that asks for a pause"""
    slow, busy = site.url_on("127.0.0.2"), site.url_on("127.0.0.3")
    paths = star(site, 10)
    for path in ("/", *paths[:2]):
        site.delay(f"{slow}{path}", 1.0)
    site.fail(f"{busy}/", times=1, status=429, headers={"Retry-After": "3"})
    mirror.crawl((f"{site.url}/", f"{slow}/", f"{busy}/"), delay=0.05, per_host=1)
    assert len(mirror.manifest["pages"]) == 33
    fast = [hit.time for hit in site.hits if hit.host == "127.0.0.1"]
    late = [hit.time for hit in site.hits if hit.host == "127.0.0.2" and hit.path == paths[1]]
    resumed = [hit.time for hit in site.hits if hit.host == "127.0.0.3" and hit.path == "/"][1:]
    assert max(fast) < min(*late, *resumed), "the fast host waited for the others"


def test_a_host_that_does_not_answer_does_not_keep_others_waiting(site: Site, mirror: Mirror) -> None:
    """P3, P5: with several start URLs, one dead host costs only itself"""
    dead = site.url_on("127.0.0.2")
    star(site, 5)
    site.hang(f"{dead}/robots.txt")
    site.hang(f"{dead}/")
    mirror.crawl((f"{dead}/", f"{site.url}/"), timeout=2, retries=1, retry_delay=0.05)
    assert len(mirror.pages) == 6
    fast = [hit.time for hit in site.hits if hit.host == "127.0.0.1"]
    given_up = [hit.time for hit in site.hits if hit.host == "127.0.0.2"][1]
    assert max(fast) < given_up


def held_pages(site: Site, hosts: Sequence[str], seconds: float) -> None:
    for path in star(site, 12):
        for host in hosts:
            site.delay(f"{site.url_on(host)}{path}", seconds)


def test_requests_at_once_are_bounded(site: Site, mirror: Mirror) -> None:
    """R15: per host by `--per-host`, in all by `--concurrency`"""
    hosts = ["127.0.0.1", "127.0.0.2"]
    held_pages(site, hosts, 0.2)
    mirror.crawl(tuple(f"{site.url_on(host)}/" for host in hosts), per_host=2, concurrency=3)
    assert len(mirror.manifest["pages"]) == 26
    assert site.peak("127.0.0.1") == site.peak("127.0.0.2") == 2
    assert site.peak() == 3


def test_requests_at_once_by_default(site: Site, mirror: Mirror) -> None:
    """R15: five to a host"""
    held_pages(site, ["127.0.0.1"], 0.2)
    mirror.crawl()
    assert site.peak() == 5
