"""A web that fails in every way at once: the crawl ends by itself, within its limits, and tells the truth (P4-P7, F7).

It runs in a network of its own, where each failing host has a name.
"""

from __future__ import annotations

import random
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from quire_test_site import Answer, Hit, Names, Page, Site, encoded

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

pytestmark = pytest.mark.isolated

CERTIFICATES = Path(__file__).with_name("certificates")
TEXT = "<p>Some words of a page.</p>" * 40
HTML = {"Content-Type": "text/html"}
QUICK: dict[str, Any] = {"retries": 1, "retry_delay": 0.05, "first_byte_timeout": 2.0, "timeout": 10.0, "max_wait": 5.0}

Fault = Callable[[Site, str], None]


def page(**options: object) -> Fault:
    return lambda site, url: site.page(url, TEXT, **options)  # type: ignore[arg-type]


def faulty(name: str, **options: object) -> Fault:
    """A good page with one of the site's faults."""

    def set_up(site: Site, url: str) -> None:
        site.page(url, TEXT)
        getattr(site, name)(url, **options)

    return set_up


def packed(body: bytes, encoding: str) -> Fault:
    return lambda site, url: site.raw(url, body, "text/html", headers={"Content-Encoding": encoding})


def cut_chunks(site: Site, url: str) -> None:
    site.stream(url, lambda: repeat(TEXT.encode(), 10))
    site.truncate(url, at=5000)


def endless(site: Site, url: str) -> None:
    site.stream(url, lambda: repeat(b"<p>more</p>" * 1000))


def stalled(status: int) -> Fault:
    def set_up(site: Site, url: str) -> None:
        site.page(url, TEXT, status=status)
        site.stall(url, after=30)

    return set_up


# What goes wrong, what is decided, and how often it is asked for.
FAILING: dict[str, tuple[Fault, str, int]] = {
    "reset": (faulty("reset"), "unreachable", 2),
    "reset-in-body": (faulty("reset", after=100), "unreachable", 2),
    "body-cut": (faulty("truncate"), "unreachable", 2),
    "chunks-cut": (cut_chunks, "unreachable", 2),
    "length-too-long": (page(headers={"Content-Length": "90000"}), "unreachable", 2),
    "length-no-number": (page(headers={"Content-Length": "many"}), "bad_response", 1),
    "not-packed": (packed(TEXT.encode(), "gzip"), "bad-encoding", 1),
    "packed-badly": (packed(b"\x8b\x02\x80garbage" * 50, "br"), "bad-encoding", 1),
    "packed-twice": (packed(encoded(encoded(TEXT.encode(), "gzip"), "gzip"), "gzip"), "bad-encoding", 1),
    "packed-too-often": (packed(b"x", "gzip, br, gzip, br"), "bad-encoding", 1),
    "bomb": (lambda site, url: site.bomb(url, 8_000_000, "br"), "ratio", 1),
    "endless": (endless, "too-large", 1),
    "large-head": (page(headers={f"X-{number}": "y" * 5000 for number in range(50)}), "head-too-large", 1),
    "silent": (faulty("hang"), "timeout", 2),
    "stalled": (stalled(200), "timeout", 2),
    "slow": (faulty("drip", bytes_per_second=1), "timeout", 2),
    "broken": (page(status=500), "http-500", 1),
    "broken-and-stalled": (stalled(500), "http-500", 1),
    "never-ready": (faulty("fail", status=503, headers={"Retry-After": "3600"}), "http-503", 1),
    "circle": (lambda site, url: site.redirect(url, url), "redirect-loop", 1),
    "nowhere": (lambda site, url: site.redirect(url, "ftp://nowhere.test/"), "bad-redirect", 1),
}
GOOD: dict[str, tuple[Fault, int]] = {
    "fine": (page(), 1),
    "length-too-short": (page(headers={"Content-Length": "900"}), 1),
    "no-length": (lambda site, url: site.stream(url, lambda: [TEXT.encode()] * 3), 1),
    "packed-and-said": (packed(encoded(encoded(TEXT.encode(), "gzip"), "br"), "gzip, br"), 1),
    "reset-once": (faulty("reset", times=1), 2),
    "busy-twice": (faulty("fail", times=2, status=429, headers={"Retry-After": "1"}), 3),
}


@pytest.fixture
def secure_sites(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, str]]:
    """Sites with a certificate that is good, has expired, or was signed by nobody we trust: their URLs by name."""
    trusted = tmp_path / "trusted.pem"
    trusted.write_bytes(b"".join((CERTIFICATES / name).read_bytes() for name in ("valid.pem", "expired.pem")))
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    files = {"secure": "valid.pem", "expired": "expired.pem", "unsigned": "unsigned.pem"}
    with ExitStack() as stack:
        found = {}
        for name, file in files.items():
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATES / file)
            site = stack.enter_context(Site(["127.0.0.1"], context))
            site.page("/page", TEXT)
            found[name] = f"https://{name}.test:{site.port}/page"
        yield found | {"other-name": found["secure"].replace("secure.test", "other-name.test")}


