"""From HTML to Markdown (M1): small changes to the tree, one conversion, and a last look at the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from turbohtml import Element, Markdown

from .emphasis import MARKS, mark_emphasis
from .prepare import absolute_images, absolute_links, drop_noise, name_languages
from .tables import even_tables

_MARKDOWN: Final = Markdown(
    document=Markdown.Document(line_break="backslash"),
    # GFM has no signs for these, and without any `2<sup>10</sup>` would read 210.
    converters={
        "sub": lambda _, text: f"<sub>{text}</sub>" if text.strip() else text,
        "sup": lambda _, text: f"<sup>{text}</sup>" if text.strip() else text,
    },
)
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_C0_CONTROLS: Final = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
_C1_CONTROLS: Final = re.compile(rb"\xc2[\x80-\x9f]")
_FENCE: Final = re.compile(r"^[ >]*+(?:(?:[-*+]|\d++[.)])[ ]++)*+(`{3,}+|~{3,}+)(.*)$", re.MULTILINE)
_SPACES_AT_END: Final = re.compile(r" +$", re.MULTILINE)
_EMPTY_LINES: Final = re.compile(r"\n{3,}")


def to_markdown(elements: Iterable[Element], base_url: str) -> str:
    """Return the Markdown of elements in order, changing them on the way; without a base URL links stay as written."""
    converted = []
    for element in elements:
        drop_noise(element)
        even_tables(element)
        absolute_links(element, base_url)
        absolute_images(element, base_url)
        name_languages(element)
        mark_emphasis(element)
        converted.append(element.to_markdown(_MARKDOWN))
    return _tidied("\n\n".join(filter(None, converted)))


def _tidied(text: str) -> str:
    """Return the text with its emphasis marks and one newline at its end, without control characters and idle space."""
    for mark, written in MARKS:
        text = text.replace(mark, written)
    # Bytes are searched for single values ten times faster than a string is for the same characters.
    raw = text.encode(errors="replace")
    if len(raw.translate(None, _C0_CONTROLS)) < len(raw) or _C1_CONTROLS.search(raw):
        text = _CONTROLS.sub("", text)
    text = text.strip("\n") + "\n"
    return _without_idle_space(text) if " \n" in text or "\n\n\n" in text else text


def _without_idle_space(text: str) -> str:
    """Return the text without spaces at line ends and second empty lines, except in code."""
    pieces = []
    position = 0
    for start, end in _code_blocks(text):
        pieces += [_EMPTY_LINES.sub("\n\n", _SPACES_AT_END.sub("", text[position:start])), text[start:end]]
        position = end
    return "".join(pieces) + _EMPTY_LINES.sub("\n\n", _SPACES_AT_END.sub("", text[position:]))


def _code_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield where fenced code begins and ends."""
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is None:
            opening = fence
        elif fence[1].startswith(opening[1]) and not fence[2]:
            yield opening.start(), fence.end()
            opening = None
    if opening is not None:
        yield opening.start(), len(text)
