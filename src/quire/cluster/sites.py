"""The sites of a cluster run: start URLs by host, for a host is crawled in one place (X2)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from quire import urls
from quire.errors import UsageError
from quire.store.paths import host_folder
from quire.wiring import complete_url


class Site(Struct, frozen=True):
    """One host, the name of its mirror's folder, and where its crawl starts: as it was given, and without passwords."""

    host: str
    folder: str
    start: tuple[str, ...]
    shown: list[str]


def gather(given: Iterable[str], file: str | None) -> list[Site]:
    """Group the URLs by their hosts, in the order in which those come; raise UsageError for the first that is none."""
    found: dict[str, dict[str, str]] = {}
    for url in given:
        _take(url, found)
    for number, url in _lines(file) if file else ():
        try:
            _take(url, found)
        except UsageError as error:
            raise UsageError(f"{file}, line {number}: {error}") from None
    if not found:
        raise UsageError("there is no URL to start from; give some, or a file with one a line (--urls-from)")
    return [Site(host, host_folder(host), tuple(start), [*start.values()]) for host, start in found.items()]


def _take(url: str, found: dict[str, dict[str, str]]) -> None:
    whole = complete_url(url)
    found.setdefault(urls.host(whole), {})[url] = urls.shown(whole)


def _lines(file: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, but empty ones and comments; `-` is standard input."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"--urls-from: {file} cannot be read ({error.strerror}); give a file of URLs") from error
    for number, line in enumerate(data.decode("utf-8-sig", errors="replace").splitlines(), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield number, text
