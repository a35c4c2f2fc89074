"""The names on a page, its classes and ids: what only pages of some programs have is looked for where its names are."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final

from turbohtml import Element, Node

# What is in brackets may be one of several, or not be there at all.
_BRACKETS: Final = re.compile(r"\([^()]*+\)|\[[^\[\]]*+\]")
_NAME: Final = re.compile(r"[.#]([\w-]++)")


def names_in(root: Node) -> frozenset[str]:
    """Return the classes and ids of the elements in a page, in small letters."""
    written: set[str | None] = set()
    for element in root.iter_elements():
        written.add(element.attr("class"))
        written.add(element.attr("id"))
    return frozenset(" ".join(filter(None, written)).lower().split())


class NamedParts:
    """Selectors for pages of many programs: to try them all takes longer than to read what names a page has."""

    def __init__(self, *selectors: str) -> None:
        self._selectors = [(_needed(selector), selector) for selector in selectors]

    def found(self, page: Element, names: Set[str]) -> list[Element]:
        """Return what matches on a page with these names in it, in document order."""
        likely = [selector for needed, selector in self._selectors if needed <= names]
        return page.select(",".join(likely)) if likely else []


def _needed(selector: str) -> frozenset[str]:
    """Return the names without which nothing matches."""
    while (outside := _BRACKETS.sub("", selector)) != selector:
        selector = outside
    return frozenset(name.lower() for name in _NAME.findall(selector))
