"""Images: where they are, and what stays of those that are nowhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from turbohtml import Element, Node, Text

from quire.targets import PageTargets

from .anchors import address, is_said
from .media import HIDDEN

# Where scripts that load images late keep the address; what `src` has meanwhile is small, blurred or nothing.
_LAZY_SOURCES: Final = (
    "data-src", "data-lazy-src", "data-lazy", "lazy-src", "data-original", "data-delay-src", "data-wpfc-original-src",
    "nitro-lazy-src", "ng-src",
)  # fmt: skip
_SETS: Final = ("data-srcset", "srcset")
_PLACEHOLDER: Final = re.compile("placeholder|blank|spacer|transparent|pixel|loading|lazy", re.IGNORECASE)
# A logo may be "transparent" and a room "empty": only a name that is hardly more than such a word names nothing to see.
_NOTHING: Final = re.compile(
    r"(?:(?:pixel[_-])?1x1"
    r"|(?:blank|clear|empty|spacer|transparent|(?:gr[ea]y|white)-pixel)(?:[_-](?:\d+(?:x\d+)?|image|img|pixel))*"
    r"|(?:[\w.-]*[_-])?(?:loader|loading|place-?holder)(?:[._-][\w-]*)?)\.(?:gif|png|svg|webp)"
    r"|(?:[\w.-]*[_-])?place-?holder(?:[._-][\w-]*)?\.jpe?g",
    re.IGNORECASE,
)
# The last is what notebooks say of what they draw.
_NO_WORDS: Final = ("null", "undefined", "No description has been provided for this image")
# What forums and blogs call the images that they put in place of signs: XenForo, phpBB, WordPress, Discourse.
_SMILEY_CLASS: Final = re.compile(r"(?<!\S)(?:emoji|emoticon|(?:wp-)?smil(?:ey|ie)s?)(?!\S)", re.IGNORECASE)
_TYPED_SMILEY: Final = re.compile(r":[\w+-]+:|[:;=]['^-]?[()DPOpo/\\|]")
_SIGNS: Final = frozenset(["So", "Sk", "Mn", "Cf"])  # categories: a face, its colour, and what joins several
_LONGEST_SMILEY: Final = 40  # characters
_LONGEST_DATA_IMAGE: Final = 1024
_LONGEST_NAME: Final = 500
_NEAR: Final = 3  # links: a card has hardly more
_MOST: Final = 0.7  # of an image's words, which may count it too: "A kettle - image 1"
_LONGEST_FILE_NAME: Final = 200
# What Doxygen and Sphinx fold with.
_FOLDS: Final = frozenset(["+", "-"])
_FOLD: Final = re.compile(r"(?:closed|open|minus|plus)\.(?:gif|png|svg)")
_CALLOUT: Final = "callout"
_PHRASING: Final = frozenset(["a", "b", "em", "font", "i", "picture", "span", "strong"])
_DATA: Final = "data:"
_MOST_SOURCES: Final = 10
# Of one pixel, or drawings that no Markdown shows, most of them of nothing.
_EMPTY_IMAGES: Final = (
    "data:image/svg", "data:image/gif;base64,R0lGODlhAQAB", "data:image/gif;base64,R0lGODdhAQAB",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB",
)  # fmt: skip


def take_sources(hidden: Iterable[Element]) -> None:
    """Give images that a script was to load the address that stands beside them for browsers without scripts."""
    for element in hidden:
        if element.tag != "noscript" or (shown := element.find("img")) is None:
            continue
        image = element.previous_sibling
        if isinstance(image, Text) and not image.data.strip():
            image = image.previous_sibling
        if isinstance(image, Element) and image.tag == "img" and _is_late(image) and shown.attr("width") != "1":
            for name in ("src", "srcset"):
                if (value := shown.attr(name)) and not value.startswith(_DATA):
                    image.attrs[name] = value


class _Said:
    """What the links of a page say, each read once."""

    def __init__(self, links: Sequence[Element]) -> None:
        self._links = links
        self._texts: dict[Element, str] = {}

    def leave(self, words: str, image: Element) -> None:
        """Put words in an image's place, unless the link around it says them, or one near it that leads there does."""
        link = image.closest("a")
        said = self._text(link) if link is not None else ""
        known = " ".join(words.split())
        if link is not None and not said and self._is_said_near(link, known):
            image.extract()
            if link.find("img") is None:
                link.extract()
        elif f" {known} " in f" {said} ":
            image.extract()
        else:
            image.replace_with(Text(_apart(words, image)))

    def _text(self, link: Element) -> str:
        if link not in self._texts:
            self._texts[link] = _words_of(link)
        return self._texts[link]

    def _is_said_near(self, link: Element, words: str) -> bool:
        place = self._places.get(link, 0)
        near = self._links[max(0, place - _NEAR) : place + _NEAR + 1]
        texts = [self._text(each) for each in near if each.attr("href") == link.attr("href")]
        return any(words in text or (text in words and len(text) > _MOST * len(words)) for text in texts)

    @cached_property
    def _places(self) -> dict[Element, int]:
        return {link: place for place, link in enumerate(self._links)}


def _words_of(link: Element) -> str:
    return " ".join(link.text.split())[:_LONGEST_NAME]


