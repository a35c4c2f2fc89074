"""Where the links of a page's Markdown lead: found in the text as Quire writes it, replaced, and put back."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from quire.records import Edit

from .fences import next_code_block

_TITLE: Final = r'(?: "(?:[^"\\]|\\.)*+")?+'
_SIMPLE: Final = r"[^\s()<>\\]*+"
_TEXT_OF_IMAGE: Final = r"!\[(?:[^\[\]\\]|\\.)*+"
# What is escaped holds no link. An address of any other shape than most have is read sign by sign.
_TOKEN: Final = re.compile(
    r"\\[!-/:-@\[-`{-~]"
    r"|(?P<ticks>`++)"
    rf"|{_TEXT_OF_IMAGE}\]\((?P<image>{_SIMPLE}){_TITLE}\)"
    rf"|{_TEXT_OF_IMAGE}\](?P<odd_image>\()"
    rf"|\]\((?P<link>{_SIMPLE}){_TITLE}\)"
    r"|\](?P<odd_link>\()"
    r"|!?<(?P<bare>https?://[^<>\s]++)>",
    re.DOTALL,
)
_ODD: Final = re.compile(r"[^\s()<>\\]++|\\[!-/:-@\[-`{-~]|[()\\]")
_IN_ANGLES: Final = re.compile(r"<(?:[^<>\\\n]|\\.)*+>")
_REST: Final = re.compile(rf"{_TITLE}\)", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_TICKS: Final = re.compile("`+")
_BLANK_LINE: Final = re.compile(r"\n[ >]*+\n")
_TABLE: Final = re.compile(r"^(?:[ >#]|[-*+] |\d++[.)] )*+<table>\n", re.MULTILINE)
_TAG: Final = re.compile(r'<(a|img)(?: [a-z-]+="[^"]*+")*? (?:href|src)="([^"]*+)"')
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~&])")


class Destination(Struct, frozen=True):
    """An address in a page's Markdown: where it stands, what it says, and how another one is written there."""

    start: int
    end: int
    address: str
    is_image: bool
    written: Callable[[str], str]


Lead = Callable[[Destination], str | None]


def edits_of(markdown: str, lead: Lead) -> tuple[Edit, ...]:
    """Return what is to be replaced so that links lead where `lead` says; None leaves one as it is."""
    edits = []
    position = 0
    for found in _destinations(markdown):
        new = lead(found)
        if new is not None:
            edits.append(Edit(found.start - position, markdown[found.start : found.end], found.written(new)))
            position = found.end
    return tuple(edits)


def images_of(markdown: str) -> Iterator[str]:
    """Yield the addresses of the images that a page shows."""
    if "![" not in markdown and "<img " not in markdown:
        return iter(())
    return (found.address for found in _destinations(markdown) if found.is_image)


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


def _destinations(markdown: str) -> Iterator[Destination]:
    """Yield what is in prose, and in the tags of tables that are HTML, which an empty line ends; none is in code."""
    position, end = 0, len(markdown)
    code: tuple[int, int] | None = (-1, -1)
    table = _TABLE.search(markdown)
    while True:
        if code and code[0] < position:
            code = next_code_block(markdown, position)
        if table and table.start() < position:
            table = _TABLE.search(markdown, position)
        if code and (table is None or code[0] < table.start()):
            yield from _in_prose(markdown, position, code[0])
            position = code[1]
        elif table:
            yield from _in_prose(markdown, position, table.start())
            blank = _BLANK_LINE.search(markdown, table.end() - 1)
            position = blank.start() if blank else end
            yield from _in_tags(markdown, table.end(), position)
        else:
            break
    yield from _in_prose(markdown, position, end)


def _in_tags(markdown: str, start: int, end: int) -> Iterator[Destination]:
    # Few pages have such tables, and its list of names takes a while to load.
    from html import escape, unescape

    for tag in _TAG.finditer(markdown, start, end):
        yield Destination(*tag.span(2), unescape(tag[2]), tag[1] == "img", escape)


def _in_prose(markdown: str, position: int, end: int) -> Iterator[Destination]:
    spans = _CodeSpans(markdown, end)
    while token := _TOKEN.search(markdown, position, end):
        position = token.end()
        kind = token.lastgroup
        if kind in ("link", "image"):
            yield Destination(*token.span(kind), token[kind], kind == "image", _as_it_is)
        elif kind == "ticks":
            position = spans.end_of(token)
        elif kind == "bare":
            yield Destination(*token.span(), token[kind], False, _as_link(token[kind], after=token[0][0]))
        elif kind:
            start, stop = token.end(), _end_of_odd(markdown, token.end(), end)
            position = stop
            if rest := _REST.match(markdown, stop, end):
                raw = markdown[start:stop]
                raw = raw[1:-1] if raw.startswith("<") else raw
                yield Destination(start, stop, _ESCAPED.sub(r"\1", raw), kind == "odd_image", _as_it_is)
                position = rest.end()


def _end_of_odd(markdown: str, start: int, end: int) -> int:
    """Return where an address ends that is in angle brackets, or has brackets or escapes in it."""
    if angles := _IN_ANGLES.match(markdown, start, end):
        return angles.end()
    stop, depth = start, 0
    while piece := _ODD.match(markdown, stop, end):
        depth += (piece[0] == "(") - (piece[0] == ")")
        if depth < 0:
            break
        stop = piece.end()
    return stop


def _as_link(address: str, *, after: str) -> Callable[[str], str]:
    """Return how a link is written whose text is an address; an exclamation mark before it would make it an image."""
    text = ("\\!" if after == "!" else "") + "[" + _SPECIAL.sub(r"\\\1", address) + "]"
    return lambda new: f"{text}({new})"


def _as_it_is(new: str) -> str:
    return new


class _CodeSpans:
    """Where code between backticks ends: at the next run of as many, in the same paragraph."""

    def __init__(self, markdown: str, end: int) -> None:
        self._markdown = markdown
        self._end = end
        self._known_to = -1
        self._runs: dict[int, list[int]] = {}

    def end_of(self, opening: re.Match[str]) -> int:
        """Return the end of the code that these backticks open, or their own if they open none."""
        start, length = opening.start(), len(opening[0])
        if start >= self._known_to:
            # Once for all runs of a paragraph: to look for each one's partner would take long where none has one.
            blank = _BLANK_LINE.search(self._markdown, start, self._end)
            self._known_to = blank.start() if blank else self._end
            self._runs = {}
            for run in _TICKS.finditer(self._markdown, start, self._known_to):
                self._runs.setdefault(len(run[0]), []).append(run.start())
        runs = self._runs.get(length, [])
        closing = bisect_right(runs, start)
        return runs[closing] + length if closing < len(runs) else opening.end()
