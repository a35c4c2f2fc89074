"""The fetcher's contract over real connections, on every event loop: one request a call, bounded, and in our words."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvloop
from quire_test_site import Site, encoded

from quire import urls
from quire.errors import BadResponse, Elsewhere, FetchError, TimedOut, Unreachable
from quire.fetch.egress import Egress
from quire.fetch.http import HttpFetcher
from quire.records import Link
from quire.settings import Fetch

CERTIFICATE = Path(__file__).with_name("localhost.pem")
ENOUGH = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok"

Run = Callable[[Coroutine[Any, Any, None]], None]
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture(params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Run the coroutine to its end on a loop of its own."""
    chosen: Run = request.param
    return chosen


@asynccontextmanager
async def fetcher(trusted: str = "", **options: Any) -> AsyncIterator[HttpFetcher]:
    settings = Fetch(**({"timeout": 5.0} | options))
    opened = HttpFetcher(settings, {trusted: ""}, Egress(allow_private=True))
    try:
        yield opened
    finally:
        await opened.close()


class Wire:
    """A server that answers each request with the bytes it is given, and keeps the requests."""

    def __init__(self, *answers: bytes, close: bool = True) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self._answers = iter(answers)
        self._close = close

    @asynccontextmanager
    async def listening(self, secure: ssl.SSLContext | None = None) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._talk, "127.0.0.1", ssl=secure)
        try:
            scheme = "https" if secure else "http"
            yield f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                self.requests.append(await reader.readuntil(b"\r\n\r\n"))
                answer = next(self._answers, b"")
                writer.write(answer)
                await writer.drain()
                if self._close or not answer:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


async def answered(answer: bytes, **options: Any) -> bytes:
    async with Wire(answer).listening() as url, fetcher(**options) as http:
        return (await http.get(f"{url}/")).body


def test_a_request_on_a_kept_connection_that_breaks_is_sent_once(run: Run) -> None:
    """P5: libcurl would repeat it by itself, without the host's pace"""

    async def ask() -> None:
        wire = Wire(ENOUGH, b"", ENOUGH, close=False)
        async with wire.listening() as url, fetcher() as http:
            await http.get(f"{url}/first")
            with pytest.raises(Unreachable, match="broke the connection off"):
                await http.get(f"{url}/second")
            assert len(wire.requests) == 2
            assert (await http.get(f"{url}/third")).body == b"ok"

    run(ask())


def test_a_connection_that_the_server_has_closed_is_not_asked(run: Run) -> None:
    """P5: servers that close without a word cost no request"""

    async def ask() -> None:
        wire = Wire(*[ENOUGH] * 5)
        async with wire.listening() as url, fetcher() as http:
            for number in range(5):
                assert (await http.get(f"{url}/{number}")).body == b"ok"
                # The server closes right after its answer, on this same loop.
                await asyncio.sleep(0.02)
        assert len(wire.requests) == 5

    run(ask())


def test_connections_are_kept(site: Site, run: Run) -> None:
    """E1: also after answers whose bodies nobody wants"""
    site.page("/", "<p>Here</p>")
    site.raw("/paper", b"x" * 20_000, "application/pdf")

    async def ask() -> None:
        async with fetcher() as http:
            for path in ("/", "/missing", "/paper", "/"):
                await http.get(site.url + path)

    run(ask())
    assert site.connections == 1


@pytest.mark.parametrize(
    "target", ["/caf%c3%a9/%7e?q=%e9&x=[1]|{2}", "/a//b/", "/%2e%2E/x", "/?", "/a?b?c#d".partition("#")[0], "/;p=1"]
)
def test_a_url_goes_out_as_it_was_written(site: Site, run: Run, target: str) -> None:
    """U5"""

    async def ask() -> None:
        async with fetcher() as http:
            await http.get(site.url + target)

    run(ask())
    assert [hit.path for hit in site.hits] == [target]
    assert site.hits[0].headers["Host"] == f"127.0.0.1:{site.port}"


