"""All pages in one Markdown file, each below its title and its address."""

from __future__ import annotations

from typing import BinaryIO

from .pages import About, ExportedPage, Pages


def write(pages: Pages, about: About, file: BinaryIO) -> None:
    file.writelines(_written(page, is_first=number == 0).encode(errors="replace") for number, page in enumerate(pages))


def _written(page: ExportedPage, *, is_first: bool) -> str:
    rule = "" if is_first else "\n---\n\n"
    source = f"Source: <{page.url}>\n"
    first, _, rest = page.markdown.partition("\n")
    if first.startswith("# "):
        return f"{rule}{first}\n\n{source}\n{rest.lstrip()}"
    return f"{rule}# {page.title or page.url}\n\n{source}\n{page.markdown}"
