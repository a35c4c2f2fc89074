"""Inline code: one line of words, whatever white space, line breaks and links the page has in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from turbohtml import Element, Node, Text

CODE: Final = frozenset(["code", "kbd", "samp", "tt"])
ANY_CODE: Final = "code,kbd,samp,tt"
VERBATIM: Final = f"pre,{ANY_CODE}"
_LINKS: Final = f":is({ANY_CODE}) a[href]:not(pre *)"
_LINKS_IN_CODE: Final = f":is({ANY_CODE}) > a[href]:not(pre *)"
# YARD's, odoc's, and those of highlighters.
_LINKS_IN_SPANS: Final = f":is({ANY_CODE}) span a[href]:not(pre *)"
_LITERALS: Final = "span.literal,span.code"
_LITERAL_BLOCK: Final = "literal-block"
_NO_CODE: Final = ("blockquote", "br", "code", "div", "img", "li", "p", "pre", "table")
_MORE_THAN_WORDS: Final = ("a", "br", "img")
_BETWEEN: Final = ", \t\n\u00a0"
# A space that does not break is as wide as the page has it.
_SOURCE_SPACE: Final = re.compile(r"[ \t\n\r\f]+")
_NO_BREAK: Final = "\u00a0"
_KEEPS_SPACE: Final = "pre,textarea,[style*=white-space]"
_TIGHT: Final = {1: ".,;:!?)]}\"'”’»", -1: "([{\"'“‘«"}
_PHRASING: Final = frozenset(["a", "b", "em", "font", "i", "span", "strong"])
_BACKTICK: Final = "`"
_TYPEDOC: Final = ".col-content"
_TAG: Final = "tsd-tag"
# Parts code from a backtick of the text for turbohtml, which would write a tag; it leaves no trace in the Markdown.
_PARTING: Final = "\x1a"


def is_docutils(block: Element) -> bool:
    """Return whether docutils wrote a block of code: there are elements for code in it, and none in paragraphs."""
    return _LITERAL_BLOCK in (block.attr("class") or "")


def write_literals(page: Element) -> list[Element]:
    """Make code of what docutils and erl_docgen have in its place, and return it."""
    found = [span for span in page.select(_LITERALS) if _is_literal(span)]
    for span in found:
        span.tag = "code"
    return found


def part_pieces(elements: Iterable[Element]) -> bool:
    """Make one of code and what follows it at once, or part it from that and from backticks of the text.

    Tell whether there was any such code.
    """
    is_any_changed = False
    for element in elements:
        if element.closest("pre") is not None:
            continue
        before, after = element.previous_sibling, element.next_sibling
        piece = element
        if isinstance(before, Element) and before.tag in CODE:
            is_any_changed = True
            if _are_one(before, element):
                piece = before
                before.extend(list(element.children))
                element.extract()
            else:
                element.insert_before(Text(" "))
        elif isinstance(before, Text) and before.data.endswith(_BACKTICK):
            element.insert_before(Text(_PARTING))
            is_any_changed = True
        if isinstance(after, Text) and after.data.startswith(_BACKTICK):
            piece.insert_after(Text(_PARTING))
            is_any_changed = True
    return is_any_changed


def tidy_spaces(elements: Iterable[Element]) -> None:
    """Collapse white space in code as browsers do, and put what begins or ends it outside."""
    gone: set[Element] = set()
    for element in elements:
        # To write what is no longer on the page would take the memory of its text once for each piece around it.
        if element in gone:
            continue
        text = element.text
        if _is_tidy(text) or element.parent is None or element.closest(_KEEPS_SPACE) is not None:
            continue
        if next(element.iter_elements(_MORE_THAN_WORDS), None) is not None:
            _drop_layout(element)
        elif text.strip():
            start = _shed(element, text[: len(text) - len(text.lstrip())], -1)
            end = _shed(element, text[len(text.rstrip()) :], 1)
            gone.update(element.iter_elements(CODE))
            element.set_text(start + shown(text.strip()) + end)
        elif _is_blank(element):
            element.replace_with(Text(" "))


def shown(text: str) -> str:
    """Return code with the white space that a browser shows of it."""
    return _SOURCE_SPACE.sub(" ", text).replace(_NO_BREAK, " ")


def part_tags(elements: Iterable[Element], headings: Sequence[Element]) -> None:
    """Put spaces around TypeDoc's labels, which a style sheet parts from the names that they are of."""
    if not headings or headings[0].closest(_TYPEDOC) is None:
        return
    for element in elements:
        if element.attr("class") == _TAG:
            element.insert_before(Text(" "))
            element.insert_after(Text(" "))


def write_typed(elements: Iterable[Element]) -> None:
    """Let what old pages set in typewriter letters be code, where it is a few words."""
    for element in elements:
        if element.closest("pre") is None and next(element.iter_elements(_NO_CODE), None) is None:
            element.tag = "code"


def free_links(page: Element) -> None:
    """Take links out of inline code, where Markdown cannot have them: `f(<a>x</a>)` becomes three pieces of code."""
    anchors = page.select(_LINKS)
    if not all(map(_is_child, anchors)):
        for code in dict.fromkeys(anchor.closest(ANY_CODE) for anchor in page.select(_LINKS_IN_SPANS)):
            if code is not None:
                code.strip_tags("span")
        anchors = page.select(_LINKS_IN_CODE)
    for anchor in anchors:
        around = anchor.parent
        # Else it was done with the one before, or is but text there now.
        if isinstance(around, Element) and around.tag in CODE and around.parent is not None:
            nodes = around.children
            if len(nodes) == 1:
                _turn_over(around, anchor)
            else:
                _split(around, nodes)


