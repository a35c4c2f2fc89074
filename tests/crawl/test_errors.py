"""When pages fail: the error isolation scenarios of content-mirroring, retries, and what each status means."""

from __future__ import annotations

import socket
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Answer, Hit, Quire, Site
from quire_test_site.memory import peak

from quire.errors import CrawlError
from quire.events import PageFailed, PageRetried

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

QUICK = ("--retry-delay", "0.05", "--timeout", "0.5")


def test_skip_mode(site: Site, mirror: Mirror) -> None:
    """S7, P6, R4, C9: a line in `_failed.log`, a placeholder in `_failed/`, and the crawl goes on"""
    site.page("/", links=["/broken", "/forbidden", "/gone", "/missing", "/good"])
    site.page("/broken", status=500)
    site.page("/forbidden", status=403)
    site.page("/gone", status=410)
    site.page("/good", "<p>Good</p>")
    finished = mirror()
    assert finished.status == 1
    assert set(mirror.pages) == {"/", "/good"}
    assert mirror.listed("failed") == {"/broken": "http-500", "/forbidden": "http-403"}
    assert mirror.listed("skipped") == {"/gone": "gone", "/missing": "not-found"}
    lines = (mirror.folder / "_failed.log").read_text().splitlines()
    assert sorted(line.split("\t")[:2] for line in lines) == [
        [f"{site.url}/broken", "http-500"],
        [f"{site.url}/forbidden", "http-403"],
    ]
    placeholder = (mirror.folder / "_failed" / mirror.host / "broken" / "index.md").read_text()
    assert f"{site.url}/broken" in placeholder
    assert "500" in placeholder
    assert f"{site.url}/broken" in finished.err
    assert "_failed.log" in finished.err
    for path in ("/broken", "/forbidden", "/gone", "/missing"):
        assert site.count(path) == 1, path


def test_the_same_command_tries_failed_pages_again(site: Site, mirror: Mirror) -> None:
    """S7, S4: after the trouble is over, the page is there and its note is gone; nothing else is asked for"""
    site.page("/", links=["/a", "/b"])
    site.page("/a", "<p>A</p>", links=["/below"])
    site.page("/b", "<p>B</p>")
    site.page("/below", "<p>Below</p>")
    site.fail("/a", times=1, status=500)
    assert mirror().status == 1
    site.clear()
    assert mirror().status == 0
    assert site.paths() == ["/robots.txt", "/a", "/below"]
    assert set(mirror.pages) == {"/", "/a", "/b", "/below"}
    assert not (mirror.folder / "_failed").exists()
    assert (mirror.folder / "_failed.log").read_text() == ""


def test_abort_mode(site: Site, mirror: Mirror) -> None:
    """S7, C9: the first failure stops the crawl with status 1; the state is saved, and the same command goes on"""
    site.page("/", links=["/a", "/broken", *(f"/after/{number}" for number in range(20))])
    site.page("/a", "<p>A</p>")
    site.page("/broken", "<p>Whole again</p>")
    site.fail("/broken", times=1, status=500)
    for number in range(20):
        site.page(f"/after/{number}", f"<p>{number}</p>")
    finished = mirror("--on-error", "abort", "--concurrency", "1")
    assert finished.status == 1
    assert site.paths()[-1] == "/broken"
    last = finished.err.splitlines()[-1]
    assert last.startswith("quire: ")
    assert f"{site.url}/broken" in last
    assert "Traceback" not in finished.err
    assert set(mirror.pages) == {"/", "/a"}
    assert mirror.manifest["crawl"]["complete"] is False
    site.clear()
    finished = mirror("--on-error", "abort", "--concurrency", "1")
    assert finished.status == 0, finished.err
    assert site.count("/") == site.count("/a") == 0
    assert set(mirror.pages) == {"/", "/a", "/broken", *(f"/after/{number}" for number in range(20))}


def test_abort_stops_requests_that_are_under_way(site: Site, mirror: Mirror) -> None:
    """S7: with several at once too, nothing that was saved is lost"""
    site.page("/", links=["/broken", "/slow", "/a"])
    site.page("/broken", status=500)
    site.page("/slow", "<p>Slow</p>")
    site.page("/a", "<p>A</p>")
    site.delay("/slow", 20)
    site.delay("/broken", 0.3)
    with pytest.raises(CrawlError, match="/broken"):
        mirror.crawl(on_error="abort")
    assert set(mirror.pages) == {"/", "/a"}


