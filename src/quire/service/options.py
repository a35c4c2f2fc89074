"""What the operator decides when the service starts, and how a project's settings become the engine's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from quire.config import build
from quire.errors import UsageError
from quire.fetch.egress import networks_of
from quire.filter.patterns import PRESETS, split_patterns
from quire.settings import ENVIRONMENT_PREFIX, SERVICE_OPTIONS, Settings

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Options:
    """How `quire serve` was started."""

    host: str = "127.0.0.1"
    port: int = 8321
    data_dir: Path = Path("quire-data")
    database: str | None = None
    token: str | None = None
    allow_private: bool = False
    allow_network: tuple[str, ...] = ()
    max_crawls: int = 4
    lease_seconds: float = 15.0
    rate_limit: float = 50.0
    max_request_bytes: int = 1_000_000
    max_request_seconds: float = 30.0
    min_free_disk: int = 100_000_000
    allowed_hosts: tuple[str, ...] = ()

    @property
    def is_loopback(self) -> bool:
        return self.host in LOOPBACK or self.host.startswith("127.")


_SAME = (
    "max_pages", "sitemap", "include_mode", "include_paths", "exclude_paths", "priority_min", "changefreq",
    "loose_paths", "follow_external", "max_external_hops", "max_depth", "query", "noise_params", "trap_budget",
    "allow_trap", "max_links", "render", "content", "heading", "remove", "timeout", "max_body", "max_redirects",
    "retries", "retry_delay", "max_wait", "on_error",
)  # fmt: skip


def engine_settings(given: Mapping[str, Any], website_url: str, options: Options) -> Settings:
    """The engine's settings for a crawl with these (complete) settings of the service (A3)."""
    fetch_only = given["fetch_only_urls"]
    include, exclude = split_patterns(given["include_patterns"]), split_patterns(given["exclude_patterns"])
    if given["preset"]:
        preset = PRESETS[given["preset"]]
        include, exclude = (*preset.include, *include), (*preset.exclude, *exclude)
    values: dict[str, Any] = {name: given[name] for name in _SAME} | {
        "discover": given["discover"],
        "include_pattern": include,
        "exclude_pattern": exclude,
        "concurrency": given["max_concurrent"],
        "per_host": given["max_concurrent"],
        "delay": given["delay_seconds"],
        "ignore_robots": not given["respect_robots_txt"],
        # Projects fold case (U4).
        "ignore_case": True,
        "workers": 1,
        "min_free_disk": options.min_free_disk,
        # Who may be dialled is the operator's decision alone (A9).
        "allow_private": options.allow_private,
        "allow_network": options.allow_network,
        "private_start": False,
    }
    if given["user_agent"]:
        values["user_agent"] = given["user_agent"]
    settings = build(fetch_only or [website_url], values)
    if fetch_only:
        settings = replace(settings, scope=replace(settings.scope, discover=""))
    return settings


_READ: dict[str, Callable[[str], Any]] = {
    "host": str,
    "port": lambda text: _number(text, int, 0, 65535),
    "data_dir": Path,
    "database": str,
    "allowed_host": lambda text: tuple(text.split()),
    "allow_private": lambda text: text.strip().lower() in ("1", "true", "yes", "on"),
    "allow_network": lambda text: tuple(text.split()),
    "max_crawls": lambda text: _number(text, int, 1, 1000),
    "lease_seconds": lambda text: _number(text, float, 1.0, 3600.0),
    "rate_limit": lambda text: _number(text, float, 0.0, 1e6),
    "log_format": lambda text: _choice(text, ("auto", "json", "text")),
    "token_file": lambda text: _token_in(Path(text)),
    "token": lambda text: _token(text, "it"),
}
_NAMES = {"allowed_host": "allowed_hosts", "token_file": "token"}


def options_from(given: Mapping[str, object], environ: Mapping[str, str]) -> tuple[Options, str]:
    """The operator's options, flag before environment, and the format of the log; errors name the flag or variable."""
    values: dict[str, Any] = {}
    flags = {_NAMES.get(name, name) for name in given}
    for name in SERVICE_OPTIONS:
        variable = ENVIRONMENT_PREFIX + name.upper()
        flag = "--" + name.replace("_", "-")
        raw, origin = (given[name], flag) if name in given else (environ.get(variable), variable)
        # A flag comes before the environment, also where each has a name of its own.
        if raw is None or (name not in given and _NAMES.get(name, name) in flags):
            continue
        try:
            value = tuple(raw) if isinstance(raw, list) else raw if isinstance(raw, bool) else _READ[name](str(raw))
        except ValueError as error:
            raise UsageError(f"{origin}: {error}") from None
        values[_NAMES.get(name, name)] = value
    log_format = values.pop("log_format", "auto")
    networks_of(values.get("allow_network", ()))
    options = Options(**values)
    if not options.is_loopback and not options.token:
        raise UsageError(
            f"--host {options.host} can be reached by others: set a token (QUIRE_TOKEN, or --token-file), or serve"
            " 127.0.0.1"
        )
    return options, log_format


def _number(text: str, kind: type[int] | type[float], least: float, most: float) -> float:
    try:
        number = kind(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a {'whole ' if kind is int else ''}number") from None
    if not least <= number <= most:
        raise ValueError(f"{text} is not between {least:g} and {most:g}")
    return number


def _choice(text: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        raise ValueError(f"{text!r} is not one of {', '.join(choices)}")
    return text


def _token_in(path: Path) -> str:
    try:
        return _token(path.read_text("utf-8"), str(path))
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror})") from None


def _token(text: str, place: str) -> str:
    if not text.strip():
        raise ValueError(f"{place} is empty")
    return text.strip()
