"""The bundled site's server answers like a web server and leaves no noise."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Iterator
from email.message import Message
from urllib.parse import quote, urlsplit

import pytest

from quire.demo import DemoSite

Got = tuple[int, Message, bytes]


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoSite]:
    with DemoSite() as site:
        yield site


def get(demo: DemoSite, path: str, method: str = "GET", **headers: str) -> Got:
    connection = http.client.HTTPConnection(urlsplit(demo.url).netloc, timeout=5)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def test_the_home_page_is_served_on_loopback(demo: DemoSite) -> None:
    """C7"""
    assert urlsplit(demo.url).hostname == "127.0.0.1"
    assert urlsplit(demo.url).path == "/"
    status, headers, body = get(demo, "/")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert b"<h1>Tea, brewed on purpose</h1>" in body


def test_robots_and_sitemaps_name_the_address_they_are_served_at(demo: DemoSite) -> None:
    """C7, D2"""
    assert f"Sitemap: {demo.url}sitemap.xml".encode() in get(demo, "/robots.txt")[2]
    assert f"<loc>{demo.url}sitemaps/docs.xml</loc>".encode() in get(demo, "/sitemap.xml")[2]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/docs/quickstart", 301),
        ("/docs/getting-started", 301),
        ("/blog/latest", 302),
        ("/docs/guides/gongfu?utm_source=x", 200),
        ("/blog/?page=2", 200),
        (quote("/docs/guides/煎茶"), 200),
        ("/docs/guides/iced-tea", 404),
        ("/api/playground", 500),
        ("/private/roadmap", 200),
        ("/downloads/handbook", 200),
        ("/%00%ff?%", 404),
    ],
)
def test_each_kind_of_address_has_its_status(demo: DemoSite, path: str, status: int) -> None:
    """C7"""
    assert get(demo, path)[0] == status


def test_a_query_with_meaning_has_its_own_page(demo: DemoSite) -> None:
    """C7"""
    assert get(demo, "/blog/?page=2")[2] != get(demo, "/blog/")[2]


def test_a_page_the_client_has_is_not_sent_again(demo: DemoSite) -> None:
    """C7, S13"""
    _, headers, _ = get(demo, "/docs/")
    for condition in ({"If_None_Match": headers["ETag"]}, {"If_Modified_Since": headers["Last-Modified"]}):
        status, again, body = get(demo, "/docs/", **condition)
        assert (status, again["ETag"], body) == (304, headers["ETag"], b"")
    for condition in ({"If_None_Match": '"other"'}, {"If_Modified_Since": "no date"}):
        assert get(demo, "/docs/", **condition)[0] == 200


def test_a_head_request_has_no_body(demo: DemoSite) -> None:
    """C7"""
    status, headers, body = get(demo, "/docs/", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 1000


def test_one_connection_serves_many_requests(demo: DemoSite) -> None:
    """C7"""
    connection = http.client.HTTPConnection(urlsplit(demo.url).netloc, timeout=5)
    connection.connect()
    before = connection.sock
    for path in ("/", "/docs/quickstart", "/nowhere", "/about"):
        connection.request("GET", path)
        connection.getresponse().read()
    assert connection.sock is before
    connection.close()


def test_the_site_is_silent_and_closes_under_open_connections(capfd: pytest.CaptureFixture[str]) -> None:
    """C7, C10"""
    before = set(threading.enumerate())
    with DemoSite() as site:
        address = ("127.0.0.1", urlsplit(site.url).port)
        get(site, "/")
        get(site, "/nowhere")
        with socket.create_connection(address, timeout=5) as rude:
            rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            rude.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        waiting = http.client.HTTPConnection(*address, timeout=5)
        waiting.request("GET", "/")
        waiting.getresponse().read()
    assert waiting.sock.recv(1) == b""
    waiting.close()
    assert capfd.readouterr() == ("", "")
    assert "demo-site" not in {thread.name for thread in set(threading.enumerate()) - before}


def test_two_sites_do_not_get_in_each_others_way(demo: DemoSite) -> None:
    """C7"""
    with DemoSite() as other:
        assert other.url != demo.url
        assert get(other, "/about")[2] == get(demo, "/about")[2]
