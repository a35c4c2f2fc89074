"""What differs between two mirrors of a site."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

# To compare line by line may take the square of their number.
_MOST_LINES: Final = 5_000
_CONTEXT: Final = 2


class Difference(Struct, frozen=True):
    """A page that one of two mirrors lacks, or has with another text."""

    change: str
    url: str


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Difference]:
    """Yield what became of pages, given by URL with the hash of their Markdown, in the order of their URLs."""
    for url in sorted(old.keys() | new.keys()):
        if url not in old:
            yield Difference("added", url)
        elif url not in new:
            yield Difference("removed", url)
        elif old[url] != new[url]:
            yield Difference("changed", url)


def changed_lines(old: str, new: str) -> Iterator[str]:
    """Yield the lines that differ between two texts, with a sign before each and a few lines around them."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > _MOST_LINES:
        yield f"@@ {len(before)} lines became {len(after)}: too many to compare @@"
        return
    lines = difflib.unified_diff(before, after, n=_CONTEXT, lineterm="")
    # The first two name files.
    for number, line in enumerate(lines):
        if number > 1:
            yield line
