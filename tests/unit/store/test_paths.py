"""Where a page's file goes: the scenarios of content-mirroring, and the names that need care."""

from __future__ import annotations

from hashlib import md5

import pytest

from quire import urls
from quire.errors import UnsafePath
from quire.store.paths import DEEPEST, collision_key, page_path, placeholder_path, with_suffix


def hash8(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()[:8]


def test_standard_url_path_mapping() -> None:
    """S1"""
    assert page_path("https://docs.example.com/api/users/create") == "docs.example.com/api/users/create/index.md"


def test_query_string_handling() -> None:
    """S1"""
    assert page_path("https://example.com/search?q=test&page=2") == f"example.com/search__q_{hash8('q=test&page=2')}.md"


def test_fragment_stripping() -> None:
    """S1"""
    assert page_path("https://example.com/docs#installation") == "example.com/docs/index.md"
    assert page_path("https://example.com/docs#a?b") == "example.com/docs/index.md"


@pytest.mark.parametrize("length", [201, 255, 300, 5000])
def test_filename_length_enforcement(length: int) -> None:
    """S2"""
    url = f"https://example.com/docs/{'x' * length}"
    name = page_path(url).removeprefix("example.com/docs/")
    assert len(name) == 200
    assert name == f"{'x' * 188}_{hash8(url)}.md"


def test_a_name_of_200_characters_is_not_cut() -> None:
    """S2"""
    assert page_path(f"https://example.com/{'x' * 200}") == f"example.com/{'x' * 200}/index.md"


def test_a_name_with_a_query_is_cut_at_200_characters_too() -> None:
    """S1, S2"""
    stem = "x" * 184
    assert page_path(f"https://example.com/{stem}?a=1") == f"example.com/{stem}__q_{hash8('a=1')}.md"
    longer = f"https://example.com/{'x' * 186}?a=1"
    assert page_path(longer) == f"example.com/{'x' * 186}_{hash8(longer)}.md"


def test_parent_directory_traversal() -> None:
    """S3"""
    assert page_path("https://example.com/../../etc/passwd") == "example.com/etc/passwd/index.md"
    assert page_path("https://example.com/a/%2e%2E/.%2e/etc") == "example.com/etc/index.md"
    assert page_path("https://example.com/..%2f..%2fetc") == "example.com/%2e.%2F..%2Fetc/index.md"
    assert page_path("https://example.com/..%5c..%5cetc") == "example.com/%2e.%5C..%5Cetc/index.md"
    assert page_path("https://example.com/%252e%252e/etc") == "example.com/%252e%252e/etc/index.md"
    assert page_path("https://example.com/%25252e%25252e/etc") == "example.com/%25252e%25252e/etc/index.md"
    assert page_path("https://example.com\\..\\..\\etc") == "example.com/etc/index.md"


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://example.com", "example.com/index.md"),
        ("https://example.com/", "example.com/index.md"),
        ("HTTPS://Example.COM:443/", "example.com/index.md"),
        ("https://example.com/docs/", "example.com/docs/index.md"),
        ("https://example.com/?a=1", f"example.com/index__q_{hash8('a=1')}.md"),
        ("https://example.com/docs/?a=1", f"example.com/docs__q_{hash8('a=1')}.md"),
        ("https://example.com/docs?", "example.com/docs/index.md"),
        ("https://example.com/page.html", "example.com/page.html/index.md"),
        ("https://example.com/README.md", "example.com/README.md/index.md"),
    ],
)
def test_slashes_roots_and_queries(url: str, path: str) -> None:
    """S1"""
    assert page_path(url) == path


def test_the_query_is_hashed_as_sent() -> None:
    """S1"""
    assert page_path("https://example.com/s?b=%7e&a=1") == f"example.com/s__q_{hash8('b=%7e&a=1')}.md"
    assert page_path("https://example.com/s?a=1&b=%7e") == f"example.com/s__q_{hash8('a=1&b=%7e')}.md"


@pytest.mark.parametrize(
    ("host", "folder"),
    [
        ("example.com:8080", "example.com_8080"),
        ("127.0.0.1:9", "127.0.0.1_9"),
        ("[::1]", "[--1]"),
        ("[2001:DB8::1]:8080", "[2001-db8--1]_8080"),
        ("_dmarc.example.com", "%5fdmarc.example.com"),
        ("_manifest.json", "%5fmanifest.json"),
        ("_failed", "%5ffailed"),
        ("example.com_8080", "example.com%5f8080"),
        ("a_b.example.com", "a_b.example.com"),
        ("..", "%2e%2e"),
        (".", "%2e"),
        ("example.com.", "example.com%2e"),
        ("con", "%63on"),
        ("nul.example.com", "%6eul.example.com"),
        ("a*b", "a%2ab"),
        ("münchen.example", "xn--mnchen-3ya.example"),
    ],
)
def test_the_host_is_a_safe_folder_that_is_not_the_mirrors_own(host: str, folder: str) -> None:
    """S1, S2, R6"""
    assert page_path(f"http://{host}/a") == f"{folder}/a/index.md"


