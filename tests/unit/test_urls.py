"""The URL rules, each by example."""

from __future__ import annotations

import pytest

from quire import urls
from quire.url_noise import NOISE
from quire.urls import UrlPolicy

DEFAULT = UrlPolicy()
BASE = "https://example.com/docs/guide/?page=2#top"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://EXAMPLE.COM/Path", "http://example.com/Path"),
        ("https://example.com/page#section", "https://example.com/page"),
        ("https://example.com/about/", "https://example.com/about"),
        ("https://example.com/", "https://example.com/"),
        ("https://example.com:443/page", "https://example.com/page"),
        ("http://example.com:80/page", "http://example.com/page"),
        ("https://example.com/%7Euser/%41%2D%5f%2Eb", "https://example.com/~user/A-_.b"),
    ],
)
def test_the_normal_form_follows_the_source_rules_one_to_six(url: str, expected: str) -> None:
    """U1: seeds/url-rules.md, with rule 6 as RFC 3986 defines unreserved."""
    assert urls.normalise(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://B%C3%BCcher.example/", "https://xn--bcher-kva.example/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[0:0::1]:8080/a", "http://[::1]:8080/a"),
        ("https://example.com:80/", "https://example.com:80/"),
        ("https://example.com", "https://example.com/"),
        ("https://example.com?a=1", "https://example.com/?a=1"),
        ("https://user:secret@example.com/a", "https://example.com/a"),
        ("  https://example.com/a\n", "https://example.com/a"),
        ("https:\\\\example.com\\a", "https://example.com/a"),
    ],
)
def test_every_spelling_of_a_host_has_one_normal_form(url: str, expected: str) -> None:
    """U1"""
    assert urls.normalise(url) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a/./b/../c", "/a/c"),
        ("/a/%2e/b/%2E%2e/c", "/a/c"),
        ("/a/.%2e", "/"),
        ("/../../a", "/a"),
        ("/a/..%2fb", "/a/..%2Fb"),
        ("/a%2fb", "/a%2Fb"),
        ("/a//b", "/a//b"),
        ("/a///", "/a"),
        ("//", "/"),
        ("/.well-known/x", "/.well-known/x"),
        ("/%2Ewell-known/x", "/.well-known/x"),
        ("/é", "/%C3%A9"),
        ("/%c3%a9", "/%C3%A9"),
        ("/caf%E9", "/caf%E9"),
        ("/Case/Kept", "/Case/Kept"),
    ],
)
def test_a_path_is_resolved_and_its_escapes_made_equal(path: str, expected: str) -> None:
    """U1"""
    assert urls.normalise("https://example.com" + path) == "https://example.com" + expected


def test_what_is_no_url_is_shown_as_it_stands() -> None:
    """U1, U10"""
    assert urls.shown("https://Example.com/a/#b") == "https://example.com/a"
    assert urls.shown("http://[") == "http://["


