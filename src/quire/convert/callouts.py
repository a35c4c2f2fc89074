"""Callouts: notes that have an icon beside a title and a text, as quotations like other notes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from turbohtml import Element, Text

from .lists import elements
from .notes import strengthen

CALLED: Final = "allout"
_DUMI: Final = "dumi-default-container"
# minimal-mistakes.
NOTICE: Final = "notice--"
# Slate, in an `aside`.
_SLATE: Final = ("notice", "success")
BEGINNINGS: Final = (_DUMI, NOTICE, *_SLATE)
_FUMADOCS: Final = "--callout-color"
# Doks, Quarto, Obsidian Publish, and what others have for other things.
_CALLOUT: Final = "callout"
_PARTS: Final = ".callout-title,.callout-title-container,.callout-body-container"
# Retype, vocs.
_SURE: Final = ("doc-callout", "vocs_Callout")
_TITLE: Final = ".callout-title,.callout-title-container,[data-callout-title],p.font-medium,h2,h3,h4,h5,h6"
# Quarto, before titles that do not say it.
_SAID_ONLY: Final = ".screen-reader-only"
_KIND: Final = re.compile(r"[Cc]allout[-_](note|tip|info|warning|caution|important|danger|success)(?![a-z])")
_WRAPPERS: Final = "p,div"
# Just the Docs.
_TITLED: Final = re.compile(r"[a-z]++-title")


def quote(part: Element, found: dict[str, list[Element]]) -> None:
    """Make a quotation of a callout, and its title or else its kind strong."""
    note = _callout(part)
    if note is None or not (text := note.text.strip()):
        return
    title = _title(note, text) or _kind(note, text)
    note.tag = "blockquote"
    found["blockquote"].append(note)
    if title is not None:
        strengthen(title, found)


def name_quotations(quotations: Iterable[Element], found: dict[str, list[Element]]) -> None:
    """Make the first paragraph strong of quotations whose class says that it is a title."""
    for quotation in quotations:
        names = quotation.attr("class")
        if names and _TITLED.fullmatch(names):
            parts = elements(quotation)
            if len(parts) > 1 and parts[0].tag == "p":
                strengthen(parts[0], found)


def _callout(part: Element) -> Element | None:
    """Return the callout that an element is; fumadocs calls only a line in it so, and says the rest by style."""
    names = part.attr("class") or ""
    if names.startswith((_DUMI, NOTICE)) or any(map(part.has_class, _SURE)):
        return part
    if names in _SLATE:
        return part if part.tag == "aside" else None
    if part.has_class(_CALLOUT):
        return part if part.select_one(_PARTS) else None
    around = part.parent
    if part.attr("role") != "none" or not isinstance(around, Element):
        return None
    return around if (around.attr("style") or "").startswith(_FUMADOCS) else None


def _title(note: Element, text: str) -> Element | None:
    """Return the title that a callout begins with, as a paragraph, unless it is all there is."""
    title = note.select_one(_TITLE)
    words = title.text.strip() if title is not None else ""
    if title is None or not words or words == text or not text.startswith(words):
        return None
    if title.tag == "strong":
        paragraph = Element("p")
        title.wrap(paragraph)
        return paragraph
    title.tag = "p"
    title.strip_tags(_WRAPPERS)
    if (said := title.select_one(_SAID_ONLY)) and said.text.strip() != words:
        said.extract()
    return title


def _kind(note: Element, text: str) -> Element | None:
    """Return a title that says what only an icon does."""
    kind = _KIND.search(note.attr("class") or "")
    if kind is None or text.lower().startswith(kind[1].lower()):
        return None
    title = Element("p", children=[Text(kind[1].capitalize())])
    note.insert(0, title)
    return title
