"""From flags, environment and file to checked Settings; flag > environment > file > default (C8)."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field
from pathlib import Path
from typing import Any

from .errors import UsageError
from .settings import ENVIRONMENT_PREFIX, SERVICE_OPTIONS, Settings, groups, options

_LARGEST = 10**18
_LIKENESS = 0.8
_SAME_THING = frozenset(["delay", "content_rate_limit"])
_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


def flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def build(start: Sequence[str], values: Mapping[str, Any], origins: Mapping[str, str] | None = None) -> Settings:
    """Check plain option values and group them; an error names the option as `origins` calls it."""
    names = origins or {}
    known = {each.name: (group, each) for group, each in options()}
    grouped: dict[str, dict[str, Any]] = {group: {} for group, _ in groups()}
    for name, value in values.items():
        if name not in known:
            meant = _nearest(name, known)
            raise UsageError(f"{names.get(name, name)}: there is no such setting{meant}; see `quire mirror --help`")
        group, each = known[name]
        grouped[group][name] = _checked(each, value, names.get(name, flag(name)))
    settings = Settings(start=tuple(start), **{group: kind(**grouped[group]) for group, kind in groups()})
    _check_together(settings)
    return settings


def load(
    start: Sequence[str], flags: Mapping[str, Any], config: str | None = None, environ: Mapping[str, str] = os.environ
) -> Settings:
    """Merge the sources, each value checked where it was written."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    named_by, file = ("--config", config) if config else (_variable("config"), environ.get(_variable("config")))
    layers: list[tuple[Mapping[str, Any], Callable[[str], str]]] = [
        (_from_file(file, named_by) if file else {}, lambda name: f"{file}: {name}"),
        (_from_environment(environ), _variable),
        (flags, flag),
    ]
    for layer, origin in layers:
        if not _SAME_THING.isdisjoint(layer):
            # Said here by one name, it is not said elsewhere by the other.
            values = {name: value for name, value in values.items() if name not in _SAME_THING}
        for name, value in layer.items():
            values[name], origins[name] = value, origin(name)
    return build(start, values, origins)


def unknown_variables(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Say of each variable that looks like a setting and is none which one it may be meant for."""
    known = [_variable(name) for name in (*(each.name for _, each in options()), *SERVICE_OPTIONS, "config")]
    unknown = sorted(name for name in environ if name.startswith(ENVIRONMENT_PREFIX) and name not in known)
    return [f"{name}: there is no such setting, it is ignored{_nearest(name, known)}" for name in unknown]


def _variable(name: str) -> str:
    return ENVIRONMENT_PREFIX + name.upper()


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    by_end = {each.removeprefix(ENVIRONMENT_PREFIX): each for each in known}
    near = get_close_matches(name.removeprefix(ENVIRONMENT_PREFIX), by_end, 1, _LIKENESS)
    return f"; is {by_end[near[0]]} meant?" if near else ""


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _, each in options():
        raw = environ.get(_variable(each.name))
        if raw is not None:
            found[each.name] = raw.split("\n") if each.metadata.get("repeat") else raw
    return found


def _from_file(path: str, named_by: str) -> dict[str, Any]:
    import tomllib

    try:
        with Path(path).open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise UsageError(f"{named_by}: cannot read {path} ({error.strerror}); give the path of a TOML file") from error
    except RecursionError:
        raise UsageError(f"{named_by}: {path!r} is nested too deeply to be a settings file") from None
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise UsageError(f"{named_by}: {path!r} is not valid TOML ({error})") from error


def _checked(each: Field[Any], value: Any, origin: str) -> Any:
    """Return the value in the option's own type; raise UsageError that names its origin."""
    kind = str(each.type).removesuffix(" | None")
    if value is None and kind != each.type:
        return None
    if each.metadata.get("repeat"):
        return _strings(value, origin)
    checked = _converted(kind, value, origin)
    choices = each.metadata.get("choices")
    if choices and checked not in choices:
        raise UsageError(f"{origin}: {checked!r} is not one of {', '.join(choices)}")
    minimum, maximum = each.metadata.get("minimum"), each.metadata.get("maximum")
    if minimum is not None and checked < minimum:
        raise UsageError(f"{origin}: {checked} is too small; the least is {minimum}")
    if maximum is not None and checked > maximum:
        raise UsageError(f"{origin}: {checked} is too large; the most is {maximum}")
    if each.metadata.get("filled") and not checked.strip():
        raise UsageError(f"{origin}: must not be empty")
    return checked


def _strings(value: Any, origin: str) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise UsageError(f"{origin}: {_written(value)} is neither a string nor a list of strings")
    return tuple(items)


def _converted(kind: str, value: Any, origin: str) -> Any:
    if kind == "bool":
        word = str(value).strip().lower()
        if word not in _TRUE | _FALSE:
            raise UsageError(f"{origin}: {value!r} is neither true nor false")
        return word in _TRUE
    if kind == "str":
        if not isinstance(value, str):
            raise UsageError(f"{origin}: {_written(value)} is not a string")
        return value
    return _number(kind, value, origin)


def _number(kind: str, value: Any, origin: str) -> int | float:
    what = f"a {'whole ' if kind == 'int' else ''}number"
    try:
        if isinstance(value, bool) or (kind == "int" and isinstance(value, float)):
            raise ValueError
        number = int(value) if kind == "int" else float(value)
        if not math.isfinite(number) or abs(number) > _LARGEST:
            raise OverflowError
    except OverflowError:
        raise UsageError(f"{origin}: {str(value)[:40]} is too large, or no finite number") from None
    except (TypeError, ValueError):
        raise UsageError(f"{origin}: {_written(value)} is not {what}") from None
    return number


def _written(value: Any) -> str:
    """A value of the wrong type as it stands in a file, however long it is."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value[:40]) if isinstance(value, str) else repr(value)[:40]


def _check_together(settings: Settings) -> None:
    pace = settings.pace
    if pace.content_rate_limit is not None and pace.content_rate_limit <= 0:
        raise UsageError("--content-rate-limit: must be above 0; for no limit say --delay 0")
    if pace.content_rate_limit is not None and pace.delay is not None:
        raise UsageError("--delay and --content-rate-limit say the same thing; give one of them")
    sources = settings.scope.discover.split(",")
    unknown = [name for name in sources if name.strip() not in ("sitemap", "links")]
    if unknown:
        raise UsageError(f"--discover: {unknown[0]!r} is neither sitemap nor links")
    if settings.mirror.prune and not settings.mirror.update:
        raise UsageError("--prune: only together with --update, which tells what is gone")
    if settings.content.heading == "drop" and not settings.content.front_matter:
        raise UsageError("--heading drop leaves the heading to the front matter; give it without --no-front-matter")
    if settings.mirror.fresh and settings.mirror.update:
        raise UsageError("--fresh starts over and --update goes on; give one of them")