def test_transient_error_retry(site: Site, mirror: Mirror) -> None:
    """S7, R4: a 503 queues up, and gets three tries after the main crawl"""
    site.page("/", links=["/flaky", "/dead", "/1"])
    for number in range(1, 8):
        site.page(f"/{number}", f"<p>{number}</p>", links=[f"/{number + 1}"])
        site.delay(f"/{number}", 0.05)
    site.page("/8", "<p>The last one</p>")
    site.page("/flaky", "<p>At last</p>")
    site.fail("/flaky", times=3)
    site.fail("/dead")
    finished = mirror("--on-error", "retry", *QUICK)
    assert finished.status == 1
    assert site.count("/flaky") == 4
    assert site.count("/dead") == 4
    assert "/flaky" in mirror.pages
    assert mirror.listed("failed") == {"/dead": "http-503"}
    paths = site.paths()
    main_crawl = [path for path in paths if path.strip("/").isdigit()]
    assert main_crawl == [f"/{number}" for number in range(1, 9)]
    ends_at = paths.index("/8")
    for path in ("/flaky", "/dead"):
        assert paths[: ends_at + 1].count(path) == 1, paths


def test_without_retry_mode_a_503_is_asked_once(site: Site, mirror: Mirror) -> None:
    """R4"""
    site.page("/", links=["/busy"])
    site.fail("/busy")
    assert not mirror.crawl().finished.clean
    assert site.count("/busy") == 1


def fall_silent(site: Site) -> None:
    site.hang("/bad")


def reset(site: Site) -> None:
    site.reset("/bad")


def end_early(site: Site) -> None:
    site.truncate("/bad")


def drip(site: Site) -> None:
    site.drip("/bad", 1000)


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [(fall_silent, "timeout"), (reset, "unreachable"), (end_early, "unreachable"), (drip, "timeout")],
)
def test_timeouts_and_broken_connections_get_three_retries(
    site: Site, mirror: Mirror, trouble: Callable[[Site], None], reason: str
) -> None:
    """P5, S7: with growing waits; then the page is failed, and nothing of it is saved"""
    site.page("/", links=["/good", "/bad", "/also-good"])
    for path in ("/good", "/bad", "/also-good"):
        site.page(path, f"<p>The whole of {path}</p>" + "<p>More</p>" * 200)
    trouble(site)
    finished = mirror("--retry-delay", "0.2", "--timeout", "0.5")
    assert finished.status == 1
    assert mirror.listed("failed") == {"/bad": reason}
    assert set(mirror.pages) == {"/", "/good", "/also-good"}
    times = [hit.time for hit in site.hits if hit.path == "/bad"]
    assert len(times) == 4
    for wait, least in zip((after - before for before, after in pairwise(times)), (0.2, 0.4, 0.8), strict=True):
        assert wait >= 0.95 * least


def test_a_page_that_comes_whole_at_the_last_try_is_saved(site: Site, mirror: Mirror) -> None:
    """P5"""
    site.page("/", links=["/lucky"])
    site.page("/lucky", "<p>More</p>" * 200 + "<p>Its end</p>")
    site.truncate("/lucky", times=1)
    site.reset("/lucky", times=2)
    site.hang("/lucky", times=3)
    assert mirror.crawl(retry_delay=0.05, timeout=0.5).finished.clean
    assert site.count("/lucky") == 4
    assert "Its end" in mirror.body("/lucky")


@pytest.mark.parametrize(
    ("location", "arrives"),
    [
        ("there", "/below/there"),
        ("?q=1", "/below/start?q=1"),
        ("../there", "/there"),
        ("/there#part", "/there"),
        (" /there ", "/there"),
        ("/caf\udce9", None),
        ("/caf\u00e9", "/caf%C3%A9"),
        ("#part", None),
        ("", None),
        ("http://", None),
        ("/\x00", None),
    ],
)
def test_redirects_of_every_spelling(site: Site, mirror: Mirror, location: str, arrives: str | None) -> None:
    """R8, U5, U10: relative, with fragments, in raw bytes, empty; no traceback, and the crawl ends"""
    site.page("/", links=["/below/start", "/other"])
    for path in ("/below/there", "/there", "/caf%C3%A9", "/other", "/below/start?q=1"):
        site.page(path, f"<p>{path}</p>")
    site.redirect("/below/start", location)
    mirror.crawl()
    assert "/other" in mirror.pages
    assert set(mirror.pages) - {"/", "/other"} == ({arrives} if arrives else set())
    assert mirror.statistics["pending_count"] == 0


def test_a_refused_connection_fails_after_its_retries(quire: Quire, mirror: Mirror) -> None:
    """P5, R10, C9: nothing is there; status 1, and the reason is told"""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        finished = mirror(*QUICK, "--ignore-robots", start=url)
        assert finished.status == 1
        (failed,) = mirror.manifest["failed"]
        assert (failed["url"], failed["reason"]) == (url, "unreachable")
        assert "refused" in failed["detail"]
        finished = mirror(*QUICK, "--fresh", start=url)
        assert finished.status == 1
        assert "Traceback" not in finished.err
        assert "refused" in finished.err


