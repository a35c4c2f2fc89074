"""The test site keeps its promises: each knob, seen from a plain client."""

from __future__ import annotations

import gzip
import http.client
import re
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

import pytest
from quire_test_site import Answer, Hit, Quire, Site, encoded, environment, files_in


@dataclass(frozen=True)
class Got:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def get(site: Site, path: str, *, host: str = "127.0.0.1", method: str = "GET", **headers: str) -> Got:
    connection = http.client.HTTPConnection(host, site.port, timeout=5)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return Got(response.status, response.headers, response.read())
    finally:
        connection.close()


def test_a_page_is_a_full_document_with_its_links(site: Site) -> None:
    site.page("/docs/", "<h1>Docs</h1>", links=["/a?x=1&y=2"], title="The <docs>", head='<meta name="x">')
    got = get(site, "/docs/")
    assert got.status == 200
    assert got.headers["Content-Type"] == "text/html; charset=utf-8"
    assert got.text.startswith("<!doctype html>")
    for part in ("<title>The &lt;docs&gt;</title>", '<meta name="x">', "<h1>Docs</h1>", 'href="/a?x=1&amp;y=2"'):
        assert part in got.text


def test_raw_bytes_status_and_headers_go_out_as_given(site: Site) -> None:
    site.raw("/file", b"%PDF", "application/pdf", headers=[("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")], status=203)
    site.page("/fragment", "<p>only this", raw=True, headers={"content-type": "text/plain"})
    site.raw("/nameless", b"?", "")
    got = get(site, "/file")
    assert (got.status, got.body, got.headers["Content-Type"]) == (203, b"%PDF", "application/pdf")
    assert got.headers.get_all("Set-Cookie") == ["a=1", "b=2"]
    assert get(site, "/fragment").text == "<p>only this"
    assert get(site, "/fragment").headers.get_all("Content-Type") == ["text/plain"]
    assert get(site, "/nameless").headers["Content-Type"] is None


def test_an_unregistered_path_is_not_found_and_counted(site: Site) -> None:
    assert get(site, "/nowhere").status == 404
    assert site.count("/nowhere") == 1


def test_a_query_finds_its_own_page_first_then_the_page_without_it(site: Site) -> None:
    site.page("/list", "all")
    site.page("/list?page=2", "second")
    assert "second" in get(site, "/list?page=2").text
    assert "all" in get(site, "/list?page=3").text


def test_every_request_is_logged_as_it_was_sent(site: Site) -> None:
    before = time.monotonic()
    get(site, "/A%20b/../c?q=%7e", X_Name="value")
    get(site, "/c", method="HEAD")
    first, second = site.hits
    assert (first.method, first.path, first.host) == ("GET", "/A%20b/../c?q=%7e", "127.0.0.1")
    assert first.headers["x-name"] == "value"
    assert first.query == {"q": ["~"]}
    assert before <= first.time <= second.time <= time.monotonic()
    assert site.paths() == ["/A%20b/../c?q=%7e"]
    site.clear()
    assert (site.hits, site.connections, site.peak()) == ([], 0, 0)


def test_hosts_are_told_apart_on_one_port(site: Site) -> None:
    site.page("/", "everywhere")
    site.page(f"{site.url_on('127.0.0.2')}/", "the second host")
    site.robots("User-agent: *\nDisallow: /", host="127.0.0.2")
    assert "everywhere" in get(site, "/").text
    assert "everywhere" in get(site, "/", host="localhost").text
    assert "the second host" in get(site, "/", host="127.0.0.2").text
    assert get(site, "/robots.txt").status == 404
    assert get(site, "/robots.txt", host="127.0.0.2").text == "User-agent: *\nDisallow: /"
    assert site.count("/") == 3
    assert site.count(f"{site.url_on('127.0.0.2')}/") == 1
    assert site.paths("127.0.0.2") == ["/", "/robots.txt"]
    assert [hit.host for hit in site.hits[:2]] == ["127.0.0.1", "localhost"]