def test_what_is_sent_and_to_whom(site: Site, run: Run) -> None:
    """E1: credentials go to their origin only"""
    site.page("/")
    options = {"header": ("X-Word: gr\u00fcn", "X-Empty:"), "cookie": ("a=b", "c=d"), "auth": "me:secret"}

    async def ask() -> None:
        async with fetcher(f"{site.url}/", **options) as http:
            await http.fetch(Link(f"{site.url}/", 1, "start"), etag='"1"', last_modified="yesterday")
            await http.get(f"{site.url_on('127.0.0.2')}/")

    run(ask())
    ours, theirs = (hit.headers for hit in site.hits)
    assert ours["Cookie"] == "a=b; c=d"
    assert ours["Authorization"] == "Basic bWU6c2VjcmV0"
    assert ours["X-Word"].encode("latin-1").decode() == "gr\u00fcn"
    assert ours["X-Empty"] == ""
    assert ours["If-None-Match"] == '"1"'
    assert ours["If-Modified-Since"] == "yesterday"
    assert ours["User-Agent"].startswith("Quire/")
    assert ours["Accept-Encoding"] == "gzip, deflate, br, zstd"
    assert not {"Cookie", "Authorization", "X-Word", "X-Empty", "If-None-Match"} & {*theirs}


def test_what_goes_back_goes_as_it_came(run: Run) -> None:
    """E1, U5: validators and addresses, byte by byte; a validator that cannot be kept so is not sent"""

    async def ask() -> None:
        first = head(
            b'ETag: "\xc3\xa9"', b"Last-Modified: \xe9", b"Location: /caf\xe9?\xc3\xa9=\xff", status=b"301 Moved"
        )
        wire = Wire(first, head(b'ETag: "\xe9"') + b"ok", ENOUGH)
        async with wire.listening() as url, fetcher() as http:
            moved = await http.get(f"{url}/")
            assert moved.location is not None
            target = Link(urls.resolve(moved.location, url) or "", 1, "redirect")
            found = await http.fetch(target, etag=moved.etag, last_modified=moved.last_modified)
            await http.fetch(target, etag=found.etag, last_modified=found.last_modified)
        _, second, third = wire.requests
        assert second.startswith(b"GET /caf%E9?%C3%A9=%FF HTTP/1.1\r\n")
        assert b'\r\nIf-None-Match: "\xc3\xa9"\r\n' in second
        assert b"If-" not in third
        assert b"If-Modified-Since" not in second

    run(ask())


def test_cookies_go_back_to_who_set_them(site: Site, run: Run) -> None:
    """E1: with every request, beside those that were given, and to no other host"""
    site.page("/", headers={"Set-Cookie": "session=1; Path=/"})
    elsewhere = site.url_on("127.0.0.2")

    async def ask() -> None:
        async with fetcher(f"{site.url}/", cookie=("a=b",)) as http:
            await http.get(f"{site.url}/")
            await asyncio.gather(*(http.get(f"{site.url}/{number}") for number in range(3)))
            await http.get(f"{elsewhere}/other")

    run(ask())
    sent = [hit.headers.get("Cookie", "") for hit in site.hits]
    assert sent[0] == "a=b"
    assert [sorted(cookies.split("; ")) for cookies in sent[1:4]] == [["a=b", "session=1"]] * 3
    assert sent[4:] == [""]


