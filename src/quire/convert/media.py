"""Films, sounds and pages within the page: Markdown can only link to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from turbohtml import Element, Text

from quire.targets import PageTargets
from quire.urls import scheme_of

from .anchors import address

MEDIA: Final = ("iframe", "video", "audio", "embed", "object")
# Links whose text nobody wrote: it is the address of what has no name.
ADDRESSED: Final = "data-addressed"
_SOURCES: Final = ("src", "data-src", "data-lazy-src", "data", "data-litespeed-src")
_EXCUSE: Final = re.compile(r"\b(?:not|n't|n’t) (?:\w+ )?support\b|\bunsupported\b", re.IGNORECASE)
_LONGEST_EXCUSE: Final = 200  # characters
# Doxygen has its graphs in frames.
_DRAWN: Final = ("embed", "iframe", "object")
_IMAGE_FILE: Final = re.compile(r"\.(?:svg|png|gif|jpe?g|webp|avif)(?:[?#]|\Z)", re.IGNORECASE)
_NAMES: Final = ("title", "aria-label")
HIDDEN: Final = re.compile(r"display\s*+:\s*+none|visibility\s*+:\s*+hidden", re.IGNORECASE)
_SPECKS: Final = frozenset(["0", "1", "0px", "1px"])
# Questions whether somebody is a person.
_CAPTCHA: Final = re.compile(r"//[^/?#]*+/(?:recaptcha|cdn-cgi/challenge-platform)/|//(?:[^/?#]*\.)?hcaptcha\.com/")
_CONTAINERS: Final = frozenset(["article", "body", "div", "figure", "main", "section"])
_FETCHED: Final = frozenset(["http", "https", None])


def link_media(elements: Iterable[Element], targets: PageTargets) -> list[Element]:
    """Replace what cannot be shown by a link to it, and drawings by images, which are returned.

    What has no address leaves its words, unless they only say so.
    """
    images: list[Element] = []
    for element in elements:
        source = next(_sources(element, targets), None)
        if _is_unseen(element, source) if source else element.tag == "iframe" or _is_excuse(element):
            element.extract()
        elif source and element.tag in _DRAWN and _is_image(element):
            image = Element("img", {"src": source, "alt": _image_name(element)})
            element.replace_with(image)
            images.append(image)
        elif source is None or (element.tag == "object" and element.text.strip()):
            element.unwrap()
        else:
            name = _name(element)
            marks = {} if name else {ADDRESSED: ""}
            link = Element("a", {"href": source, **marks}, children=[Text(name or source)])
            around = element.parent
            is_block = isinstance(around, Element) and around.tag in _CONTAINERS
            element.replace_with(Element("p", children=[link]) if is_block else link)
    return images


def _name(element: Element) -> str:
    return next((name for key in _NAMES if (name := (element.attr(key) or "").strip())), "")


def _is_image(element: Element) -> bool:
    source = element.attr("data") or element.attr("src") or ""
    return (element.attr("type") or "").startswith("image/") or _IMAGE_FILE.search(source) is not None


def _image_name(element: Element) -> str:
    """Return what an image is called, or the one in its place where it cannot be shown."""
    other = element.find("img")
    if other is None:
        return _name(element)
    other.extract()
    return (other.attr("alt") or "").strip() or _name(element)


def _sources(element: Element, targets: PageTargets) -> Iterator[str]:
    inner = element.find_all("source") if element.tag in ("video", "audio") else []
    for place in (element, *inner):
        for key in _SOURCES:
            value = (place.attr(key) or "").strip()
            if value and (target := address(value, targets)) and scheme_of(target) in _FETCHED:
                yield target


def _is_excuse(player: Element) -> bool:
    """Tell whether what it holds says only that a browser cannot play it."""
    text = player.text.strip()
    return len(text) <= _LONGEST_EXCUSE and _EXCUSE.search(text) is not None and player.find("a") is None


def _is_unseen(frame: Element, source: str) -> bool:
    """Tell whether it is a frame that is there for its script's sake only, or to keep programs out."""
    if frame.tag != "iframe":
        return False
    if _CAPTCHA.search(source):
        return True
    if frame.attr("hidden") is not None or HIDDEN.search(frame.attr("style") or ""):
        return True
    return any((frame.attr(side) or "") in _SPECKS for side in ("width", "height"))
