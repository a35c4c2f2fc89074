"""The part of a page that the page itself marks as its content (M3)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from turbohtml import Document, Element

from .controls import CONTROLS, without_controls
from .frame_words import FRAME_NAMES, named
from .generators import is_known

_LANDMARKS: Final = "main,[role=main]"
# Footnotes, notes and topics of documentation are asides too.
_ASIDE: Final = "aside:not([role],.admonition,.footnote,.footnote-list,.note,.sidebar,.system-message,.topic)"
_FILMS: Final = ",".join(f'[src*="{name}"]' for name in ("youtube", "youtu.be", "vimeo", "asciinema"))
# turbohtml finds what begins with a tag by an index, and walks through the page for the rest.
_FRAME_TAGS: Final = (_ASIDE, "footer", "form", f"iframe:not({_FILMS})")
# Such walks take half as long one after the other as those for a list of them.
_COMMENTS: Final = ("#comments", ".comments")
_ROLE: Final = "[role]"
_NAVIGATION: Final = "[role=navigation],[role=doc-toc]:not(:only-child)"
# A list takes a third longer.
_CONTROLS: Final = f":is({','.join((*CONTROLS, _NAVIGATION))})"
_AROUND_TAGS: Final = ("nav", "header", "footer", "aside", "form")
_MANY: Final = 100
_NAMED: Final = ("div", "header", "section", "ul")
_AROUND: Final = (
    ":is(nav,header,footer,aside,form,script,style,noscript,template,[role=navigation],[role=search],[role=contentinfo],"
    "[class*=footer],[class*=header],[class*=menu],[class*=nav],[class*=sidebar],[id*=footer],[id*=header],[id*=nav],"
    "[id*=sidebar])"
)
_UNSEEN: Final = ("script", "style", "noscript", "template")
_MOST: Final = 0.6
_FEWEST_NESTED: Final = 2


def landmark_of(document: Document, body: Element) -> Element | None:
    """Return the one element that the page marks as its content, if it holds most text and nothing in it is frame."""
    roles = document.select(_ROLE)
    marked = {*document.find_all("main"), *(each for each in roles if each.attr("role") == "main")}
    nested = list(marked) if len(marked) < _FEWEST_NESTED else nested_landmarks(body)
    if any(map(is_known, nested)):
        return None
    framing = [*map(document.select, (*_FRAME_TAGS, *_COMMENTS))] if nested else []
    for landmark in nested:
        is_framed = _is_any_in(landmark, *framing) or _has_frame(landmark)
        if not is_framed and _holds_most(landmark, document, body):
            navigation = [each for each in roles if each.matches(_NAVIGATION)]
            has_controls = _is_any_in(landmark, *map(document.find_all, CONTROLS), navigation)
            return without_controls(landmark, _CONTROLS) if has_controls else landmark
    return None


def nested_landmarks(body: Element) -> list[Element]:
    """Return the landmarks of a page from the outermost to the innermost, if each is in the one before."""
    found = body.select(_LANDMARKS)
    are_nested = all(outer in inner.ancestors for outer, inner in pairwise(found))
    return found if are_nested else []


def _has_frame(landmark: Element) -> bool:
    """Return whether an element in a landmark has a name of frame; in code it is a part of that."""
    names = {element.attr("class") for element in landmark.iter_elements(_NAMED)}
    framing = {name for name in names if name and named(name) & FRAME_NAMES}
    if not framing:
        return False
    framed = (element for element in landmark.iter_elements(_NAMED) if element.attr("class") in framing)
    return any(element.closest("pre") is None for element in framed)


def _is_any_in(landmark: Element, *groups: Sequence[Element]) -> bool:
    elements = [element for group in groups for element in group]
    if len(elements) > _MANY:
        return not set(elements).isdisjoint(landmark.iter_elements())
    return any(landmark in element.ancestors for element in elements)


def _holds_most(landmark: Element, document: Document, body: Element) -> bool:
    """Return whether a landmark has most of the text that is not around it on every page."""
    length = _length_of_landmark(landmark, document)
    if not 0 < length < _MOST * len(body.text):
        return length > 0
    # What tags alone tell is enough on most pages.
    enough = _length(body) - length / _MOST
    if _length_around(document) >= enough:
        return True
    around = outermost(body, _AROUND)
    if sum(map(_length, around)) >= enough:
        return True
    # Around a short text, the page's indentation may be most of it.
    return _signs(landmark) >= _MOST * (_signs(body) - sum(map(_signs, around)))


def _length_of_landmark(landmark: Element, document: Document) -> int:
    """Return what `_length` does: a page has an index of its few scripts, to look for them in an element is a walk."""
    unseen = [element for tag in _UNSEEN for element in document.find_all(tag, limit=_MANY)]
    if len(unseen) >= _MANY:
        return _length(landmark)
    return len(landmark.text) - sum(len(each.text) for each in unseen if landmark in each.ancestors)


def _length_around(document: Document) -> int:
    """Return how much text the tags of a page say is around its content."""
    around = {element for tag in _AROUND_TAGS for element in document.find_all(tag, limit=_MANY)}
    return sum(_length(element) for element in around if around.isdisjoint(element.ancestors))


def outermost(node: Document | Element, selector: str) -> list[Element]:
    """Return the matches below a node that are in no other match, in document order."""
    matches = node.select(selector)
    if len(matches) == 1:
        return matches
    kept: list[Element] = []
    position = 0
    while position < len(matches):
        kept.append(matches[position])
        # The matches inside this one follow it directly.
        inside = matches[position].select(selector) if position + 1 < len(matches) else ()
        position += 1 + len(inside)
    return kept


def _length(element: Element) -> int:
    """Return how much text an element shows, in characters."""
    return len(element.text) - sum(len(unseen.text) for unseen in element.iter_elements(_UNSEEN))


def _signs(element: Element) -> int:
    """Return how many characters an element shows that are no white space."""
    unseen = sum(len("".join(each.text.split())) for each in element.iter_elements(_UNSEEN))
    return len("".join(element.text.split())) - unseen
