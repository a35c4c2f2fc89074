"""Which URLs of the site are wanted: patterns, path prefixes and sitemap attributes (F1-F4, P1, P2)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote

from quire import urls
from quire.errors import UsageError
from quire.records import Accepted, Link, Rejected, State, Verdict
from quire.settings import Settings

from .patterns import Patterns
from .prefixes import Prefixes, place
from .scope import bases_of

_MATCHED, _REST = 1, 2
_DEFAULT_WEIGHT: Final = 0.5
_FREQUENCIES: Final = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
_NAMED: Final = 3


class Wanted:
    """Judge a URL of the site by what was asked for; every condition must hold."""

    def __init__(self, settings: Settings, *, linear_only: bool = False) -> None:
        filters, folded = settings.filters, settings.scope.ignore_case

        def patterns(option: str, given: tuple[str, ...]) -> Patterns:
            return Patterns(option, given, ignore_case=folded, linear_only=linear_only)

        def prefixes(option: str, given: str) -> Prefixes:
            paths = _path_prefixes(option, given, ignore_case=folded)
            return Prefixes(paths, loose=settings.scope.loose_paths)

        self._include = patterns("--include-pattern", filters.include_pattern)
        self._exclude = patterns("--exclude-pattern", filters.exclude_pattern)
        self._include_paths = prefixes("--include-paths", filters.include_paths)
        self._exclude_paths = prefixes("--exclude-paths", filters.exclude_paths)
        self._priority_min = filters.priority_min
        self._changefreq = _words(filters.changefreq)
        self._only = filters.include_mode == "only"
        # A pattern in letters beyond ASCII means the URL as people read it, without escapes.
        self._readable = not "".join(self._include.names + self._exclude.names).isascii()
        self._has_includes = bool(self._include or self._include_paths)
        self._outside_patterns = _refused("include-pattern", f"matches none of {_listed(self._include.names)}")
        self._outside_paths = _refused("include-paths", f"matches none of {_listed(self._include_paths.names)}")
        self.warnings = (*self._include.warnings, *self._exclude.warnings, *_odd_frequencies(self._changefreq))

    def __call__(self, link: Link, normal: str, path: str) -> Verdict:
        """Judge a link by its URL as written, its normal form, and its path as compared."""
        matched = self._has_includes
        forms = self._forms(link.url, normal)
        if self._include and self._include.find(*forms) is None:
            if self._only:
                return self._outside_patterns
            matched = False
        if self._exclude and (pattern := self._exclude.find(*forms)) is not None:
            return _refused("exclude-pattern", pattern)
        if self._include_paths and not self._include_paths.holds(path):
            if self._only:
                return self._outside_paths
            matched = False
        if self._exclude_paths and (prefix := self._exclude_paths.find(path)) is not None:
            return _refused("exclude-paths", prefix)
        return self._by_attributes(link) or Accepted(_MATCHED if matched else _REST, _weight(link.priority))

    def _forms(self, url: str, normal: str) -> tuple[str, ...]:
        """Return the spellings a pattern is searched in: one that is found in any of them matches the URL."""
        forms = (normal,) if url == normal else (normal, url)
        return (*forms, unquote(normal)) if self._readable and "%" in normal else forms

    def _by_attributes(self, link: Link) -> Rejected | None:
        if self._priority_min is not None:
            priority = 1.0 if link.priority is None else link.priority
            if priority < self._priority_min:
                return _refused("priority-min", f"{priority} is below {self._priority_min}")
        if self._changefreq and (link.changefreq or "").strip().lower() not in self._changefreq:
            return _refused("changefreq", link.changefreq or "none given")
        return None


def filters_applied(settings: Settings) -> dict[str, object]:
    """Return the filters that are set, by their names; a pattern given once stands alone, several in a list."""
    filters = settings.filters
    applied: dict[str, object] = {}
    for name in ("include_pattern", "exclude_pattern"):
        given = [pattern for pattern in getattr(filters, name) if pattern]
        if given:
            applied[name] = given[0] if len(given) == 1 else given
    for name in ("include_paths", "exclude_paths", "changefreq"):
        if getattr(filters, name).strip():
            applied[name] = getattr(filters, name)
    if filters.priority_min is not None:
        applied["priority_min"] = filters.priority_min
    if filters.include_mode != "only" and ("include_pattern" in applied or "include_paths" in applied):
        applied["include_mode"] = filters.include_mode
    return applied


def fingerprint(settings: Settings) -> str:
    """Return a hash that is equal for settings that judge every URL alike, on any machine (F7)."""
    scope, filters = settings.scope, settings.filters
    judged: dict[str, object] = {
        "bases": sorted([base.host, base.path] for base in bases_of(settings)),
        "scope": [
            scope.loose_paths,
            scope.follow_external and scope.max_external_hops,
            scope.max_depth,
            scope.ignore_case,
            scope.max_url_length,
        ],
        "patterns": [sorted({*given} - {""}) for given in (filters.include_pattern, filters.exclude_pattern)],
        "paths": [sorted(_words(given, fold=False)) for given in (filters.include_paths, filters.exclude_paths)],
        "attributes": [filters.priority_min, sorted(_words(filters.changefreq))],
        "mode": filters.include_mode,
        "traps": filters.trap_budget,
    }
    if any(filters.allow_trap):
        judged["allowed traps"] = sorted({*filters.allow_trap} - {""})
    return hashlib.sha256(json.dumps(judged, sort_keys=True).encode()).hexdigest()[:16]


def _refused(reason: str, detail: str) -> Rejected:
    return Rejected(State.FILTERED, reason, detail)


def _weight(priority: float | None) -> float:
    return _DEFAULT_WEIGHT if priority is None else min(1.0, max(0.0, priority))


def _words(text: str, *, fold: bool = True) -> tuple[str, ...]:
    words = [word.strip() for word in text.split(",")]
    return tuple(word.lower() if fold else word for word in words if word)


def _path_prefixes(option: str, text: str, *, ignore_case: bool) -> list[str]:
    prefixes = []
    for word in _words(text, fold=False):
        if "://" in word:
            raise UsageError(f"{option}: {word!r} is a URL; give a path such as /docs")
        given = "/" + word.removesuffix("*").lstrip("/")
        normal = urls.normalise("http://localhost" + given)
        if normal is None:
            raise UsageError(f"{option}: {word!r} is not a path; give one such as /docs")
        path = place(normal, ignore_case=ignore_case)[1]
        prefixes.append(path + "/" if given.endswith("/") and path != "/" else path)
    return prefixes


def _listed(names: tuple[str, ...]) -> str:
    # The detail is kept with every URL refused, so it names a few only.
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _odd_frequencies(given: Iterable[str]) -> tuple[str, ...]:
    known = ", ".join(_FREQUENCIES)
    return tuple(
        f"--changefreq: {word!r} is not a frequency sitemaps use ({known})"
        for word in given
        if word not in _FREQUENCIES
    )