def test_an_escaped_space_stays_escaped() -> None:
    """U2"""
    assert urls.normalise("https://example.com/hello%20world") == "https://example.com/hello%20world"
    assert urls.normalise("https://example.com/hello world") == "https://example.com/hello%20world"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?b=2&a=1", "?b=2&a=1"),
        ("?Q=Case", "?Q=Case"),
        ("?q=%7e%2f%c3%a9", "?q=~%2F%C3%A9"),
        ("?", ""),
        ("?#part", ""),
        ("?a=1+2", "?a=1+2"),
        ("?a/../b", "?a/../b"),
    ],
)
def test_a_query_keeps_its_order_and_case(query: str, expected: str) -> None:
    """U1"""
    assert urls.normalise("https://example.com/a" + query) == "https://example.com/a" + expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/100%", "/100%25"),
        ("/%zz", "/%25zz"),
        ("/%4", "/%254"),
        ("/%%34%31", "/%2541"),
        ("/%2541", "/%2541"),
        ("/a?b=5%&c", "/a?b=5%25&c"),
    ],
)
def test_a_percent_sign_that_escapes_nothing_is_a_literal_one(path: str, expected: str) -> None:
    """U1, U10"""
    once = urls.normalise("https://example.com" + path)
    assert once == "https://example.com" + expected
    assert urls.normalise(once) == once


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("intro", "https://example.com/docs/guide/intro"),
        ("intro/#part", "https://example.com/docs/guide/intro/"),
        ("../intro.html", "https://example.com/docs/intro.html"),
        ("/intro/?q=a b", "https://example.com/intro/?q=a%20b"),
        ("/intro/?", "https://example.com/intro/?"),
        ("//other.example/x", "https://other.example/x"),
        ("?page=3", "https://example.com/docs/guide/?page=3"),
        ("#part", "https://example.com/docs/guide/?page=2"),
        ("", "https://example.com/docs/guide/?page=2"),
        (" /intro ", "https://example.com/intro"),
        ("/in\ntro", "https://example.com/intro"),
        ("/%7euser/?utm_source=x", "https://example.com/%7euser/?utm_source=x"),
        ("a:b", None),
        ("./a:b", "https://example.com/docs/guide/a:b"),
        ("HTTPS://Other.Example:443", "https://other.example/"),
        ("https://user:pw@other.example/@x", "https://other.example/@x"),
    ],
)
def test_a_link_is_requested_as_the_site_wrote_it(href: str, expected: str | None) -> None:
    """U5"""
    assert urls.resolve(href, BASE) == expected


@pytest.mark.parametrize("base", ["", "not a url", "mailto:someone@example.com", "http://["])
def test_an_absolute_link_needs_no_base(base: str) -> None:
    """U5, U10"""
    assert urls.resolve("https://example.com/a/", base) == "https://example.com/a/"
    assert urls.resolve("https://EXAMPLE.com/a/", base) == "https://example.com/a/"
    assert urls.resolve("/a", base) is None
    assert urls.resolve("a", base) is None
    assert urls.resolve("", base) is None


def test_credentials_of_the_base_are_not_handed_on() -> None:
    """U5, E1"""
    assert urls.resolve("b", "https://user:pw@example.com/a/") == "https://example.com/a/b"
    assert urls.resolve("../b", "https://user:pw@example.com/a/") == "https://example.com/b"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("mailto:a@example.com", "mailto"),
        ("tel:123", "tel"),
        ("JavaScript:void(0)", "javascript"),
        (" \x01java\nscript:void(0)", "javascript"),
        ("data:text/html,x", "data"),
        ("https://example.com", "https"),
        ("http://[", "http"),
        ("/a:b", None),
        ("?a:b", None),
        ("1a:b", None),
        ("page", None),
        ("", None),
    ],
)
def test_an_href_names_its_own_scheme(href: str, expected: str | None) -> None:
    """U9"""
    assert urls.scheme_of(href) == expected


@pytest.mark.parametrize("href", ["mailto:a@example.com", "tel:1", "javascript:x", "data:,x", "ftp://example.com/"])
def test_only_http_is_resolved(href: str) -> None:
    """U9"""
    assert urls.resolve(href, BASE) is None
    assert urls.normalise(href) is None
    assert urls.key(href, DEFAULT) is None
    assert urls.fingerprint_of(href, DEFAULT) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("http://example.com/page", "https://example.com/page"),
        ("https://example.com/page/", "https://example.com/page"),
        ("https://example.com/page#a", "https://example.com/page#b"),
        ("https://example.com/?a=1&b=2", "https://example.com/?b=2&a=1"),
        ("https://example.com/?&a=1&&", "https://example.com/?a=1"),
        ("https://example.com/?utm_source=x&a=1&GCLID=2", "https://example.com/?a=1"),
        ("https://example.com/?utm%5Fsource=x", "https://example.com/"),
        ("https://example.com/a;jsessionid=12AB?b=1", "https://example.com/a?b=1"),
        ("https://example.com/a;JSESSIONID=12AB/b;v=1", "https://example.com/a/b;v=1"),
        ("https://example.com/a/;jsessionid=12AB", "https://example.com/a"),
        ("https://example.com/;jsessionid=12AB", "https://example.com/"),
        ("https://example.com/?PHPSESSID=1&aspsessionidqqabc=2", "https://example.com/"),
    ],
)
def test_one_page_has_one_key(left: str, right: str) -> None:
    """U3"""
    assert urls.key(left, DEFAULT) == urls.key(right, DEFAULT)
    assert urls.fingerprint_of(left, DEFAULT) == urls.fingerprint_of(right, DEFAULT)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("https://example.com/", "https://www.example.com/"),
        ("https://example.com/", "https://example.com:8080/"),
        ("https://example.com/a", "https://example.com/A"),
        ("https://example.com/?a=1", "https://example.com/?a=1&a=1"),
        ("https://example.com/?a=", "https://example.com/"),
        ("https://example.com/?sid=1", "https://example.com/?sid=2"),
        ("https://example.com/?ref=1", "https://example.com/?ref=2"),
        ("https://example.com/?a=x%26b", "https://example.com/?a=x&b"),
        ("https://example.com/a;v=1", "https://example.com/a;v=2"),
    ],
)
def test_two_pages_have_two_keys(left: str, right: str) -> None:
    """U3, U4, U6"""
    assert urls.key(left, DEFAULT) != urls.key(right, DEFAULT)
    assert urls.fingerprint_of(left, DEFAULT) != urls.fingerprint_of(right, DEFAULT)


