"""Items of more than text: turbohtml sets their parts apart by its own taste, here the page's paragraphs decide.

An item with a paragraph and another block gets empty lines between its parts, and a list without any paragraph gets
none between its items; signs that leave no trace in the Markdown tell turbohtml so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Final

from turbohtml import Element, Node, Text

_SEEN: Final = "audio,embed,hr,iframe,img,input,math,object,video"
_SHOWN: Final = f"li,{_SEEN}"
# Without a style, in an item without one, an empty block may be meant.
_SHOWN_UNSTYLED: Final = f"div:not([class],[id],[style]),{_SHOWN}"
LISTS: Final = frozenset(["ol", "ul"])
_NO_MARKER: Final = re.compile(r"list-style(?:-type)?\s*+:\s*+none", re.IGNORECASE)
HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS: Final = ("blockquote", *HEADINGS)
_WRAPPERS: Final = frozenset(["div", "figure", "section", "span"])
_DEEPEST: Final = 4
_PARAGRAPHS: Final = frozenset(["p", "div"])
_STARTERS: Final = frozenset(["pre", "table", "div", "figure", "section", *BLOCKS])
_INLINE: Final = frozenset(["a", "abbr", "b", "code", "em", "i", "img", "kbd", "samp", "span", "strong", "var"])
_SECTIONS: Final = frozenset(["section", "article"])
_APART: Final = "\x17"
_CLOSE: Final = "\x18"
_MARGIN: Final = " >"
_FIRST_PART: Final = re.compile(r"\A\n([ >]*+)\n\1 *+")
_MARKER: Final = re.compile(r"[ >]*+(?:[-*+]|\d++[.)]) [# ]*+")


def drop_empty(content: Element) -> bool:
    """Drop items that hold nothing to see, and what items begin with if it is nothing; tell whether there were any."""
    every = content.find_all("li")
    freed = [item for item in every if item.text.strip() and _free(item)]
    items = [item for item in every if not item.text.strip()]
    meant: dict[Node | None, bool] = {}
    is_any_empty = False
    # From the last to the first: without its own items, one around them may hold nothing.
    for item in reversed(items):
        if not _shows(item) and (item.children or not _is_meant(item, meant)):
            item.extract()
            is_any_empty = True
    return is_any_empty or bool(freed)


def _shows(item: Element) -> bool:
    return item.select_one(_SHOWN if item.attrs else _SHOWN_UNSTYLED) is not None


def _free(item: Element) -> bool:
    """Take blocks with nothing to see out of an item's beginning, and an item without a marker from around a list."""
    nothing = list(takewhile(_is_nothing, item.children))
    is_freed = any(isinstance(node, Element) for node in nothing)
    if is_freed:
        for node in nothing:
            node.extract()
    first = _first(item)
    if not isinstance(first, Element) or first.tag not in LISTS or not _NO_MARKER.search(item.attr("style") or ""):
        return is_freed
    # What editors write where a list was indented.
    is_alone = first.text.strip() == item.text.strip()
    if is_alone:
        first.unwrap()
        item.unwrap()
    return is_alone or is_freed


def _is_nothing(node: Node) -> bool:
    if isinstance(node, Text):
        return not node.data.strip()
    if not isinstance(node, Element) or node.tag not in _WRAPPERS:
        return False
    return not node.text.strip() and node.select_one(_SEEN) is None


def _first(item: Element) -> Node | None:
    return next((child for child in item.children if not isinstance(child, Text) or child.data.strip()), None)


def _is_meant(item: Element, known: dict[Node | None, bool]) -> bool:
    """Return whether an item that holds nothing may be meant: it has no style, and others of its list hold more."""
    around = item.parent
    if around not in known:
        known[around] = isinstance(around, Element) and (len(elements(around)) == 1 or around.text.strip() != "")
    return known[around] and not item.attrs


def space_items(blocks: Iterable[Element]) -> bool:
    """Mark the items that hold these blocks, and tell whether there were any."""
    is_any_marked = False
    items: set[Element] = set()
    lists: set[Element] = set()
    for block in blocks:
        item = _item(block)
        if item is None or item in items:
            continue
        items.add(item)
        around = item.parent
        if any(child.tag == "p" for child in elements(item)):
            _set_apart(item)
            is_any_marked = True
        elif isinstance(around, Element) and around not in lists:
            lists.add(around)
            is_any_marked = _draw_close(around) or is_any_marked
    return is_any_marked


