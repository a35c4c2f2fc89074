"""Nothing private is dialled, whoever names it: in a network where a private address would answer (A9, R12).

The site is at a public address, and a canary listens at every other one.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from quire_test_site import Answer, Hit, Names, Page, Quire, Site
from quire_test_site.isolation import Canary, own

from quire.errors import Refused
from quire.events import Notice
from quire.fetch.egress import Egress
from quire.fetch.http import HttpFetcher
from quire.settings import Fetch

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

pytestmark = pytest.mark.isolated

PUBLIC = "93.184.215.14"
NETWORKS = ("93.184.215.0/24", "10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
            "192.168.0.0/16", "198.18.0.0/15")  # fmt: skip
PORTS = (80, 443, 8080)

HOSTS = """
127.0.0.1 127.0.0.1:8080 127.1 127.0.1 2130706433 0x7f000001 0x7F.1 0177.0.0.1 017700000001 0x7f.0x0.0x0.0x1
127.127.127.127
0 0.0.0.0 0x0 00.0 localhost LOCALHOST localhost. LocalHost:8080 ip6-localhost
10.0.0.1 012.1 0xa.1 167772161 10.255.255.254:8080 100.100.100.200 172.16.0.1 172.31.255.254 192.0.0.192 198.18.0.1
169.254.169.254 0xa9fea9fe 0251.0376.0251.0376 2852039166 169.254.43518 169.16689662 ①⑥⑨。②⑤④。①⑥⑨。②⑤④
192.168.1.1 3232235777 0xc0.0xa8.0x1.0x1 0300.0250.257 １９２．１６８．１．１ 192%2e168%2e1%2e1
[::1] [::1]:8080 [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::127.0.0.1]
[64:ff9b::10.0.0.1] [64:ff9b::a9fe:a9fe] [2002:7f00:1::] [2002:a00:1::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2]
[fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [100::1]
inner.test mixed.test six.test user@127.0.0.1 example.com@10.0.0.1 example.com:80@10.0.0.1:8080
""".split()  # noqa: SIM905
CASES = [f"http://{host}/case-{number}" for number, host in enumerate(HOSTS)] + ["https://127.0.0.1/secret"]


@pytest.fixture
def site() -> Iterator[Site]:
    """The test site at a public address, in a network where the others answer too."""
    own(NETWORKS)
    with Site([PUBLIC]) as site:
        yield site


@pytest.fixture
def canary() -> Iterator[Canary]:
    with Canary(PORTS) as canary:
        yield canary
        assert canary.visited() == []


@pytest.fixture
def names(names: Names) -> Names:
    # With a dot behind it, it is looked up like any other name.
    names.add("localhost", "127.0.0.1")
    names.add("inner.test", "10.0.0.5")
    names.add("mixed.test", ("10.0.0.5", "127.0.0.1", "::1"))
    names.add("six.test", "::ffff:127.0.0.1", "fd00::1")
    return names


def refused(mirror: Mirror) -> dict[str, str]:
    """The URLs that were refused for their address, with what is told about them."""
    failed = mirror.manifest["failed"]
    return {each["url"]: each["detail"] for each in failed if each["reason"] == "private-address"}


def check_all_refused(mirror: Mirror) -> None:
    details = refused(mirror)
    assert {url.rpartition("/")[2] for url in details} == {url.rpartition("/")[2] for url in CASES}
    assert all("which may not be dialled; --allow-network " in detail for detail in details.values())
    assert mirror.statistics["failed_count"] == len(CASES)
    assert mirror.statistics["pending_count"] == 0


def test_the_canary_would_tell(site: Site, names: Names, mirror: Mirror) -> None:
    """A9: with --allow-private, somebody comes"""
    with Canary(PORTS) as canary:
        mirror.crawl((CASES[0],), allow_private=True, timeout=0.2, retries=0)
        assert canary.visited() == [80]


# By HTTP robots.txt is asked for first; without it, the browser is what dials.
WAYS = pytest.mark.parametrize(
    "way", [{}, {"ignore_robots": True}, {"ignore_robots": True, "render": "always"}], ids=["robots", "http", "browser"]
)


@WAYS
def test_start_urls_of_strangers(site: Site, canary: Canary, names: Names, mirror: Mirror, way: dict[str, Any]) -> None:
    """A9: what the service does"""
    crawled = mirror.crawl(tuple(CASES), private_start=False, **way)
    check_all_refused(mirror)
    assert not crawled.finished.clean
    assert mirror.manifest["pages"] == []


@WAYS
def test_links(site: Site, canary: Canary, names: Names, mirror: Mirror, way: dict[str, Any]) -> None:
    """A9"""
    site.page("/", links=CASES)
    mirror.crawl("/", follow_external=True, **way)
    assert set(mirror.pages) == {"/"}
    check_all_refused(mirror)


@WAYS
def test_redirects_of_pages(site: Site, canary: Canary, names: Names, mirror: Mirror, way: dict[str, Any]) -> None:
    """A9"""
    site.page("/", links=[f"/{number}" for number in range(len(CASES))])
    for number, url in enumerate(CASES):
        site.redirect(f"/{number}", url, status=(301, 302, 303, 307, 308)[number % 5])
    mirror.crawl("/", follow_external=True, **way)
    assert set(mirror.pages) == {"/"}
    check_all_refused(mirror)


def test_redirects_of_start_urls(site: Site, canary: Canary, names: Names, mirror: Mirror) -> None:
    """A9, R1: they are followed off the site, and not to any address"""
    starts = tuple(f"/{number}" for number in range(len(CASES)))
    for path, url in zip(starts, CASES, strict=True):
        site.redirect(path, url)
    mirror.crawl(starts)
    check_all_refused(mirror)


def test_pages_in_sitemaps(site: Site, canary: Canary, names: Names, mirror: Mirror) -> None:
    """A9"""
    site.page("/")
    site.sitemap("/sitemap.xml", CASES)
    mirror.crawl(follow_external=True)
    assert set(mirror.pages) == {"/"}
    check_all_refused(mirror)


def test_sitemaps_elsewhere(site: Site, canary: Canary, names: Names, mirror: Mirror) -> None:
    """A9: named by robots.txt, by a sitemap, and as the target of a redirect"""
    site.page("/")
    third = len(CASES) // 3
    lines = [f"Sitemap: {url}" for url in CASES[:third]]
    site.robots("\n".join([*lines, f"Sitemap: {site.url}/index.xml"]))
    moved = [f"{site.url}/moved-{number}.xml" for number in range(third, 2 * third)]
    for url, target in zip(moved, CASES[third:], strict=False):
        site.redirect(url, target)
    site.sitemap_index("/index.xml", [*moved, *CASES[2 * third :]])
    crawled = mirror.crawl()
    told = [event.text for event in crawled.events if isinstance(event, Notice) and "may not be dialled" in event.text]
    assert len(told) == len(CASES)
    assert set(mirror.pages) == {"/"}


def test_redirects_of_robots_txt(site: Site, canary: Canary, names: Names, mirror: Mirror) -> None:
    """A9, R10: then nothing on the host may be asked for"""
    hosts = [f"host{number}.test:{site.port}" for number in range(len(CASES))]
    site.page("/", links=[f"http://{host}/page" for host in hosts])
    site.robots("", host=PUBLIC)
    for host, url in zip(hosts, CASES, strict=True):
        names.add(host.partition(":")[0], PUBLIC)
        site.redirect(f"http://{host}/robots.txt", url)
    mirror.crawl(follow_external=True)
    skipped = {each["url"]: each for each in mirror.manifest["skipped"]}
    assert {url.split("/")[2] for url in skipped} == set(hosts)
    assert all(each["reason"] == "robots-unreachable" for each in skipped.values())
    assert all("may not be dialled" in each["detail"] for each in skipped.values())


def test_a_name_that_leads_elsewhere_the_second_time(site: Site, canary: Canary, names: Names) -> None:
    """A9: a DNS server that answers with a public address first and a private one then; it is named as a start URL"""
    names.add("rebound.test", PUBLIC, "127.0.0.1", "169.254.169.254", "10.0.0.1", PUBLIC)
    site.page("/", headers={"Connection": "close"})
    egress = Egress(named=["rebound.test"])

    async def ask() -> list[str]:
        # A fetcher of its own each time: libcurl remembers names for some minutes.
        http = HttpFetcher(Fetch(timeout=5), {}, egress)
        try:
            return [str((await http.get(f"http://rebound.test:{site.port}/")).status)]
        except Refused as error:
            return [str(error)]
        finally:
            await http.close()

    answers = [asyncio.run(ask())[0] for _ in range(5)]
    assert answers[0] == answers[4] == "200"
    for answer, address in zip(answers[1:4], ("127.0.0.1", "169.254.169.254", "10.0.0.1"), strict=True):
        assert f"rebound.test is at {address}, a" in answer
    assert len(site.hits) == 2


def test_a_rebound_name_between_two_runs(site: Site, canary: Canary, names: Names, mirror: Mirror) -> None:
    """A9: the second run of a service's crawl asks nobody"""
    site.page("/", links=["/a", "/b"])
    site.page("/a")
    names.add("rebound.test", PUBLIC, "127.0.0.1")
    start = (f"http://rebound.test:{site.port}/",)
    mirror.crawl(start, private_start=False, max_pages=1)
    assert len(mirror.pages) == 1
    before = len(site.hits)
    mirror.crawl(start, private_start=False)
    assert len(site.hits) == before
    assert set(refused(mirror)) == {f"{start[0]}a", f"{start[0]}b"}


def test_one_good_address_among_bad_ones_is_enough(site: Site, canary: Canary, names: Names, mirror: Mirror) -> None:
    """A9: only the good one is dialled"""
    site.page("/")
    names.add("both.test", ("10.0.0.5", PUBLIC, "127.0.0.1"))
    crawled = mirror.crawl((f"http://both.test:{site.port}/",), private_start=False)
    assert crawled.finished.clean


def test_a_private_host_that_is_named_is_let_in_alone(canary: Canary, names: Names, mirror: Mirror) -> None:
    """R12: by name or address, not where it redirects, and not its neighbours"""
    with Site(["10.0.0.5"]) as inner:
        inner.page("/", links=["/a", f"{inner.url}/b", "http://10.0.0.6/c", "http://localhost/d"])
        inner.redirect("/a", f"http://127.0.0.1:{inner.port}/a")
        inner.page("/b")
        start = f"http://inner.test:{inner.port}/"
        mirror.crawl((start,), follow_external=True)
        assert [page["url"] for page in mirror.manifest["pages"]] == [start]
        assert {url.rpartition("/")[2] for url in refused(mirror)} == {"a", "b", "c", "d"}
        mirror.crawl((start,), follow_external=True, allow_network="10.0.0.5", fresh=True)
        assert len(mirror.manifest["pages"]) == 2


REACHING_OUT = """
<p id="first">The page</p>
<script>
const tries = URLS;
const element = (tag, fields) => document.body.append(Object.assign(document.createElement(tag), fields));
for (const url of tries) {
  fetch(url, {mode: "no-cors"}).catch(() => 0);
  navigator.sendBeacon(url, "x");
  element("img", {src: url});
  element("iframe", {src: url});
  element("script", {src: url});
  element("link", {rel: "stylesheet", href: url});
  element("link", {rel: "preconnect", href: url});
  element("link", {rel: "prefetch", href: url});
  try { new WebSocket(url.replace("http", "ws")); } catch {}
  try { new EventSource(url); } catch {}
  try { new Worker(url); } catch {}
}
const servers = ["stun:10.0.0.1:3478", "stun:127.0.0.1:3478", "turn:10.0.0.1:3478?transport=tcp"];
for (const urls of servers) {
  const peer = new RTCPeerConnection({iceServers: [{urls, username: "u", credential: "c"}]});
  peer.createDataChannel("x");
  peer.createOffer().then(offer => peer.setLocalDescription(offer));
}
setTimeout(() => { document.body.append("Everything was tried"); }, 300);
setTimeout(() => { location.href = tries[0]; }, 400);
</script>
"""


def test_scripts_in_a_browser_reach_nobody(site: Site, canary: Canary, names: Names, mirror: Mirror) -> None:
    """A9, D7: by requests, frames, sockets, connections ahead of time, and by what is not TCP"""
    site.page("/", REACHING_OUT.replace("URLS", json.dumps(CASES)))
    with Canary([3478]) as turn, socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as stun:
        stun.bind(("::", 3478))
        stun.setblocking(False)
        crawled = mirror.crawl(render="always")
        with pytest.raises(BlockingIOError):
            stun.recv(2000)
        assert turn.visited() == []
    assert crawled.finished.clean
    assert "The page" in mirror.body("/")


def test_scripts_in_a_browser_would_reach_somebody(site: Site, names: Names, mirror: Mirror) -> None:
    """A9: with --allow-private, the scripts above do"""
    site.page("/", REACHING_OUT.replace("URLS", json.dumps(CASES)))
    with Canary(PORTS) as canary:
        mirror.crawl(render="always", allow_private=True, timeout=5.0, retries=0)
        assert set(canary.visited()) >= {80, 8080}


def test_a_proxy_of_the_environment_is_not_asked(
    site: Site, canary: Canary, names: Names, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A9, E1"""
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://10.0.0.1:8080")
    site.page("/")
    assert mirror.crawl().finished.clean


def test_what_a_proxy_is_not_asked_for(site: Site, canary: Canary, names: Names, mirror: Mirror) -> None:
    """A9: addresses that can be seen; and a stranger's proxy is dialled no more than a stranger's page"""

    async def pass_on(hit: Hit) -> Answer:
        return Page("<p>Passed on</p>", links=CASES if hit.path.endswith("/") else ()).answer()

    site.on("http://", pass_on)
    literal = [url for url in CASES if ".test" not in url and "ip6-localhost" not in url]
    mirror.crawl(("http://example.com/",), follow_external=True, proxy=site.url, ignore_robots=True)
    assert len(mirror.manifest["pages"]) == 1 + len(CASES) - len(literal)
    assert {url.rpartition("/")[2] for url in refused(mirror)} == {url.rpartition("/")[2] for url in literal}
    mirror.crawl(("http://example.com/",), proxy="http://10.0.0.1:8080", private_start=False, fresh=True)
    assert "10.0.0.1 is a private address" in refused(mirror)["http://example.com/"]


def test_the_command_line_says_which_option_would_help(
    site: Site, canary: Canary, names: Names, mirror: Mirror, quire: Quire
) -> None:
    """C10, C5: what is refused, why, and what to do"""
    site.page("/", links=["http://inner.test/page"])
    finished = mirror("--follow-external", "--no-private-start")
    assert finished.status == 1
    expected = (
        "inner.test is at 10.0.0.5, a private address, which may not be dialled;"
        " --allow-network 10.0.0.5 would allow it, --allow-private every such address"
    )
    assert expected in finished.err
    told = quire("why", "http://inner.test/page", "-o", mirror.folder)
    assert f"decision: failed, and not asked for: {expected}" in told.out
    assert f"found on: {site.url}/, a start URL (a)" in told.out


def test_the_browser_dials_nothing_private(site: Site, canary: Canary, names: Names, mirror: Mirror) -> None:
    """A9, E2: whatever a page asks for in it, by whatever name, and however it asks"""
    asks = ";".join(f"fetch({url!r}, {{mode: 'no-cors'}}).catch(() => 0); new Image().src = {url!r}" for url in CASES)
    frames = "".join(f"<iframe src='{url}'></iframe><script src='{url}'></script>" for url in CASES[:20])
    sockets = ";".join(f"try {{ new WebSocket('ws://{host}/') }} catch {{}}" for host in HOSTS[:20])
    site.page("/", f"<h1>Page</h1><p>{'Words. ' * 20}</p>{frames}<script>{asks};{sockets}</script>", links=["/away"])
    site.page("/away", "<script>location.href = 'http://inner.test/'</script>")
    mirror.crawl(render="always", render_timeout=5, follow_external=True, render_images=True)
    assert set(mirror.pages) == {"/"}
    assert mirror.listed("failed")["http://inner.test/"] == "private-address"


def test_the_browser_cannot_be_rebound(site: Site, canary: Canary, names: Names, mirror: Mirror) -> None:
    """A9, E2: a name that is public when it is judged and private when it is dialled"""
    names.add("turning.test", PUBLIC, "10.0.0.5")
    site.page("/", f"<h1>Page</h1><p>{'Words. ' * 20}</p>", links=[f"http://turning.test:{site.port}/next"])
    site.page("/next", "<h1>Next</h1><script>setTimeout(() => fetch('http://turning.test:8080/'), 10)</script>")
    mirror.crawl(render="always", follow_external=True, ignore_robots=True)
    assert f"http://turning.test:{site.port}/next" in mirror.pages
