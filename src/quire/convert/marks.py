"""Inline markup that turbohtml drops or leaves as HTML: it travels through the conversion as control characters.

One emphasised word beyond ASCII, or emphasis within its own kind, and turbohtml writes `<strong>` for `**` all over
the page, because Markdown has no emphasis that begins or ends with punctuation next to a letter, and it does not know
what is punctuation. Here Unicode categories decide. Of `2<sup>10</sup>`, for which Markdown has no signs at all, it
would leave 210.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence, Set
from typing import Final

from turbohtml import Element, Node, Text

from .inline_code import CODE, VERBATIM
from .lists import HEADINGS
from .runs import SMALL, free_of_twins, is_freed_of_own, joined

BLOCKS: Final = "p,div,ul,ol,dl,table,pre,blockquote,hr,h1,h2,h3,h4,h5,h6,section,article,figure"
# Shown as emphasis is, for want of signs of their own.
SLANTED: Final = ("var", "dfn")
_CARET: Final = "caret"  # Asciidoctor's, between the names of menus.
MARKED: Final = ("b", "strong", "i", "em", "sub", "sup")
_MARKABLE: Final = frozenset([*MARKED, "del", "s", "strike"])
_HTML: Final = {"b": "strong", "i": "em", "s": "del", "strike": "del"}
_STRONG: Final = frozenset(["b", "strong"])
_LIGHT: Final = frozenset(["i", "em"])
_OTHERS: Final = {**dict.fromkeys(_STRONG, _LIGHT), **dict.fromkeys(_LIGHT, _STRONG)}
_DELIMITERS: Final = {"strong": "\x01", "em": "\x02", "del": "\x03"}
_WRITTEN: Final = {
    "\x01": "**",
    "\x02": "*",
    "\x03": "~~",
    "\x04": "<strong>",
    "\x05": "</strong>",
    "\x06": "<em>",
    "\x07": "</em>",
    "\x0e": "<del>",
    "\x0f": "</del>",
    "\x10": "<sub>",
    "\x11": "</sub>",
    "\x12": "<sup>",
    "\x13": "</sup>",
}
_SIGNS: Final = {written: sign for sign, written in _WRITTEN.items()}
# What leaves no mark, and what leaves one that is none of the text's.
_UNMARKED: Final = frozenset(["abbr", "bdi", "big", "cite", "font", "label", "small", "span", "time", "u"])
_BARE: Final = _UNMARKED | _STRONG | _LIGHT
_LINKED: Final = _BARE | {"a"}
# These begin and end with punctuation.
_SIGNED: Final = frozenset(["a", "code", "img", "kbd", "samp"])
_UPRIGHT: Final = f"{VERBATIM},em,i,dt"
# What Haddock calls signatures.
_SIGNATURE: Final = "src"
_MUCH: Final = 10
_NEAR_END: Final = 5
_DEEPEST: Final = 10
_MOST_BLANKS: Final = 50
_PARAGRAPHS: Final = frozenset(["div", "p"])
_BLOCK_TAGS: Final = tuple(BLOCKS.split(","))
# Of a link the sign is a bracket, which is as good as the end of a line.
_LINE_STARTERS: Final = frozenset([
    "a", "article", "blockquote", "caption", "center", "dd", "div", "dt", "figcaption", "figure", "li", "main", "p",
    "section", "summary", "td", "th", *HEADINGS,
])  # fmt: skip


def slant(elements: Iterable[Element]) -> list[Element]:
    """Make emphasis of variables and of what is defined; in code, in terms and in other emphasis they are text."""
    slanted = []
    for element in elements:
        if element.parent is None:
            continue
        if _is_upright(element):
            element.unwrap()
        else:
            element.tag = "em"
            slanted.append(element)
    return slanted


def free_blocks(elements: Sequence[Element]) -> None:
    """Unwrap emphasis around blocks, but for one paragraph, on a page that ends in it: it was never closed."""
    if any(map(_is_around_blocks, elements[-_NEAR_END:])):
        for element in filter(_is_around_blocks, elements):
            element.unwrap()


def _is_around_blocks(element: Element) -> bool:
    block = next(element.iter_elements(_BLOCK_TAGS), None)
    if block is None or element.tag in SMALL or element.parent is None:
        return False
    return block.tag not in _PARAGRAPHS or block.text.strip() != element.text.strip()


def mark(elements: Iterable[Element], breaks: Iterable[Element] = ()) -> bool:
    """Replace elements by signs where turbohtml would not do them justice; tell whether there were any."""
    elements = joined([each for each in elements if each.parent is not None and each.tag in _MARKABLE])
    free_of_twins(elements)
    broken = _broken(breaks)
    is_much = len(elements) >= _MUCH
    is_any_marked = False
    for element in elements:
        around = element.parent
        if around is None or (element.find(element.tag) and not is_freed_of_own(element, BLOCKS, is_much=is_much)):
            continue
        if isinstance(around, Element) and around.tag in CODE:
            element.unwrap()
            continue
        _leave_no_gap(element)
        text = element.text
        if not text.strip():
            if element.has_class(_CARET):
                element.insert_before(Text("›"))
            # turbohtml would trust no sign of emphasis any more.
            element.unwrap()
            continue
        is_ours = element.tag in SMALL or element in broken or not text.isascii() or _is_distrusted(element, text)
        if not is_ours or element.select_one(BLOCKS):
            continue
        if element.closest(VERBATIM) is None:
            opening, closing = _signs(element)
            element.insert(0, Text(opening))
            element.append(Text(closing))
        element.unwrap()
        is_any_marked = True
    return is_any_marked


def _broken(breaks: Iterable[Element]) -> set[Element]:
    """Return what holds more line breaks than one: turbohtml would leave their tags in emphasis."""
    once: set[Element] = set()
    several: set[Element] = set()
    for each in breaks:
        around = each.parent
        while isinstance(around, Element) and around.tag in _LINKED and around not in several:
            (several if around in once else once).add(around)
            around = around.parent
    return several


def _is_upright(element: Element) -> bool:
    if element.attr("class") == _SIGNATURE or element.find("em") or element.closest(_UPRIGHT):
        return True
    return not any(map(str.isalnum, element.text))


def _leave_no_gap(emphasis: Element) -> None:
    """Unwrap what leaves no mark between two kinds of emphasis: turbohtml would take them for apart."""
    between = emphasis.parent
    if emphasis.previous_sibling is not None or emphasis.next_sibling is not None or not isinstance(between, Element):
        return
    if between.tag in _UNMARKED and isinstance(between.parent, Element) and between.parent.tag in _OTHERS:
        between.unwrap()


def _is_distrusted(element: Element, text: str) -> bool:
    """Return whether turbohtml would write tags without need: beside signs beyond ASCII, and all over the page.

    It does that for `***` around `&`, `|` or a backslash, and for a backslash in emphasis right beside another.
    """
    is_any_slash = "\\" in text
    others = _OTHERS.get(element.tag) if is_any_slash or "&" in text or "|" in text else None
    if others and (element.select_one(",".join(others)) or (is_any_slash and _is_beside(element, others))):
        return True
    first, last = text[0], text[-1]
    if first.isspace() or last.isspace():
        return False
    if first.isalnum() and last.isalnum() and _is_text_at_edges(element):
        return False
    sides = (element.previous_sibling, 0, -1), (element.next_sibling, -1, 0)
    return any(
        isinstance(beside, Text) and _is_strange(beside.data[near:][:1]) and not _is_word(_edge(element, edge))
        for beside, edge, near in sides
    )


def _is_beside(element: Element, others: Set[str]) -> bool:
    beside = (element.previous_sibling, element.next_sibling)
    return any(isinstance(each, Element) and each.tag in others for each in beside)


def _is_text_at_edges(element: Element) -> bool:
    nodes = element.children
    return type(nodes[0]) is Text and type(nodes[-1]) is Text


def _is_strange(sign: str) -> bool:
    """Return whether turbohtml does not know what a sign is."""
    return not sign.isascii() or sign in _WRITTEN


def write(text: str) -> str:
    """Return the Markdown with every sign written out."""
    for sign, written in _WRITTEN.items():
        # To look for one character is many times faster than to replace none.
        if sign in text:
            text = text.replace(sign, written)
    return text


def _signs(element: Element) -> tuple[str, str]:
    """Return the signs of Markdown if they read as emphasis here, and those of HTML if not."""
    tag = _HTML.get(element.tag, element.tag)
    if tag in _DELIMITERS:
        _shed_space(element)
        if _holds(element, 0) and _holds(element, -1):
            return _DELIMITERS[tag], _DELIMITERS[tag]
    return _SIGNS[f"<{tag}>"], _SIGNS[f"</{tag}>"]


def _shed_space(emphasis: Element) -> None:
    """Move white space at the edges out of the emphasis, where Markdown cannot have it."""
    for _ in range(_MOST_BLANKS):
        first = _outermost(emphasis, 0)
        if not isinstance(first, Text) or (kept := first.data.lstrip()) == first.data:
            break
        emphasis.insert_before(Text(first.data.removesuffix(kept)))
        _keep(first, kept)
    for _ in range(_MOST_BLANKS):
        last = _outermost(emphasis, -1)
        if not isinstance(last, Text) or (kept := last.data.rstrip()) == last.data:
            break
        emphasis.insert_after(Text(last.data.removeprefix(kept)))
        _keep(last, kept)


def _keep(text: Text, kept: str) -> None:
    around = text.parent
    text.data = kept
    if not kept:
        text.extract()
        if isinstance(around, Element) and around.tag in _LINKED and not around.children:
            around.extract()


def _outermost(element: Element, end: int) -> Node:
    """Return the node at the first (0) or last (-1) end, inside of links, other emphasis and what leaves no mark."""
    node: Node = element
    while isinstance(node, Element) and (node is element or node.tag in _LINKED) and node.children:
        node = node.children[end]
    return node


def _holds(emphasis: Element, end: int) -> bool:
    """Tell whether a delimiter reads as emphasis at the first (0) or last (-1) end (CommonMark's flanking rule)."""
    neighbour, parent = _neighbour(emphasis, end)
    if isinstance(neighbour, Element) and _HTML.get(neighbour.tag, neighbour.tag) in _DELIMITERS:
        return False
    edge = _edge(emphasis, end)
    if _is_word(edge):
        return True
    if edge.isspace():
        return False
    if isinstance(neighbour, Element):
        if neighbour.tag in _SIGNED and (neighbour.tag != "a" or neighbour.attr("href")):
            return True
        return neighbour.tag == "br" or (neighbour.tag == "span" and not _is_word((neighbour.text or "a")[-1 - end]))
    if isinstance(neighbour, Text) and neighbour.data:
        return not _is_word(neighbour.data[-1 - end])
    return isinstance(parent, Element) and parent.tag in _LINE_STARTERS


def _neighbour(emphasis: Element, end: int) -> tuple[Node | None, Node | None]:
    """Return what stands beside an element, or beside what has no other edge around it, and what both are in."""
    node: Element = emphasis
    unseen = _UNMARKED | _OTHERS.get(emphasis.tag, frozenset())
    for _ in range(_DEEPEST):
        beside = node.previous_sibling if end == 0 else node.next_sibling
        if beside is not None or not isinstance(node.parent, Element) or node.parent.tag not in unseen:
            break
        node = node.parent
    return beside, node.parent


def _edge(emphasis: Element, end: int) -> str:
    """Return the character that will stand next to the delimiter; links and code begin and end with punctuation."""
    node: Node = emphasis.children[end]
    while isinstance(node, Element) and node.tag in _BARE and node.children:
        node = node.children[end]
    text = node.text
    return text[end] if text and (isinstance(node, Text) or text[end].isspace()) else "`"


def _is_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"