def test_a_host_too_long_for_a_folder_is_cut() -> None:
    """S2"""
    host = ".".join(["a" * 60] * 4)
    folder = page_path(f"http://{host}/").split("/")[0]
    assert len(folder) == 200
    assert folder.endswith(f"_{hash8(host)}")


@pytest.mark.parametrize(
    ("segment", "name"),
    [
        ("Special:Search", "Special%3aSearch"),
        ("a%3Ab", "a%3Ab"),
        ("a*b|c", "a%2ab%7cc"),
        ("a%22b%3C%3E%3F%5C", "a%22b%3C%3E%3F%5C"),
        ("a%00b%1Fc%7F", "a%00b%1Fc%7F"),
        ("a%20b", "a%20b"),
        ("%20a%20", "%20a%20"),
        ("...", "%2e.%2e"),
        ("a.", "a%2e"),
        (".git", "%2egit"),
        (".quire-1-1.tmp", "%2equire-1-1.tmp"),
        ("~user", "~user"),
        ("CON", "%43ON"),
        ("nul.tar.gz", "%6eul.tar.gz"),
        ("com1", "%63om1"),
        ("LPT9.txt", "%4cPT9.txt"),
        ("com%C2%B9", "%63om¹"),
        ("CONIN$", "%43ONIN$"),
        ("console", "console"),
        ("com10", "com10"),
        ("file::$DATA", "file%3a%3a$DATA"),
        ("%2e%2e%2e", "%2e.%2e"),
        ("100%", "100%25"),
    ],
)
def test_a_segment_becomes_a_name_that_every_system_keeps(segment: str, name: str) -> None:
    """S2"""
    assert page_path(f"https://example.com/{segment}/x") == f"example.com/{name}/x/index.md"
    assert page_path(f"https://example.com/{segment}") == f"example.com/{name}/index.md"
    assert page_path(f"https://example.com/{segment}?q") == f"example.com/{name}__q_{hash8('q')}.md"


@pytest.mark.parametrize(
    ("escaped", "shown"),
    [
        ("%E3%83%A1%E3%82%A4%E3%83%B3", "メイン"),
        ("caf%c3%a9", "café"),
        ("café", "café"),
        ("%F0%9F%98%80", "😀"),
        ("%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82_%D0%BC%D0%B8%D1%80", "Привет_мир"),
    ],
)
def test_letters_of_other_scripts_are_readable(escaped: str, shown: str) -> None:
    """S2"""
    assert page_path(f"https://example.com/{escaped}/x") == f"example.com/{shown}/x/index.md"


@pytest.mark.parametrize(
    "segment",
    [
        "%FF%FE",  # not UTF-8
        "%C0%AE%C0%AE",  # an overlong `..`
        "%ED%A0%80",  # half a surrogate pair
        "e%CC%81",  # not in normal form C
        "%CC%81",  # a lone accent
        "%E2%84%AA",  # the Kelvin sign
        "%E2%80%AE",  # right-to-left override
        "%E2%80%8B",  # zero width
        "%EF%B8%8F",  # variation selector
        "%E3%85%A4",  # Hangul filler
        "%C2%A0",  # no-break space
        "%E2%80%A8",  # line separator
        "%EE%80%80",  # private use
        "%EF%BC%8F",  # full-width slash
        "%EF%BC%BC",  # full-width backslash
        "%E2%80%A5",  # two dot leader
        "%EF%BC%8E%EF%BC%8E",  # full-width dots
        "%EF%BC%85",  # full-width per cent
    ],
)
def test_text_that_a_disk_could_change_or_mistake_stays_escaped(segment: str) -> None:
    """S2, S3"""
    assert page_path(f"https://example.com/{segment}/x") == f"example.com/{segment}/x/index.md"


def test_a_folder_is_never_named_like_a_file_of_the_mirror() -> None:
    """S2"""
    assert page_path("https://example.com/docs/index.md") == "example.com/docs/index%2emd/index.md"
    assert page_path("https://example.com/docs/INDEX.MD/x") == "example.com/docs/INDEX%2eMD/x/index.md"
    taken = page_path("https://example.com/search?q=1")
    assert taken == f"example.com/search__q_{hash8('q=1')}.md"
    assert page_path(f"https://{taken}/x") == f"example.com/search__q_{hash8('q=1')}%2emd/x/index.md"
    cut = page_path(f"https://example.com/{'x' * 300}")
    assert not page_path(f"https://{cut}/x").startswith(f"{cut}/")


def test_the_roots_query_and_the_query_of_index_are_two_files() -> None:
    """S2"""
    assert page_path("https://example.com/?q=1") == f"example.com/index__q_{hash8('q=1')}.md"
    assert page_path("https://example.com/index?q=1") == f"example.com/%69ndex__q_{hash8('q=1')}.md"


