"""Which of a page's headings is its own: the one that says what its title says, and not the site's name above it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from turbohtml import Element

from .page import heading_text

MAIN_HEADINGS: Final = frozenset(["h1", "h2"])
SOME: Final = 0.3
MOST: Final = 0.8
_BETWEEN: Final = re.compile(r"\s[|–—·»:-]+\s")  # the parts of a title
_MOST_WORDS: Final = 50
_TELLING: Final = 3  # words
_TAGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_HEADINGS: Final = f"{','.join(_TAGS)},[role=heading]"
_LEVEL: Final = "2"  # of a heading that does not say
_LONGEST: Final = 500  # characters that a title may have


class Subject:
    """What a page is about: the longest part of its title."""

    def __init__(self, title: str) -> None:
        self._title = title.lower()
        self._longest = " ".join(max(_BETWEEN.split(self._title), key=len).split())
        self._words = frozenset(self._longest.split()[:_MOST_WORDS])
        self.is_telling = len(self._words) >= _TELLING

    def said_in(self, text: str) -> float:
        """Return how much a text has in common with the subject, at most 1."""
        words = frozenset(text.lower().split())
        return len(words & self._words) / max(len(words), len(self._words) / 2, 1)

    def is_said_by(self, text: str) -> bool:
        """Return whether a text is the subject, to the letter."""
        return text.lower() == self._longest

    def is_named_by(self, text: str) -> bool:
        """Return whether a text is most of the subject, and nothing else."""
        words = frozenset(text.lower().split())
        return self._words >= words and len(words) >= MOST * max(1, len(self._words))

    def is_begun_by(self, text: str) -> bool:
        """Return whether the title begins with a text."""
        return self._title.startswith(text.lower())


def headline_of(content: Iterable[Element], title: str) -> Element | None:
    """Return the heading that a page with this title has of its own; None if none surely is."""
    found = [each for element in content for each in _headings_in(element)]
    texts = {each: text for each in found if (text := heading_text(each))}
    heading = _chosen(texts, Subject(title))
    return heading if heading is None or len(heading.text) <= _LONGEST else None


def _chosen(texts: Mapping[Element, str], subject: Subject) -> Element | None:
    tops = [heading for heading in texts if _level(heading) == "1"]
    if tops and subject.said_in(texts[tops[0]]) >= SOME:
        return tops[0]
    for heading, text in texts.items():
        if _level(heading) in "12" and subject.is_named_by(text):
            return heading
    is_alone = len(tops) == 1 and next(iter(texts)) is tops[0]
    return tops[0] if is_alone or (tops and subject.is_begun_by(texts[tops[0]])) else None


def _headings_in(element: Element) -> list[Element]:
    return [element] if element.tag in _TAGS else element.select(_HEADINGS)


def _level(heading: Element) -> str:
    return heading.tag[1] if heading.tag in _TAGS else heading.attr("aria-level") or _LEVEL