def test_redirects_name_their_target(site: Site) -> None:
    site.redirect("/old", "/new")
    site.redirect("/loop", f"{site.url_on('127.0.0.2')}/loop", status=302)
    got = get(site, "/old")
    assert (got.status, got.headers["Location"]) == (301, "/new")
    assert get(site, "/loop").headers["Location"] == f"http://127.0.0.2:{site.port}/loop"


def test_a_sitemap_holds_paths_and_fields(site: Site) -> None:
    entry = {"loc": "/b?x=1&y=2", "lastmod": datetime(2025, 3, 1, tzinfo=UTC), "priority": 0.8, "changefreq": "daily"}
    site.sitemap("/sitemap.xml", ["/a", entry, "https://elsewhere.example/"])
    site.sitemap_index("/index.xml", ["/sitemap.xml"])
    text = get(site, "/sitemap.xml").text
    assert f"<url><loc>{site.url}/a</loc></url>" in text
    assert f"<loc>{site.url}/b?x=1&amp;y=2</loc><lastmod>2025-03-01T00:00:00+00:00</lastmod>" in text
    assert "<priority>0.8</priority><changefreq>daily</changefreq>" in text
    assert "<loc>https://elsewhere.example/</loc>" in text
    assert f"<sitemap><loc>{site.url}/sitemap.xml</loc></sitemap>" in get(site, "/index.xml").text


def test_a_huge_sitemap_is_streamed_also_gzipped(site: Site) -> None:
    def entries() -> Iterator[str]:
        return (f"/page/{number}" for number in range(20_000))

    site.sitemap("/sitemap.xml", entries)
    site.sitemap("/sitemap.xml.gz", entries, gzip=True)
    got = get(site, "/sitemap.xml")
    assert got.headers["Transfer-Encoding"] == "chunked"
    assert got.body.count(b"<loc>") == 20_000
    assert gzip.decompress(get(site, "/sitemap.xml.gz").body) == got.body


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_page_can_be_encoded_for_transport(site: Site, encoding: str) -> None:
    site.page("/x", "<p>packed</p>")
    plain = get(site, "/x").body
    site.page("/x", "<p>packed</p>", encoding=encoding)
    got = get(site, "/x")
    assert got.headers["Content-Encoding"] == encoding
    assert got.body == encoded(plain, encoding) != plain


def test_a_bomb_is_small_on_the_wire(site: Site) -> None:
    site.bomb("/bomb", 20_000_000)
    body = get(site, "/bomb").body
    assert len(body) < 50_000
    assert len(zlib.decompress(body, 16 + zlib.MAX_WBITS)) == 20_000_000


def test_validators_answer_conditional_requests(site: Site) -> None:
    modified = datetime(2025, 5, 4, 12, tzinfo=UTC)
    site.page("/tagged", "one", etag=True)
    site.page("/dated", "one", last_modified=modified)
    tag = get(site, "/tagged").headers["ETag"]
    assert get(site, "/tagged", If_None_Match=f'"other", W/{tag}').status == 304
    assert get(site, "/tagged", If_None_Match='"other"').status == 200
    assert get(site, "/dated").headers["Last-Modified"] == "Sun, 04 May 2025 12:00:00 GMT"
    assert get(site, "/dated", If_Modified_Since="Sun, 04 May 2025 12:00:00 GMT").status == 304
    assert get(site, "/dated", If_Modified_Since="Sat, 03 May 2025 12:00:00 GMT").status == 200
    assert get(site, "/dated", If_Modified_Since="yesterday").status == 200
    site.change("/tagged", "two")
    changed = get(site, "/tagged", If_None_Match=tag)
    assert (changed.status, "two" in changed.text) == (200, True)


def test_pages_change_and_go_between_crawls(site: Site) -> None:
    site.page("/x", "one", title="Kept", links=["/y"])
    site.change("/x", "two", links=["/z"])
    text = get(site, "/x").text
    assert "two" in text
    assert "<title>Kept</title>" in text
    assert 'href="/z"' in text
    site.remove("/x")
    assert get(site, "/x").status == 404


