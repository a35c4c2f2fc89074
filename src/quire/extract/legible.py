"""What a reader sees and the markup does not say: labels side by side are words apart, and decoration is no text."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Text

_DECORATION: Final = "span[aria-hidden=true],i[aria-hidden=true]"
_LABELS: Final = ("a", "label", "span", "time")
_ANY_LABEL: Final = f":is({','.join(_LABELS)})"
# In prose a part of a word may be marked up, and code is written without a space.
_SIDE_BY_SIDE: Final = f":not(code,em,p,pre,.sig) > {_ANY_LABEL} + {_ANY_LABEL}"
_CODE: Final = "code,kbd,math,pre,samp,.fragment,.sig"
_FIRST_WITHOUT_SPACES: Final = "\u0e00"  # Thai; Chinese and Japanese come later


def make_legible(root: Element) -> None:
    """Take decoration out that stands beside the text it decorates, and put a space between labels that have none."""
    for element in root.select(_DECORATION):
        own = element.text.strip()
        if own and (around := element.parent) and own != around.text.strip():
            element.extract()
    for label in root.select(_SIDE_BY_SIDE):
        before = label.previous_sibling
        if isinstance(before, Element) and before.tag in _LABELS and _are_words(before, label):
            label.insert_before(Text(" "))


def _are_words(before: Element, after: Element) -> bool:
    """Return whether two labels end and begin with words of their own, which a page has side by side."""
    left, right = before.text, after.text
    if not (_is_of_word(left[-1:]) and _is_of_word(right[:1])) or before.closest(_CODE) is not None:
        return False
    around = before.parent
    if around is None or any(isinstance(child, Text) and not child.data.isspace() for child in around.children):
        return False
    words = _last_word(left), _first_word(right)
    return len("".join(words)) > 2 and all(len(word) > 1 or word.isdigit() for word in words)


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() and sign < _FIRST_WITHOUT_SPACES


def _last_word(text: str) -> str:
    start = len(text)
    while start and text[start - 1].isalnum():
        start -= 1
    return text[start:]


def _first_word(text: str) -> str:
    end = 0
    while end < len(text) and text[end].isalnum():
        end += 1
    return text[:end]
