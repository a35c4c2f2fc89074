"""What a page says about itself (M4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from turbohtml import Document, Element, Namespace, Node

from quire.records import Facts
from quire.urls import resolve

from . import json_ld
from .authors import author_of
from .hiding import is_hidden
from .links import base_of

_LONGEST_TEXT: Final = 2_000
_LONGEST_DATE: Final = 64
_LONGEST_HEADING: Final = 500
_MOST_HEADINGS: Final = 500
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_PERMALINK_SIGNS: Final = ("¶", "#", "§", "◆", "🔗", "\uf0c1")
_INVISIBLE: Final = " \u200b\u2060\ufeff"

_DESCRIPTION: Final = ("description", "og:description", "twitter:description")
_PUBLISHED: Final = (
    "article:published_time",
    "datepublished",
    "dcterms.created",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date",
    "pubdate",
    "publishdate",
    "publish-date",
    "publication_date",
    "date",
)
_MODIFIED: Final = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "lastmod",
    "revised",
)


def facts(document: Document, url: str, content: Sequence[Element] = (), robots_tag: str | None = None) -> Facts:
    """Return the page's facts but for its words; headings are those of its content (by default, of the whole body)."""
    parts = content or document.find_all("body", limit=1)
    metas, items = _metas(document), list(_structured(document))
    headings = tuple(_headings(parts))
    published = _date(
        _first(metas.get(name) for name in _PUBLISHED),
        _structured_date(items, "datePublished"),
        _time(document, "time[itemprop~=datePublished]", "time[pubdate]", "time[datetime]"),
    )
    return Facts(
        title=_title(document) or metas.get("og:title"),
        h1=_first(text for level, text in headings if level == 1) or _first(_texts(document.find_all("h1", limit=5))),
        description=_first(metas.get(name) for name in _DESCRIPTION),
        canonical=_canonical(document, url),
        language=_language(document),
        published=published,
        modified=_date(
            _first(metas.get(name) for name in _MODIFIED),
            _structured_date(items, "dateModified"),
            _time(document, "time[itemprop~=dateModified]"),
        ),
        headings=headings,
        author=author_of(document, metas, items, dated=published is not None),
        hidden=is_hidden(metas, robots_tag),
    )


def _collapsed(text: str, longest: int = _LONGEST_TEXT) -> str:
    return " ".join(text[: 4 * longest].split())[:longest].strip(_INVISIBLE)


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value), None)


def _date(*values: str | None) -> str | None:
    return _first(_collapsed(value, _LONGEST_DATE) for value in values if value)


def _texts(elements: Iterable[Element]) -> Iterator[str]:
    for element in elements:
        yield _collapsed(element.text, _LONGEST_HEADING)


def _title(document: Document) -> str | None:
    titles = document.find_all("title", limit=5)
    return _first(_texts(title for title in titles if title.namespace is Namespace.HTML))


def _metas(document: Document) -> dict[str, str]:
    """Return the page's meta values by lower-case name; the first of a name counts."""
    found: dict[str, str] = {}
    for meta in document.find_all("meta", limit=200):
        name = meta.attr("name") or meta.attr("property") or meta.attr("itemprop") or meta.attr("http-equiv")
        content = _collapsed(meta.attr("content") or "") if name else ""
        if name and content:
            found.setdefault(name.strip().lower(), content)
    return found


def _canonical(document: Document, url: str) -> str | None:
    link = document.select_one("link[rel~=canonical i][href]")
    return resolve(link.attr("href") or "", base_of(document, url)) if link else None


def _language(document: Document) -> str | None:
    root = document.root
    return _collapsed(root.attr("lang") or root.attr("xml:lang") or "", 35) or None if root else None


def _structured(document: Document) -> Iterator[dict[str, Any]]:
    for script in document.select(json_ld.SELECTOR):
        yield from json_ld.objects(script)


def _structured_date(items: Iterable[dict[str, Any]], name: str) -> str | None:
    return next((value for item in items if isinstance(value := item.get(name), str)), None)


def _time(document: Document, *selectors: str) -> str | None:
    times = (document.select_one(selector) for selector in selectors)
    return _first(time.attr("datetime") for time in times if time)


def _headings(content: Iterable[Element]) -> Iterator[tuple[int, str]]:
    found = (heading for element in content for heading in element.iter_elements(_HEADINGS))
    for heading, _ in zip(found, range(_MOST_HEADINGS), strict=False):
        if text := heading_text(heading):
            yield int(heading.tag[1]), text


def heading_text(heading: Element) -> str:
    """Return the heading's text without the sign of its permalink."""
    text = _collapsed(heading.text, _LONGEST_HEADING)
    if text.endswith(_PERMALINK_SIGNS) or text.startswith(_PERMALINK_SIGNS):
        shown = [child for child in heading.children if child.text.strip()]
        if _is_permalink(shown[-1]):
            text = text.removesuffix(shown[-1].text.strip()).rstrip(_INVISIBLE)
        if _is_permalink(shown[0]):
            text = text.removeprefix(shown[0].text.strip()).lstrip(_INVISIBLE)
    return text


def _is_permalink(node: Node) -> bool:
    return isinstance(node, Element) and node.tag == "a" and node.text.strip() in _PERMALINK_SIGNS
