"""Traps: places where a site makes URLs without end (P7).

A URL's template is its path with numbers, dates and tokens left open, and the names of its query's parameters. A
template may bring so many URLs and no more. Paths that repeat themselves, or have no bottom, are refused at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

DEEPEST: Final = 40
MOST_TEMPLATES: Final = 50_000
# Real sites number their articles, so a number in the path is far less suspicious than a query or a calendar.
PATH_FACTOR: Final = 25
OTHER: Final = "other templates"

# Digits, but not those of a percent-escape: titles in most scripts are full of them.
_NUMBER: Final = re.compile(r"\d(?<!%\d)(?<!%[0-9A-F]\d)\d*+")
# A UUID, or letters and digits mixed as no word mixes them.
_TOKEN: Final = re.compile(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|(?<![A-Za-z0-9%])(?=[A-Za-z0-9]{8})[A-Za-z]*(?:\d+[A-Za-z]+){2,}\d[A-Za-z0-9]*+"
)
_CALENDAR: Final = re.compile(r"/(?:1[89]|2[01])\d\d(?:[/-][Ww]?\d{1,2}){1,2}(?:\.[a-z]{2,5})?\Z")
_SEPARATOR: Final = re.compile("[&;]")


class TrapBudget:
    """Count the URLs of each template; a `budget` of 0 lets everything pass."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._counts: dict[int, int] = {}
        self._refused: dict[str, int] = {}

    @property
    def refused(self) -> Mapping[str, int]:
        """How many URLs were refused for each template."""
        return MappingProxyType(self._refused)

    def check(self, normal: str) -> str | None:
        """Count a URL in normal form, to be given once; return the template it is one too many of, or None."""
        if not self._budget:
            return None
        address, _, query = normal.partition("?")
        host, _, path = address.partition("://")[2].partition("/")
        endless = _endless(path.split("/"))
        if endless:
            return self._refuse(f"{host}/{endless}")
        if ";" in path:
            path, _, parameters = path.partition(";")
            query = f"{parameters}&{query}"
        if query:
            return self._check_query(f"{host}/{_opened(path)}", host, query)
        if not _NUMBER.search(path):
            return None
        dated, found = _CALENDAR.subn("/{date}", f"/{path}")
        if found:
            return self._count(host + _opened(dated), self._budget)
        return self._count(f"{host}/{_opened(path)}", self._budget * PATH_FACTOR)

    def _check_query(self, address: str, host: str, query: str) -> str | None:
        names = {_NUMBER.sub("{n}", pair.partition("=")[0]) for pair in _SEPARATOR.split(query)}
        asked = "&".join(sorted(names - {""}))
        # Session ids and facets hang on every path there is, so all paths together have a budget too.
        return self._count(f"{address}?{asked}", self._budget) or self._count(
            f"{host}/*?{asked}", self._budget * PATH_FACTOR
        )

    def _count(self, template: str, budget: int) -> str | None:
        # Only the hash is kept: a template can be as long as a URL.
        identity = hash(template)
        count = self._counts.get(identity, 0)
        if count >= budget:
            return self._refuse(template)
        if not count and len(self._counts) >= MOST_TEMPLATES:
            self._forget_the_rarest()
        self._counts[identity] = count + 1
        return None

    def _refuse(self, template: str) -> str:
        if template not in self._refused and len(self._refused) >= MOST_TEMPLATES:
            template = OTHER
        self._refused[template] = self._refused.get(template, 0) + 1
        return template

    def _forget_the_rarest(self) -> None:
        middle = sorted(self._counts.values())[len(self._counts) // 2]
        self._counts = {template: count for template, count in self._counts.items() if count > middle}


def _opened(path: str) -> str:
    """Return the path with its tokens and numbers left open."""
    opened, numbers = _NUMBER.subn("{n}", path)
    # A token holds three numbers at least, and looking for tokens costs more than all the rest.
    return opened if numbers < 3 else _NUMBER.sub("{n}", _TOKEN.sub("{id}", path))


def _endless(segments: Sequence[str]) -> str | None:
    """Return how the path shows that it has no end: too many segments, or a run of them three times in a row."""
    if len(segments) > DEEPEST:
        return f"... over {DEEPEST} segments"
    if len(segments) - len(set(segments)) < 2:
        return None
    for length in range(1, len(segments) // 3 + 1):
        for first in range(len(segments) - 3 * length + 1):
            run = segments[first : first + length]
            second = first + length
            third = second + length
            if run == segments[second:third] == segments[third : third + length] and not "".join(run).isdigit():
                return f"... repeated: {'/'.join(run)}/"
    return None
