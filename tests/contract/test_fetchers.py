"""What every fetcher of pages promises: plain HTTP, Quire's own browser, and crawl4ai."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Protocol, TypeVar

import psutil  # type: ignore[import-untyped]
import pytest
from quire_test_site import Site
from quire_test_site.processes import living

from quire.errors import BadResponse, Refused, TimedOut, Unreachable
from quire.fetch.browser import BrowserFetcher
from quire.fetch.crawl4ai import Crawl4aiFetcher
from quire.fetch.egress import Egress
from quire.fetch.http import HttpFetcher
from quire.ports import Fetcher
from quire.records import Link, Response
from quire.settings import Fetch, Render

T = TypeVar("T")
WORDS = "A page that says something, so that nobody takes it for a shell."
HERE = Egress(allow_private=True)


class Closing(Fetcher, Protocol):
    async def close(self) -> None: ...


Make = Callable[..., Closing]


def http(trusted: str = "", egress: Egress = HERE, **options: Any) -> HttpFetcher:
    return HttpFetcher(Fetch(**options), {trusted: ""}, egress)


def chromium(trusted: str = "", egress: Egress = HERE, **options: Any) -> BrowserFetcher:
    return BrowserFetcher(Fetch(**options), Render(render_tabs=2), {trusted: ""}, egress)


def crawl4ai(egress: Egress = HERE, **options: Any) -> Crawl4aiFetcher:
    return Crawl4aiFetcher(Fetch(**options), Render(render_tabs=2), egress)


class Bench:
    """A fetcher that serves many tests, on a loop of its own."""

    def __init__(self, make: Make) -> None:
        self.make = make
        self._runner = asyncio.Runner()
        self._usual = self.run(self._made(timeout=5.0))

    def run(self, work: Awaitable[T]) -> T:
        async def wait() -> T:
            return await work

        return self._runner.run(wait())

    def fetch(self, url: str) -> Response:
        return self.run(self._usual.fetch(Link(url, 1, "start")))

    def fetch_with(self, url: str, **options: Any) -> Response:
        """Fetch with settings of its own."""

        async def fetch() -> Response:
            fetcher = self.make(**options)
            try:
                return await fetcher.fetch(Link(url, 1, "start"))
            finally:
                await fetcher.close()

        return self.run(fetch())

    @property
    def usual(self) -> Closing:
        return self._usual

    def close(self) -> None:
        self.run(self._usual.close())
        self._runner.close()

    async def _made(self, **options: Any) -> Closing:
        return self.make(**options)


@pytest.fixture(scope="module", params=[http, chromium, crawl4ai], ids=lambda make: make.__name__)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    if request.param is crawl4ai and find_spec("crawl4ai") is None and not os.environ.get("CI"):
        pytest.skip("crawl4ai is not installed: pip install -r requirements-crawl4ai.lock")
    bench = Bench(request.param)
    yield bench
    bench.close()
    assert living(psutil.Process().children(recursive=True), "chrom") == []


def test_a_page(site: Site, bench: Bench) -> None:
    """E1, E2, E3: one request, and the page with its type and the time it took"""
    site.page("/page", f"<h1>Grüße</h1><p>{WORDS}</p>")
    site.delay("/page", 0.1)
    answer = bench.fetch(f"{site.url}/page")
    assert (answer.url, answer.status, answer.location) == (f"{site.url}/page", 200, None)
    assert answer.content_type.startswith("text/html")
    assert "Grüße" in answer.body.decode()
    assert WORDS in answer.body.decode()
    assert 0.1 <= answer.seconds < 20
    assert [hit.path for hit in site.hits] == ["/page"]
    assert site.hits[0].headers["User-Agent"].startswith("Quire/")


def test_another_character_set(site: Site, bench: Bench) -> None:
    """M2: what it says about itself is true of the body"""
    site.raw("/latin", f"<h1>Grüße</h1><p>{WORDS}</p>".encode("latin-1"), "text/html; charset=iso-8859-1")
    answer = bench.fetch(f"{site.url}/latin")
    assert "Grüße" in answer.body.decode(answer.content_type.partition("charset=")[2])


def test_a_redirect_is_an_answer(site: Site, bench: Bench) -> None:
    """R8"""
    site.redirect("/old", "/new")
    site.page("/new", f"<p>{WORDS}</p>")
    answer = bench.fetch(f"{site.url}/old")
    assert 300 < answer.status < 309
    assert answer.location in ("/new", f"{site.url}/new")
    # crawl4ai follows redirects by itself, and tells where it ended.
    assert site.count("/new") == 0 or bench.make is crawl4ai


@pytest.mark.parametrize("status", [404, 410, 500, 503])
def test_errors_are_answers(site: Site, bench: Bench, status: int) -> None:
    """P4, P6"""
    site.page("/error", f"<p>{WORDS}</p>", status=status, headers={"Retry-After": "7"})
    answer = bench.fetch(f"{site.url}/error")
    assert (answer.status, answer.retry_after) == (status, "7")


def test_what_is_no_page_is_not_read(site: Site, bench: Bench) -> None:
    """M6"""
    site.raw("/paper", b"%PDF-1.4 and so on", "application/pdf")
    answer = bench.fetch(f"{site.url}/paper")
    # All that crawl4ai says about a file is that it is one.
    kind = "application/octet-stream" if bench.make is crawl4ai else "application/pdf"
    assert (answer.status, answer.content_type, answer.body) == (200, kind, b"")


def test_nobody_there(site: Site, bench: Bench) -> None:
    """P5"""
    with pytest.raises(Unreachable) as caught:
        bench.fetch("http://127.0.0.5:9999/")
    assert not caught.value.permanent


def test_a_connection_that_breaks(site: Site, bench: Bench) -> None:
    """P5"""
    site.page("/broken", f"<p>{WORDS}</p>")
    site.reset("/broken")
    with pytest.raises(Unreachable, match="broke the connection off"):
        bench.fetch(f"{site.url}/broken")


def test_no_answer_in_time(site: Site, bench: Bench) -> None:
    """P5, P7"""
    site.hang("/slow")
    with pytest.raises(TimedOut):
        bench.fetch_with(f"{site.url}/slow", timeout=1.0)


def test_a_page_over_the_limit(site: Site, bench: Bench) -> None:
    """P7"""
    site.page("/large", f"<p>{WORDS * 100}</p>")
    with pytest.raises(BadResponse, match="larger than --max-body 2000") as caught:
        bench.fetch_with(f"{site.url}/large", max_body=2000)
    assert caught.value.reason == "too-large"


def test_secrets_go_where_they_belong(site: Site, bench: Bench) -> None:
    """E1: to the origin they were given for, with everything a page asks for there; not to where that redirects"""
    takes_any = bench.make is not crawl4ai
    elsewhere = site.url_on("127.0.0.2")
    site.page(
        "/page", f"<p>{WORDS}</p>", head=f"<script src='{elsewhere}/script'></script><script src='/moved'></script>"
    )
    site.redirect("/moved", f"{elsewhere}/script")
    site.redirect("/away", f"{elsewhere}/page")
    site.raw("/script", b"1", "text/javascript")
    secrets = {"header": ("X-Word: green",), "auth": "me:secret", "cookie": ("a=b",), "trusted": f"{site.url}/"}
    for url in (f"{site.url}/page", f"{site.url}/away", f"{elsewhere}/page"):
        bench.fetch_with(url, **(secrets if takes_any else {}))
    for hit in site.hits:
        # crawl4ai has a cookie of its own.
        cookies = (hit.headers.get("Cookie") or "").split("; ")
        sent = (hit.headers.get("X-Word"), hit.headers.get("Authorization"), "a=b" in cookies)
        ours = takes_any and hit.host == "127.0.0.1"
        assert sent == (("green", "Basic bWU6c2VjcmV0", True) if ours else (None, None, False)), hit
    # Only crawl4ai goes where a redirect leads by itself.
    assert site.count("/script") == {http: 0, chromium: 4, crawl4ai: 6}[bench.make]


def test_no_address_that_may_not_be_dialled(site: Site, bench: Bench) -> None:
    """A9"""
    with pytest.raises(Refused):
        bench.fetch_with(f"{site.url}/", egress=Egress())
    assert site.hits == []


def test_a_cancelled_fetch_leaves_the_rest_alone(site: Site, bench: Bench) -> None:
    """S7"""
    site.page("/page", f"<p>{WORDS}</p>")
    site.hang("/slow")

    async def cancel() -> None:
        waiting = [asyncio.ensure_future(bench.usual.fetch(Link(f"{site.url}/slow", 1, "a"))) for _ in range(3)]
        await asyncio.to_thread(site.wait, 1, "/slow")
        for task in waiting:
            task.cancel()
        for task in waiting:
            with suppress(asyncio.CancelledError):
                await task

    bench.run(cancel())
    assert bench.fetch(f"{site.url}/page").status == 200
