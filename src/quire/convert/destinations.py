"""Where the links of a page's Markdown lead: found in the text as Quire writes it, replaced, and put back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from typing import Final

from quire.records import Edit

from .fences import code_blocks

_TARGET: Final = r"(?:<[^<>\n]*+>|[^()<>\s]++(?:\([^()\s]*+\)[^()\s]*+)*+)"
# What is escaped and what is code comes first: neither holds a link.
_LINK: Final = re.compile(
    r"\\[!-/:-@\[-`{-~]"
    r"|(?P<ticks>`++)(?:[^`\n]|\n(?!\n)|(?!(?P=ticks)(?!`))`++)*+(?P=ticks)(?!`)"
    r"|`++"
    rf"|!\[(?:[^\[\]\\]|\\.)*+\]\((?P<image>{_TARGET})"
    rf"|\]\((?P<link>{_TARGET})"
    r"|<(?P<bare>https?://[^<>\s]++)>"
)
_TABLE: Final = re.compile(r"<table>(?:(?!\n\n).)*+", re.DOTALL)
_ATTRIBUTE: Final = re.compile(r'<(?:a href="(?P<href>[^"]*+)|img src="(?P<src>[^"]*+))"')
_ATTRIBUTES: Final = ("href", "src")
_IMAGES: Final = ("image", "src")
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~&])")

Lead = Callable[[str], str | None]


def edits_of(markdown: str, lead: Lead) -> tuple[Edit, ...]:
    """Return what is to be replaced so that links lead where `lead` says; None leaves one as it is."""
    edits = []
    position = 0
    for link in _links(markdown):
        kind = link.lastgroup or ""
        destination = _destination(link)
        new = lead(destination)
        if new is None:
            continue
        old, start, end = link[kind], *link.span(kind)
        if kind == "bare":
            start, end, old = link.start(), link.end(), link[0]
            new = f"[{_SPECIAL.sub(_escaped, destination)}]({new})"
        edits.append(Edit(start - position, old, new))
        position = end
    return tuple(edits)


def images_of(markdown: str) -> Iterator[str]:
    """Yield the addresses of the images that a page shows."""
    if "![" not in markdown and "<img " not in markdown:
        return iter(())
    return (_destination(link) for link in _links(markdown) if link.lastgroup in _IMAGES)


def edited(markdown: str, edits: Sequence[Edit]) -> str:
    """Return the Markdown with every edit made."""
    return _replaced(markdown, ((edit.gap, edit.old, edit.new) for edit in edits))


def unedited(markdown: str, edits: Sequence[Edit]) -> str:
    """Return the Markdown as it was before the edits were made."""
    return _replaced(markdown, ((edit.gap, edit.new, edit.old) for edit in edits))


def _replaced(text: str, edits: Iterator[tuple[int, str, str]]) -> str:
    pieces = []
    position = 0
    for gap, before, after in edits:
        pieces += [text[position : position + gap], after]
        position += gap + len(before)
    return "".join(pieces) + text[position:]


def _destination(link: re.Match[str]) -> str:
    text = link[link.lastgroup or 0]
    return unescape(text) if link.lastgroup in _ATTRIBUTES else text.removeprefix("<").removesuffix(">")


def _links(markdown: str) -> Iterator[re.Match[str]]:
    position = 0
    for start, end in code_blocks(markdown):
        yield from _links_in(markdown, position, start)
        position = end
    yield from _links_in(markdown, position, len(markdown))


def _links_in(markdown: str, position: int, end: int) -> Iterator[re.Match[str]]:
    """Yield the links outside of code; in a table that is HTML, only those of its tags."""
    for table in _TABLE.finditer(markdown, position, end):
        yield from _named(_LINK, markdown, position, table.start())
        yield from _named(_ATTRIBUTE, markdown, table.start(), table.end())
        position = table.end()
    yield from _named(_LINK, markdown, position, end)


def _named(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return (match for match in pattern.finditer(text, start, end) if match.lastgroup not in (None, "ticks"))


def _escaped(special: re.Match[str]) -> str:
    return "\\" + special[0]
