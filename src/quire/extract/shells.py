"""Application shells: pages that show nothing before their scripts have run (D9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from turbohtml import Document, Element, Text

# Where frameworks put the page, by the id or the tag that their starters give it: near the top of the body.
_MOUNT_IDS: Final = frozenset(
    {"root", "app", "__next", "__nuxt", "___gatsby", "svelte", "application", "main-app", "react-root", "app-root"}
)
_MOUNT_TAGS: Final = frozenset({"app-root", "my-app", "app-component"})
_NEAR: Final = 40
_NOT_SHOWN: Final = "script,style,noscript,template"
_SCRIPT_TYPES: Final = ("", "module", "text/javascript", "application/javascript", "text/ecmascript", "text/babel")
_ASKS_FOR_SCRIPTS: Final = re.compile(r"javascript", re.IGNORECASE)
# `Loading…`, and a sentence that asks for patience.
_FEW_LETTERS: Final = 60
_FEW_LETTERS_AND_A_HINT: Final = 200
_MANY_LINKS: Final = 15
_SHORT_SCRIPT: Final = 100


def looks_like_shell(document: Document) -> bool:
    """Whether a page has scripts and shows next to nothing, or an empty place where they put it."""
    body = document.find("body")
    scripts = [script for script in document.find_all("script", limit=50) if _runs(script)]
    if body is None or not scripts:
        return False
    if any(_is_mount(element) and _is_empty(element) for element in _near_the_top(body)):
        return True
    if len(document.find_all("a", limit=_MANY_LINKS)) == _MANY_LINKS:
        return False
    return _letters(body, _FEW_LETTERS_AND_A_HINT) < _few(document, scripts)


def _few(document: Document, scripts: list[Element]) -> int:
    """How many letters are few: for a script of some length, and where somebody asks for scripts to be let run."""
    if any(_ASKS_FOR_SCRIPTS.search(hint.text) for hint in document.find_all("noscript", limit=5)):
        return _FEW_LETTERS_AND_A_HINT
    worth = any(script.attr("src") or len(script.text) > _SHORT_SCRIPT for script in scripts)
    return _FEW_LETTERS if worth else 1


def _letters(element: Element, most: int) -> int:
    """Count the letters that an element shows, not beyond `most`."""
    letters = 0
    for text in _shown_texts(element):
        letters += len(text.strip())
        if letters >= most:
            break
    return letters


def _runs(script: Element) -> bool:
    return (script.attr("type") or "").strip().lower() in _SCRIPT_TYPES


def _near_the_top(body: Element) -> Iterator[Element]:
    """Yield the body's first children and theirs."""
    for child in islice(body.children, _NEAR):
        if isinstance(child, Element):
            yield child
            yield from (inner for inner in islice(child.children, _NEAR) if isinstance(inner, Element))


def _is_mount(element: Element) -> bool:
    return element.tag in _MOUNT_TAGS or (element.attr("id") or "") in _MOUNT_IDS


def _is_empty(mount: Element) -> bool:
    """Whether an element shows no letter; a spinner is none."""
    return not _letters(mount, 1) and mount.find("img") is None


def _shown_texts(element: Element) -> Iterator[str]:
    for node in element.descendants:
        if isinstance(node, Text) and not node.data.isspace():
            parent = node.parent
            if isinstance(parent, Element) and parent.closest(_NOT_SHOWN) is None:
                yield node.data
