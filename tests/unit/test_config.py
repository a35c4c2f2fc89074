"""From flags, environment and file to checked settings (C8, C10, R13)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quire.config import build, flag, load
from quire.errors import UsageError
from quire.settings import Settings, options

START = ["http://127.0.0.1/"]


def test_nothing_given_is_the_default() -> None:
    """C8"""
    assert load(START, {}, None, {}) == Settings(start=tuple(START))


def test_flag_over_environment_over_file_over_default(tmp_path: Path) -> None:
    """C8"""
    file = tmp_path / "quire.toml"
    file.write_text("max_pages = 1\nmax_depth = 1\nquery = 'all'\n")
    environment = {"QUIRE_MAX_PAGES": "2", "QUIRE_MAX_DEPTH": "2", "OTHER_QUERY": "none"}
    settings = load(START, {"max_pages": "3"}, str(file), environment)
    assert (settings.scope.max_pages, settings.scope.max_depth, settings.scope.query) == (3, 2, "all")
    assert settings.scope.loose_paths is False


def test_every_setting_can_come_from_each_source(tmp_path: Path) -> None:
    """C8, R13: under one name in three spellings"""
    values: dict[str, Any] = {}
    for _, each in options():
        if each.name in ("content_rate_limit", "prune", "fresh", "heading"):
            continue
        default = each.default
        choices = each.metadata.get("choices")
        if choices:
            values[each.name] = next(choice for choice in choices if choice != default)
        elif isinstance(default, bool):
            values[each.name] = not default
        elif isinstance(default, tuple):
            values[each.name] = ["one", "two"]
        elif each.name == "discover":
            values[each.name] = "links"
        elif "maximum" in each.metadata:
            values[each.name] = str(each.metadata["maximum"])
        else:
            values[each.name] = "70" if str(each.type).startswith(("int", "float")) else "text"
    environment = {
        f"QUIRE_{name.upper()}": "\n".join(value) if isinstance(value, list) else str(value)
        for name, value in values.items()
    }
    file = tmp_path / "quire.toml"
    file.write_text("\n".join(f"{name} = {_toml(value)}" for name, value in values.items()))
    by_flags = load(START, values, None, {})
    assert load(START, {}, None, environment) == by_flags
    assert load(START, {}, str(file), {}) == by_flags
    assert by_flags != Settings(start=tuple(START))


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, list) else f"'{value}'"


def test_a_flag_is_the_name_with_dashes() -> None:
    """R13"""
    assert flag("content_rate_limit") == "--content-rate-limit"


@pytest.mark.parametrize(("word", "value"), [("1", True), ("TRUE", True), (" yes ", True), ("off", False), ("", False)])
def test_switches_are_read_as_people_write_them(word: str, value: bool) -> None:
    """C8"""
    assert load(START, {}, None, {"QUIRE_LOOSE_PATHS": word}).scope.loose_paths is value


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"max_pages": "x"}, ["--max-pages", "'x'", "whole number"]),
        ({"max_pages": "1.5"}, ["--max-pages", "whole number"]),
        ({"max_pages": 1.5}, ["--max-pages", "1.5 is not a whole number"]),
        ({"max_pages": True}, ["--max-pages", "true is not a whole number"]),
        ({"query": False}, ["--query", "false is not a string"]),
        ({"remove": True}, ["--remove", "true is neither a string nor a list of strings"]),
        ({"max_pages": True}, ["--max-pages"]),
        ({"max_pages": "9" * 400}, ["--max-pages"]),
        ({"max_pages": "9" * 5000}, ["--max-pages"]),
        ({"max_pages": 0}, ["--max-pages", "0", "1"]),
        ({"max_pages": [1]}, ["--max-pages"]),
        ({"delay": "fast"}, ["--delay", "number"]),
        ({"delay": False}, ["--delay"]),
        ({"delay": "inf"}, ["--delay", "finite"]),
        ({"delay": "nan"}, ["--delay", "finite"]),
        ({"delay": -0.1}, ["--delay", "-0.1"]),
        ({"delay": {}}, ["--delay"]),
        ({"update": "maybe"}, ["--update", "maybe"]),
        ({"update": []}, ["--update"]),
        ({"on_error": "panic"}, ["--on-error", "panic", "skip, abort, retry"]),
        ({"output": ["a", "b"]}, ["--output"]),
        ({"include_pattern": 5}, ["--include-pattern", "5"]),
        ({"include_pattern": [["nested"]]}, ["--include-pattern"]),
        ({"content_rate_limit": 0}, ["--content-rate-limit"]),
        ({"content_rate_limit": 1, "delay": 1}, ["--content-rate-limit", "--delay"]),
        ({"discover": "sitemap,feeds"}, ["--discover", "feeds"]),
        ({"discover": ""}, ["--discover"]),
        ({"prune": True}, ["--prune", "--update"]),
        ({"heading": "drop", "front_matter": False}, ["--heading drop", "--no-front-matter"]),
        ({"fresh": True, "update": True}, ["--fresh", "--update"]),
        ({"no_such": 1}, ["no_such"]),
        ({"start": ["x"]}, ["start"]),
    ],
)
def test_what_is_wrong_is_named(values: Mapping[str, Any], words: list[str]) -> None:
    """C10, C9: the option, the value, and what it should be"""
    with pytest.raises(UsageError) as raised:
        build(START, values)
    for word in words:
        assert word in str(raised.value)
    assert "\n" not in str(raised.value)
    assert raised.value.exit_status == 2


def test_an_error_names_its_source(tmp_path: Path) -> None:
    """C10: the flag, the variable, or the file and the name in it"""
    file = tmp_path / "mine.toml"
    file.write_text("max_pages = 'x'")
    with pytest.raises(UsageError, match=r"mine\.toml: max_pages"):
        load(START, {}, str(file), {})
    with pytest.raises(UsageError, match="QUIRE_MAX_PAGES"):
        load(START, {}, None, {"QUIRE_MAX_PAGES": "x"})
    with pytest.raises(UsageError, match="--max-pages"):
        load(START, {"max_pages": "x"}, None, {"QUIRE_MAX_PAGES": "y"})


@pytest.mark.parametrize("content", [b"max_pages = [", b"a = 1\na = 2", b"\xff\xfe", b"= 1", b"\x00"])
def test_a_file_that_is_not_toml_is_told(tmp_path: Path, content: bytes) -> None:
    """C10, U10"""
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"bad\.toml"):
        load(START, {}, str(file), {})


@pytest.mark.parametrize("path", ["missing.toml", ".", "missing/quire.toml", "nul\0byte"])
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, path: str) -> None:
    """C10"""
    with pytest.raises(UsageError, match="--config"):
        load(START, {}, str(tmp_path / path), {})


def test_the_pace_is_said_in_either_way() -> None:
    """P3: R requests a second, or so many seconds between them; one a second by default"""
    assert build(START, {}).pace.seconds_between == 1.0
    assert build(START, {"content_rate_limit": 4}).pace.seconds_between == 0.25
    assert build(START, {"content_rate_limit": "0.5"}).pace.seconds_between == 2.0
    assert build(START, {"delay": 0}).pace.seconds_between == 0.0


def test_none_leaves_an_optional_setting_unset() -> None:
    """C8"""
    assert build(START, {"max_pages": None, "delay": None}) == Settings(start=tuple(START))
