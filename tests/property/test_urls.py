"""What holds for every string, and for every URL."""

from __future__ import annotations

from random import Random
from urllib.parse import quote

import ada_url
from hypothesis import example, given
from hypothesis import strategies as st

from quire import urls
from quire.urls import UrlPolicy

PIECES = (
    *(
        "http:",
        "https:",
        "//",
        "/",
        ".",
        "..",
        "../",
        "%2e",
        "%2E",
        "%",
        "%4",
        "%41",
        "%7e",
        "%zz",
        "%C3%89",
        "%e9",
        "%25",
    ),
    *("a", "B", "é", "?", "#", "&", "=", "+", "@", ":", ":80", ":443", ":8080", ":99999", ";", ";jsessionid=1", "~"),
    *("example.com", "127.0.0.1", "1.2.3", "0x7f", "[::1]", "[", "]", "xn--bcher-kva", "xn--a", "localhost", "_", "-"),
    *(" ", "\t", "\n", "\\", "'", '"', "<", "|", "^", "{", "\ud800", "\x00", "\ufeff", "utm_source=x", "a=1", "b"),
    *("../", "ftp:", "mailto:", "javascript:", "file:"),
)
BASES = ("", "http://h.example/a/b?c", "https://h.example:8443/a/b/c?q=1/2#f", "http://u:p@h.example/x/../y/%7e/")
messy = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)
strings = st.one_of(st.text(st.characters(exclude_categories=())), messy, messy.map("http://example.com/".__add__))
web_urls = strings.map(lambda text: urls.resolve(text, "https://example.com/a/b?c")).filter(lambda url: url is not None)
policies = st.builds(
    UrlPolicy,
    query=st.sampled_from(["meaningful", "all", "none"]),
    ignore_case=st.booleans(),
    noise=st.sampled_from([(), ("a",), ("b*", "é")]),
)
pairs = st.lists(st.sampled_from(["a=1", "a=2", "a", "b=", "B=%7e", "=", "utm_id=1", "x=é", "%41=1"]), max_size=6)


def by_the_standard(href: str, base: str) -> str | None:
    """Resolve with ada alone, on no fast path."""
    try:
        parsed = ada_url.URL(href, base) if base else ada_url.URL(href)
    except ValueError:
        return None
    if parsed.protocol not in ("http:", "https:"):
        return None
    parsed.username = parsed.password = parsed.hash = ""
    return parsed.href.removesuffix("#")


@given(strings, strings, policies)
@example("http://[", "http://[", UrlPolicy())
@example("\ud800", "http://\ud800/", UrlPolicy(ignore_case=True))
def test_nothing_raises(text: str, base: str, policy: UrlPolicy) -> None:
    """U10"""
    urls.resolve(text, base)
    urls.scheme_of(text)
    urls.normalise(text)
    identity = urls.key(text, policy)
    assert urls.fingerprint_of(text, policy) == (None if identity is None else urls.fingerprint(identity))
    urls.fingerprint(text)
    for part in (urls.scheme, urls.host, urls.path, urls.query, urls.site_root):
        assert isinstance(part(text), str)


@given(st.one_of(st.text(), messy.map(lambda text: text.replace("\ud800", ""))), st.sampled_from(BASES))
@example("%2e%2e/x", "http://h.example/a/b/c")
@example("a:b", "http://h.example/")
@example("?q", "http://h.example/a/b?c")
@example("x", "http://u:p@h.example/a/b?c/d")
def test_the_fast_path_resolves_as_the_standard_does(href: str, base: str) -> None:
    """U5"""
    assert urls.resolve(href, base) == by_the_standard(href, base)


@given(st.one_of(st.text(), messy.map(lambda text: text.replace("\ud800", ""))), st.sampled_from(BASES))
@example("../../x", "http://h.example/a/b/c//d")
@example("../../../x", "http://h.example/a/b")
@example("..//x", "http://h.example/a/b")
@example("/\t/h2.example/", "http://h.example/a/b")
@example("\x01?q", "http://h.example/a/b")
@example("//h2.example", "https://h.example/")
def test_a_joined_href_resolves_as_the_href_does(href: str, base: str) -> None:
    """U5"""
    origin, folder, _ = urls.split_base(base)
    url = urls.joined(href, origin, folder)
    assert url is None or urls.resolve(url, "") == by_the_standard(href, base)


@given(web_urls)
def test_a_request_url_is_a_request_url(url: str) -> None:
    """U5, U10"""
    assert urls.resolve(url, "") == url
    assert url.isascii()
    assert "#" not in url
    assert ada_url.check_url(url)
    assert urls.normalise(url) is not None
    assert urls.query(url) == ada_url.URL(url).search.removeprefix("?")


@given(web_urls)
@example("http://example.com/%%34%31")
@example("http://example.com/a/%2e%2E;/..//")
def test_normalising_twice_is_normalising_once(url: str) -> None:
    """U1"""
    once = urls.normalise(url)
    assert once is not None
    assert urls.normalise(once) == once
    assert urls.resolve(once, "") == once


@given(web_urls)
def test_a_normal_form_is_made_of_its_parts(url: str) -> None:
    """U1, U6"""
    normal = urls.normalise(url)
    assert normal is not None
    rest = normal.removeprefix(f"{urls.scheme(url)}://{urls.host(url)}{urls.path(url)}")
    assert rest == "" or rest.startswith("?")
    assert urls.site_root(url) == f"{urls.scheme(url)}://{urls.host(url)}/"
    assert urls.path(url) == "/" or not urls.path(url).endswith("/")
    assert not {".", ".."}.intersection(urls.path(url).split("/"))


@given(web_urls, policies)
def test_a_url_and_its_normal_form_have_one_key(url: str, policy: UrlPolicy) -> None:
    """U3"""
    normal = urls.normalise(url)
    assert normal is not None
    assert urls.key(normal, policy) == urls.key(url, policy)


@given(st.text(), st.permutations(["http", "https"]), policies)
def test_a_key_knows_no_scheme_and_no_fragment(text: str, schemes: list[str], policy: UrlPolicy) -> None:
    """U3"""
    left, right = (f"{scheme}://example.com/{quote(text)}?{quote(text)}" for scheme in schemes)
    assert urls.key(left, policy) == urls.key(f"{right}#{text}", policy) is not None


@given(pairs, st.randoms(use_true_random=False), policies)
def test_a_key_knows_no_order_of_parameters(parameters: list[str], random: Random, policy: UrlPolicy) -> None:
    """U3"""
    shuffled = list(parameters)
    random.shuffle(shuffled)
    url = "https://example.com/?"
    assert urls.key(url + "&".join(parameters), policy) == urls.key(url + "&".join(shuffled), policy)


@given(web_urls)
def test_a_coarser_policy_only_drops_the_query(url: str) -> None:
    """U3"""
    meaningful, bare = urls.key(url, UrlPolicy()), urls.key(url, UrlPolicy(query="none"))
    assert meaningful is not None
    assert meaningful.partition("?")[0] == bare