def test_the_key_is_readable() -> None:
    """U3"""
    assert urls.key("https://Example.com:8080/Docs/?b=2&a=1&a=0&fbclid=x", DEFAULT) == (
        "example.com:8080/Docs?a=0&a=1&b=2"
    )


def test_every_name_of_the_noise_list_is_noise() -> None:
    """U3"""
    for name in NOISE:
        assert name == name.lower()
        assert urls.key(f"https://example.com/?{name.replace('*', 'x')}=1&a=1", DEFAULT) == "example.com/?a=1"


def test_all_or_no_parameters_may_be_meaningful() -> None:
    """U3"""
    url = "https://example.com/a;jsessionid=1?utm_source=x&a=1"
    assert urls.key(url, UrlPolicy(query="all")) == "example.com/a;jsessionid=1?a=1&utm_source=x"
    assert urls.key(url, UrlPolicy(query="none")) == "example.com/a"


def test_more_parameters_can_be_declared_noise() -> None:
    """U3"""
    policy = UrlPolicy(noise=("Sid", "track*", "f[x]"))
    assert urls.key("https://example.com/?sid=1&tracker=2&Track=3&f%5Bx%5D=4&side=5&utm_id=6", policy) == (
        "example.com/?side=5"
    )


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("https://example.com/About?Q=X", "https://example.com/about?q=x"),
        ("https://example.com/?B=1&a=2", "https://example.com/?b=1&A=2"),
        ("https://example.com/%D0%9A%D0%BD", "https://example.com/%D0%BA%D0%BD"),
        ("https://example.com/%2FA", "https://example.com/%2fa"),
    ],
)
def test_case_is_folded_on_request(left: str, right: str) -> None:
    """U4"""
    folding = UrlPolicy(ignore_case=True)
    assert urls.key(left, folding) == urls.key(right, folding)
    assert urls.key(left, DEFAULT) != urls.key(right, DEFAULT)


def test_folding_leaves_bytes_that_are_no_text_apart() -> None:
    """U4, U10"""
    folding = UrlPolicy(ignore_case=True)
    assert urls.key("https://example.com/caf%E9", folding) == "example.com/caf%e9"
    assert urls.key("https://example.com/caf%E9", folding) != urls.key("https://example.com/caf%E8", folding)