def test_a_path_fails_some_times_and_then_serves(site: Site) -> None:
    later = format_datetime(datetime(2030, 1, 1, tzinfo=UTC), usegmt=True)
    site.page("/x", "fine")
    site.fail("/x", times=1, status=429, headers={"Retry-After": "1"})
    site.fail("/y", headers={"Retry-After": later})
    first, second = get(site, "/x"), get(site, "/x")
    assert (first.status, first.headers["Retry-After"], second.status) == (429, "1", 200)
    assert (get(site, "/y").status, get(site, "/y").headers["Retry-After"]) == (503, later)
    site.heal("/y")
    assert get(site, "/y").status == 404


def test_a_delay_holds_back_only_its_path(site: Site) -> None:
    site.page("/slow")
    site.page("/quick")
    site.delay("/slow", 0.2)
    with ThreadPoolExecutor(1) as pool:
        began = time.monotonic()
        slow = pool.submit(get, site, "/slow")
        site.wait(path="/slow")
        assert get(site, "/quick").status == 200
        assert not slow.done()
        assert slow.result().status == 200
        assert time.monotonic() - began >= 0.2
    assert site.peak() == site.peak("127.0.0.1") == 2


def test_a_hanging_path_says_nothing_until_it_is_released(site: Site) -> None:
    site.page("/x", "at last")
    site.hang("/x")
    with socket.create_connection(("127.0.0.1", site.port), timeout=0.1) as client:
        client.sendall(b"GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        with pytest.raises(TimeoutError):
            client.recv(1)
        site.release("/x")
        client.settimeout(5)
        assert client.recv(12) == b"HTTP/1.1 200"


def test_the_site_closes_while_requests_hang() -> None:
    with Site() as site, socket.create_connection(("127.0.0.1", site.port), timeout=5) as client:
        site.hang("/x")
        client.sendall(b"GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        site.wait(path="/x")


def test_a_connection_is_reset_in_place_of_an_answer(site: Site) -> None:
    site.page("/x")
    site.reset("/x", times=1)
    with pytest.raises(ConnectionResetError):
        get(site, "/x")
    assert get(site, "/x").status == 200


def test_a_connection_is_reset_in_the_middle_of_a_body(site: Site) -> None:
    site.raw("/x", bytes(1_000_000))
    site.reset("/x", after=500_000)
    with pytest.raises(ConnectionResetError):
        get(site, "/x")


def test_a_truncated_body_ends_short_of_its_length(site: Site) -> None:
    site.raw("/x", b"0123456789")
    site.truncate("/x", times=1)
    site.sitemap("/chunked", lambda: ["/a"])
    site.truncate("/chunked", at=30)
    with pytest.raises(http.client.IncompleteRead) as short:
        get(site, "/x")
    assert short.value.partial == b"01234"
    assert get(site, "/x").body == b"0123456789"
    with pytest.raises(http.client.IncompleteRead):
        get(site, "/chunked")


def test_a_wrong_content_length_goes_out(site: Site) -> None:
    site.raw("/x", b"short", headers={"Content-Length": "100"})
    with pytest.raises(http.client.IncompleteRead):
        get(site, "/x")


def test_a_body_drips(site: Site) -> None:
    site.raw("/x", b"0123456789")
    site.drip("/x", bytes_per_second=100)
    began = time.monotonic()
    assert get(site, "/x").body == b"0123456789"
    assert time.monotonic() - began >= 0.08


def test_a_handler_has_full_control(site: Site) -> None:
    async def echo(hit: Hit) -> Answer:
        return Answer(418, hit.body or b"nothing", {"X-Path": hit.path})

    site.handler("/echo", echo)
    site.on("/any/", echo)
    site.page("/any/registered", "mine")
    assert (get(site, "/echo").status, get(site, "/any/thing").headers["X-Path"]) == (418, "/any/thing")
    assert "mine" in get(site, "/any/registered").text


def test_an_error_in_a_handler_fails_the_test_that_made_it() -> None:
    async def broken(_: Hit) -> Answer:
        raise LookupError("a bug in the test")

    site = Site()
    site.handler("/x", broken)
    site.__enter__()
    with pytest.raises(ConnectionError):
        get(site, "/x")
    with pytest.raises(ExceptionGroup) as caught:
        site.__exit__(None, None, None)
    assert caught.group_contains(LookupError)


def test_connections_are_kept_alive(site: Site) -> None:
    site.page("/x")
    site.raw("/empty", b"", status=204)
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=5)
    for method, path in [("GET", "/x"), ("HEAD", "/x"), ("GET", "/empty"), ("GET", "/nowhere"), ("POST", "/x")]:
        connection.request(method, path, body=b"sent" if method == "POST" else None)
        connection.getresponse().read()
    connection.close()
    assert site.connections == 1
    assert site.hits[-1].body == b"sent"


def test_a_request_that_is_not_http_ends_the_connection(site: Site) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=5) as client:
        client.sendall(b"what is this\x00\xff\r\n\r\n")
        assert client.recv(1) == b""
    assert site.hits == []


