"""Notes whose titles are not in their text: classes and attributes tell what they are."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Text

from .lists import HEADINGS

# Bootstrap's, but for those of its colours that mean nothing.
_COLORS: Final = frozenset(f"alert-{kind}" for kind in ("primary", "info", "success", "warning", "danger"))
# What a form says, or a script: it can be closed, or is read aloud when it comes.
_CLOSED: Final = "alert-dismissible"
_FORM: Final = "form"
# NexT's and Fluid's kinds, Butterfly's styles (Hexo).
_HEXO_KINDS: Final = ("default", "primary", "info", "success", "warning", "danger")
_HEXO: Final = frozenset([*_HEXO_KINDS, *(f"note-{kind}" for kind in _HEXO_KINDS), "flat", "modern", "simple"])
NEXTRA: Final = "nextra-callout"
# On what is not to be found by a search.
_UNSOUGHT: Final = "data-pagefind-ignore"
# Mallard's, which Yelp writes with a picture of the note's kind, and its name for who points at it.
_INNER: Final = "inner"
_OWN_TITLE: Final = "title"


def is_colored(alert: Element) -> bool:
    """Return whether one of Bootstrap's alerts is a part of the text: it says what kind it is, and is no message."""
    names = (alert.attr("class") or "").split()
    is_message = _CLOSED in names or alert.attr("role") is not None
    return not is_message and not _COLORS.isdisjoint(names) and alert.closest(_FORM) is None


def is_hexo(names: str) -> bool:
    """Return whether the classes of a note are those of Hexo's themes."""
    return not _HEXO.isdisjoint(names.split())


def drop_icon(note: Element) -> None:
    """Take out what one of Nextra's notes begins with, where that is a picture or a sign, and no words."""
    first = next((child for child in note.children if isinstance(child, Element)), None)
    if first is not None and first.attr(_UNSOUGHT) and not any(map(str.isalnum, first.text)):
        first.extract()


def mallard_title(note: Element) -> Element | None:
    """Return the title that one of Mallard's notes has in it, or else one made of the name of its kind."""
    kind = note.attr("title")
    inner = next((child for child in note.children if isinstance(child, Element) and child.has_class(_INNER)), None)
    if not kind or inner is None:
        return None
    first = next((child for child in inner.children if isinstance(child, Element)), None)
    if first is not None and first.has_class(_OWN_TITLE):
        return next(first.iter_elements(HEADINGS), first)
    title = Element("p", children=[Text(kind)])
    note.insert(0, title)
    return title
