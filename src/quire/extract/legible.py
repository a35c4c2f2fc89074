"""What a reader sees and the markup does not say: labels side by side are words apart, and decoration is no text."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Text

_DECORATIVE: Final = ("i", "span")
_DECORATION: Final = ",".join(f"{tag}[aria-hidden=true]" for tag in _DECORATIVE)
_LABELS: Final = ("a", "label", "span", "time")
_ANY_LABEL: Final = f":is({','.join(_LABELS)})"
# In prose a part of a word may be marked up, and code is written without a space.
_PROSE: Final = ("em", "p")
_SIDE_BY_SIDE: Final = f":not({','.join(_PROSE)},code,pre,.sig) > {_ANY_LABEL} + {_ANY_LABEL}"
_CODE: Final = "code,kbd,math,pre,samp,.fragment,.sig"
_FIRST_WITHOUT_SPACES: Final = "\u0e00"  # Thai; Chinese and Japanese come later
_ENDS: Final = frozenset(".!?:")
_MOST_OF_WORD: Final = 40  # characters


def make_legible(root: Element) -> None:
    """Take decoration out that stands beside the text it decorates, and put a space between labels that have none."""
    # One walk through the page, which costs more than what is found.
    found = root.select(f"{_DECORATION},{_SIDE_BY_SIDE}")
    if not found:
        return
    decoration = [element for element in found if element.attr("aria-hidden") == "true" and element.tag in _DECORATIVE]
    _drop_decoration(decoration)
    _part_labels(found)


def _drop_decoration(elements: list[Element]) -> None:
    beside: dict[Element, list[Element]] = {}
    for element in elements:
        if isinstance(around := element.parent, Element) and element.text.strip():
            beside.setdefault(around, []).append(element)
    for around, decoration in beside.items():
        # A heading that moves letter by letter has nothing else.
        if _signs(around) > sum(map(_signs, decoration)):
            for element in decoration:
                element.extract()


def _signs(element: Element) -> int:
    return len("".join(element.text.split()))


def _part_labels(labels: list[Element]) -> None:
    is_row: dict[Element, bool] = {}
    for label in labels:
        before, around = label.previous_sibling, label.parent
        if not isinstance(before, Element) or not isinstance(around, Element):
            continue
        if before.tag not in _LABELS or label.tag not in _LABELS:
            continue
        if _are_words(before.text[-_MOST_OF_WORD:], label.text[:_MOST_OF_WORD]):
            if around not in is_row:
                is_row[around] = _is_row(around)
            if is_row[around]:
                label.insert_before(Text(" "))


def _is_row(element: Element) -> bool:
    """Return whether an element is neither prose nor code, and holds nothing but elements."""
    if element.tag in _PROSE or any(isinstance(child, Text) and not child.data.isspace() for child in element.children):
        return False
    return element.closest(_CODE) is None


def _are_words(left: str, right: str) -> bool:
    """Return whether texts that touch end and begin with a word each, and not with the first letter of one."""
    if left[-1:] in _ENDS and right[:1].isupper():
        return True
    if not (_is_of_word(left[-1:]) and _is_of_word(right[:1])):
        return False
    words = _first_word(left[::-1]), _first_word(right)
    return len("".join(words)) > 2 and all(len(word) > 1 or word.isdigit() for word in words)


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() and sign < _FIRST_WITHOUT_SPACES


def _first_word(text: str) -> str:
    end = next((place for place, sign in enumerate(text) if not sign.isalnum()), len(text))
    return text[:end]