def test_a_broken_connection_in_robots_txt_is_tried_again(site: Site, mirror: Mirror) -> None:
    """P5, F8, R10: one reset does not make a host unreachable"""
    site.page("/", links=["/private", "/a"])
    site.page("/a", "<p>A</p>")
    site.robots("User-agent: *\nDisallow: /private")
    site.reset("/robots.txt", times=2)
    mirror.crawl(retry_delay=0.05)
    assert set(mirror.pages) == {"/", "/a"}
    assert mirror.listed("skipped") == {"/private": "robots"}


def test_a_host_that_keeps_failing_is_parked(site: Site, mirror: Mirror) -> None:
    """P5, F7: it is not asked without end; every URL still has its decision, and other hosts go on"""
    other = site.url_on("127.0.0.2")
    site.page("/", links=[*(f"{other}/{number}" for number in range(60)), "/a"])
    site.page("/a", "<p>A</p>")
    site.robots("")
    for number in range(60):
        site.reset(f"{other}/{number}")
    crawled = mirror.crawl(follow_external=True, allow_network="127.0.0.2", retry_delay=0.01)
    assert set(mirror.pages) == {"/", "/a"}
    assert len(mirror.manifest["failed"]) == 60
    assert len(site.paths("127.0.0.2")) < 30
    assert sum(isinstance(event, PageFailed | PageRetried) for event in crawled.events) < 30
    assert mirror.statistics["pending_count"] == 0


def test_redirect_loops_and_long_chains_fail(site: Site, mirror: Mirror) -> None:
    """P6: loops and chains over 10 fail; a chain of 10 arrives"""
    site.page("/", links=["/self", "/a", "/slash", "/ten/0", "/eleven/0", "/nowhere", "/script", "/blank"])
    site.redirect("/self", "/self")
    site.redirect("/a", "/b")
    site.redirect("/b", "/c")
    site.redirect("/c", "/a")
    site.redirect("/slash", "/slash/")
    site.redirect("/slash/", "/slash")
    for number in range(10):
        site.redirect(f"/ten/{number}", f"/ten/{number + 1}")
    for number in range(11):
        site.redirect(f"/eleven/{number}", f"/eleven/{number + 1}")
    site.page("/ten/10", "<p>Arrived</p>")
    site.page("/eleven/11", "<p>Too far</p>")
    site.redirect("/nowhere", "http://[broken/")
    site.redirect("/script", "javascript:alert(1)")
    site.page("/blank", status=302)
    finished = mirror()
    assert finished.status == 1
    assert set(mirror.pages) == {"/", "/ten/10"}
    failed = mirror.listed("failed")
    assert failed["/self"] == "redirect-loop"
    assert {"/a", "/b", "/c"} & failed.keys()
    assert "/slash" in failed
    assert failed["/eleven/10"] == "redirects"
    assert failed["/nowhere"] == failed["/script"] == "bad-redirect"
    assert "/blank" in failed
    assert site.count("/eleven/11") == 0
    assert site.count("/slash") + site.count("/slash/") <= 11
    for path in ("/self", "/a", "/b", "/c", "/eleven/10"):
        assert site.count(path) == 1, path


def test_a_redirect_to_itself_that_brings_a_cookie_is_followed(site: Site, mirror: Mirror) -> None:
    """P6, E1: as in a browser; the page comes once the cookie goes back, and who never has enough fails"""

    async def answer(hit: Hit) -> Answer:
        if "seen=yes" in hit.headers.get("Cookie", "") and hit.path != "/never":
            return Answer(200, b"<h1>Welcome</h1><a href='/a'>A</a>", {"Content-Type": "text/html"})
        return Answer(302, headers={"Location": hit.path, "Set-Cookie": "seen=yes"})

    for path in ("/", "/a", "/never"):
        site.handler(path, answer)
    site.sitemap("/sitemap.xml", ["/never"])
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/a"}
    assert (site.count("/"), site.count("/a")) == (2, 1)
    assert mirror.listed("failed") == {"/never": "redirects"}
    assert site.count("/never") == 11