def test_empty_segments_are_kept_apart() -> None:
    """S2"""
    assert page_path("https://example.com/a//b") == "example.com/a/%2f/b/index.md"
    assert page_path("https://example.com//") == page_path("https://example.com/")


def test_a_folder_with_a_long_name_is_cut_and_shared_by_its_pages() -> None:
    """S2"""
    segment = "y" * 300
    folder = f"example.com/{'y' * 191}_{hash8(segment)}"
    assert page_path(f"https://example.com/{segment}/a") == f"{folder}/a/index.md"
    assert page_path(f"https://example.com/{segment}/b?q=1") == f"{folder}/b__q_{hash8('q=1')}.md"


def test_names_are_bounded_in_bytes_and_cut_between_characters() -> None:
    """S2"""
    for script in ("%E3%83%A1", "%F0%9F%98%80", "%D0%9F", "x%E3%83%A1"):
        name = page_path(f"https://example.com/{script * 150}").split("/")[1]
        assert 225 <= len(name.encode()) <= 240
        assert "\ufffd" not in name
        assert name[-12] == "_"


@pytest.mark.parametrize("shift", range(3))
def test_a_cut_never_splits_an_escape(shift: int) -> None:
    """S2"""
    name = page_path(f"https://example.com/{'x' * shift}{'%FF' * 100}").split("/")[1]
    assert set(name[shift:-12].split("%")) == {"", "FF"}


def test_deep_and_long_paths_are_bounded() -> None:
    """S2"""
    deep = page_path("https://example.com" + "/a" * 900)
    assert len(deep.split("/")) == DEEPEST
    assert deep.endswith(f"/a_{hash8('https://example.com' + '/a' * 900)}.md")
    assert page_path("https://example.com" + "/a" * 901) != deep
    long = page_path("https://example.com" + f"/{'b' * 150}" * 20)
    assert len(long.encode()) <= 960
    assert page_path("https://example.com" + f"/{'b' * 150}" * 20 + "?q") != long


def test_placeholders_have_the_same_paths_in_their_own_folder() -> None:
    """S7, M6"""
    assert placeholder_path("_failed", "https://example.com/a") == "_failed/example.com/a/index.md"
    assert placeholder_path("_skipped", "https://example.com/a.pdf?v=1").startswith("_skipped/example.com/a.pdf__q_")


@pytest.mark.parametrize("url", ["", "mailto:a@example.com", "/relative", "http://", "http://[::1/", "\ud800"])
def test_what_is_no_url_has_no_path(url: str) -> None:
    """S3, U10"""
    with pytest.raises(UnsafePath):
        page_path(url)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/About", "/about"),
        ("/a:b", "/a%3Ab"),
        ("/%C3%84", "/%C3%A4"),
        ("/stra%C3%9Fe", "/STRASSE"),
        ("/%CF%83", "/%CF%82"),
        ("/%EF%BC%A1", "/a"),
        ("/i", "/%C4%B1"),
    ],
)
def test_pages_that_a_case_insensitive_disk_confuses_have_one_key_and_get_two_paths(one: str, other: str) -> None:
    """S2"""
    first, second = (page_path(f"https://example.com{path}") for path in (one, other))
    assert first != second
    assert collision_key(first) == collision_key(second)
    moved = with_suffix(second, f"https://example.com{other}")
    assert collision_key(moved) != collision_key(first)


def test_the_other_path_keeps_the_shape_of_the_first() -> None:
    """S2"""
    url = "https://example.com/About"
    suffix = hash8(f"example.com/About/index.md {url}")
    assert with_suffix(page_path(url), url) == f"example.com/About_{suffix}/index.md"
    assert with_suffix("example.com/a__q_12345678.md", url).startswith("example.com/a__q_12345678_")
    assert with_suffix("example.com/index.md", url).startswith("example.com/index_")
    assert with_suffix("_failed/example.com/index.md", url).startswith("_failed/example.com/index_")
    assert with_suffix("_failed/example.com/About/index.md", url).startswith("_failed/example.com/About_")


def test_another_path_can_be_asked_for_again_and_again() -> None:
    """S2"""
    for url in ("https://example.com/About", f"https://example.com/{'x' * 300}", f"https://example.com/{'é' * 90}/a"):
        paths = [page_path(url)]
        for _ in range(50):
            paths.append(with_suffix(paths[-1], url))
        assert len({collision_key(path) for path in paths}) == 51
        assert max(len(name.encode()) for path in paths for name in path.split("/")) <= 240


def test_the_path_is_that_of_the_normal_form() -> None:
    """S1, U1"""
    for url in ("HTTP://EXAMPLE.com:80/%7Ea/./b/../c/", "https://example.com/%e3%83%a1", "https://example.com/a b"):
        assert page_path(url) == page_path(urls.normalise(url) or "")
