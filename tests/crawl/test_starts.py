"""Where a crawl starts: several URLs, some of which move, fail or are forbidden (D1, D2, P2, R1)."""

from __future__ import annotations

import base64
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Quire, Site, files_in

from quire.errors import UsageError
from quire.library import crawl_sync

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml")


def pages(site: Site, *paths: str) -> None:
    for path in paths:
        site.page(path, f"<p>{path}</p>")


def break_off(site: Site) -> None:
    site.reset("/")


def answer_500(site: Site) -> None:
    site.fail("/", status=500)


def answer_404(site: Site) -> None:
    site.remove("/")


def forbid(site: Site) -> None:
    site.robots("User-agent: *\nDisallow: /$\nAllow: /")


def send_in_a_circle(site: Site) -> None:
    site.redirect("/", "/circle")
    site.redirect("/circle", "/")


def ask_for_a_pause(site: Site) -> None:
    site.fail("/", times=1, status=429, headers={"Retry-After": "1"})


def be_a_pdf(site: Site) -> None:
    site.raw("/", b"%PDF", "application/pdf")


@pytest.mark.parametrize(
    "trouble", [break_off, answer_500, answer_404, forbid, send_in_a_circle, ask_for_a_pause, be_a_pdf]
)
def test_a_start_page_that_cannot_be_had_does_not_cost_the_sitemap(site: Site, mirror: Mirror, trouble: object) -> None:
    """D1, D2, P6: what the sitemap lists is mirrored, and the crawl ends"""
    pages(site, "/", "/listed", "/linked")
    site.page("/listed", links=["/linked"])
    site.sitemap("/sitemap.xml", ["/listed"])
    assert callable(trouble)
    trouble(site)
    mirror.crawl(retry_delay=0.02, retries=1, sitemap=(f"{site.url}/sitemap.xml",))
    assert {"/listed", "/linked"} <= set(mirror.pages)
    assert mirror.statistics["pending_count"] == 0
    assert site.count("/sitemap.xml") == 1


@pytest.mark.parametrize("trouble", [answer_500, answer_404, forbid, be_a_pdf])
def test_the_conventional_sitemap_is_read_whatever_the_start_page_answers(
    site: Site, mirror: Mirror, trouble: object
) -> None:
    """D1, D2"""
    pages(site, "/", "/listed")
    site.sitemap("/sitemap.xml", ["/listed"])
    assert callable(trouble)
    trouble(site)
    mirror.crawl(retry_delay=0.02)
    assert "/listed" in mirror.pages


def test_several_start_urls_of_one_host_read_its_sitemaps_once(site: Site, mirror: Mirror) -> None:
    """D2, D10, P1: moved, failed and good ones together; start URLs go first"""
    site.redirect("/old", "/new")
    pages(site, "/new", "/good", "/listed")
    site.page("/broken", status=500)
    site.page("/", links=["/linked"])
    pages(site, "/linked")
    site.sitemap("/sitemap.xml", ["/listed"])
    mirror.crawl(("/old", "/broken", "/", "/good", "/missing"), concurrency=1)
    assert set(mirror.pages) == {"/new", "/good", "/", "/linked", "/listed"}
    for path in ("/robots.txt", *SITEMAPS, "/old", "/new", "/good", "/broken"):
        assert site.count(path) == 1, path
    paths = [path for path in site.paths() if path not in ("/robots.txt", *SITEMAPS)]
    assert set(paths[-2:]) == {"/linked", "/listed"}


def test_start_urls_of_several_hosts_read_each_hosts_sitemaps(site: Site, mirror: Mirror) -> None:
    """D2, U6"""
    other = site.url_on("127.0.0.2")
    pages(site, "/", "/a", f"{other}/b")
    site.sitemap("/sitemap.xml", [f"{site.url}/a", f"{other}/b"])
    mirror.crawl(("/", f"{other}/"))
    assert set(mirror.pages) == {"/", "/a", f"{other}/", f"{other}/b"}
    for host in (site.url, other):
        for path in ("/robots.txt", *SITEMAPS):
            assert site.count(host + path) == 1


