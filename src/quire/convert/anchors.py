"""Links: where they lead, what they are called, and those that only help to move about a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import ascii_letters
from typing import Final

from turbohtml import Element, Node, Text

from quire.targets import PageTargets
from quire.urls import scheme_of

from .footnotes import line_to_reference
from .listings import LISTED, join_listing
from .lists import HEADINGS, elements
from .prepare import IDLE_BUTTON, INVISIBLE, leave_gap
from .sharing import QUERY, drop_sharing

_HEADINGS: Final = ",".join(HEADINGS)
_PAGE_BUTTON: Final = "md-content__button"
# YARD's, which lead nowhere.
_IDLE_LINK: Final = re.compile("collapse|expand|(?:show|hide|collapse|expand) all", re.IGNORECASE)
# Names of icons that do something on the page, and lead nowhere else.
_ACTIONS: Final = frozenset(["share", "share this", "share post", "bookmark", "add bookmark", "copy link", "permalink"])
# What stands in code and does something there: SQLAlchemy's `sql_link`.
_BUTTON: Final = re.compile("link|button|btn|toggle")
_HINT: Final = "tooltip"
_TO_TOP: Final = "back to top"
_TOPS: Final = frozenset(["top", _TO_TOP])
_LINES: Final = ("div", "p")
_PERMALINK_SIGNS: Final = frozenset(["¶", "§", "◆", "🔗", "\uf0c1", "#"])
# Sphinx's and rustdoc's, and a switch beside it.
_SOURCES: Final = frozenset(["source", "docs"])
# What a link's text begins with that leads to another page, and neither a permalink's nor one's to the source.
_NO_SIGNPOSTS: Final = frozenset(ascii_letters) - {letter for word in _SOURCES for letter in (word[0], word[0].upper())}
_AROUND_SOURCE: Final = f"[]{INVISIBLE}"
_SOURCE_CLASS: Final = re.compile(r"viewcode-|(?<!\S)src(?:link)?(?!\S)")
_BESIDE_SOURCE: Final = " ·\u00a0"
_FOLD_ALL: Final = "toggle-all-docs"
_SHORTEST_TITLE: Final = 4  # characters
_CALLED: Final = "()"
# Pelican's and WordPress's titles of links to their posts.
_PERMALINK_TO: Final = re.compile("perma(?:nent )?link (?:to|for) ", re.IGNORECASE)
_SIGN_OF_PERMALINK: Final = "Pp"
_NO_BREAK: Final = "\u00a0"
# Links that run code, carry their own content, or mean something on one machine only.
_NO_LINKS: Final = frozenset(["javascript", "vbscript", "data", "blob", "about", "file"])


def absolute_links(anchors: Iterable[Element], targets: PageTargets) -> None:
    """Make links absolute; those that lead nowhere become plain text, and headings lose their permalinks."""
    for anchor in anchors:
        href = anchor.attr("href")
        if href is None:
            is_button = anchor.attr("role") == "button" or not (anchor.attr("id") or anchor.attr("name"))
            if is_button and IDLE_BUTTON.fullmatch(anchor.text.strip()):
                anchor.extract()
            continue
        page, mark, fragment = href.partition("#")
        text = anchor.text
        # Most links do neither, and to ask that of each takes a while: a few letters tell.
        may_be_signpost = mark and not (page and text[:1] in _NO_SIGNPOSTS and len(text) > 1)
        if may_be_signpost and _drop_signpost(anchor, text, page, fragment):
            continue
        if QUERY in href and drop_sharing(anchor, href, text):
            continue
        if (name := anchor.attr("aria-label")) and not text.strip(INVISIBLE) and not anchor.find("img"):
            if (
                anchor.has_class(_PAGE_BUTTON)
                or name.strip().lower() in _ACTIONS
                or _leads_to_own_heading(anchor, href)
            ):
                anchor.extract()
                continue
            text = name
            anchor.set_text(text)
        if (title := anchor.attr("title")) and (title == href or is_said(title, text)):
            del anchor.attrs["title"]
        if mark and href == mark:
            _lead_nowhere(anchor)
            continue
        # Most were asked for already, when the page's links were read.
        known = targets.get(page)
        target = known[0] + mark + fragment.rstrip() if known else address(href, targets)
        if target is None:
            del anchor.attrs["href"]
        elif target != href:
            anchor.attrs["href"] = target


def _leads_to_own_heading(anchor: Element, href: str) -> bool:
    """Return whether an icon is in the heading that it leads to; Redocly has addresses of places as of pages."""
    heading = anchor.closest(_HEADINGS)
    return heading is not None and heading.attr("id") == href.lstrip("#/")


def _lead_nowhere(anchor: Element) -> None:
    """Leave the text of a link, unless it is a button in code, or folds something."""
    is_in_code = _BUTTON.search(anchor.attr("class") or "") is not None and anchor.closest("pre") is not None
    if is_in_code or _IDLE_LINK.fullmatch(anchor.text.strip()):
        anchor.extract()
    else:
        del anchor.attrs["href"]


def _drop_signpost(anchor: Element, text: str, page: str, fragment: str) -> bool:
    """Take a link with a text out that only helps to move about its page; tell whether it was one."""
    if _is_permalink(anchor, text) or (not page and not fragment and anchor.has_class(_HINT)):
        anchor.extract()
    elif page and _leads_to_source(anchor, text):
        if isinstance(block := anchor.parent, Element) and block.has_class(LISTED):
            join_listing(block, anchor)
        _drop_source(anchor)
    elif page:
        return False
    elif _names_its_term(anchor, fragment):
        anchor.unwrap()
    elif line := _line_to_top(anchor, text):
        leave_gap(line)
    elif line := line_to_reference(anchor):
        line.extract()
    else:
        return False
    return True


def _drop_source(anchor: Element) -> None:
    """Take a link to the source out, with the mark before it and rustdoc's switch beside it."""
    beside = anchor.next_sibling
    switch = beside.next_sibling if beside is not None else None
    if isinstance(switch, Element) and switch.attr("id") == _FOLD_ALL:
        switch.extract()
    else:
        beside = None
    for mark in (anchor.previous_sibling, beside):
        if isinstance(mark, Text):
            mark.data = mark.data.rstrip(_BESIDE_SOURCE)
    anchor.extract()


