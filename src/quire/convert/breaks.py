"""Line breaks: those that break nothing go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeGuard

from turbohtml import Element, Node, Text

from .prepare import INVISIBLE

_MANY_BREAKS: Final = 500
_LONGEST_RUN: Final = 2
_SHOWN: Final = ("img", "hr", "table", "math", "audio", "video", "object", "embed", "picture")
_SHOWN_ANYWHERE: Final = ",".join(_SHOWN)
_NEVER_UNWRAPPED: Final = frozenset(["article", "body", "html", "li", "main", "p", "pre", "section", "td", "th", "tr"])
_HOLD_PARAGRAPHS: Final = frozenset([
    "address", "article", "aside", "blockquote", "body", "dd", "details", "div", "figcaption", "footer", "header", "li",
    "main", "p", "section",
])  # fmt: skip
_BLOCKS: Final = _HOLD_PARAGRAPHS | {
    "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "pre", "table", "td", "th", "ul",
}  # fmt: skip
# These leave no mark, so that they may be parted too where nothing around them does.
_UNMARKED: Final = frozenset(["font", "span"])
_MARKED: Final = "a,abbr,b,cite,code,del,em,i,ins,kbd,q,s,strong,sub,sup,u"
_PARTING: Final = "data-parting"
_DEEPEST: Final = 10
_CELLS: Final = ("td", "th")
_LINES_ONLY: Final = "pre,td,th,dt,h1,h2,h3,h4,h5,h6"
_EMPHASIS: Final = frozenset(["b", "em", "i", "strong"])
_INLINE: Final = frozenset(["a", "b", "em", "font", "i", "small", "span", "strong", "u"])


def free_breaks(breaks: Sequence[Element]) -> list[Element]:
    """Drop what no reader misses of line breaks: those that begin a block, and long runs of them.

    Return the emphasis that is made where two in a row part one.
    """
    begun = []
    for each in reversed(breaks):
        _move_out(each, 1)
        _drop_last(each)
        if emphasis := _begin_anew(each):
            begun.append(emphasis)
    for each in breaks:
        _move_out(each, -1)
        _drop_leading(each)
    _part(breaks)
    if len(breaks) >= _MANY_BREAKS:
        _free_many([each for each in breaks if each.parent is not None])
    return begun


def _move_out(line_break: Element, side: int) -> None:
    """Take a line break, and blanks beside it, out of emphasis and links that it ends (1) or begins (-1)."""
    blanks: list[Node] = []
    node = line_break
    for _ in range(_DEEPEST):
        beside = _beside(node, side)
        while isinstance(beside, Text) and not beside.data.strip():
            blanks.append(beside)
            beside = _beside(beside, side)
        around = node.parent
        if beside is not None or not isinstance(around, Element) or around.tag not in _INLINE or around.parent is None:
            break
        node = around
    if node is line_break or line_break.closest("pre") is not None:
        return
    for blank in blanks:
        blank.extract()
    (node.insert_after if side > 0 else node.insert_before)(line_break)


def _beside(node: Node, side: int) -> Node | None:
    return node.next_sibling if side > 0 else node.previous_sibling


def _drop_leading(line_break: Element) -> None:
    """Drop a line break that a block begins with, and the white space before it."""
    node: Node = line_break
    passed: list[Node] = [line_break]
    before: Node | None = None
    for _ in range(_DEEPEST):
        before = _beside(node, -1)
        if isinstance(before, Element) and before.tag in _INLINE and not says_something(before):
            node = before
            continue
        if isinstance(before, Text) and not before.data.strip():
            passed.append(before)
            node = before
            continue
        around = node.parent
        if before is None and isinstance(around, Element) and around.tag in _INLINE:
            node = around
            continue
        break
    starter = around if before is None else before
    if isinstance(starter, Element) and starter.tag in _BLOCKS and not line_break.closest("pre"):
        for each in passed:
            each.extract()


def _drop_last(line_break: Element) -> None:
    """Drop a line break that a cell ends with, and the white space behind it."""
    around = line_break.parent
    if isinstance(around, Element) and around.tag in _CELLS:
        passed: list[Node] = [line_break]
        after = _beside(line_break, 1)
        while isinstance(after, Text) and not after.data.strip():
            passed.append(after)
            after = _beside(after, 1)
        if after is None:
            for each in passed:
                each.extract()


def _begin_anew(line_break: Element) -> Element | None:
    """End emphasis before two line breaks in a row, which are to part paragraphs, and begin other behind them."""
    around = line_break.parent
    if not isinstance(around, Element) or around.tag not in _EMPHASIS:
        return None
    paragraph, before = around.parent, _before(line_break)
    if not isinstance(before, Element) or before.tag != "br" or not isinstance(paragraph, Element):
        return None
    if not _may_hold_paragraphs(paragraph) or paragraph.closest(_LINES_ONLY) is not None:
        return None
    emphasis = Element(around.tag, children=list(line_break.next_siblings))
    for each in (emphasis, line_break, before):
        around.insert_after(each)
    return emphasis


def _before(line_break: Element) -> Node | None:
    """Return what stands before a line break, and before the blanks and the few elements with nothing in them there."""
    before = _beside(line_break, -1)
    for _ in range(_DEEPEST):
        if not _is_idle(before):
            break
        before = _beside(before, -1)
    return before


def _part(breaks: Sequence[Element]) -> None:
    """Let two line breaks in a row, or more, part paragraphs."""
    for each in breaks:
        around = each.parent
        if not isinstance(around, Element) or not _may_hold_paragraphs(around):
            continue
        before = _before(each)
        if not isinstance(before, Element):
            continue
        if before.attr(_PARTING) is not None:
            each.extract()
        elif before.tag == "br" and around.closest(_LINES_ONLY) is None:
            before.extract()
            # An empty block: turbohtml ends the paragraph before it.
            each.replace_with(Element("div", {_PARTING: ""}, children=[Element("p")]))


def _is_idle(node: Node | None) -> TypeGuard[Node]:
    """Tell whether a node is between two line breaks as if it were not there."""
    if isinstance(node, Text):
        return not node.data.strip()
    return isinstance(node, Element) and node.tag in _INLINE and not says_something(node)


def _may_hold_paragraphs(element: Element) -> bool:
    if element.tag in _UNMARKED:
        return element.closest(_MARKED) is None
    return element.tag in _HOLD_PARAGRAPHS


def _free_many(breaks: Sequence[Element]) -> None:
    """Take line breaks out of elements that hold no word, which take turbohtml the square of their number."""
    kept: set[Element] = set()
    for each in breaks:
        parent = each.parent
        while isinstance(parent, Element) and parent not in kept and parent.tag not in _NEVER_UNWRAPPED:
            if says_something(parent):
                kept.add(parent)
                break
            outer = parent.parent
            if outer is None:
                break
            parent.unwrap()
            parent = outer
    _shorten_runs(breaks)


def _shorten_runs(breaks: Iterable[Element]) -> None:
    """Drop line breaks that follow two others, and what says nothing between them."""
    runs: dict[Node | None, int] = {}
    for line_break in breaks:
        passed: list[Node] = [line_break]
        before = line_break.previous_sibling
        while before is not None and before not in runs and not says_something(before):
            passed.append(before)
            before = before.previous_sibling
        runs[line_break] = runs.get(before, 0) + 1
        if runs[line_break] > _LONGEST_RUN:
            for each in passed:
                each.extract()


def says_something(node: Node) -> bool:
    """Tell whether there are words in a node, or something else to see."""
    if node.text.strip(INVISIBLE):
        return True
    return isinstance(node, Element) and (node.tag in _SHOWN or node.select_one(_SHOWN_ANYWHERE) is not None)
