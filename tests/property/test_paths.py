"""The path mapping stays inside its root, is deterministic, and gives different URLs different files."""

from __future__ import annotations

import re
from itertools import permutations
from unicodedata import is_normalized
from urllib.parse import quote

from hypothesis import assume, example, given
from hypothesis import strategies as st

from quire import urls
from quire.errors import UnsafePath
from quire.store.paths import DEEPEST, asset_path, collision_key, page_path, placeholder_path, with_suffix

UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"
}

TRICKY = """
a A b . .. ... .md index INDEX index.md Index.MD %69ndex index%2Emd index__q_0cc175b9 index__q_0cc175b9.md a__q a_ a_80
a__q_0cc175b9.md a__q_0cc175b9%2Emd a_0cc175b9.md %2e %2e%2E %252e %25 % %% %4 : %3A %3a * %2A | ; ~ ~1 _ __q_ .git
con CON con.txt nul. com1 COM%C2%B9 a. a%20 %20 %2F %2f %5C %00 %7f %C3%A9 e%CC%81 é É ß SS ſ K %FF %E3%83%A1
%EF%BC%8F ．． ｉndex.md index.ｍｄ %E2%80%8B %EF%B8%8F 한 ᄒ ᅡ ᆫ :%CC%81 %CC%81 İ ı i [--1]
"""
HOSTS = """
example.com EXAMPLE.com example.com:8080 example.com_8080 _failed _skipped [::1] [::1]:8080 [1:2::3] 127.0.0.1
con nul.de .. a. a.b_1 a.b:1 a*b münchen.example ex.com:65535
"""

tricky = st.sampled_from(TRICKY.split())
segments = st.one_of(
    st.just(""),
    tricky,
    st.text(max_size=12),
    st.builds(str.__mul__, tricky, st.integers(50, 250)),
    st.binary(max_size=12).map(quote),
    st.lists(tricky, max_size=4).map("".join),
)
hosts = st.sampled_from(HOSTS.split())
queries = (
    st.just("") | st.text(max_size=8).map("?".__add__) | st.sampled_from(["?a", "?A", "?%41", "?/..", "?#", "#?a"])
)
built = st.builds(
    "{}://{}/{}{}".format,
    st.sampled_from(["http", "https"]),
    hosts,
    st.lists(segments, max_size=6).map("/".join) | st.lists(tricky, min_size=40, max_size=90).map("/".join),
    queries,
)
any_url = built | st.text() | st.text().map("http://".__add__) | st.text().map("https://example.com/".__add__)


def is_safe_everywhere(name: str) -> bool:
    return (
        not re.search(r'[\x00-\x1f\x7f<>:"|?*\\/]', name)
        and name.strip(". ") == name != ""
        and name.partition(".")[0].rstrip().lower() not in DEVICES
        and len(name) <= 200
        and len(name.encode()) <= 240
        and name.isprintable()
        and is_normalized("NFC", name)
    )


def identity(url: str) -> str:
    """What tells two pages apart, by the normal form: the scheme does not."""
    return (urls.normalise(url) or "").partition("://")[2]


def normal_url_of(path: str) -> str:
    """Read the path backwards; possible where no hash stands for a part of the URL."""
    host, *segments, file = path.split("/")
    assert file == "index.md"
    if host.startswith("["):
        address, _, port = host.partition("]")
        host = f"{address.replace('-', ':')}]{port.replace('_', ':')}"
    else:
        host = re.sub("_([0-9]+)$", r":\1", host)
        host = re.sub("%([0-9a-f]{2})", lambda escape: chr(int(escape[1], 16)), host)
    return f"{host}/{'/'.join(map(segment_of, segments))}"


def segment_of(name: str) -> str:
    def unescape(escape: re.Match[str]) -> str:
        character = chr(int(escape[1], 16))
        return character if escape[1] != escape[1].upper() or character in UNRESERVED else escape[0]

    escaped = quote(name, safe="".join(map(chr, range(128))))
    return "" if name == "%2f" else re.sub("%([0-9A-Fa-f]{2})", unescape, escaped)