@pytest.mark.parametrize("setting", ["/", "/check"])
def test_a_round_of_redirects_that_brings_a_cookie_ends_at_the_page(site: Site, mirror: Mirror, setting: str) -> None:
    """P6, R8, E1: by way of a page that sets it, or that looks whether it came; a round without end fails"""

    async def page(hit: Hit) -> Answer:
        if "seen=yes" in hit.headers.get("Cookie", "") and hit.path != "/never":
            return Answer(200, b"<h1>Welcome</h1><a href='/a'>A</a>", {"Content-Type": "text/html"})
        cookie = {"Set-Cookie": "seen=yes"} if setting == "/" else {}
        return Answer(302, headers={"Location": f"/check?for={hit.path}", **cookie})

    async def check(hit: Hit) -> Answer:
        cookie = {"Set-Cookie": "seen=yes"} if setting == "/check" else {}
        return Answer(302, headers={"Location": hit.path.partition("=")[2], **cookie})

    for path in ("/", "/a", "/never"):
        site.handler(path, page)
    site.on("/check", check)
    site.sitemap("/sitemap.xml", ["/never"])
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/a"}
    assert (site.count("/"), site.count("/check?for=/"), site.count("/a")) == (2, 1, 1)
    assert mirror.listed("duplicates")["/check?for=/"] == "redirect"
    assert "redirects" in mirror.listed("failed").values()
    assert site.count("/never") + site.count("/check?for=/never") == 11
    assert mirror.statistics["pending_count"] == 0
    total = sum(mirror.statistics[f"{name}_count"] for name in ("processed", "failed", "duplicate", "skipped"))
    assert mirror.statistics["total_urls"] == total


def test_a_start_that_redirects_to_trouble_tells_which(site: Site, mirror: Mirror) -> None:
    """C10, R1: not that it is a duplicate, but what became of where it led"""
    site.redirect("/", "/moved")
    site.redirect("/moved", "/there")
    site.page("/there", status=500)
    finished = mirror()
    assert finished.status == 1
    assert f"{site.url}/ redirects to {site.url}/there, which is failed: http-500" in finished.err


def test_a_redirect_off_the_site_is_recorded_and_not_requested(site: Site, mirror: Mirror) -> None:
    """R1, U8: also from a sitemap's URL"""
    other = site.url_on("127.0.0.2")
    site.page("/", links=["/away"])
    site.redirect("/away", f"{other}/there")
    site.redirect("/listed", f"{other}/elsewhere")
    site.sitemap("/sitemap.xml", ["/listed"])
    finished = mirror()
    assert finished.status == 0
    assert site.paths("127.0.0.2") == []
    assert mirror.statistics["external_count"] == 2
    assert mirror.listed("duplicates") == {"/away": "redirect", "/listed": "redirect"}


def test_a_page_too_large_fails(site: Site, mirror: Mirror) -> None:
    """P7, E1: by its length, by its chunks, and after unpacking"""
    site.page("/", links=["/fits", "/long", "/chunks", "/packed"])
    site.page("/fits", "<p>x</p>" * 1000)
    site.page("/long", "<p>x</p>" * 10_000)
    site.stream("/chunks", lambda: (b"<p>x</p>" * 100 for _ in range(100)))
    site.page("/packed", "<p>x</p>" * 10_000, encoding="gzip")
    finished = mirror("--max-body", "20000")
    assert finished.status == 1
    assert mirror.listed("failed") == dict.fromkeys(["/long", "/chunks", "/packed"], "too-large")
    assert set(mirror.pages) == {"/", "/fits"}
    assert "--max-body" in finished.err
    assert site.count("/long") == 1


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd"])
def test_a_decompression_bomb_is_capped(site: Site, quire: Quire, mirror: Mirror, encoding: str) -> None:
    """E1, P7: it costs its page, and neither memory nor time"""
    site.page("/", links=["/bomb", "/good"])
    site.page("/good", "<p>Good</p>")
    site.bomb("/bomb", 500_000_000, encoding)
    process = quire.start("mirror", *mirror.command("--max-body", "1000000", "-q"))
    status, memory, seconds = peak(process.pid)
    assert status == 1
    assert mirror.listed("failed") == {"/bomb": "too-large"}
    assert set(mirror.pages) == {"/", "/good"}
    assert 10_000_000 < memory < 250_000_000
    assert seconds < 5


def test_broken_http_fails_its_page_only(site: Site, mirror: Mirror) -> None:
    """U10, P5: wrong lengths, unknown encodings, broken compression, huge headers"""
    site.page("/", links=["/encoding", "/unpackable", "/header", "/status", "/good"])
    site.raw("/encoding", b"<p>x</p>", "text/html", headers={"Content-Encoding": "nonsense"})
    site.raw("/unpackable", b"this is not gzip", "text/html", headers={"Content-Encoding": "gzip"})
    site.page("/header", "<p>x</p>", headers={"X-Long": "x" * 200_000})
    site.page("/status", "<p>x</p>", status=999)
    site.page("/good", "<p>Good</p>")
    finished = mirror(*QUICK)
    assert "Traceback" not in finished.err
    assert finished.status == 1
    assert "/good" in mirror.pages
    assert {"/unpackable", "/header", "/status"} <= mirror.listed("failed").keys()
    for each in mirror.manifest["failed"]:
        assert each["detail"], each
