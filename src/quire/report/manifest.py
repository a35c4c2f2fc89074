"""`_manifest.json`: what the crawl did, what every page is, and why the other URLs are not there (S11, R7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import json

MANIFEST_FILE = "_manifest.json"
VERSION = "1.0"


def schema() -> Any:
    """The published JSON Schema of the manifest."""
    return json.decode(Path(__file__).with_name("manifest.schema.json").read_bytes())


def manifest_chunks(heads: Mapping[str, object], lists: Mapping[str, Iterable[object]]) -> Iterator[bytes]:
    """Yield the document piece by piece, so that its size costs no memory: plain members first, then long lists."""
    yield b"{\n"
    yield b'  "version": ' + json.encode(VERSION)
    for name, value in heads.items():
        yield b",\n  " + json.encode(name) + b": " + json.format(json.encode(value), indent=2).replace(b"\n", b"\n  ")
    for name, items in lists.items():
        yield b",\n  " + json.encode(name) + b": ["
        separator = b"\n    "
        for item in items:
            yield separator + json.encode(item)
            separator = b",\n    "
        yield b"]" if separator == b"\n    " else b"\n  ]"
    yield b"\n}\n"
