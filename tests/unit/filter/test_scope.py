"""What belongs to the site."""

from __future__ import annotations

import pytest

from quire.errors import UsageError
from quire.filter.scope import Site
from quire.settings import Scope, Settings


def site(*start: str, loose: bool = False, ignore_case: bool = False) -> Site:
    return Site(Settings(start=start, scope=Scope(loose_paths=loose, ignore_case=ignore_case)))


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://example.com/", True),
        ("https://example.com/any/page?x=1", True),
        ("http://example.com/any/page", True),
        ("http://example.com:80/", True),
        ("HTTPS://EXAMPLE.com:443/a", True),
        ("https://www.example.com/", False),
        ("https://sub.example.com/", False),
        ("https://example.com:8080/", False),
        ("https://example.com.evil.test/", False),
        ("https://example.com@evil.test/", False),
        ("https://evil.test/https://example.com/", False),
        ("ftp://example.com/", False),
        ("/relative", False),
        ("", False),
    ],
)
def test_a_site_is_one_host_and_port_over_either_scheme(url: str, inside: bool) -> None:
    """U6"""
    assert site("https://example.com/").holds(url) is inside


def test_a_start_url_with_www_leaves_the_bare_host_outside() -> None:
    """U6"""
    assert not site("https://www.example.com/").holds("https://example.com/")


def test_a_port_belongs_to_the_site() -> None:
    """U6"""
    here = site("http://127.0.0.1:8000/")
    assert here.holds("http://127.0.0.1:8000/a")
    assert not here.holds("http://127.0.0.1:8001/a")
    assert not here.holds("http://127.0.0.1/a")
    assert not site("http://x.test:443/").holds("https://x.test:443/")


def test_international_hosts_are_compared_in_one_spelling() -> None:
    """U6, U1"""
    assert site("https://bücher.example/").holds("https://xn--bcher-kva.example/a")


STRICT = {
    "https://x.test/financial-apis": (True, True),
    "https://x.test/financial-apis/": (True, True),
    "https://x.test/financial-apis?page=2": (True, True),
    "https://x.test/financial-apis/overview": (True, True),
    "https://x.test/financial-apis/auth/keys": (True, True),
    "https://x.test/other/../financial-apis/a": (True, True),
    "https://x.test/financial-apis-blog": (False, True),
    "https://x.test/financial-apis-docs/a": (False, True),
    "https://x.test/financial": (False, False),
    "https://x.test/": (False, False),
    "https://x.test/financial-apis/../secret": (False, False),
    "https://x.test/a/financial-apis": (False, False),
    "https://x.test/Financial-Apis": (False, False),
}


@pytest.mark.parametrize(("url", "inside"), STRICT.items())
def test_a_base_path_is_whole_segments_unless_paths_are_loose(url: str, inside: tuple[bool, bool]) -> None:
    """U7"""
    start = "https://x.test/financial-apis"
    assert (site(start).holds(url), site(start, loose=True).holds(url)) == inside


def test_several_base_urls_hold_what_any_of_them_holds() -> None:
    """U6, U7"""
    here = site("https://x.test/api", "https://x.test/sdk", "https://y.test/guides/")
    assert here.holds("https://x.test/api/a")
    assert here.holds("https://x.test/sdk/a")
    assert here.holds("https://y.test/guides/a")
    assert not here.holds("https://x.test/guides/a")
    assert here.bases == ("https://x.test/api", "https://x.test/sdk", "https://y.test/guides")


