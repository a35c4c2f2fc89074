"""Who is sent what was given for the start URLs."""

from __future__ import annotations

import pytest

from quire.errors import UsageError
from quire.fetch.secrets import Secrets
from quire.settings import Fetch, Render, Settings
from quire.wiring import completed, trusted_origins

ANN, BOB = "Basic YW5uOng=", "Basic Ym9iOnk="


def secrets(*start: str, **options: object) -> Secrets:
    settings = completed(Settings(start, fetch=Fetch(**options)))  # type: ignore[arg-type]
    return Secrets(settings.fetch, trusted_origins(settings))


def test_a_password_in_a_start_url_is_for_its_origin() -> None:
    """E1"""
    sent = secrets("https://ann:x@a.example/", "https://b.example/", "https://bob:y@c.example:8443/x")
    assert sent.headers("https://a.example/robots.txt") == {"Authorization": ANN}
    assert sent.headers("https://b.example/") == {}
    assert sent.headers("https://c.example:8443/") == {"Authorization": BOB}
    assert sent.headers("https://c.example/") == {}


def test_nothing_that_was_given_for_https_goes_out_in_clear() -> None:
    """E1: from http to https is no loss"""
    given = {"auth": "ann:x", "cookie": ("a=b",), "header": ("X-Key: k",)}
    sent = secrets("https://a.example/", "http://b.example/", **given)
    for url in ("https://a.example/x", "http://b.example/x", "https://b.example/x"):
        assert (sent.headers(url), sent.cookies(url)) == ({"X-Key": "k", "Authorization": ANN}, "a=b")
    for url in ("http://a.example/x", "https://a.example:444/", "https://www.a.example/"):
        assert (sent.headers(url), sent.cookies(url)) == ({}, "")


def test_auth_comes_before_a_password_in_a_url() -> None:
    """E1"""
    assert secrets("https://ann:x@a.example/", auth="bob:y").headers("https://a.example/") == {"Authorization": BOB}


@pytest.mark.parametrize(
    ("start", "options"),
    [
        ("https://a.example/", {"auth": "ann:x"}),
        ("https://a.example/", {"cookie": ("a=b",)}),
        ("https://a.example/", {"header": ("X-Key: k",)}),
        ("https://ann:x@a.example/", {}),
    ],
)
def test_crawl4ai_is_given_none(start: str, options: dict[str, object]) -> None:
    """E1, E3: it would send them to wherever a page redirects"""
    fetch = Fetch(**options)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="to wherever a page redirects"):
        completed(Settings((start,), fetch=fetch, render=Render(renderer="crawl4ai")))
