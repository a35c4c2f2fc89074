"""Tags that stay in the Markdown, which has no signs for what they say: struck blocks, unknown words, open links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final, cast

from turbohtml import Element, Node, Text, XPath
from turbohtml.query import Matcher

from .marks import BLOCKS
from .verbatim import Verbatim

STRUCK: Final = ("del", "s", "strike")
_CONTAINERS: Final = frozenset(["article", "blockquote", "body", "dd", "div", "li", "main", "section"])
_BLOCKS: Final = frozenset(BLOCKS.split(","))
_CELL: Final = "td,th"
# From paragraphs to their children takes turbohtml half as long as a selector, which looks at every element.
_IN_PARAGRAPHS: Final = XPath("descendant-or-self::p/*")
_NAME: Final = re.compile("[a-z][a-z0-9]*")
_VERBATIM: Final = "pre,code,kbd,samp,tt"
_STYLED: Final = ("class", "id", "style")
# To read a tag takes longer than to match a short selector; a long one takes too long to be read itself.
_RARE: Final = Matcher(":not(a,b,br,code,em,i,img,span,strong)")
_KNOWN: Final = frozenset([
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont", "bdi",
    "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite",
    "code", "col", "colgroup", "command", "content", "data", "datalist", "dd", "del", "details", "dfn", "dialog",
    "dir", "div", "dl", "dt", "element", "em", "embed", "fencedframe", "fieldset", "figcaption", "figure", "font",
    "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr",
    "html", "i", "iframe", "image", "img", "input", "ins", "isindex", "kbd", "keygen", "label", "legend", "li",
    "link", "listing", "main", "map", "mark", "marquee", "math", "menu", "menuitem", "meta", "meter", "multicol",
    "nav", "nextid", "nobr", "noembed", "noframes", "noindex", "noscript", "object", "ol", "optgroup", "option",
    "output", "p", "param", "picture", "plaintext", "portal", "pre", "progress", "q", "rb", "rbc", "rp", "rt", "rtc",
    "ruby", "s", "samp", "script", "search", "section", "select", "selectedcontent", "shadow", "slot", "small",
    "source", "spacer", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td",
    "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u", "ul", "var", "video",
    "wbr", "xmp",
])  # fmt: skip


def keep_unknown(page: Element, verbatim: Verbatim) -> None:
    """Keep the tags of elements that HTML does not have, in paragraphs: mostly text that nobody escaped, `<name>`."""
    unknown = _unknown(cast("list[Element]", _IN_PARAGRAPHS(page)))
    while unknown:
        element = unknown.pop()
        unknown += _unknown(element)
        if _is_text(element):
            _write_tags(element, element.tag, verbatim, is_closed=not _may_end(element))


def write_struck(elements: Iterable[Element], verbatim: Verbatim) -> Iterator[Element]:
    """Keep the tags around struck blocks, and of struck text on lines of its own; yield the others."""
    for element in elements:
        # Of those within one another, which could be very many, the inner ones count.
        if element.parent is None or element.find(element.tag) or not _keep(element, verbatim):
            yield element


def leave_open(anchors: Sequence[Element], verbatim: Verbatim) -> bool:
    """Write a link without text in which the page ends as the open tag that it is; tell whether there was one.

    The page never closed it, and the parser has another one in every block since.
    """
    if not anchors:
        return False
    last = anchors[-1]
    around = last.parent
    is_open = isinstance(around, Element) and around.tag == "body" and last.next_sibling is None
    href = last.attr("href")
    if not is_open or not href or not last.text.isspace() or last.find("img"):
        return False
    address = escape(href).replace("\n", "&#10;")
    tag = f'<a href="{address}">'
    for anchor in anchors[:-1]:
        if anchor.attr("href") == href and anchor.parent is not None:
            anchor.replace_with(verbatim.stand_in(f"{tag}</a>", ""))
    last.replace_with(verbatim.stand_in(tag, ""))
    return True


def _unknown(elements: list[Element] | Element) -> list[Element]:
    """Return those of the elements, or of one's children, that HTML does not have."""
    return [element for element in _RARE.filter(elements) if element.tag not in _KNOWN]


def _is_text(unknown: Element) -> bool:
    """Tell whether an unknown element may be text: not custom, nor for a style sheet, nor in code, nor all there is."""
    if not _NAME.fullmatch(unknown.tag) or any(name in unknown.attrs for name in _STYLED):
        return False
    has_neighbours = unknown.previous_sibling is not None or unknown.next_sibling is not None
    return (has_neighbours or unknown.text.strip() != "") and unknown.closest(_VERBATIM) is None


def _keep(struck: Element, verbatim: Verbatim) -> bool:
    """Keep the tags of a struck element where Markdown's signs cannot be; False if they can, or no tags either."""
    around = struck.parent
    place = around.tag if isinstance(around, Element) else ""
    if struck.select_one(BLOCKS) is not None:
        is_kept = place in _CONTAINERS and struck.closest(_CELL) is None
        if is_kept:
            struck.insert(0, Element("p", children=[verbatim.stand_in("<del>", "")]))
            struck.append(Element("p", children=[verbatim.stand_in("</del>", "")]))
            struck.tag = "div"
        return is_kept
    text = struck.text
    if not text.strip() or not (text[0].isspace() and text[-1].isspace()):
        return False
    if place == "p":
        _write_tags(struck, "del", verbatim)
        return True
    is_alone = place in _CONTAINERS and _is_apart(struck.previous_siblings) and _is_apart(struck.next_siblings)
    if not is_alone or any(isinstance(child, Element) for child in struck.children) or struck.closest(_CELL):
        return False
    html = f"<del>\n{escape(' '.join(text.split()), quote=False)}\n</del>"
    struck.replace_with(Element("p", children=[verbatim.stand_in(html, text)]))
    return True


def _is_apart(neighbours: Iterable[Node]) -> bool:
    """Tell whether the first neighbour that says something is a block, or there is none."""
    for each in neighbours:
        if isinstance(each, Element):
            return each.tag in _BLOCKS
        if each.text.strip():
            return False
    return True


def _may_end(unknown: Element) -> bool:
    """Tell whether the paragraph's end may close an element: it is the last there, and its tag not all on its line."""
    if unknown.next_sibling is not None:
        return False
    beside = (unknown.previous_sibling, unknown.children[0] if unknown.children else None)
    return any(isinstance(node, Text) and node.data.strip() for node in beside)


def _write_tags(element: Element, name: str, verbatim: Verbatim, *, is_closed: bool = True) -> None:
    element.insert(0, verbatim.stand_in(f"<{name}>", ""))
    if is_closed:
        element.append(verbatim.stand_in(f"</{name}>", ""))
    element.unwrap()
