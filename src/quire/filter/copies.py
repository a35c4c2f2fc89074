"""The same text under many URLs: soft 404s, session ids, calendars without entries, a site that holds itself (P7).

URLs alone cannot tell these from pages. The text can: a page that says what others have said before, at places that
differ by an id or by a prefix only, leads to nothing new.
"""

from __future__ import annotations

from typing import Final, TypeVar

from msgspec import Struct

from quire import urls
from quire.records import Facts

from .traps import opened, query_names

ALIKE: Final = 5
"""How many copies of a page may stand at places like its own."""
LONG: Final = 50
"""Words that no two pages share by chance."""
ELSEWHERE: Final = 20
"""The budget is divided by this for long texts at any places."""
MOST_TEXTS: Final = 20_000
"""So many are remembered; of those that came once, the oldest are forgotten."""

_Value = TypeVar("_Value")


class _Copies(Struct):
    """The first page with a text, how many others there are, and how many of these at places like its own."""

    first: str
    count: int = 0
    alike: int = 0


class Copies:
    """Count pages by their text; a `budget` of 0 counts nothing."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        # Nearly all texts come once, and are a URL here.
        self._texts: dict[int, str | _Copies] = {}
        self._shapes: dict[int, int] = {}

    def dead_end(self, url: str, facts: Facts) -> str | None:
        """Count a page, to be given once; return what it repeats too often, or None."""
        if not self._budget or not facts.text_hash:
            return None
        # What a host repeats of itself leads nowhere; two hosts may well be the same on purpose.
        host = urls.host(url)
        text = hash((host, facts.text_hash))
        repeated = self._same_text(url, text, facts.word_count) or self._same_shape(host, facts)
        return f"{host}/... {repeated}" if repeated else None

    def _same_text(self, url: str, text: int, words: int) -> str | None:
        known = self._texts.get(text)
        if known is None:
            if len(self._texts) >= MOST_TEXTS:
                _forget(self._texts, [each for each, seen in self._texts.items() if isinstance(seen, str)])
            self._texts[text] = url
            return None
        if isinstance(known, str):
            known = self._texts[text] = _Copies(known)
        known.count += 1
        known.alike += _is_alike(url, known.first)
        if words < LONG:
            too_many = known.count > self._budget
        else:
            too_many = known.alike > min(ALIKE, self._budget) or known.count > max(1, self._budget // ELSEWHERE)
        return f"the text of {urls.shown(known.first)} again" if too_many else None

    def _same_shape(self, host: str, facts: Facts) -> str | None:
        """A page that was not found may say which; its headings and its length stay the same."""
        shape = hash((host, facts.title, facts.headings, facts.word_count))
        count = self._shapes.get(shape, 0)
        if not count and len(self._shapes) >= MOST_TEXTS:
            _forget(self._shapes, [each for each, number in self._shapes.items() if number == 1])
        self._shapes[shape] = count + 1
        return f"pages like each other, titled {(facts.title or '')[:80]!r}" if count > self._budget else None


def _forget(known: dict[int, _Value], once: list[int]) -> None:
    """Forget the oldest of what came once."""
    for key in (once or list(known))[: MOST_TEXTS // 2]:
        del known[key]


def _is_alike(url: str, other: str) -> bool:
    """Whether the URLs differ by numbers and ids only, or by what stands before the path of one of them."""
    shorter, longer = sorted((urls.path(url), urls.path(other)), key=len)
    return (len(longer) > len(shorter) and longer.endswith(shorter)) or _template(url) == _template(other)


def _template(url: str) -> str:
    return f"{opened(urls.path(url))}?{query_names(urls.query(url))}"