def test_the_environment_names_no_proxy(site: Site, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """E1: a proxy is what --proxy says"""
    site.page("/", "<p>Here</p>")
    for name in ("http_proxy", "all_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    async def ask() -> None:
        async with fetcher() as http:
            assert (await http.get(f"{site.url}/")).status == 200

    run(ask())


def test_a_proxy_is_asked_for_the_whole_url(run: Run) -> None:
    """E1"""

    async def ask() -> None:
        wire = Wire(ENOUGH)
        async with wire.listening() as url, fetcher(proxy=url.replace("//", "//me:secret@")) as http:
            assert (await http.get("http://somewhere.example/%7ex?y")).body == b"ok"
        assert wire.requests[0].startswith(
            b"GET http://somewhere.example/%7ex?y HTTP/1.1\r\nHost: somewhere.example\r\n"
        )
        assert b"Proxy-Authorization: Basic bWU6c2VjcmV0\r\n" in wire.requests[0]

    run(ask())


def test_a_proxy_that_opens_no_tunnel(run: Run) -> None:
    """P5: its answer is not the site's"""

    async def ask() -> None:
        refusal = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
        async with Wire(refusal).listening() as url, fetcher(proxy=url) as http:
            with pytest.raises(BadResponse, match="proxy answered 403"):
                await http.get("https://somewhere.example/")

    run(ask())


def head(*fields: bytes, status: bytes = b"200 OK") -> bytes:
    return b"\r\n".join([b"HTTP/1.1 " + status, b"Content-Type: text/html", *fields, b"", b""])


CHUNKED = head(b"Transfer-Encoding: chunked")
PACKED = head(b"Content-Encoding: gzip")


WHOLE = {
    "to the end": (head() + b"to the end", b"to the end"),
    "in chunks": (CHUNKED + b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nETag: late\r\n\r\n", b"abcde"),
    "old": (b"HTTP/1.0 200 OK\r\n\r\nold", b"old"),
    "after a hint": (b"HTTP/1.1 103 Early Hints\r\nContent-Type: image/png\r\n\r\n" + head() + b"then", b"then"),
    "in members": (PACKED + encoded(b"one ", "gzip") + encoded(b"two", "gzip"), b"one two"),
    "padded": (PACKED + encoded(b"one", "gzip") + b"\0\0\0\0", b"one"),
    "no encoding": (head(b"Content-Encoding: utf-8") + b"as it is", b"as it is"),
    "packed twice": (head(b"Content-Encoding: gzip, gzip") + encoded(encoded(b"abc", "gzip"), "gzip"), b"abc"),
    "more than it says": (head(b"Content-Length: 3") + b"abcdef", b"abc"),
    "fields like a status": (head(b"HTTP/x: abc", b"HTTP/: ", b"HTTP/x: " + b"9" * 5000) + b"abc", b"abc"),
    "by its other name": (head(b"Content-Encoding: x-gzip") + encoded(b"packed", "gzip"), b"packed"),
    "by a proxy": (head(status=b"203 Non-Authoritative Information") + b"not changed much", b"not changed much"),
    "packed without an end": (PACKED + encoded(b"<p>Whole</HTML >", "gzip")[:-8], b"<p>Whole</HTML >"),
    "brotli": (head(b"Content-Encoding: BR") + encoded(b"packed", "br"), b"packed"),
}


@pytest.mark.parametrize(("answer", "body"), WHOLE.values(), ids=WHOLE)
def test_answers_of_every_shape(run: Run, answer: bytes, body: bytes) -> None:
    """E1"""

    async def ask() -> None:
        assert await answered(answer) == body

    run(ask())


WORDS = b" ".join(b"%d" % (number * number) for number in range(100)) + b"</html>"


BROKEN = {
    "nothing": (b"", Unreachable, "broke the connection off"),
    "half a head": (b"HTTP/1.1 200 OK\r\nContent-", Unreachable, "broke the connection off"),
    "too short": (head(b"Content-Length: 9") + b"short", Unreachable, "broke the connection off"),
    "too short in chunks": (CHUNKED + b"ff\r\nshort", Unreachable, "broke the connection off"),
    "no gzip": (PACKED + b"this is not gzip", BadResponse, "cannot be unpacked"),
    "no brotli": (head(b"Content-Encoding: br") + b"this is not brotli", BadResponse, "cannot be unpacked"),
    "no zstd": (head(b"Content-Encoding: zstd") + b"this is not zstd", BadResponse, "cannot be unpacked"),
    "no deflate": (
        head(b"Content-Encoding: deflate") + b"\x78\x9cthis is not deflate",
        BadResponse,
        "cannot be unpacked",
    ),
    "no chunk": (CHUNKED + b"zz\r\nabc\r\n0\r\n\r\n", BadResponse, "not HTTP"),
    "huge chunk": (CHUNKED + b"f" * 40 + b"\r\nabc", BadResponse, "not HTTP"),
    "no length": (head(b"Content-Length: many") + b"abc", BadResponse, "not HTTP"),
    "no head": (b"<html>no head at all</html>", BadResponse, "not HTTP"),
    "no status": (b"HTTP/1.1 abc\r\n\r\n", BadResponse, "not HTTP"),
    "long line": (head(b"X-Long: " + b"x" * 200_000) + b"abc", BadResponse, "larger than --max-header"),
    "many fields": (
        head(*[b"X-%d: y" % number for number in range(10_000)]) + b"abc",
        BadResponse,
        "larger than --max-header",
    ),
    "long head": (head(*[b"X-Long: " + b"x" * 20_000] * 20) + b"abc", BadResponse, "larger than --max-header"),
    "many interim answers": (b"HTTP/1.1 103 Hints\r\n\r\n" * 5000, BadResponse, "larger than --max-header"),
    "packed four times": (head(b"Content-Encoding: gzip, gzip, gzip, gzip") + b"abc", BadResponse, "packed 4 times"),
    "packed without a word": (head() + encoded(b"abc", "gzip"), BadResponse, "once more than it says"),
    "packed twice, said once": (
        PACKED + encoded(encoded(b"abc", "gzip"), "gzip"),
        BadResponse,
        "once more than it says",
    ),
    "gzip that breaks off": (PACKED + encoded(WORDS, "gzip")[:-50], BadResponse, "breaks off"),
    "brotli that breaks off": (head(b"Content-Encoding: br") + encoded(WORDS, "br")[:-50], BadResponse, "breaks off"),
    "zstd that breaks off": (head(b"Content-Encoding: zstd") + encoded(WORDS, "zstd")[:-50], BadResponse, "breaks off"),
    "deflate that breaks off": (
        head(b"Content-Encoding: deflate") + encoded(WORDS, "deflate")[:-50],
        BadResponse,
        "breaks off",
    ),
    "nul": (head(b"X-Nul: a\0b") + b"abc", BadResponse, "not HTTP"),
    "upgrade": (
        b"HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nabc",
        Unreachable,
        "broke the connection off",
    ),
    "too large": (head() + b"x" * 1001, BadResponse, "larger than --max-body 1000"),
    "too large unpacked": (PACKED + encoded(bytes(1001), "gzip"), BadResponse, "larger than --max-body 1000"),
    # An endless row of empty blocks.
    "nothing in much": (
        head(b"Content-Encoding: deflate") + b"\0\0\0\xff\xff" * 500,
        BadResponse,
        "larger than --max-body 1000",
    ),
}


@pytest.mark.parametrize(("answer", "error", "words"), BROKEN.values(), ids=BROKEN)
def test_broken_answers_in_our_words(run: Run, answer: bytes, error: type[FetchError], words: str) -> None:
    """P5, P7, U10"""

    async def ask() -> None:
        with pytest.raises(FetchError, match=words) as caught:
            await answered(answer, max_body=1000)
        assert type(caught.value) is error

    run(ask())


def test_a_document_that_is_packed_too_often(run: Run) -> None:
    """P7, D4: a sitemap as a page"""

    async def ask() -> None:
        answer = head(b"Content-Encoding: gzip, gzip, gzip, gzip") + b"abc"
        async with Wire(answer).listening() as url, fetcher() as http:
            with pytest.raises(BadResponse, match="packed 4 times"):
                _ = [piece async for piece in http.stream(f"{url}/", 5)]

    run(ask())


def test_a_body_that_nobody_wants_may_be_broken(run: Run) -> None:
    """M6, P6: the head is the answer"""

    async def ask() -> None:
        for status in (b"404 Not Found", b"503 Busy"):
            wire = Wire(head(b"Content-Length: 100", b"Retry-After: 7", status=status) + b"short")
            async with wire.listening() as url, fetcher() as http:
                answer = await http.get(f"{url}/")
            assert (answer.status, answer.body, answer.retry_after) == (int(status[:3]), b"", "7")

    run(ask())


def secure() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def test_a_certificate_that_nobody_signed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """E1, P5: it fails at once; --insecure accepts it, and so does whoever trusts it with SSL_CERT_FILE"""

    async def ask() -> None:
        wire = Wire(*[ENOUGH] * 4, close=False)
        async with wire.listening(secure()) as url:
            async with fetcher() as http:
                with pytest.raises(Unreachable, match="--insecure") as caught:
                    await http.get(f"{url}/")
                assert caught.value.permanent
            async with fetcher(insecure=True) as http:
                assert (await http.get(f"{url}/")).body == b"ok"
            monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
            async with fetcher() as http:
                before = wire.connections
                assert [(await http.get(f"{url}/")).body for _ in range(3)] == [b"ok"] * 3
                assert wire.connections == before + 1
            assert len(wire.requests) == 4

    run(ask())


def test_a_server_that_hangs_up_in_the_handshake_may_be_asked_again(run: Run) -> None:
    """P5"""

    async def ask() -> None:
        async with asyncio.timeout(5):
            server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1")
            async with server, fetcher() as http:
                port = server.sockets[0].getsockname()[1]
                with pytest.raises(Unreachable) as caught:
                    await http.get(f"https://127.0.0.1:{port}/")
        assert not caught.value.permanent

    run(ask())


def test_a_head_that_comes_byte_by_byte(run: Run) -> None:
    """P7: something always comes, and the time for the answer to begin is over nevertheless"""

    async def ask() -> None:
        left = asyncio.Event()

        async def trickle(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            for byte in ENOUGH:
                writer.write(bytes([byte]))
                await asyncio.sleep(0.1)
                if writer.is_closing():
                    break
            writer.close()
            left.set()

        server = await asyncio.start_server(trickle, "127.0.0.1")
        async with server, fetcher(first_byte_timeout=0.3) as http:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(TimedOut, match=r"begin to answer within 0\.3 s \(--first-byte-timeout\)"):
                await http.get(f"http://127.0.0.1:{port}/")
        async with asyncio.timeout(5):
            await left.wait()

    run(ask())


def test_a_document_that_is_not_there_is_known_by_its_head(site: Site, run: Run) -> None:
    """D4: also where its body never comes"""
    site.page("/gone", "<p>Gone</p>" * 100, status=404)
    site.stall("/gone", after=0)

    async def ask() -> None:
        async with asyncio.timeout(3), fetcher() as http:
            with pytest.raises(BadResponse, match="404"):
                _ = [piece async for piece in http.stream(f"{site.url}/gone", 60)]

    run(ask())


def test_a_cancelled_request_leaves_the_rest_alone(site: Site, run: Run) -> None:
    """S7"""
    site.page("/", "<p>Here</p>")
    site.hang("/slow")

    async def ask() -> None:
        async with fetcher() as http:
            waiting = [asyncio.create_task(http.get(f"{site.url}/slow")) for _ in range(3)]
            await asyncio.to_thread(site.wait, 3, "/slow")
            for task in waiting:
                task.cancel()
            ended = await asyncio.gather(*waiting, return_exceptions=True)
            assert all(isinstance(each, asyncio.CancelledError) for each in ended)
            assert (await http.get(f"{site.url}/")).status == 200

    run(ask())


def test_a_document_is_read_no_faster_than_it_is_wanted(site: Site, run: Run) -> None:
    """D4: the server waits for the reader; memory stays flat"""
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(2_000):
            sent += 100_000
            yield bytes(100_000)

    site.stream("/huge", pieces)

    async def ask() -> None:
        async with fetcher(timeout=30.0) as http:
            read = 0
            async for piece in http.stream(f"{site.url}/huge", 30):
                read += len(piece)
                assert len(piece) < 1_000_000
                if read < 2_000_000:
                    await asyncio.sleep(0.01)
                    # What the system holds of a connection is some megabytes.
                    assert sent - read < 20_000_000
            assert read == sent == 200_000_000

    run(ask())


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_packed_document_is_unpacked_in_pieces(site: Site, run: Run, encoding: str) -> None:
    """D4, E1: however far it unpacks; where a redirect leads is for others to ask"""
    site.redirect("/old", "/new")
    site.bomb("/new", 20_000_000, encoding)

    async def ask() -> None:
        async with fetcher() as http:
            with pytest.raises(Elsewhere) as elsewhere:
                _ = [piece async for piece in http.stream(f"{site.url}/old", 5)]
            sizes = [len(piece) async for piece in http.stream(elsewhere.value.url, 5)]
        assert sum(sizes) == 20_000_000
        assert max(sizes) < 1_000_000

    run(ask())


def test_a_document_that_is_left_or_late(site: Site, run: Run) -> None:
    """D4: leaving early ends the request; the time is what was given"""
    site.stream("/long", lambda: (bytes(50_000) for _ in range(10_000)))
    site.page("/late", "<p>More</p>" * 1000)
    site.drip("/late", 1000)

    async def ask() -> None:
        async with fetcher() as http:
            async with aclosing(http.stream(f"{site.url}/long", 5)) as document:
                assert await anext(document)
            with pytest.raises(TimedOut, match=r"longer than 0\.2 s"):
                _ = [piece async for piece in http.stream(f"{site.url}/late", 0.2)]
            with pytest.raises(BadResponse, match="404"):
                _ = [piece async for piece in http.stream(f"{site.url}/missing", 5)]

    run(ask())
