"""Heads of answers, line by line."""

from __future__ import annotations

import pytest

from quire.fetch.heads import Head, read_head


def read(text: bytes) -> Head | None:
    return read_head(text.splitlines(keepends=True))


def test_a_head_gives_its_status_and_fields() -> None:
    head = read(b"HTTP/1.1 301 Moved: really\r\nLOCATION:  /there \r\nETag: a\r\nEtag: b\r\nX-Y: z\r\n\r\n")
    assert head is not None
    assert (head.status, head.location, head.field(b"etag"), head.content_type) == (301, "/there", "a", "")
    assert head.field(b"x-y") is None


def test_a_location_counts_in_redirects_only() -> None:
    head = read(b"HTTP/1.1 201 Created\r\nLocation: /there\r\n\r\n")
    assert head is not None
    assert head.location is None


def test_bytes_that_are_no_text() -> None:
    """E1, U5: what is kept can be written anywhere; an address or a validator is as it came, or not there"""
    head = read(b"HTTP/1.1 301\nContent-Type: text/html; x=\xc3\xa9\nETag: \xe9\nLocation: /\xc3\xa9\xe9\n\n")
    assert head is not None
    assert (head.content_type, head.field(b"etag")) == ("text/html; x=\u00e9", None)
    assert head.location == "/\u00e9%E9"


def test_neither_interim_answers_nor_trailers_count() -> None:
    interim = b"HTTP/1.1 103 Early Hints\r\nETag: early\r\n\r\n"
    final = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    head = read(interim + final + b"ETag: late\r\n")
    assert head is not None
    assert (head.status, head.content_type, head.field(b"etag")) == (200, "text/html", None)
    assert read(interim) is None


@pytest.mark.parametrize("name", [b"HTTP/x: abc", b"HTTP/:", b"HTTP/x: " + b"9" * 5000, b"HTTP/1.1 12: x"])
def test_a_field_that_begins_like_a_status_line_is_none(name: bytes) -> None:
    """U10"""
    head = read(b"HTTP/2 200\r\nETag: a\r\n" + name + b"\r\n\r\n")
    assert head is not None
    assert (head.status, head.field(b"etag")) == (200, "a")


def test_a_head_without_end_is_none() -> None:
    assert read(b"") is None
    assert read(b"HTTP/1.1 200 OK\r\nETag: a\r\n") is None
