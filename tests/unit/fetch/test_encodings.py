"""Content encodings: however the bytes are cut, and however far they unpack."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import pytest
from quire_test_site import encoded

from quire.fetch.encodings import Unpackable, unpacker

TEXT = b"".join(b"line %d\n" % number for number in range(20_000))


def bare_deflate(text: bytes) -> bytes:
    return zlib.compress(text)[2:-4]


FORMS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", lambda text: encoded(text, "gzip")),
    "deflate": ("deflate", lambda text: encoded(text, "deflate")),
    "bare deflate": ("deflate", bare_deflate),
    "br": ("br", lambda text: encoded(text, "br")),
    "zstd": ("zstd", lambda text: encoded(text, "zstd")),
    "gzip in members": ("gzip", lambda text: gzip.compress(text[:1000]) + gzip.compress(text[1000:])),
    "zstd in frames": ("zstd", lambda text: encoded(text[:1000], "zstd") + encoded(text[1000:], "zstd")),
}


SEVERAL: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip in br": ("gzip, br", lambda text: encoded(encoded(text, "gzip"), "br")),
    "br in gzip": ("br, identity, GZIP", lambda text: encoded(encoded(text, "br"), "gzip")),
    "deflate in zstd in gzip": (
        "deflate, zstd, gzip",
        lambda text: encoded(encoded(encoded(text, "deflate"), "zstd"), "gzip"),
    ),
}


def unpacked(name: str, packed: bytes, cut: int, most: int) -> list[bytes]:
    unpack = unpacker(name)
    assert unpack is not None
    pieces = []
    for at in range(0, len(packed), cut):
        piece = unpack(packed[at : at + cut], most)
        while piece:
            pieces.append(piece)
            piece = unpack(b"", most)
    return pieces


@pytest.mark.parametrize("form", FORMS | SEVERAL)
@pytest.mark.parametrize(("cut", "most"), [(1, 100_000), (7, 50), (1000, 1000), (10**6, 10**6), (10**6, 4096)])
def test_it_unpacks_however_it_is_cut(form: str, cut: int, most: int) -> None:
    name, pack = (FORMS | SEVERAL)[form]
    pieces = unpacked(name, pack(TEXT), cut, most)
    assert b"".join(pieces) == TEXT
    # Brotli fills its buffer of 32 KiB.
    assert max(map(len, pieces)) <= max(most, 32_768 if "br" in name else 0)


@pytest.mark.parametrize("form", FORMS)
def test_an_end_that_is_missing_is_not_missed(form: str) -> None:
    name, pack = FORMS[form]
    text = b"".join(unpacked(name, pack(TEXT)[:-30], 1000, 10**6))
    assert len(text) > 1000
    assert TEXT.startswith(text)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "br"])
def test_what_follows_the_end_is_left_out(form: str) -> None:
    name, pack = FORMS[form]
    for cut in (100, 10**6):
        assert b"".join(unpacked(name, pack(TEXT) + b"\0junk" * 100, cut, 10**6)) == TEXT


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_what_is_not_packed_is_told(name: str) -> None:
    unpack = unpacker(name)
    assert unpack is not None
    with pytest.raises(Unpackable):
        unpack(b"\x78this is not packed at all", 1000)


def test_names_are_read_as_servers_write_them() -> None:
    assert unpacker(" GZip ") is not None
    assert all(unpacker(name) is None for name in ("", "identity", "utf-8", "gzip, utf-8", ","))


def test_nobody_packs_a_page_so_often() -> None:
    with pytest.raises(Unpackable, match="packed 4 times"):
        unpacker("gzip, gzip, gzip, gzip")
