"""The links of a page, from every place a page keeps them (D6).

`rel=nofollow` is a hint to search engines about ranking, not a wish to stay unread: such links count like any other.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from operator import methodcaller
from typing import Final

from turbohtml import Comment, Document, Element

from quire.records import FoundLinks
from quire.targets import PageTargets, Targets
from quire.urls import UrlPolicy, document_url, resolve, scheme_of

from . import json_ld, refresh

_LONGEST_INVALID: Final = 500

# turbohtml finds one HTML tag by an index but walks the tree for anything else. Hardly a body has more than anchors,
# so the walk for them all, which keeps the document's order, is made only where a cheaper look has found something.
_TAGS: Final = (
    "area[href]",
    "iframe[src]",
    "frame[src]",
    "link[rel~=next i]",
    "link[rel~=prev i]",
    "link[rel~=previous i]",
    'meta[http-equiv="refresh" i]',
    json_ld.SELECTOR,
)
_VALUES: Final = ("data-href", "data-url", "data-link", "data-next-link", "data-router-link")
# These also serve as bare flags (`data-link="internal"`), so that only a value with a URL's punctuation is one.
_FLAGS: Final = frozenset({"data-link", "data-next-link", "data-router-link"})
_ANYWHERE: Final = (
    f':is(loc,{",".join(f"[{name}]" for name in _VALUES)},[onclick],button[data-navigate],[role="link" i])'
)
_ALL: Final = f":is({','.join(('a', *_TAGS, _ANYWHERE))})"
# Switches, numbers, JSON and templates that were never filled in.
_NO_TARGET: Final = re.compile(r"\s*+(?:(?:true|false|null|undefined|\d*+)\s*+\Z|\[)|[^{<]*+[{<]")

_PLAIN_HREF: Final = methodcaller("attr", "href")
# Of links in drawings.
_DRAWN_HREF: Final = methodcaller("attr", "xlink:href")
_QUOTED: Final = r"\\?+(['\"`])([^'\"`]++)(?!\1\s*+\+)"
_ONCLICK: Final = re.compile(
    rf"(?<![\w$])(?:location\s*+(?:\.\s*+href\s*+)?+=|location\s*+\.\s*+(?:assign|replace)\s*+\("
    rf"|window\s*+\.\s*+open\s*+\()\s*+{_QUOTED}"
)


def found_links(document: Document, url: str, policy: UrlPolicy, limit: int = 10_000) -> FoundLinks:
    """Return the links of a page that is read on its own."""
    return read_links(document, Targets(policy).of_page(url, base_of(document, url)), limit=limit)


def base_of(document: Document, url: str) -> str:
    """Return what relative links resolve against: the page's `<base href>`, or its URL (U5)."""
    # Found by an index; to look for the attribute too would be a walk through the page.
    hrefs = (base.attr("href") for base in document.find_all("base"))
    href = next((href for href in hrefs if href is not None), None)
    url = document_url(url)
    return url if href is None else resolve(href, url) or url


def read_links(
    document: Document, targets: PageTargets, routes: Iterable[tuple[str, str]] = (), limit: int = 10_000
) -> FoundLinks:
    """Return the page's links without repeats, in document order, each with the place it was found in first.

    `routes` are what a browser found beside them.
    """
    found: dict[int, tuple[str, str]] = {}
    invalid: dict[str, str] = {}
    hrefs = [*_hrefs(document).items(), *routes]
    for number, (written, source) in enumerate(hrefs, 1):
        href = written.strip()
        if not href:
            continue
        target = targets[href]
        if target is not None:
            url, key = target
            if key not in found and key != targets.own:
                found[key] = url, source
        elif scheme_of(href) in (None, "http", "https"):
            invalid[href[:_LONGEST_INVALID]] = source
        if len(found) >= limit or len(invalid) >= limit:
            left_out = len(hrefs) - number
            break
    else:
        left_out = 0
    return FoundLinks(
        urls=[url for url, _ in found.values()],
        keys=struct.pack(f"<{len(found)}q", *found),
        sources=[source for _, source in found.values()],
        invalid=list(invalid.items()),
        left_out=left_out,
    )