@pytest.mark.parametrize(
    ("start", "base"),
    [
        ("https://x.test", "https://x.test/"),
        ("https://x.test/docs/", "https://x.test/docs"),
        ("https://x.test/docs/index.html", "https://x.test/docs"),
        ("https://x.test/docs/INDEX.HTM?a=b.txt", "https://x.test/docs"),
        ("https://x.test/index.php", "https://x.test/"),
        ("https://x.test/a/page.aspx", "https://x.test/a"),
        ("https://x.test/a/page.jsp", "https://x.test/a"),
        ("https://x.test/release/2.7", "https://x.test/release/2.7"),
        ("https://x.test/docs/v1.2.3/", "https://x.test/docs/v1.2.3"),
        ("https://x.test/wiki/Node.js", "https://x.test/wiki/Node.js"),
        ("https://x.test/sitemap.xml", "https://x.test/"),
        ("https://x.test/maps/sitemap-1.xml.gz", "https://x.test/"),
        ("https://x.test/maps/urls.txt?page=1", "https://x.test/"),
    ],
)
def test_the_base_of_a_start_url_is_its_path_a_pages_folder_or_a_sitemaps_host(start: str, base: str) -> None:
    """U7, C1"""
    assert site(start).bases == (base,)


def test_escapes_are_compared_in_their_normal_form() -> None:
    """U7, U1"""
    here = site("https://x.test/caf%c3%a9/%7Euser")
    assert here.holds("https://x.test/café/~user/a")
    assert not here.holds("https://x.test/cafe/~user/a")


def test_case_can_be_ignored_in_paths_also_beyond_ascii() -> None:
    """U4, U7"""
    here = site("https://x.test/Docs/ÄPFEL", ignore_case=True)
    assert here.holds("https://x.test/docs/äpfel/a")
    assert not here.holds("https://x.test/docs/birnen/a")
    assert here.bases == ("https://x.test/Docs/%C3%84PFEL",)


def test_a_start_url_that_is_none_is_a_usage_error_that_names_it() -> None:
    """C10"""
    with pytest.raises(UsageError, match=r"'mailto:a@b\.test' is not an http or https URL"):
        site("https://x.test/", "mailto:a@b.test")


def test_the_refusal_says_what_was_missed() -> None:
    """U6, U7"""
    here = site("https://x.test/api", "https://x.test/sdk")
    assert here.refusal("y.test", "/api") == ("other-host", "y.test")
    assert here.refusal("x.test", "/guides") == ("outside-base-path", "/api, /sdk")
    assert here.refusal("x.test", "/sdk/a") is None


@pytest.mark.parametrize(
    ("start", "landing", "base"),
    [
        ("https://x.test/", "https://www.x.test/", "https://www.x.test/"),
        ("https://x.test/", "https://www.x.test/en/home", "https://www.x.test/"),
        ("http://x.test/docs", "https://www.x.test/docs/", "https://www.x.test/docs"),
        ("https://x.test/docs", "https://www.x.test/docs/latest/index.html", "https://www.x.test/docs"),
        ("https://x.test/docs", "https://docs.x.test/", "https://docs.x.test/"),
        ("https://x.test/docs", "https://x.test/manual/intro.html", "https://x.test/manual"),
        ("https://x.test/docs", "https://x.test/docs/latest/", "https://x.test/docs"),
        ("https://x.test/docs", "about:blank", "https://x.test/docs"),
    ],
)
def test_a_base_moves_to_where_its_start_url_landed(start: str, landing: str, base: str) -> None:
    """R1"""
    here = site(start)
    here.rebase("x.test", landing)
    assert here.bases == (base,)
    assert here.holds(base + "/a")


def test_a_moved_base_leaves_its_old_host() -> None:
    """R1"""
    here = site("https://x.test/")
    here.rebase("x.test", "https://www.x.test/")
    assert not here.holds("https://x.test/a")


def test_only_the_base_that_landed_moves() -> None:
    """R1"""
    here = site("https://x.test/", "https://x.test/shop", "https://z.test/")
    here.rebase("x.test", "https://shop.test/shop")
    assert here.bases == ("https://x.test/", "https://shop.test/shop", "https://z.test/")
    here.rebase("x.test", "https://www.x.test/start")
    assert set(here.bases) == {"https://www.x.test/", "https://shop.test/shop", "https://z.test/"}


def test_a_landing_that_fits_none_of_several_bases_is_one_more() -> None:
    """R1"""
    here = site("https://x.test/a", "https://x.test/b")
    here.rebase("x.test", "https://y.test/c")
    assert here.bases == ("https://x.test/a", "https://x.test/b", "https://y.test/c")
