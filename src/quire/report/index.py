"""`_index.md`: the mirror's pages by their place on the site, linked to the local files (S12)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

INDEX_FILE = "_index.md"
_SPECIAL = re.compile(r"([\\`*_\[\]<>|])")


def index_lines(pages: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines for (path, title) pairs given in the order of their folders."""
    open_folders: list[str] = []
    for path, title in pages:
        *folders, file = path.split("/")
        own_page = file == "index.md"
        above = folders[:-1] if own_page and len(folders) > 1 else folders
        yield from _headings(open_folders, above)
        open_folders = folders if own_page else above
        depth = max(0, len(above) - 1)
        name = title or (folders[-1] if own_page else file)
        yield f"{'  ' * depth}- [{_text(name)}]({quote(path, safe='/')})\n"


def _headings(before: list[str], now: list[str]) -> Iterator[str]:
    """The folders that are entered on the way from one page to the next."""
    shared = 0
    while shared < min(len(before), len(now)) and before[shared] == now[shared]:
        shared += 1
    for depth in range(shared, len(now)):
        if depth == 0:
            yield f"\n## {_text(now[0])}\n\n"
        else:
            yield f"{'  ' * (depth - 1)}- {_text(now[depth])}/\n"


def _text(words: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(words.split()))