def is_said(title: str, text: str) -> bool:
    """Return whether a title of some length says nothing but what is there to read, or the name of what is called."""
    if len(title) < _SHORTEST_TITLE:
        return False
    # Few titles begin so, and to ask for the sign is many times faster.
    title = _PERMALINK_TO.sub("", title, count=1) if title[0] in _SIGN_OF_PERMALINK else title
    title, text = title.strip(), text.strip()
    # Most say something else from the first letter on.
    return title[:1].lower() == text[:1].lower() and _words(title) == _words(text)


def _words(text: str) -> list[str]:
    return text.removesuffix(_CALLED).lower().split()


def address(href: str, targets: PageTargets) -> str | None:
    """Return where a link leads, with its fragment; None if that is nowhere."""
    address, mark, fragment = href.strip().partition("#")
    if not address:
        return targets.base + mark + fragment
    target = targets[address] if targets.base else None
    if target is not None:
        return target[0] + mark + fragment
    scheme = scheme_of(address)
    if scheme in _NO_LINKS or (targets.base and scheme in (None, "http", "https")):
        return None
    return address + mark + fragment


def name_empty_links(anchors: Iterable[Element], targets: PageTargets) -> bool:
    """Write the title of links without text, and drop those that lead where others do; tell whether there were any."""
    empty: list[Element] = []
    named: set[str] = set()
    for anchor in anchors:
        if href := anchor.attr("href"):
            if anchor.text.strip(INVISIBLE) or anchor.find("img"):
                named.add(href)
            else:
                empty.append(anchor)
    is_any_changed = False
    for anchor in empty:
        href = anchor.attr("href") or ""
        if anchor.has_class(_PAGE_BUTTON):
            anchor.extract()
        elif title := (anchor.attr("title") or "").strip():
            anchor.set_text(title)
            del anchor.attrs["title"]
        elif href in named or href.partition("#")[0] == targets.base:
            anchor.extract()
        else:
            continue
        is_any_changed = True
    return is_any_changed


