"""From HTML to Markdown (M1): small changes to the tree, one conversion, and a last look at the text."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
_CONTROLS: Final = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
_C1_CONTROLS: Final = re.compile(rb"\xc2[\x80-\x9f]")
_FENCE: Final = re.compile(r"[ >]*+(?:(?:[-*+]|\d++[.)])[ ]++)*+(`{3,}+|~{3,}+)")


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
    """Return the text with its emphasis marks, one newline at its end, and without control characters."""
    raw = text.encode(errors="replace")
    for mark, written in MARKS:
        raw = raw.replace(mark, written)
    raw = _C1_CONTROLS.sub(b"", raw.translate(None, _CONTROLS)).strip(b"\n")
    text = raw.decode() + "\n"
    return _without_idle_space(text) if " \n" in text or "\n\n\n\n" in text else text


def _without_idle_space(text: str) -> str:
    """Return the text without spaces at line ends and third empty lines, except in code."""
    kept: list[str] = []
    fence = ""
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence) and line.endswith(opening[1]):
                fence = ""
        elif opening:
            fence = opening[1]
        elif not line.strip(" ") and kept[-2:] == ["", ""]:
            continue
        kept.append(line if fence else line.rstrip(" "))
    return "\n".join(kept)
