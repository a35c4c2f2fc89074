"""Settings from files and requests: values of the right type, or an error that names what is wrong."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from quire import config
from quire.errors import UsageError
from quire.settings import Settings, options

NAMES = [each.name for _, each in options()]
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.sampled_from(["1", "-1", "a"])
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
KINDS = {"int": int, "float": (int, float), "str": str, "bool": bool}


def check_types(found: Settings) -> None:
    for group in fields(found):
        part = getattr(found, group.name)
        if not is_dataclass(part):
            continue
        for each in fields(part):
            value, kind = getattr(part, each.name), str(each.type).removesuffix(" | None")
            if kind in KINDS and value is not None:
                assert isinstance(value, KINDS[kind]), each.name  # type: ignore[arg-type]
            minimum = each.metadata.get("minimum")
            assert minimum is None or value is None or value >= minimum


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), VALUES, max_size=4))
def test_any_values_are_settings_or_a_usage_error(values: dict[str, object]) -> None:
    """C8, C10"""
    with suppress(UsageError):
        check_types(config.build(("https://example.org/",), values))


@given(st.dictionaries(st.sampled_from(NAMES), st.text(max_size=12), max_size=4))
def test_any_environment_is_settings_or_a_usage_error(values: dict[str, str]) -> None:
    """C8, C10"""
    environment = {f"QUIRE_{name.upper()}": value for name, value in values.items()}
    with suppress(UsageError):
        check_types(config.load(("https://example.org/",), {}, environ=environment))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
@example(data=b"a = " + b"[" * 5000)
@example(data=b"max_pages = " + b"9" * 5000)
def test_any_file_is_settings_or_a_usage_error(tmp_path: Path, data: bytes) -> None:
    """C8, C10"""
    file = tmp_path / "quire.toml"
    file.write_bytes(data)
    with suppress(UsageError):
        check_types(config.load(("https://example.org/",), {}, str(file), {}))


def test_a_file_nested_too_deeply_is_told(tmp_path: Path) -> None:
    """C8, C10"""
    file = tmp_path / "quire.toml"
    file.write_bytes(b"a = " + b"[" * 100_000)
    with pytest.raises(UsageError, match="nested too deeply"):
        config.load((), {}, str(file), {})
