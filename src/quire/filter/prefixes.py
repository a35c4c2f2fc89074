"""Paths compared by their beginnings: in whole segments, or loosely as plain text (U7, F3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from quire import urls

_FOLDED: Final = urls.UrlPolicy(query="all", ignore_case=True)


def place(normal: str, *, ignore_case: bool) -> tuple[str, str]:
    """Return host and path of a normal form, as they are compared."""
    compared = (urls.key(normal, _FOLDED) or "") if ignore_case else normal.partition("://")[2]
    host, _, path = compared.partition("?")[0].partition("/")
    return host, "/" + path


class Prefixes:
    """Some path prefixes; `/docs` holds `/docs` and `/docs/x`, and `/docs-old` only when `loose`."""

    __slots__ = ("_ends", "names")

    def __init__(self, paths: Iterable[str], *, loose: bool) -> None:
        self.names = tuple(dict.fromkeys(paths))
        # Paths are compared with a slash behind them, so that one `startswith` tells where a segment ends.
        self._ends = tuple(path if loose else path.rstrip("/") + "/" for path in self.names)

    def __bool__(self) -> bool:
        return bool(self.names)

    def __str__(self) -> str:
        return ", ".join(self.names)

    def holds(self, path: str) -> bool:
        return (path + "/").startswith(self._ends)

    def find(self, path: str) -> str | None:
        """Return the first prefix that holds the path."""
        if not self.holds(path):
            return None
        return next(name for name, end in zip(self.names, self._ends, strict=True) if (path + "/").startswith(end))
