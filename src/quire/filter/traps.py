"""Traps: places where a site makes URLs without end (P7).

A URL's template is its path with numbers, dates and tokens left open, and the names of its query's parameters. A
template may bring so many URLs and no more; so may all combinations of parameters of one path, and paths made of the
same words in another order. Paths that repeat themselves, or have no bottom, are refused at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

DEEPEST: Final = 40
MOST_OF_ONE_SEGMENT: Final = 4
MOST_TEMPLATES: Final = 50_000
# Real sites number their articles, so a number in the path is far less suspicious than a query or a calendar.
PATH_FACTOR: Final = 25
# Facets: each combination of parameters is a template of its own, and there are two to the power of their number.
FACET_FACTOR: Final = 5
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
        self._orders: dict[int, int] = {}
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
        segments = path.split("/")
        endless = _endless(segments)
        if endless:
            return self._refuse(f"{host}/{endless}")
        if len(segments) > 2 and not _NUMBER.search(path) and self._is_reordered(host, segments):
            permuted = self._count(f"{host}/{segments[0]}/... the same words in another order", self._budget)
            if permuted:
                return permuted
        if ";" in path:
            path, _, parameters = path.partition(";")
            query = f"{parameters}&{query}"
        if query:
            return self._check_query(f"{host}/{opened(path)}", host, query)
        if not _NUMBER.search(path):
            return None
        dated, found = _CALENDAR.subn("/{date}", f"/{path}")
        if found:
            return self._count(host + opened(dated), self._budget)
        return self._count(f"{host}/{opened(path)}", self._budget * PATH_FACTOR)

    def _check_query(self, address: str, host: str, query: str) -> str | None:
        asked = query_names(query)
        # Session ids and facets hang on every path there is, so all paths together have a budget too.
        return (
            self._count(f"{address}?{asked}", self._budget)
            or self._count(f"{address}?*", self._budget * FACET_FACTOR)
            or self._count(f"{host}/*?{asked}", self._budget * PATH_FACTOR)
        )

    def _is_reordered(self, host: str, segments: Sequence[str]) -> bool:
        """Whether a path of the same segments in another order was met: facets are often written as folders."""
        words = hash((host, *sorted(segments)))
        if len(self._orders) >= MOST_TEMPLATES and words not in self._orders:
            self._orders.clear()
        order = hash(tuple(segments))
        return self._orders.setdefault(words, order) != order

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


def query_names(query: str) -> str:
    """Return the names of the query's parameters, in alphabetical order, with numbers left open."""
    names = {_NUMBER.sub("{n}", pair.partition("=")[0]) for pair in _SEPARATOR.split(query)}
    return "&".join(sorted(names - {""}))


def opened(path: str) -> str:
    """Return the path with its tokens and numbers left open."""
    opened, numbers = _NUMBER.subn("{n}", path)
    # A token holds three numbers at least, and looking for tokens costs more than all the rest.
    return opened if numbers < 3 else _NUMBER.sub("{n}", _TOKEN.sub("{id}", path))


def _endless(segments: Sequence[str]) -> str | None:
    """Return how the path shows that it has no end: by its length, by a run three times in a row, by one of many."""
    if len(segments) > DEEPEST:
        return f"... over {DEEPEST} segments"
    distinct = set(segments)
    if len(segments) - len(distinct) < 2:
        return None
    for segment in distinct:
        if segments.count(segment) > MOST_OF_ONE_SEGMENT and not segment.isdigit():
            return f"... repeated: {segment}/"
    for length in range(1, len(segments) // 3 + 1):
        for first in range(len(segments) - 3 * length + 1):
            run = segments[first : first + length]
            second = first + length
            third = second + length
            if run == segments[second:third] == segments[third : third + length] and not "".join(run).isdigit():
                return f"... repeated: {'/'.join(run)}/"
    return None