def part_links(anchors: Iterable[Element]) -> bool:
    """Put a space between links that touch where there is nothing else, as buttons do; tell whether there were any."""
    rows = dict.fromkeys(anchor.parent for anchor in anchors if _is_named_link(anchor.next_sibling))
    links = [link for row in rows if isinstance(row, Element) and _is_row(row) for link in elements(row)]
    touching = [link for link in links if _is_named_link(link.next_sibling)]
    for link in touching:
        link.insert_after(Text(" "))
    return bool(touching)


def end_links(anchors: Iterable[Element]) -> bool:
    """Put spaces at the ends of links (before Nextra's icons) outside, where words are; tell whether there were any."""
    is_any_changed = False
    for anchor in anchors:
        text = anchor.text
        if _NO_BREAK in (text[:1], text[-1:]) and text.strip():
            texts = [node for node in anchor.descendants if isinstance(node, Text) and node.data]
            before, after = anchor.previous_sibling, anchor.next_sibling
            texts[-1].data = texts[-1].data.rstrip(_NO_BREAK)
            if text.endswith(_NO_BREAK) and after is not None and after.text[:1].strip():
                anchor.insert_after(Text(_NO_BREAK))
            texts[0].data = texts[0].data.lstrip(_NO_BREAK)
            if text.startswith(_NO_BREAK) and before is not None and before.text[-1:].strip():
                anchor.insert_before(Text(_NO_BREAK))
            is_any_changed = True
    return is_any_changed


def _is_named_link(node: Node | None) -> bool:
    return isinstance(node, Element) and node.tag == "a" and bool(node.text.strip())


def _is_row(around: Element) -> bool:
    """Return whether an element is nothing but links, and a style sheet has something to say about them."""
    shown = [child for child in around.children if isinstance(child, Element) or child.text.strip()]
    is_styled = bool(around.attr("class")) or all(isinstance(each, Element) and each.attr("class") for each in shown)
    return is_styled and all(map(_is_named_link, shown))


def _names_its_term(anchor: Element, fragment: str) -> bool:
    """Return whether a link is in a term that it leads to: terms have links to themselves as headings do."""
    term = anchor.parent
    return isinstance(term, Element) and term.tag == "dt" and term.attr("id") == fragment


def _line_to_top(anchor: Element, text: str) -> Element | None:
    """Return the line between two sections that is nothing but a way to the page's top.

    The word alone may be the name of something: it has to be said for a picture.
    """
    line = anchor.parent
    if not isinstance(line, Element) or line.tag not in _LINES:
        return None
    label = text.strip(INVISIBLE).lower()
    if label:
        is_to_top = label == _TO_TOP
    else:
        picture = anchor.find("img")
        is_to_top = picture is not None and (picture.attr("alt") or "").strip().lower() in _TOPS
    if not is_to_top or any(map(_is_seen, anchor.next_siblings)) or any(map(_is_seen, anchor.previous_siblings)):
        return None
    return line


def _is_seen(node: Node) -> bool:
    return isinstance(node, Element) or node.text.strip() != ""


def _is_permalink(anchor: Element, text: str) -> bool:
    if len(text) > 1 and text[0].isalpha():
        return False
    label = text.strip(INVISIBLE)
    if (label and label not in _PERMALINK_SIGNS) or anchor.find("img"):
        return False
    # A lone `#` may also be the symbols' entry of an alphabetical index.
    return label != "#" or anchor.has_class("headerlink") or anchor.closest(_HEADINGS) is not None


def _leads_to_source(anchor: Element, text: str) -> bool:
    """Return whether a link leads from documentation to source, or back."""
    if text.strip(_AROUND_SOURCE).lower() not in _SOURCES:
        return False
    return any(_SOURCE_CLASS.search(part.attr("class") or "") for part in (anchor, anchor.find("span")) if part)
