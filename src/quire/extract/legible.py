"""What a reader sees and the markup does not say: labels side by side are words apart, and decoration is no text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from turbohtml import Document, Element, Text

_DECORATIVE: Final = ("i", "span")
_DECORATION: Final = tuple(f"{tag}[aria-hidden=true]" for tag in _DECORATIVE)
_LABELS: Final = ("a", "button", "label", "span", "time")
# In prose a part of a word may be marked up, and code is written without a space.
_PROSE: Final = ("em", "p")
# rustdoc has a place for a line break between a name and what there is to say about it.
_BREAK: Final = "wbr"
_BESIDE_ANOTHER: Final = f":not({','.join(_PROSE)},code,pre,.sig) > :is({','.join((*_LABELS, _BREAK))})"
_SIDE_BY_SIDE: Final = tuple(f"{_BESIDE_ANOTHER} + {label}" for label in _LABELS)
_STRONG: Final = ("b", "strong")
_CODE: Final = "code,kbd,math,pre,samp,tt,var,.fragment,.sig"
_NO_ROW: Final = f"{','.join(_PROSE)},{_CODE}"
_FIRST_WITHOUT_SPACES: Final = "\u0e00"  # Thai; Chinese and Japanese come later
_TAB: Final = "tab"
_ENDS: Final = frozenset(".!?:")
_LONGEST_DECORATION: Final = 200  # characters
_MOST_OF_WORD: Final = 40  # characters
_NO_WIDTH: Final = "\u200b\u2060\ufe0f\ufeff"
_TAGS: Final = ("a[rel~=tag]",)


def make_legible(page: Document | Element, *, plain: bool = True) -> None:
    """Put a space between labels that have none, and take out decoration beside the text it decorates, if `plain`."""
    # Each ends with a tag, which a document has an index of; for all at once, turbohtml would walk through the page.
    found = (_found(page, each) for each in (_DECORATION, _STRONG, _SIDE_BY_SIDE, _TAGS))
    decoration, strong, labels, tags = found
    if plain:
        _drop_decoration(decoration)
    _part_titles(strong)
    _part_labels(labels)
    _part_counts(tags)


def _found(page: Document | Element, selectors: Iterable[str]) -> list[Element]:
    return [element for css in selectors for element in page.select(css)]


def _drop_decoration(elements: list[Element]) -> None:
    beside: dict[Element, list[Element]] = {}
    for element in elements:
        if not isinstance(around := element.parent, Element) or not (text := element.text).strip():
            continue
        if len(text) <= _LONGEST_DECORATION and element.closest(_CODE) is None:
            beside.setdefault(around, []).append(element)
    for around, decoration in beside.items():
        # A heading that moves letter by letter has nothing else, and what is most of a text decorates nothing.
        if _signs(around) >= 1.5 * sum(map(_signs, decoration)):
            for element in decoration:
                element.extract()


def _signs(element: Element) -> int:
    return len("".join(element.text.split()))


def _part_titles(strong: list[Element]) -> None:
    """Put a space behind several strong words that the next sentence touches: `<b>Our team</b>We know…`."""
    for title in strong:
        beside = title.next_sibling
        if isinstance(beside, Text) and beside.data[:1].isupper():
            text = title.text
            if _is_end(text[-1:]) and len(text.split()) > 1 and title.closest(_CODE) is None:
                beside.data = f" {beside.data}"


def _is_end(sign: str) -> bool:
    return sign in _ENDS or sign == ")" or (_is_of_word(sign) and not sign.isupper())


def _part_labels(labels: list[Element]) -> None:
    is_row: dict[Element, bool] = {}
    for label in labels:
        before, around = label.previous_sibling, label.parent
        if isinstance(before, Element) and before.tag == _BREAK:
            before = before.previous_sibling
            if isinstance(before, Element) and before.tag == label.tag:
                continue
        if not isinstance(before, Element) or not isinstance(around, Element):
            continue
        if before.tag not in _LABELS or label.tag not in _LABELS:
            continue
        if label.attr("role") == _TAB or _are_words(before.text[-_MOST_OF_WORD:], label.text[:_MOST_OF_WORD]):
            if around not in is_row:
                is_row[around] = _is_row(around)
            if is_row[around]:
                label.insert_before(Text(" "))


def _part_counts(tags: list[Element]) -> None:
    """Put a space before how often a tag is used: `Kettles<span>16</span>`."""
    for tag in tags:
        count = tag.children[-1] if tag.children else None
        before = count.previous_sibling if isinstance(count, Element) else None
        if count is not None and isinstance(before, Text) and before.data[-1:].isalpha() and count.text.isdecimal():
            before.data = f"{before.data} "


def _is_row(element: Element) -> bool:
    """Return whether an element is neither prose nor code, and holds nothing but elements."""
    if any(isinstance(child, Text) and not child.data.isspace() for child in element.children):
        return False
    return element.closest(_NO_ROW) is None


def _are_words(left: str, right: str) -> bool:
    """Return whether texts that touch end and begin with a word each, and not with the first letter of one."""
    left, right = left.rstrip(_NO_WIDTH), right.lstrip(_NO_WIDTH)
    last = left[-1:]
    if last in _ENDS and right[:1].isupper():
        return True
    if last == ":":
        # Hours have a digit before theirs.
        return left[-2:-1].isalpha() and right[:1].isdigit()
    if _is_emoji(last) and right[:1] == "@":
        return True
    if not (_ends_word(last) and _is_of_word(right[:1])):
        return False
    before, after = _first_word(left[::-1]), _first_word(right)
    if len(right) == 1 and right.isupper() and not last.isupper():
        # A size, or whom a film is for.
        return len(before) > 1
    is_initial = right[1:2] == "."
    return (len(before + after) > 2 or not before) and _is_whole(before) and (is_initial or _is_whole(after))


def _ends_word(sign: str) -> bool:
    """Return whether it is of a word, or ends one as signs of percents and of brands do, or is an emoji."""
    return _is_of_word(sign) or sign == "%" or _is_emoji(sign)


def _is_emoji(sign: str) -> bool:
    return sign != "" and unicodedata.category(sign) == "So"


def _is_whole(word: str) -> bool:
    return len(word) != 1 or word.isdigit()


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() and sign < _FIRST_WITHOUT_SPACES


def _first_word(text: str) -> str:
    end = next((place for place, sign in enumerate(text) if not sign.isalnum()), len(text))
    return text[:end]