def _is_child(anchor: Element) -> bool:
    return isinstance(anchor.parent, Element) and anchor.parent.tag in CODE


def _drop_layout(code: Element) -> None:
    """Drop line breaks of the page's source at both ends of code that has links in it."""
    for place, side in ((0, -1), (-1, 1)):
        edge = code.children[place]
        if isinstance(edge, Text) and edge.data.isspace() and "\n" in edge.data and _beside(code, side)[1] is None:
            edge.extract()


def _are_one(before: Element, code: Element) -> bool:
    """Tell whether two pieces of code that touch are one: what is called alike stands side by side, as keys do."""
    return (before.tag, before.attr("class")) != (code.tag, code.attr("class"))


def _is_literal(span: Element) -> bool:
    """Tell whether there is nothing but text in an element, and it is in no other code."""
    is_plain = all(
        isinstance(node, Text) or (isinstance(node, Element) and node.tag == "span") for node in span.descendants
    )
    return is_plain and span.text.strip() != "" and span.closest(VERBATIM) is None


def _shed(code: Element, blank: str, side: int) -> str:
    """Put white space at one end of code outside, where words are; return what is left of it inside."""
    if not blank:
        return ""
    node, beside = _beside(code, side)
    if beside is None:
        is_layout = "\n" in blank and isinstance(node.parent, Element) and node.parent.tag != "body"
        return "" if is_layout else blank
    near = _nearest(beside, side)
    if near.isspace():
        # More of them than one are there to be seen.
        return "" if len(blank) == 1 or "\n" in blank else blank
    is_line_end = isinstance(beside, Element) and beside.tag == "br"
    if not is_line_end and (not near or near not in _TIGHT[side]):
        (node.insert_after if side > 0 else node.insert_before)(Text(" "))
    return ""


def _beside(code: Element, side: int) -> tuple[Node, Node | None]:
    """Return the outermost that ends (1) or begins (-1) with the code, and what stands beside it on its line."""
    node: Node = code
    while True:
        nearest = _step(node, side)
        beside = nearest
        while isinstance(beside, Text) and not beside.data.strip():
            beside = _step(beside, side)
        if beside is not None:
            return node, nearest
        around = node.parent
        if not isinstance(around, Element) or around.tag not in _PHRASING:
            return node, None
        node = around


def _step(node: Node, side: int) -> Node | None:
    return node.next_sibling if side > 0 else node.previous_sibling


def _nearest(node: Node, side: int) -> str:
    return node.text[:1] if side > 0 else node.text[-1:]


def _is_blank(code: Element) -> bool:
    """Tell whether code without a word is but a blank: it parts words, or is in no paragraph, where one sees it."""
    sides = (code.previous_sibling, -1), (code.next_sibling, 1)
    is_parting = any(isinstance(beside, Text) and _nearest(beside, side).strip() for beside, side in sides)
    return is_parting or (isinstance(code.parent, Element) and code.parent.tag != "p")


def _split(code: Element, nodes: Sequence[Node]) -> None:
    """Make pieces of code, with and without a link; commas and blanks between them are text."""
    first: Node | None = None
    last = nodes[0]
    text = ""
    for node in nodes:
        if isinstance(node, Text):
            text += node.data
        elif isinstance(node, Element) and node.tag == "a" and node.attr("href"):
            if first is not None:
                _wrap(first, last, text)
                first, text = None, ""
            _wrap_link(node)
            continue
        else:
            text += node.text
        first, last = first or node, node
    if first is not None:
        _wrap(first, last, text)
    code.tag = "span"


def _wrap(first: Node, last: Node, text: str) -> None:
    if text.strip(_BETWEEN):
        inner = Element("code")
        first.wrap_siblings(inner, until=last)
        if not _is_tidy(text):
            _trim(inner, text, inner)


def _turn_over(code: Element, link: Element) -> None:
    """Put code into the link that is all there is in it."""
    text = link.text
    if not text.strip():
        code.tag = "span"
        return
    link.unwrap()
    code.wrap(link)
    code.tag = "code"
    if not _is_tidy(text):
        _trim(code, text, link)


def _wrap_link(link: Element) -> None:
    text = link.text
    if text.strip():
        inner = Element("code")
        link.wrap_children(inner)
        if not _is_tidy(text):
            _trim(inner, text, link)


def _trim(code: Element, text: str, outer: Element) -> None:
    """Put blanks at both ends of code outside, and make one of those within."""
    if code.find("img"):
        return
    if text[0].isspace():
        outer.insert_before(Text(" "))
    if text[-1].isspace():
        outer.insert_after(Text(" "))
    # Signatures are laid out with spaces that do not break, too: nobody could search for them.
    code.set_text(" ".join(text.split()))


def _is_tidy(text: str) -> bool:
    # Most code is a word.
    return text.isalnum() or (text.isprintable() and "  " not in text and text[:1] != " " and text[-1:] != " ")
