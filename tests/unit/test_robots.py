"""What robots.txt allows, how it is fetched, and what happens when it cannot be."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from quire.errors import TimedOut, Unreachable
from quire.records import Response
from quire.robots import CACHE_BYTES, MAX_AGE, MAX_BYTES, Robots, parse, product_name

AGENT = "Quire/0.1 (+https://example.com/quire)"
SITE = "https://example.com/"
DISALLOW_PRIVATE = b"User-agent: *\nDisallow: /private"


class Host:
    """Answers for robots.txt, in order, the last one for ever; `asked` is the log."""

    def __init__(self, *answers: Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def get(self, url: str) -> Response:
        self.asked.append(url)
        await asyncio.sleep(0)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def answer(status: int = 200, body: bytes = b"", location: str | None = None) -> Response:
    return Response(url="https://example.com/robots.txt", status=status, body=body, location=location)


def allowed(text: str | bytes, path: str, agent: str = AGENT) -> bool:
    return parse(text, agent).allowed("https://example.com" + path)


def test_the_longest_rule_decides_and_allow_wins_a_tie() -> None:
    """F8"""
    text = "User-agent: *\nDisallow: /shop\nAllow: /shop/open\nDisallow: /*.pdf$\nAllow: /tie\nDisallow: /tie"
    assert allowed(text, "/")
    assert not allowed(text, "/shop/cart")
    assert allowed(text, "/shop/open/1")
    assert not allowed(text, "/a/b.pdf")
    assert allowed(text, "/a/b.pdf?page=1")
    assert allowed(text, "/tie")


def test_our_own_group_replaces_the_general_one() -> None:
    """F8"""
    text = "User-agent: *\nDisallow: /\n\nUser-agent: quire\nDisallow: /private"
    assert allowed(text, "/public")
    assert not allowed(text, "/private/x")
    assert not allowed(text, "/public", agent="OtherBot/2.0")


@pytest.mark.parametrize("group", ["Quire/0.1", "QUIRE/9.9 (whatever)", "Quire", "quire # a comment / with a slash"])
def test_a_version_in_a_group_name_does_not_matter(group: str) -> None:
    """F8"""
    assert not allowed(f"User-agent: {group}\nDisallow: /", "/x")


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (AGENT, "Quire"),
        ("Quire", "Quire"),
        ("My Crawler (test)", "My Crawler"),
        ("Mozilla/5.0 (compatible; ExampleBot/1.1; +https://example.com)", "ExampleBot"),
        ("Mozilla/5.0 (X11; Linux x86_64)", "Mozilla"),
        ("", ""),
    ],
)
def test_the_name_is_the_product_of_the_user_agent(user_agent: str, name: str) -> None:
    """F8"""
    assert product_name(user_agent) == name


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /private",
        b"User-agent: *\r\nDisallow: /private\r\n",
        b"User-agent: *\rDisallow: /private\r",
        b"\xff\xfe broken \xe9\nUser-agent: *\nDisallow: /private\n\x00\x01",
        "USER-AGENT:*\nDISALLOW:/private",
    ],
)
def test_byte_order_marks_line_ends_and_broken_text_do_not_matter(text: str | bytes) -> None:
    """F8"""
    assert not allowed(text, "/private/x")
    assert allowed(text, "/public")


def test_what_comes_after_500_kib_is_not_read_and_no_rule_is_cut_in_two() -> None:
    """F8"""
    head = b"User-agent: *\n"
    comment = b"#" * (MAX_BYTES - len(head) - len(b"\nDisallow: /")) + b"\n"
    text = head + comment + b"Disallow: /only-this\nDisallow: /late"
    assert len(head + comment + b"Disallow: /") == MAX_BYTES
    assert allowed(text, "/x")
    assert allowed(text, "/late")
    assert not allowed(head + b"Disallow: /early\n" + comment, "/early")


@pytest.mark.parametrize(
    ("line", "delay"),
    [
        ("Crawl-delay: 10", 10.0),
        ("crawl-delay: 0.5 # half", 0.5),
        ("Crawl-delay: 0", 0.0),
        ("Crawl-delay: -1", None),
        ("Crawl-delay: nan", None),
        ("Crawl-delay: inf", None),
        ("Crawl-delay: 1e300", None),
        ("Crawl-delay: 86400", None),
        ("Crawl-delay: soon", None),
        ("", None),
    ],
)
def test_a_sane_crawl_delay_is_taken(line: str, delay: float | None) -> None:
    """F8"""
    assert parse(f"User-agent: *\n{line}\nDisallow: /x", AGENT).delay == delay


def test_sitemaps_are_listed_wherever_they_stand() -> None:
    """D2"""
    text = "Sitemap: https://example.com/a.xml\nUser-agent: bot\nDisallow: /\nsitemap: /b.xml"
    assert parse(text, AGENT).sitemaps == ("https://example.com/a.xml", "/b.xml")


def test_a_url_that_cannot_be_read_is_not_allowed_and_does_not_raise() -> None:
    """F8, U10"""
    rules = parse("User-agent: *\nDisallow: /x", AGENT)
    assert not rules.allowed("http://[/?")
    assert not rules.allowed("http://example.com/\ud800")


async def test_each_origin_is_asked_once_however_many_ask_at_the_same_time() -> None:
    """F8"""
    host = Host(answer(body=DISALLOW_PRIVATE))
    robots = Robots(host.get, AGENT)
    pages = [f"https://example.com/{number}" for number in range(50)]
    rules = await asyncio.gather(*map(robots.rules, pages))
    assert host.asked == ["https://example.com/robots.txt"]
    assert all(each is rules[0] for each in rules)
    await robots.rules("https://example.com:8443/")
    await robots.rules("http://example.com/")
    assert host.asked[1:] == ["https://example.com:8443/robots.txt", "http://example.com/robots.txt"]


async def test_when_the_one_who_asks_is_cancelled_the_next_asks() -> None:
    """F8"""
    gate = asyncio.Event()
    asked: list[str] = []

    async def get(url: str) -> Response:
        asked.append(url)
        await gate.wait()
        return answer(body=DISALLOW_PRIVATE)

    robots = Robots(get, AGENT)
    first = asyncio.create_task(robots.rules(SITE))
    await asyncio.sleep(0)
    second = asyncio.create_task(robots.rules(SITE))
    await asyncio.sleep(0)
    first.cancel()
    gate.set()
    assert not (await second).allowed(SITE + "private")
    assert len(asked) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
async def test_a_4xx_allows_everything(status: int) -> None:
    """R10"""
    rules = await Robots(Host(answer(status, DISALLOW_PRIVATE)).get, AGENT).rules(SITE)
    assert rules.refusal is None
    assert rules.allowed(SITE + "private")


@pytest.mark.parametrize("status", [429, 500, 502, 503, 304])
async def test_any_other_answer_allows_nothing_and_says_which_it_was(status: int) -> None:
    """R10"""
    rules = await Robots(Host(answer(status)).get, AGENT).rules(SITE)
    assert rules.refusal == f"robots.txt answered {status}"
    assert not rules.allowed(SITE)
    assert rules.allowed(SITE + "robots.txt")


@pytest.mark.parametrize("error", [Unreachable("no such host"), TimedOut("slow")])
async def test_an_unreachable_host_allows_nothing(error: Exception) -> None:
    """R10"""
    rules = await Robots(Host(error).get, AGENT).rules(SITE)
    assert rules.refusal == f"robots.txt could not be read: {error}"
    assert not rules.allowed(SITE)
    assert rules.delay is None
    assert rules.sitemaps == ()


async def test_redirects_are_followed_also_to_another_host() -> None:
    """F8, R10"""
    moves = [answer(301, location=target) for target in ("/a", "//www.example.com/b", "https://other.org/c", "d", "e")]
    host = Host(*moves, answer(body=DISALLOW_PRIVATE))
    rules = await Robots(host.get, AGENT).rules("https://example.com/page")
    assert host.asked[1:4] == ["https://example.com/a", "https://www.example.com/b", "https://other.org/c"]
    assert not rules.allowed("https://example.com/private")
    assert rules.allowed("https://example.com/public")


@pytest.mark.parametrize("target", ["/robots.txt", "mailto:x@example.com", "http://["])
async def test_a_redirect_without_end_or_aim_allows_nothing(target: str) -> None:
    """R10"""
    host = Host(answer(302, location=target))
    rules = await Robots(host.get, AGENT).rules(SITE)
    assert rules.refusal is not None
    assert "redirects" in rules.refusal
    assert len(host.asked) <= 6


async def test_the_cache_is_bounded_and_forgets_what_was_not_used_for_longest() -> None:
    """X1"""
    host = Host(answer(body=DISALLOW_PRIVATE.ljust(MAX_BYTES)))
    robots = Robots(host.get, AGENT)
    names = "abcdefgh"
    assert len(names) == CACHE_BYTES // MAX_BYTES
    for name in names + "a" + "z":
        await robots.rules(f"https://{name}.example/")
    before = len(host.asked)
    await robots.rules("https://a.example/")
    assert len(host.asked) == before
    await robots.rules("https://b.example/")
    assert len(host.asked) == before + 1


async def test_after_a_day_rules_are_read_again_and_the_old_ones_outlive_a_failure() -> None:
    """F8, R10"""
    now = 0.0
    clock: Callable[[], float] = lambda: now  # noqa: E731
    fresh = b"User-agent: *\nDisallow: /new"
    host = Host(answer(body=DISALLOW_PRIVATE), answer(503), answer(body=fresh))
    robots = Robots(host.get, AGENT, clock)

    async def ask() -> tuple[bool, bool]:
        rules = await robots.rules(SITE)
        return rules.allowed(SITE + "private"), rules.allowed(SITE + "new")

    assert await ask() == (False, True)
    now = MAX_AGE + 1
    assert await ask() == (False, True)
    now = 2 * MAX_AGE + 2
    assert await ask() == (True, False)


async def test_a_url_without_a_site_is_refused_without_a_request() -> None:
    """U10"""
    get: Callable[[str], Awaitable[Response]] = Host(answer()).get
    assert (await Robots(get, AGENT).rules("mailto:x")).refusal is not None
