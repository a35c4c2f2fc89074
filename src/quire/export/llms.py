"""`llms.txt`: what a site has, as lists of links that language models read first."""

from __future__ import annotations

import re
from typing import BinaryIO, Final
from urllib.parse import urlsplit

from .pages import About, ExportedPage, Pages

_LONGEST: Final = 300  # characters
_SPECIAL: Final = re.compile(r"([\\\[\]])")
_TOP: Final = "Pages"


def write(pages: Pages, about: About, file: BinaryIO) -> None:
    head = f"# {' '.join(about.start)}\n"
    sections: dict[str, list[str]] = {}
    for number, page in enumerate(pages):
        if number == 0:
            head = _head(page, about)
        sections.setdefault(_folder(page.url), []).append(_item(page))
    lists = (f"\n## {name}\n\n{''.join(items)}" for name, items in sections.items())
    file.writelines(part.encode(errors="replace") for part in (head, *lists))


def _head(first: ExportedPage, about: About) -> str:
    """Return the name of the site, as its first page has it, and what that says of it."""
    said = f"\n> {_line(first.description)}\n" if first.description else ""
    return f"# {_line(first.title) or ' '.join(about.start)}\n{said}"


def _folder(url: str) -> str:
    """Return the top folder that a page is in."""
    folder, _, below = urlsplit(url).path.strip("/").partition("/")
    return folder if below else _TOP


def _item(page: ExportedPage) -> str:
    # Titles mostly end with the site's name.
    name = _SPECIAL.sub(r"\\\1", _line(page.h1 or page.title) or page.url)
    about = f": {_line(page.description)}" if page.description else ""
    return f"- [{name}]({page.url}){about}\n"


def _line(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]
