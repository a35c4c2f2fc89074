"""`_manifest.json`: written in pieces, and what its schema promises (S11, R7)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from quire.report.manifest import manifest_chunks, schema

STATISTICS = dict.fromkeys(
    (
        "total_urls",
        "total_urls_in_sitemap",
        "filtered_count",
        "processed_count",
        "failed_count",
        "skipped_count",
        "duplicate_count",
        "external_count",
        "invalid_count",
        "pending_count",
    ),
    0,
)
PAGE = {"url": "http://h/", "path": "h/index.md", "size": 1, "hash": "sha256:" + "0" * 64, "status": "saved"}


def document(pages: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    heads = {
        "generator": "quire 0.1.0",
        "crawl": {
            "number": 1,
            "start": ["http://h/"],
            "started_at": "2024-01-01T00:00:00Z",
            "finished_at": "2024-01-01T00:00:01Z",
            "complete": True,
        },
        "statistics": {**STATISTICS, "filtered_by": {}},
        "filters_applied": {},
        **changes,
    }
    lists: dict[str, Iterable[object]] = {
        "pages": pages,
        "failed": [],
        "skipped": [],
        "duplicates": [],
        "filtered_urls": ["http://h/x"],
    }
    loaded: dict[str, Any] = json.loads(b"".join(manifest_chunks(heads, lists)))
    return loaded


def valid(manifest: dict[str, Any]) -> bool:
    return bool(jsonschema.Draft202012Validator(schema(), format_checker=jsonschema.FormatChecker()).is_valid(manifest))


def test_the_schema_is_a_schema() -> None:
    """S11"""
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_pieces_make_one_valid_document(number: int) -> None:
    """S11"""
    manifest = document([PAGE] * number)
    assert valid(manifest)
    assert len(manifest["pages"]) == number
    assert manifest["version"] == "1.0"


def test_lists_are_read_while_they_are_written() -> None:
    """S11, X1: the size of a list costs no memory"""
    taken = 0

    def endless() -> Iterator[object]:
        nonlocal taken
        while True:
            taken += 1
            yield {"url": str(taken)}

    chunks = manifest_chunks({}, {"pages": endless()})
    for _ in range(50):
        next(chunks)
    assert taken < 60


@pytest.mark.parametrize(
    "page",
    [
        {**PAGE, "hash": "md5:0"},
        {**PAGE, "status": "failed"},
        {**PAGE, "size": -1},
        {**PAGE, "surprise": 1},
        {name: value for name, value in PAGE.items() if name != "path"},
    ],
)
def test_the_schema_refuses_a_page_that_is_wrong(page: dict[str, Any]) -> None:
    """S11, R7"""
    assert not valid(document([page]))


def test_the_schema_refuses_missing_statistics() -> None:
    """S11, F7"""
    for name in STATISTICS:
        statistics = {key: value for key, value in STATISTICS.items() if key != name}
        assert not valid(document([], statistics={**statistics, "filtered_by": {}})), name


def test_odd_text_survives() -> None:
    """S11, U10"""
    title = 'quote " backslash \\ newline \n line separator \u2028 emoji 🦉 control \x01'
    assert document([{**PAGE, "title": title}])["pages"][0]["title"] == title