@given(any_url)
def test_every_url_has_a_path_inside_the_mirror_that_every_system_can_hold(url: str) -> None:
    """S2, S3, U10"""
    if urls.normalise(url) is None:
        try:
            page_path(url)
        except UnsafePath:
            return
        raise AssertionError("a URL without a normal form has no path")
    for path in (page_path(url), placeholder_path("_skipped", url), with_suffix(page_path(url), url)):
        names = path.split("/")
        assert all(map(is_safe_everywhere, names)), path
        assert 2 <= len(names) <= DEEPEST + 1
        assert len(path.encode()) <= 1000
        assert path.endswith(".md")
        assert path.startswith("_skipped/") or not path.startswith("_")


@given(any_url)
def test_the_path_depends_on_nothing_but_the_normal_form_and_the_query_as_sent(url: str) -> None:
    """S1, S2"""
    normal = urls.normalise(url)
    assume(normal is not None)
    assert normal is not None
    assert page_path(url) == page_path(url)
    if urls.query(url) == urls.query(normal):
        assert page_path(url) == page_path(normal)


@given(any_url)
@example("http://a_1/")
@example("http://example.com/a/%2F//b/:%3A/%252e/%2E.../con/index.md")
def test_the_path_can_be_read_backwards(url: str) -> None:
    """S2"""
    normal = urls.normalise(url)
    assume(normal is not None and not urls.query(url))
    path = page_path(url)
    names = path.split("/")
    assume(names[-1] == "index.md" and max(len(name.encode()) for name in names) < 190)
    assert normal_url_of(path) == identity(url)


@given(st.lists(built, min_size=2, max_size=12))
def test_different_urls_have_different_files_and_no_file_is_anothers_folder(some: list[str]) -> None:
    """S2"""
    pages = {identity(url): urls.normalise(url) for url in some if urls.normalise(url)}
    paths = [page_path(url) for url in pages.values() if url]
    assert len(set(paths)) == len(pages)
    for one, other in permutations(paths, 2):
        assert not other.lower().startswith(f"{one.lower()}/")


@given(any_url, any_url)
def test_a_taken_path_has_an_alternative_of_its_own(url: str, other: str) -> None:
    """S2"""
    assume(identity(url) and identity(other) and identity(url) != identity(other))
    path = page_path(url)
    moved = with_suffix(path, url)
    assert with_suffix(path, url) == moved
    keys = {collision_key(each) for each in (path, moved, with_suffix(moved, url), with_suffix(path, other))}
    assert len(keys) == 4


@given(st.text())
def test_a_collision_key_ignores_case_and_unicode_forms(path: str) -> None:
    """S2"""
    key = collision_key(path)
    assert collision_key(key) == key
    for variant in (path.lower(), path.upper(), path.casefold()):
        assert collision_key(variant) == key


images = st.sampled_from(["image/png", "image/jpeg", "image/svg+xml; charset=utf-8", "image/x-own", "", "IMAGE/GIF"])


@given(any_url, images, st.booleans())
def test_images_stay_in_their_folder(url: str, kind: str, hashed: bool) -> None:
    """M7, S2, S3"""
    try:
        path = asset_path(url, kind, hashed=hashed)
    except UnsafePath:
        assert urls.normalise(url) is None
        return
    folder, *names = path.split("/")
    assert folder == "_assets"
    assert len(names) >= 2
    assert all(map(is_safe_everywhere, names)), path
    assert len(names) < DEEPEST
    assert len(path.encode()) <= 1024
    assert asset_path(url, kind, hashed=hashed) == path


@given(built, built, images)
def test_two_images_share_a_file_only_by_their_scheme(one: str, other: str, kind: str) -> None:
    """M7, S2: on a disk that ignores case, too"""
    assume(identity(one) != identity(other))
    assume(urls.normalise(one) and urls.normalise(other))
    assert collision_key(asset_path(one, kind)) != collision_key(asset_path(other, kind))
