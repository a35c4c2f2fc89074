"""Who wrote a page (M4): as its structured data, its meta values or its byline say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from turbohtml import Document

_METAS: Final = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author")
_BYLINE: Final = "a[rel~=author],[itemprop~=author]"
_NAME: Final = "[itemprop~=name]"
# What has an author of its own beside these, as reviews and comments do, is not the page.
_TEXTS: Final = ("Article", "Posting", "Page", "Recipe", "Report", "Book", "Course", "HowTo")
_BY: Final = re.compile(r"(?:written )?by:?\s", re.IGNORECASE)
# WordPress's own theme links so to an author's other posts.
_VIEW_ALL: Final = re.compile(r"view all (?:of (.+)[’']s posts|posts by (.+?))\.?", re.IGNORECASE)
_LONGEST: Final = 200
_LONGEST_NAME: Final = 100
_MOST: Final = 20


def author_of(
    document: Document, metas: Mapping[str, str], items: Iterable[dict[str, Any]], *, dated: bool
) -> str | None:
    """Return the names of the authors; a page without a date has no byline to look for."""
    metas_named = (metas.get(name, "") for name in _METAS)
    return (
        _joined(_structured(items))
        or next(filter(None, map(_cleaned, metas_named)), None)
        or (_byline(document) if dated else None)
    )


def _structured(items: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the names of the first text's authors; some are only mentioned by id, and named elsewhere."""
    authors: Any = None
    names: dict[str, str] = {}
    for item in items:
        if isinstance(key := item.get("@id"), str) and isinstance(name := item.get("name"), str):
            names.setdefault(key, name)
        if authors is None and _is_text(item):
            authors = item.get("author") or item.get("creator")
    for author in authors if isinstance(authors, list) else [authors]:
        name = author.get("name") or names.get(str(author.get("@id"))) if isinstance(author, dict) else author
        if isinstance(name, str):
            yield name


def _is_text(item: dict[str, Any]) -> bool:
    kinds = item.get("@type")
    return any(str(kind).endswith(_TEXTS) for kind in (kinds if isinstance(kinds, list) else [kinds]))


def _byline(document: Document) -> str | None:
    byline = document.select_one(_BYLINE)
    if byline is None:
        return None
    named = byline.select_one(_NAME) or byline
    return _joined([named.text.strip() or named.attr("content") or ""])


def _joined(names: Iterable[str]) -> str | None:
    cleaned = (_cleaned(name) for name, _ in zip(names, range(_MOST), strict=False))
    return ", ".join(dict.fromkeys(filter(None, cleaned)))[:_LONGEST] or None


def _cleaned(name: str) -> str:
    """Return the name without what is said about it, and nothing if it is an address."""
    name = " ".join(name[: 4 * _LONGEST].split())
    name = _BY.sub("", name, count=1) if _BY.match(name) else name
    if said := _VIEW_ALL.fullmatch(name):
        name = said[1] or said[2]
    return "" if "://" in name or len(name) > _LONGEST_NAME else name