def unlist_sections(headings: Iterable[Element]) -> None:
    """Make plain blocks of lists whose items are sections with a heading: javadoc lists the parts of a page.

    Nor is a list what holds the page's title, as a slider does.
    """
    for heading in headings:
        section = heading.parent
        item = section.parent if isinstance(section, Element) and section.tag in _SECTIONS else None
        is_title = heading.tag == "h1"
        if is_title:
            item = heading.closest("li")
        around = item.parent if isinstance(item, Element) and item.tag == "li" else None
        if isinstance(around, Element) and around.tag in LISTS and (not is_title or around.attr("class")):
            unlist(around)


def unlist(around: Element) -> None:
    """Make plain blocks of a list and its items; pages have other elements between those, too."""
    for part in elements(around):
        if part.tag == "li":
            part.tag = "div"
    around.tag = "div"


def free_names(lists: Iterable[Element]) -> None:
    """Put words that a list has before its items before it, or make an item of both in another list (Nim's indexes)."""
    for each in lists:
        # Cheaper than to ask for all the children of all lists.
        name = next(iter(each.descendants), None)
        if not isinstance(name, Text) or not name.data.strip():
            continue
        item, around = name.next_sibling, each.parent
        if not isinstance(item, Element) or item.tag != "li" or not isinstance(around, Element):
            continue
        if around.tag in LISTS:
            each.wrap(Element("li"))
            each.insert_before(name)
        else:
            each.insert_before(Element("p", children=[name]))


def write(text: str) -> str:
    """Return the Markdown without the signs, and with the space that they ask for."""
    # The text between signs is only looked at where it meets them: patterns would try every line.
    if _APART in text:
        first, *others = text.split(_APART)
        pieces = [first]
        for piece in others:
            before = _without_empty_lines(pieces[-1])
            is_first_part = before == pieces[-1] and _MARKER.fullmatch(before, before.rfind("\n") + 1) is not None
            pieces[-1] = before
            pieces.append(_FIRST_PART.sub("", piece, count=1) if is_first_part else piece)
        text = "".join(pieces)
    if _CLOSE in text:
        *others, last = text.split(_CLOSE)
        text = "".join(map(_drawn_close, others)) + last
    return text


def _without_empty_lines(text: str) -> str:
    """Return the text without up to two line breaks at its end, and the margin behind them."""
    for _ in range(2):
        line = text.rstrip(_MARGIN)
        if not line.endswith("\n"):
            break
        text = line[:-1]
    return text


def _drawn_close(text: str) -> str:
    """Return the text without the empty line before the item that begins at its end."""
    start = text.rfind("\n")
    marker = _MARKER.fullmatch(text, start + 1) if start > 0 else None
    before = text[:start].rstrip(_MARGIN) if marker else ""
    return before[:-1] + text[start:] if before.endswith("\n") else text


def _item(block: Element) -> Element | None:
    """Return the item that a block is a part of, wrapped or not."""
    place = block.parent
    for _ in range(_DEEPEST):
        if not isinstance(place, Element) or place.tag not in _WRAPPERS:
            break
        place = place.parent
    return place if isinstance(place, Element) and place.tag == "li" else None


def elements(parent: Element) -> list[Element]:
    return [child for child in parent.children if isinstance(child, Element)]


def _set_apart(item: Element) -> None:
    first = _first(item)
    if isinstance(first, Element) and first.tag in _STARTERS:
        item.insert(0, Text(_APART))
    item.append(Text(_APART))


def _draw_close(around: Element) -> bool:
    items = elements(around)
    if any(child.tag in _PARAGRAPHS for item in items for child in elements(item)):
        return False
    for item in items[1:]:
        first = _first(item)
        if isinstance(first, Text):
            first.data = _CLOSE + first.data.lstrip()
        elif isinstance(first, Element) and first.tag in _INLINE:
            first.insert_before(Text(_CLOSE))
        elif isinstance(first, Element) and first.tag in HEADINGS:
            first.insert(0, Text(_CLOSE))
    return True
