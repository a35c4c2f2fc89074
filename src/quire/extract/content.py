"""Which part of a page is kept (M3): its own landmark, or the body without what surrounds content on every page."""

from __future__ import annotations

from copy import deepcopy
from typing import Final

from turbohtml import Document, Element, SelectorSyntaxError

# The most telling first; each group is asked only when those before it named nothing.
_LANDMARKS: Final = (
    "main",
    "[role=main]",
    "article",
    "#main-content,#content,#main,#bodyContent,#article,#page-content",
    ".markdown-body,.main-content,.page-content,.post-content,.entry-content,.article-content,.content,.body",
    ".document",
)
_SECTIONING: Final = ("article", "main", "section")
_CHROME: Final = ",".join(
    [
        "nav,[role=navigation],[role=banner],[role=contentinfo],[role=search],[role=complementary]",
        *(f"{tag}:not({', '.join(f'{outer} {tag}' for outer in _SECTIONING)})" for tag in ("footer", "aside")),
        # A header with the page's own heading is content.
        f"header:not({', '.join(f'{outer} header' for outer in _SECTIONING)}):not(:has(h1))",
    ]
)
_UNSEEN: Final = ("script", "style", "noscript", "template")
_FAIR_SHARE: Final = 0.2
_LITTLE_TEXT: Final = 150  # characters, some 25 words


def content_of(document: Document, part: str) -> list[Element]:
    """Return the elements to keep: "main", "full", or the matches of a CSS selector; the body where nothing matches."""
    body = document.find("body") or document.root or Element("body")
    if part == "full":
        return [body]
    if part == "main":
        return [_landmark(body) or _without_chrome(body)]
    return _outermost(document, part) or [body]


def valid_selector(css: str) -> str | None:
    """Return what is wrong with a CSS selector; None if it is one."""
    try:
        Element("body").matches(css)
    except SelectorSyntaxError as error:
        return str(error)
    return None


def _landmark(body: Element) -> Element | None:
    """Return the one element that the page itself marks as its content, if it holds a fair share of the text."""
    for selector in _LANDMARKS:
        marked = _outermost(body, selector)
        if len(marked) == 1 and marked[0].closest(_CHROME) is None:
            length, total = _length(marked[0]), _length(body)
            if length and (length >= _FAIR_SHARE * total or length >= _FAIR_SHARE * (total - _chrome(body, marked[0]))):
                return marked[0]
    return None


def _without_chrome(body: Element) -> Element:
    """Return a copy of the body without navigation and the like; the body itself if little would be left."""
    total = _length(body)
    left = total - sum(map(_length, _outermost(body, _CHROME)))
    if left == total or left < _FAIR_SHARE * total or left < _LITTLE_TEXT <= total:
        return body
    return deepcopy(body).remove(_CHROME)


def _chrome(body: Element, landmark: Element) -> int:
    """Return the length of the text around the landmark that is navigation and the like."""
    inside = sum(map(_length, _outermost(landmark, _CHROME)))
    return sum(map(_length, _outermost(body, _CHROME))) - inside


def _length(element: Element) -> int:
    """Return how much text an element shows, in characters."""
    return len(element.text) - sum(len(unseen.text) for unseen in element.iter_elements(_UNSEEN))


def _outermost(node: Document | Element, selector: str) -> list[Element]:
    """Return the matches below a node that are in no other match, in document order."""
    matches = node.select(selector)
    kept: list[Element] = []
    position = 0
    while position < len(matches):
        kept.append(matches[position])
        # The matches inside this one follow it directly.
        inside = matches[position].select(selector) if position + 1 < len(matches) else ()
        position += 1 + len(inside)
    return kept