def name_of(url: str) -> str:
    return url.split("/")[2].partition(".test")[0]


def host_counts(site: Site) -> Counter[str]:
    return Counter(hit.host.removesuffix(".test") for hit in site.hits if hit.path == "/page")


def test_everything_at_once(site: Site, names: Names, mirror: Mirror, secure_sites: dict[str, str]) -> None:
    """P4-P7, F7: each host fails in its own way; what can be had is saved, and the counts add up"""
    links = []
    for name, (set_up, *_) in (FAILING | GOOD).items():
        links.append(f"http://{name}.test:{site.port}/page")
        set_up(site, links[-1])
    names.add_rest("127.0.0.1")
    names.break_down("no-answer.test")
    names.add("inner.test", "10.0.0.5")
    elsewhere = ["http://no-answer.test/page", "http://inner.test/page", "http://refused.test:1/page"]
    site.page("/", links=[*links, *secure_sites.values(), *elsewhere])

    begun = time.monotonic()
    crawled = mirror.crawl(follow_external=True, ignore_robots=True, allow_network="127.0.0.0/8", **QUICK)
    assert time.monotonic() - begun < 60

    expected = {name: reason for name, (_, reason, _) in FAILING.items()}
    expected |= dict.fromkeys(("expired", "unsigned", "other-name", "no-answer", "refused"), "unreachable")
    expected |= {"inner": "private-address"}
    assert {name_of(url): reason for url, reason in mirror.listed("failed").items()} == expected
    saved = {name_of(url) for url in mirror.pages if url != "/"}
    assert saved == {*GOOD, "secure"}
    assert host_counts(site) == {name: case[-1] for name, case in (FAILING | GOOD).items()}
    check_counts(mirror, len(expected), len(saved) + 1)
    assert not crawled.finished.clean
    assert crawled.finished.complete


def check_counts(mirror: Mirror, failed: int, saved: int) -> None:
    numbers = mirror.statistics
    counts = {name: number for name, number in numbers.items() if name.endswith("_count") and number}
    assert counts == {"failed_count": failed, "processed_count": saved}
    assert numbers["total_urls"] == failed + saved
    assert sum(numbers["failed_by"].values()) == failed
    log = (mirror.folder / "_failed.log").read_text("utf-8").splitlines()
    assert len(log) == failed
    assert all(len(line.split("\t")) == 3 and line.split("\t")[2] for line in log)


def test_what_is_said_about_a_connection_that_was_not_made(
    site: Site, names: Names, mirror: Mirror, secure_sites: dict[str, str]
) -> None:
    """C10, R10: with robots.txt, which is asked for first, and so in the words of its refusal"""
    names.add_rest("127.0.0.1")
    names.break_down("no-answer.test")
    bad = {
        secure_sites["expired"]: "expired; --insecure",
        secure_sites["unsigned"]: "self-signed certificate; --insecure",
        secure_sites["other-name"]: "other-name.test",
        "http://no-answer.test/page": "could not be looked up",
        "http://refused.test:1/page": "Connection refused",
    }
    site.page("/", links=[*bad, secure_sites["secure"]])
    mirror.crawl(follow_external=True, allow_network="127.0.0.0/8", **QUICK)
    assert len(mirror.pages) == 2
    details = {each["url"]: each["detail"] for each in mirror.manifest["skipped"]}
    assert details.keys() == bad.keys()
    for url, words in bad.items():
        assert all(word in details[url] for word in words.split("; ")), (url, details[url])
    assert set(mirror.listed("skipped").values()) == {"robots-unreachable"}


def test_connections_that_are_closed_at_random(site: Site, mirror: Mirror) -> None:
    """P5, E1: after any answer, without a word; each page is asked for once and saved"""
    chance = random.Random(5)
    site.page("/", links=[f"/p/{number}" for number in range(150)])

    async def answer(hit: Hit) -> Answer:
        return Answer(body=Page(TEXT + hit.path).document(), headers=HTML, hangs_up=chance.random() < 0.3)

    site.on("/p/", answer)
    crawled = mirror.crawl(per_host=16, **QUICK)
    assert crawled.finished.clean
    assert len(mirror.pages) == 151
    # A connection may be closed while a request is on its way; that one is asked again.
    assert 150 <= sum(hit.path.startswith("/p/") for hit in site.hits) <= 165


def test_a_host_that_is_busy_is_asked_less_and_less(site: Site, mirror: Mirror) -> None:
    """P4: every answer is a 429; with or without Retry-After, the requests do not come closer together"""
    site.page("/", links=[f"/p/{number}" for number in range(20)])
    ready = time.monotonic() + 4

    async def answer(hit: Hit) -> Answer:
        return Answer(429) if time.monotonic() < ready else Page(TEXT).answer()

    site.on("/p/", answer)
    mirror.crawl(**(QUICK | {"delay": 0.01}))
    times = [hit.time for hit in site.hits if hit.path.startswith("/p/")]
    refused = [each for each in times if each < ready]
    # Five go out at once before the first refusal comes back; then one, two and four seconds go by.
    assert len(refused) <= 12
    assert len(mirror.pages) == 21