def _hrefs(document: Document) -> dict[str, str]:
    """Return every href without its fragment, in document order, and the place it was found in first."""
    head = document.find("head")
    marked = set(filter(_is_marked, document.select(_ANYWHERE)))
    others = (element for tag in _TAGS for element in document.select(tag))
    if marked or head is None or any(element.closest("head") is None for element in others):
        return _first_of_each(_mixed(document.select(_ALL), marked))
    found = _first_of_each(_mixed(head.select(_ALL), marked))
    anchors = document.find_all("a")
    hrefs = dict.fromkeys(map(_PLAIN_HREF, anchors))
    if None in hrefs and any(map(_DRAWN_HREF, anchors)):
        hrefs = dict.fromkeys(map(_href, anchors))
    for written in hrefs:
        found.setdefault((written or "").partition("#")[0], "a")
    return found


def _first_of_each(hrefs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for raw, source in hrefs:
        found.setdefault(raw.partition("#")[0], source)
    return found


def _mixed(elements: Iterable[Element], marked: Container[Element]) -> Iterator[tuple[str, str]]:
    for element in elements:
        tag = element.tag
        if tag == "a":
            yield _href(element), "a"
        elif tag in _READERS:
            yield from _READERS[tag](element)
        if element in marked:
            yield from _marked(element)


def _is_marked(element: Element) -> bool:
    return element.tag == "loc" or any(raw for raw, _ in _marked(element))


def _href(anchor: Element) -> str:
    return anchor.attr("href") or anchor.attr("xlink:href") or ""


def _marked(element: Element) -> Iterator[tuple[str, str]]:
    """Yield the targets in attributes that scripts navigate by."""
    is_flagged = (element.attr("role") or "").lower() == "link"
    for name in _VALUES:
        value = element.attr(name)
        if value is None:
            continue
        if name in _FLAGS:
            is_flagged = True
            if not any(sign in value for sign in "/.?"):
                continue
        if not _NO_TARGET.match(value):
            yield value, name
    if is_flagged and element.tag not in ("a", "area"):
        yield element.attr("href") or element.attr("to") or "", "role-link"
    if is_flagged or element.tag == "button":
        yield element.attr("data-navigate") or "", "data-navigate"
    for match in _ONCLICK.finditer(element.attr("onclick") or ""):
        yield match[2].replace("\\/", "/").rstrip("\\"), "onclick"


def _area(element: Element) -> Iterator[tuple[str, str]]:
    yield element.attr("href") or "", "area"


def _frame(element: Element) -> Iterator[tuple[str, str]]:
    yield element.attr("src") or "", "frame"


def _link(element: Element) -> Iterator[tuple[str, str]]:
    relations = (element.attr("rel") or "").lower().split()
    if "next" in relations:
        yield element.attr("href") or "", "link-next"
    elif "prev" in relations or "previous" in relations:
        yield element.attr("href") or "", "link-prev"


def _meta(element: Element) -> Iterator[tuple[str, str]]:
    match = refresh.TARGET.match(element.attr("content") or "")
    if match and (element.attr("http-equiv") or "").lower() == "refresh":
        yield match[1] or match[2] or match[3] or "", "meta-refresh"


def _loc(element: Element) -> Iterator[tuple[str, str]]:
    text = element.text.strip()
    if not text:
        # HTML knows no CDATA: the parser makes it a comment.
        for child in element.children:
            if isinstance(child, Comment) and child.data.startswith("[CDATA["):
                text = child.data.removeprefix("[CDATA[").removesuffix("]]").strip()
    if scheme_of(text) in ("http", "https"):
        yield text, "loc"


def _json_ld(element: Element) -> Iterator[tuple[str, str]]:
    if "ld+json" not in (element.attr("type") or "").lower():
        return
    for item in json_ld.objects(element):
        for name in ("url", "@id", "mainEntityOfPage"):
            values = item.get(name)
            for value in values if isinstance(values, list) else (values,):
                if isinstance(value, str) and value.strip().startswith(("http://", "https://", "/")):
                    yield value, "json-ld"


_READERS: Final[Mapping[str, Callable[[Element], Iterator[tuple[str, str]]]]] = {
    "area": _area,
    "frame": _frame,
    "iframe": _frame,
    "link": _link,
    "loc": _loc,
    "meta": _meta,
    "script": _json_ld,
}