def test_one_of_two_start_urls_moves_to_another_host(site: Site, mirror: Mirror) -> None:
    """R1, U7: the other keeps its base"""
    other = site.url_on("127.0.0.2")
    site.redirect(f"{site.url}/moved", f"{other}/moved")
    site.page(f"{other}/moved", links=["/moved/a"])
    site.page("/stays", links=["/stays/b"])
    pages(site, "/moved/a", "/stays/b")
    mirror.crawl(("/moved", "/stays"), allow_network="127.0.0.2")
    assert set(mirror.pages) == {f"{other}/moved", f"{other}/moved/a", "/stays", "/stays/b"}


def test_a_resumed_crawl_knows_that_its_start_url_was_a_sitemap(site: Site, mirror: Mirror) -> None:
    """D1, R1, S5: by what it holds and not by its name; the whole host belongs to the site then"""
    site.sitemap("/feeds/all", ["/a", "/b"])
    site.page("/a", "<p>A</p>", links=["/a/1"])
    site.page("/b", "<p>B</p>", links=["/b/1"])
    pages(site, "/a/1", "/b/1")
    mirror.crawl(start="/feeds/all", max_pages=1)
    mirror.crawl(start="/feeds/all")
    assert set(mirror.pages) == {"/a", "/a/1", "/b", "/b/1"}
    assert mirror.manifest["crawl"]["bases"] == [f"{site.url}/"]


def test_an_update_finds_a_site_that_has_moved_back(site: Site, mirror: Mirror) -> None:
    """R1, S13: the site is where the start URL lands in this crawl"""
    there = site.url_on("127.0.0.2")
    site.redirect(f"{site.url}/", f"{there}/")
    for host in (site.url, there):
        site.page(f"{host}/a", "<p>A</p>")
    site.page(f"{there}/", links=["/a"])
    mirror.crawl(allow_private=True)
    assert set(mirror.pages) == {f"{there}/", f"{there}/a"}
    site.page(f"{site.url}/", links=["/a"])
    site.redirect(f"{there}/", f"{site.url}/")
    mirror.crawl(allow_private=True, update=True)
    assert set(mirror.pages) == {"/", "/a"}
    assert mirror.manifest["crawl"]["bases"] == [f"{site.url}/"]


def test_two_start_urls_lead_to_one_page(site: Site, mirror: Mirror) -> None:
    """R1, S9, D10"""
    other = site.url_on("127.0.0.2")
    site.redirect(f"{site.url}/", f"{other}/")
    site.page(f"{other}/", links=["/a"])
    pages(site, "/a")
    assert mirror.crawl(("/", f"{other}/")).finished.clean
    assert set(mirror.pages) == {f"{other}/", f"{other}/a"}
    assert site.count(f"{other}/") == 1


@pytest.mark.parametrize(
    "target", ["/docs/listed", "http://[broken", "/docs/x.pdf", "mailto:a@b.example", "/docs/gone", "/docs/private"]
)
def test_a_start_url_that_leads_to_something_else_does_not_hold_the_crawl(
    site: Site, mirror: Mirror, target: str
) -> None:
    """R1, R8, P6: to a page that is known already, to a file, to nothing, to what is forbidden"""
    site.redirect("/docs", target)
    pages(site, "/docs/listed", "/docs/also")
    site.robots("User-agent: *\nDisallow: /docs/private")
    site.sitemap("/map.xml", ["/docs/listed", "/docs/also"])
    mirror.crawl("/docs", sitemap=(f"{site.url}/map.xml",))
    assert set(mirror.pages) == {"/docs/listed", "/docs/also"}
    assert mirror.statistics["pending_count"] == 0
    assert site.count("/docs/listed") == site.count("/docs/also") == 1


def test_the_same_start_url_twice_is_one(site: Site, mirror: Mirror) -> None:
    """D10, U1"""
    pages(site, "/docs/")
    mirror.crawl(("/docs/", "/docs/#top", "/docs", "/docs/?utm_source=x"))
    assert len(mirror.pages) == 1
    assert site.paths().count("/docs/") == 1