def test_a_fingerprint_fits_a_signed_64_bit_column_and_never_changes() -> None:
    """U3: the numbers are stored on disk, so they are pinned."""
    assert urls.fingerprint("example.com/") == 7161347055885526228
    assert urls.fingerprint("\ud800") == urls.fingerprint("\ud800")
    values = [urls.fingerprint(f"example.com/{number}") for number in range(1000)]
    assert len(set(values)) == 1000
    assert all(-(2**63) <= value < 2**63 for value in values)
    assert min(values) < 0 < max(values)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://Example.com:443/a", "example.com"),
        ("https://example.com:8080/a", "example.com:8080"),
        ("http://example.com:443/a", "example.com:443"),
        ("https://www.example.com/", "www.example.com"),
        ("https://user@bücher.example/", "xn--bcher-kva.example"),
        ("https://[::1]:81/", "[::1]:81"),
        ("mailto:a@example.com", ""),
        ("/a", ""),
    ],
)
def test_hosts_are_compared_with_their_port(url: str, expected: str) -> None:
    """U6"""
    assert urls.host(url) == expected


def test_a_url_can_be_taken_apart() -> None:
    """U1, S1"""
    url = "HTTPS://Example.com:8080/a/../%7Eb/?q=%7e&r#part?no"
    assert urls.scheme(url) == "https"
    assert urls.host(url) == "example.com:8080"
    assert urls.path(url) == "/~b"
    assert urls.query(url) == "q=%7e&r"
    assert urls.site_root(url) == "https://example.com:8080/"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://",
        "http://[",
        "http://[::1",
        "http://example.com:99999/",
        "http://example.com:port/",
        "http://exa mple.com/",
        "http://%zz/",
        "http://a%00b/",
        "http://\ud800/",
        "\x00",
        "\ud800",
        "a" * 1_000_000,
        "http://" + "[" * 1_000_000,
        "http:" + "9" * 1_000_000 + "://",
    ],
    ids=lambda url: repr(url[:20]),
)
def test_a_bad_url_has_no_forms_at_all(url: str) -> None:
    """U10"""
    assert urls.resolve(url, "") is None
    assert urls.normalise(url) is None
    assert urls.key(url, DEFAULT) is None
    assert urls.fingerprint_of(url, DEFAULT) is None
    assert urls.scheme(url) == urls.host(url) == urls.path(url) == urls.query(url) == urls.site_root(url) == ""


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/" + "a/" * 500_000,
        "http://example.com/" + "a/../" * 200_000,
        "http://example.com/" + "%" * 1_000_000,
        "http://example.com/" + "%41" * 300_000,
        "http://example.com/" + ";jsessionid=" * 80_000,
        "http://example.com/?" + "a=1&" * 250_000,
        "http://example.com/?" + "&" * 1_000_000,
        "http://example.com/#" + "." * 1_000_000,
        "http://" + "a." * 500_000 + "com/",
        "http://" + "u:" * 500_000 + "@example.com/",
    ],
    ids=lambda url: repr(url[:30]),
)
def test_a_megabyte_url_is_handled_like_any_other(url: str) -> None:
    """U10"""
    once = urls.normalise(url)
    assert once is not None
    assert urls.normalise(once) == once
    assert urls.fingerprint_of(once, DEFAULT) == urls.fingerprint_of(url, DEFAULT)


def test_a_lone_surrogate_is_the_replacement_character() -> None:
    """U10: as browsers do, so that the request can be encoded."""
    assert urls.resolve("/\ud800", BASE) == "https://example.com/%EF%BF%BD"
    assert urls.resolve("a", "https://example.com/\udfff/") == "https://example.com/%EF%BF%BD/a"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("http://example.com/#/about", "http://example.com/?_escaped_fragment_=/about"),
        ("http://example.com/a?b=c#!/d e?f=g&h", "http://example.com/a?b=c&_escaped_fragment_=!/d%20e%3Ff%3Dg%26h"),
        ("http://example.com/#part", "http://example.com/"),
        ("http://example.com/#/", "http://example.com/"),
        ("http://example.com/x", "http://example.com/x"),
    ],
)
def test_routes_behind_a_fragment(written: str, kept: str) -> None:
    """D7, U1: kept as a query, shown as they are"""
    assert urls.routed(written) == kept
    assert urls.is_route(kept) == ("_escaped_fragment_" in kept)
    if urls.is_route(kept):
        assert urls.browser_url(kept).replace("%20", " ") == written
        assert urls.key(kept, urls.UrlPolicy()) != urls.key(written, urls.UrlPolicy())
    assert "_escaped_fragment_" not in urls.shown(kept)
