"""Headings: what stands in them beside their words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from turbohtml import Element, Node, Text

from .footnotes import join_number
from .lists import elements
from .prepare import INVISIBLE, leave_gap

_EDIT_LINK: Final = "mw-editsection"
# NexT's and others'.
_EDIT_CLASS: Final = "edit-link"
_EDIT_TITLE: Final = re.compile(r"edit (?:this|the) \w", re.IGNORECASE)
_TOOLTIP: Final = "notable-traits"
_STRONG: Final = ("b", "strong")
_AROUND_ALL: Final = frozenset([*_STRONG, "a", "font", "span", "u"])
_DEEPEST: Final = 10
# JSDoc's.
_SIGNATURE: Final = "signature"
_REMARKS: Final = ".signature-attributes"
_BACK_TO_CONTENTS: Final = "toc-backref"
_MOST_BLANKS: Final = 50
_TO_TOP: Final = frozenset(["top", "back to top", "↑"])


def clean_headings(headings: Iterable[Element], page: Element) -> None:
    """Free headings of links to themselves and their editors, and of spaces that turbohtml writes as entities.

    A title that stands there twice is there once.
    """
    empty: list[Element] = []
    title = ""
    for heading in headings:
        if heading.tag == "h1":
            before, title = title, heading.text.strip()
            if title and before == title and _follows_itself(heading, title):
                heading.extract()
                continue
        beside = heading.next_sibling
        if isinstance(beside, Element) and (beside.has_class(_EDIT_LINK) or _leads_to(beside, heading)):
            beside.extract()
        text = heading.text
        if text.endswith(")") and join_number(heading):
            continue
        words = text.strip()
        for child in elements(heading):
            _free_of(child, heading, words)
        if text.strip(INVISIBLE):
            _shed_marks(heading, text)
        elif heading.find("img"):
            heading.tag = "p"
        else:
            empty.append(heading)
    # A page of nothing but empty headings is about them.
    if empty and page.text.strip(INVISIBLE):
        for heading in empty:
            leave_gap(heading)


def is_within(heading: Element, page: Element) -> bool:
    """Tell whether a heading is one of this part of a page."""
    node: Node | None = heading
    while node is not None and node is not page:
        node = node.parent
    return node is page


def drop_heading(heading: Element) -> None:
    """Take a page's heading out, with the link that is around nothing else; pictures in it stay in its place."""
    whole, words = heading, heading.text.strip()
    for _ in range(_DEEPEST):
        around = whole.parent
        if not isinstance(around, Element) or around.tag not in _AROUND_ALL or around.text.strip() != words:
            break
        whole = around
    if pictures := whole.find_all("img"):
        whole.insert_before(Element("p", children=pictures))
    whole.extract()


def _follows_itself(heading: Element, title: str) -> bool:
    """Return whether what stands right before a heading says the same, and is one too."""
    node: Node | None = heading
    while isinstance(node, Element):
        before = node.previous_sibling
        for _ in range(_MOST_BLANKS):
            if before is None or before.text.strip():
                break
            before = before.previous_sibling
        if before is not None:
            is_heading = isinstance(before, Element) and (before.tag == heading.tag or before.find(heading.tag))
            return bool(is_heading) and before.text.strip() == title
        node = node.parent
    return False


def _free_of(child: Element, heading: Element, text: str) -> None:
    """Take out of a heading what leads to its own place, to its editor, to the page's contents or to the page's top.

    Small remarks on parameters stand in brackets.
    """
    if child.has_class(_EDIT_LINK) or child.has_class(_TOOLTIP):
        child.extract()
    elif child.attr("class") == _SIGNATURE:
        for remark in child.select(_REMARKS):
            remark.replace_with(Text(f" ({remark.text})"))
    elif child.tag == "span":
        # RDoc's have such links beside each other.
        for link in elements(child):
            if link.tag == "a":
                _free_of(link, heading, text)
    elif child.tag == "a":
        label = child.text.strip()
        if child.has_class(_BACK_TO_CONTENTS) or (label == text and _leads_to(child, heading)):
            child.unwrap()
        elif label != text and (_edits(child, label) or _leads_to_top(child, label)):
            child.extract()


def _edits(link: Element, label: str) -> bool:
    """Return whether a link leads to an editor: its class or words say so, or its title if it is an icon."""
    if _EDIT_CLASS in (link.attr("class") or ""):
        return True
    return _EDIT_TITLE.match(label or link.attr("title") or link.attr("aria-label") or "") is not None


def _leads_to_top(link: Element, label: str) -> bool:
    return label.lower() in _TO_TOP and (link.attr("href") or "").startswith("#")


def _shed_marks(heading: Element, text: str) -> None:
    """Take strong letters from all over a heading, also within what else is around all of it, and hard spaces."""
    around = heading
    for _ in range(_DEEPEST):
        whole = [child for child in around.children if child.text.strip()]
        inner = whole[0] if len(whole) == 1 else None
        if not isinstance(inner, Element) or inner.tag not in _AROUND_ALL:
            break
        if inner.tag in _STRONG:
            inner.unwrap()
        else:
            around = inner
    if "\u00a0" in text:
        for part in [each for each in heading.descendants if isinstance(each, Text)]:
            part.data = part.data.replace("\u00a0", " ")


def _leads_to(link: Element, heading: Element) -> bool:
    """Return whether a link leads to its own heading; docsify has routes in fragments, and such places in them."""
    place, href = heading.attr("id"), link.attr("href") or ""
    if link.tag != "a" or place is None or href[:1] != "#":
        return False
    return href == f"#{place}" or (href[:2] == "#/" and href.endswith(f"?id={place}"))