def test_a_start_url_without_a_scheme(site: Site, quire: Quire, mirror: Mirror) -> None:
    """C1: loopback addresses speak http"""
    pages(site, "/")
    finished = mirror("-q", start=f"127.0.0.1:{site.port}")
    assert finished.status == 0
    assert set(mirror.pages) == {"/"}


@pytest.mark.parametrize("where", ["/sitemap.xml", "/nested.xml", "/a"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_crawl_stopped_while_it_begins_misses_nothing(
    site: Site, quire: Quire, mirror: Mirror, where: str, how: signal.Signals
) -> None:
    """S5, D1: sitemaps that were not read to their end are read again"""
    pages(site, "/a", "/b", "/linked")
    site.page("/", links=["/linked"])
    site.sitemap_index("/sitemap.xml", ["/first.xml", "/nested.xml"])
    site.sitemap("/first.xml", ["/a"])
    site.sitemap("/nested.xml", ["/b"])
    site.hang(where)
    process = quire.start("mirror", *mirror.command("-q"))
    site.wait(path=where)
    process.send_signal(how)
    process.wait(20)
    site.release(where)
    site.clear()
    assert mirror().status == 0
    assert set(mirror.pages) == {"/", "/a", "/b", "/linked"}
    assert mirror.statistics["total_urls_in_sitemap"] == 2


def test_a_host_whose_robots_txt_fails_does_not_hold_the_crawl(site: Site, mirror: Mirror) -> None:
    """R10, D1: whether it is a start host or one that is linked to"""
    two, three = site.url_on("127.0.0.2"), site.url_on("127.0.0.3")
    site.page("/", links=["/a", f"{three}/x"])
    pages(site, "/a")
    site.fail(f"{two}/robots.txt", status=500)
    site.fail(f"{three}/robots.txt", status=500)
    crawled = mirror.crawl(("/", f"{two}/"), follow_external=True, allow_network="127.0.0.3")
    assert set(mirror.pages) == {"/", "/a"}
    assert mirror.listed("skipped") == dict.fromkeys([f"{two}/", f"{three}/x"], "robots-unreachable")
    assert not crawled.finished.clean


def test_credentials_in_a_start_url_go_to_its_host_only(site: Site, mirror: Mirror) -> None:
    """E1: they are sent like --auth, and stand nowhere in the mirror"""
    other = site.url_on("127.0.0.2")
    site.page("/", links=["/a", f"{other}/b"])
    site.page("/a", "<p>A</p>")
    site.page("/b", "<p>B</p>")
    url = site.url.replace("://", "://ann:se%40cret@")
    mirror.crawl(start=(f"{url}/",), follow_external=True, allow_network="127.0.0.2")
    expected = "Basic " + base64.b64encode(b"ann:se@cret").decode()
    sent = {(hit.host, hit.headers.get("Authorization")) for hit in site.hits}
    assert sent == {("127.0.0.1", expected), ("127.0.0.2", None)}
    assert not [path for path, data in files_in(mirror.folder).items() if b"cret" in data]


def test_credentials_in_one_start_url_do_not_go_to_another(site: Site, mirror: Mirror) -> None:
    """E1: not with its pages, and not with its robots.txt"""
    other = site.url_on("127.0.0.2")
    site.page("/", "<p>Here</p>")
    site.page("/b", "<p>B</p>")
    mirror.crawl(start=(site.url.replace("://", "://ann:secret@") + "/", f"{other}/b"))
    sent = {(hit.host, "Authorization" in hit.headers) for hit in site.hits}
    assert sent == {("127.0.0.1", True), ("127.0.0.2", False)}


@pytest.mark.parametrize("text", ["mailto:x@y.example", "/docs", "javascript:alert(1)", "ftp://127.0.0.1/"])
def test_what_is_no_web_address_is_refused(mirror_dir: Path, text: str) -> None:
    """C10"""
    with pytest.raises(UsageError, match="web address"):
        crawl_sync(text, output=str(mirror_dir))