def absolute_images(images: Iterable[Element], targets: PageTargets, links: Sequence[Element] = ()) -> None:
    """Make image addresses absolute; images without one, or with a large one of their own, leave their text behind.

    `links` are those of the page, which may say it too.
    """
    said = _Said(links)
    programs: dict[Element, bool] = {}
    pictures: dict[Element, Sequence[Element]] = {}
    for image in images:
        if image.parent is None:
            continue
        if _is_unseen(image):
            image.extract()
            continue
        if _is_in_code(image, programs):
            image.replace_with(Text(_in_code(image)))
            continue
        if (words := image.attr("alt")) and _is_smiley(image, words):
            image.replace_with(Text(_apart(words, image)))
            continue
        _tidy_words(image)
        source = _source(image, targets, pictures)
        if (source or _DATA).startswith(_DATA) and _is_preview(image):
            image.extract()
        elif source is not None:
            image.attrs["src"] = source
            if _nearest(image, 1)[:1].isalnum():
                image.insert_after(Text(" "))
            if _nearest(image, -1)[-1:].isalnum():
                image.insert_before(Text(" "))
        elif (words := image.attr("alt")) and not _is_unheard(image):
            said.leave(words, image)
        else:
            image.extract()


def _is_smiley(image: Element, words: str) -> bool:
    """Return whether an image is there for a sign, which is its text: emoji, or those that people type."""
    if len(words) > _LONGEST_SMILEY:
        return False
    if _SMILEY_CLASS.search(image.attr("class") or "") or _TYPED_SMILEY.fullmatch(words):
        return True
    return not words.isascii() and all(unicodedata.category(sign) in _SIGNS for sign in words)


def _tidy_words(image: Element) -> None:
    words = image.attr("alt") or ""
    if words in _NO_WORDS or words.isspace():
        image.attrs["alt"] = ""
    for name in ("alt", "title"):
        if "\n" in (text := image.attr(name) or ""):
            image.attrs[name] = " ".join(text.split())
    if (title := image.attr("title")) and is_said(title, image.attr("alt") or ""):
        del image.attrs["title"]


def _is_in_code(image: Element, known: dict[Element, bool]) -> bool:
    """Return whether an image is in a block with more than pictures; blocks are read once."""
    block = image.closest("pre")
    if block is None:
        return False
    if block not in known:
        known[block] = block.text.strip() != ""
    return known[block]


def _in_code(image: Element) -> str:
    """Return what a block of code has for an image; DocBook's are numbers of what is said about its lines."""
    words = image.attr("alt") or ""
    return f"({words})" if words and image.has_class(_CALLOUT) else words


def _apart(words: str, image: Element) -> str:
    """Return the words of an image, with spaces where a word, a label or another smiley stands beside it."""
    before, after = (_nearest(image, side) for side in (-1, 1))
    is_touched = before[-1:].isalnum() or before.endswith(":")
    return " " * is_touched + words + " " * after[:1].isalnum()


def _nearest(image: Element, side: int) -> str:
    """Return the text beside an element, or beside the inline elements around it."""
    node: Node | None = image
    while isinstance(node, Element) and (node is image or node.tag in _PHRASING):
        beside = node.next_sibling if side > 0 else node.previous_sibling
        if beside is not None:
            return beside.text
        node = node.parent if isinstance(node.parent, Element) else None
    return ""


def _is_late(image: Element) -> bool:
    source = image.attr("src") or _DATA
    return source.startswith(_DATA) or _is_placeholder(_PLACEHOLDER.search, source)


def _is_address(value: str) -> bool:
    return bool(value.strip()) and not value.startswith((_DATA, "{", "[", "#"))


def _is_placeholder(matches: Callable[[str], object], source: str) -> bool:
    name = source.partition("?")[0].rpartition("/")[2]
    return len(name) <= _LONGEST_FILE_NAME and matches(name) is not None


def _sets(image: Element, known: dict[Element, Sequence[Element]]) -> Iterator[str]:
    """Yield the sets of addresses that an image has, or the picture around it; pictures are read once."""
    around = image.parent
    sources: Sequence[Element] = ()
    if isinstance(around, Element) and around.tag == "picture":
        if around not in known:
            known[around] = around.find_all("source", limit=_MOST_SOURCES)
        sources = known[around]
    for element in (image, *sources):
        for name in _SETS:
            if (value := element.attr(name)) and _is_address(value):
                yield value


def _is_unseen(image: Element) -> bool:
    """Return whether an image is there to be counted, not to be seen."""
    if image.attr("width") == image.attr("height") and image.attr("width") in ("0", "1"):
        return image.attr("sizes") is None and image.attr("data-nimg") is None
    if (words := image.attr("alt")) in _FOLDS:
        return _is_placeholder(_FOLD.fullmatch, image.attr("src") or "")
    return not words and HIDDEN.search(image.attr("style") or "") is not None


def _is_unheard(image: Element) -> bool:
    return image.attr("aria-hidden") == "true"


def _is_preview(image: Element) -> bool:
    """Return whether an image stands for the one beside it until that is there."""
    other = image.next_sibling
    return isinstance(other, Element) and other.tag == "img" and other.attr("alt") == image.attr("alt")


def _source(image: Element, targets: PageTargets, pictures: dict[Element, Sequence[Element]]) -> str | None:
    """Return the image's address; None if it has none that a reader could use."""
    source = image.attr("src") or ""
    lazy = next((value for name in _LAZY_SOURCES if (value := image.attr(name)) and _is_address(value)), None)
    if lazy is None and (_is_late(image) or _is_placeholder(_NOTHING.fullmatch, source)):
        several = next(_sets(image, pictures), None)
        lazy = several.split()[0].rstrip(",") if several else None
    source = lazy or source
    if _is_placeholder(_NOTHING.fullmatch, source):
        return None
    if source.startswith("data:image/"):
        return source if len(source) <= _LONGEST_DATA_IMAGE and not source.startswith(_EMPTY_IMAGES) else None
    return address(source, targets) if source.strip() else None
