"""What holds for every robots.txt, and for bytes that are none."""

from __future__ import annotations

from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from quire.robots import MAX_DELAY, parse

AGENT = "Quire/0.1 (+https://example.org)"
LINES = st.sampled_from(
    [
        *(
            "User-agent: *",
            "User-agent: Quire",
            "user-agent:other/2",
            "Disallow: /",
            "Disallow:",
            "Allow: /a$",
            "Allow: *",
        ),
        *("Crawl-delay: 3", "Crawl-delay: 1e400", "Crawl-delay: nan", "Sitemap: /s.xml", "Disallow: /*?*a*b", "#", ""),
        *("Disallow: /%", "Disallow: /é", "Disallow /x", "\x00", "Request-rate: 1/0", "Visit-time: 1", "Allow: /%2e"),
    ]
)
TEXTS = st.one_of(st.lists(LINES, max_size=12).map("\n".join), st.text(max_size=200))
PATHS = st.text(max_size=30).map(lambda text: quote(text, safe="/?%*$", errors="replace"))


@given(TEXTS, PATHS)
def test_any_text_is_a_robots_txt(text: str, path: str) -> None:
    """F8, U10"""
    rules = parse(text.encode(errors="replace"), AGENT)
    assert rules.delay is None or 0 <= rules.delay <= MAX_DELAY
    assert rules.allowed(f"https://example.org/{path}") in (True, False)
    assert rules.allowed("https://example.org/robots.txt")


@given(st.binary(max_size=300), st.text(max_size=60))
def test_any_bytes_are_a_robots_txt_for_any_name(data: bytes, agent: str) -> None:
    """F8, U10"""
    rules = parse(data, agent)
    assert rules.refusal is None
    rules.allowed("https://example.org/a?b=c")


@given(st.lists(PATHS, max_size=6))
def test_what_is_not_named_is_allowed(paths: list[str]) -> None:
    """F8"""
    named = "\n".join(f"Disallow: /private/{path}" for path in paths)
    assert parse(f"User-agent: *\n{named}".encode(), AGENT).allowed("https://example.org/public")