def test_a_grown_site_is_linked_throughout_and_always_the_same(site: Site) -> None:
    site.grow(60, links_per_page=6)
    seen, waiting = {"/"}, ["/"]
    while waiting:
        body = get(site, waiting.pop()).text
        fresh = set(re.findall(r'href="([^"]+)"', body)) - seen
        seen |= fresh
        waiting += sorted(fresh)
    assert seen == {"/"} | {f"/p/{number}" for number in range(60)}
    page = get(site, "/p/7")
    assert 2000 < len(page.body) < 5000
    assert page.body == get(site, "/p/7").body
    assert get(site, "/p/7", If_None_Match=page.headers["ETag"]).status == 304
    assert get(site, "/p/60").status == get(site, "/p/x").status == 404


def test_waiting_for_a_request_that_does_not_come_ends(site: Site) -> None:
    with pytest.raises(TimeoutError, match="2 requests for /x"):
        site.wait(2, "/x", timeout=0.05)


def test_a_site_pauses_after_some_requests_until_it_goes_on(site: Site) -> None:
    site.pause_after(2)
    assert [get(site, path).status for path in ("/1", "/2")] == [404, 404]
    with ThreadPoolExecutor() as clients:
        third = clients.submit(get, site, "/3")
        site.wait(3)
        site.page("/3")  # What it is by the time of its answer.
        assert not third.done()
        site.go_on()
        assert third.result().status == 200
    assert get(site, "/4").status == 404


def test_what_a_client_sent_before_it_was_gone_is_forgotten_too(site: Site) -> None:
    busy, go_on = threading.Event(), threading.Event()

    async def keep_the_server_busy(hit: Hit) -> Answer:
        busy.set()
        assert go_on.wait(10)
        return Answer()

    site.handler("/busy", keep_the_server_busy)
    with socket.create_connection(("127.0.0.1", site.port)) as first:
        first.sendall(b"GET /busy HTTP/1.1\r\n\r\n")
        assert busy.wait(10)
        for number in range(50):
            with socket.create_connection(("127.0.0.1", site.port)) as client:
                client.sendall(f"GET /{number} HTTP/1.1\r\n\r\n".encode())
        go_on.set()
        site.clear()
        get(site, "/after")
    assert site.paths() == ["/after"]


def test_files_are_listed_with_their_bytes(tmp_path: Path) -> None:
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "b" / "c" / "x.md").write_bytes(b"1")
    (tmp_path / "a.md").write_bytes(b"2")
    assert files_in(tmp_path) == {"a.md": b"2", "b/c/x.md": b"1"}
    assert list(files_in(tmp_path)) == ["a.md", "b/c/x.md"]


def test_the_command_runs_without_the_callers_settings(quire: Quire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_MAX_PAGES", "7")
    monkeypatch.setenv("OTHER", "kept")
    passed_on = environment({"QUIRE_DELAY": "0"})
    assert "QUIRE_MAX_PAGES" not in passed_on
    assert (passed_on["OTHER"], passed_on["QUIRE_DELAY"]) == ("kept", "0")
    finished = quire("no-such-command")
    assert finished.status != 0
    assert finished.err
