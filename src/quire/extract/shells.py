"""Application shells: pages that show nothing, or not all, before their scripts have run (D9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from turbohtml import Document, Element, Text

from quire.records import Lack

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
# What stands in a mount or in a main part is more than a splash screen.
_SUBSTANCE: Final = "a[href],img,form,iframe,video,table"
_HEADINGS: Final = "h1,h2,h3"
# How pages write that a part of them is still to come: with the library that fetches it, or by how it looks meanwhile.
_FETCHED: Final = (
    *(f"[{prefix}hx-get][{prefix}hx-trigger*={event}]" for prefix in ("", "data-") for event in ("load", "reveal")),
    "turbo-frame[src]", "include-fragment[src]", "astro-island[client=only]", "template[data-dgst]",
)  # fmt: skip
_MEANWHILE: Final = ("[aria-busy=true]", *(f"[class*={name}]" for name in ("skeleton", "animate-pulse", "shimmer")))
_TO_COME: Final = ",".join((*_FETCHED, *_MEANWHILE))
_ASIDE: Final = (
    "header,nav,footer,aside,form,dialog,noscript,img,[hidden],[role=dialog],[role=navigation],[role=search],"
    '[style*="display:none"],[style*="display: none"]'
)
_MOST_PARTS: Final = 50
# Beside more letters than these a part is less, and to look for it on every page would take a tenth of its time.
_SHORT_PAGE: Final = 1_000
_LOADING: Final = re.compile(r"\s*+Loading\b[^<>]{0,30}+")


def lack_of(document: Document) -> Lack:
    """Tell what a page with scripts lacks: the page if it shows next to nothing, a part that they have yet to fill."""
    body = document.find("body")
    scripts = [script for script in document.find_all("script", limit=50) if _runs(script)]
    if body is None or not scripts:
        return ""
    if any(_is_mount(element) and _is_splash(element) for element in _near_the_top(body)):
        return "page"
    few = _few(document, scripts)
    mains = document.find_all("main", limit=2)
    if len(mains) == 1 and _is_idle(mains[0], min(few, _FEW_LETTERS)) and not _says_more_than_title(mains[0]):
        return "page"
    has_few_links = len(document.find_all("a", limit=_MANY_LINKS)) < _MANY_LINKS
    if has_few_links and _letters(body, _FEW_LETTERS_AND_A_HINT) < few:
        return "page"
    return "part" if any(map(_is_to_come, _parts(mains[0] if mains else body, body))) else ""


def _parts(text: Element, body: Element) -> Iterator[Element]:
    """Yield what may be to come, also what says that it is loading; beside a long text nothing is looked for."""
    if _letters(text, _SHORT_PAGE) >= _SHORT_PAGE:
        return
    yield from islice(body.select(_TO_COME), _MOST_PARTS)
    for node in text.descendants:
        if isinstance(node, Text) and _LOADING.fullmatch(node.data) and isinstance(node.parent, Element):
            yield node.parent


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


def _is_splash(mount: Element) -> bool:
    """Whether a mount holds only what is to be seen until the page is there."""
    return _is_idle(mount, _FEW_LETTERS_AND_A_HINT) and mount.select_one(_HEADINGS) is None


def _is_idle(element: Element, most: int) -> bool:
    """Whether an element shows no more than a spinner and a word of patience."""
    return _letters(element, most) < most and element.select_one(_SUBSTANCE) is None


def _says_more_than_title(main: Element) -> bool:
    """Whether words stand below a heading, though few: "No results", javadoc's "No usage of java.lang.Math"."""
    titles = main.select(_HEADINGS)
    return bool(titles) and _letters(main, _FEW_LETTERS) > sum(_letters(title, _FEW_LETTERS) for title in titles)


def _is_to_come(part: Element) -> bool:
    """Whether a part of the text is to come; one with words or a picture in it is there."""
    return _is_idle(part, _FEW_LETTERS) and part.closest(_ASIDE) is None


def _shown_texts(element: Element) -> Iterator[str]:
    for node in element.descendants:
        if isinstance(node, Text) and not node.data.isspace():
            parent = node.parent
            if isinstance(parent, Element) and parent.closest(_NOT_SHOWN) is None:
                yield node.data
