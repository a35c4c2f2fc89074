"""What elements are by their attributes, and not by their tags."""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element

from .callouts import NOTICE
from .lists import HEADINGS
from .marks import BLOCKS

_HEADING: Final = "heading"
_ROW: Final = "tablist"
# Bootstrap's, and so NexT's and Butterfly's.
_NAMED_ROW: Final = "nav-tabs"
# docutils' headings that are in no table of contents.
_RUBRIC: Final = "rubric"
# `h1` to `h6`, which Bootstrap has for what is to look like a heading; each by itself takes longer to look for.
_NAMED_HEADING: Final = "[class^=h]"
_NAMED: Final = f"p:is({_NAMED_HEADING},[class^={NOTICE}])"
_ROWS: Final = f"[role={_ROW}],.{_NAMED_ROW}"
_UNUSUAL: Final = f":is([style*=white-space],[role={_HEADING}],{_ROWS},p.{_RUBRIC},{_NAMED})"
_WHITE_SPACE: Final = re.compile(r"white-space\s*+:[^;]*+;?+", re.IGNORECASE)
_MONOSPACED: Final = re.compile("mono|courier|menlo|consolas", re.IGNORECASE)
_CODE: Final = frozenset(["code", "pre", "textarea"])
_TEXTS: Final = frozenset(["div", "p", "span"])
_ELSEWHERE: Final = "blockquote,figure,td,th"
_LEVEL: Final = "2"
_LEVELS: Final = frozenset("123456")
_LONGEST_HEADING: Final = 200  # characters


def heed_attributes(content: Element) -> list[Element]:
    """Let headings be headings and prose be prose, whatever white space it keeps; return the rows of tabs.

    Headings that count for nothing are strong.
    """
    rows = []
    for element in content.select(_UNUSUAL):
        role = element.attr("role")
        if role == _ROW or element.has_class(_NAMED_ROW):
            rows.append(element)
        elif role == _HEADING and element.tag in _TEXTS and _free_text(element):
            level = element.attr("aria-level") or _LEVEL
            element.tag = f"h{level if level in _LEVELS else _LEVEL}"
        elif element.has_class(_RUBRIC) and element.text.strip():
            element.wrap_children(Element("strong"))
        elif element.tag == "p":
            _heed_name(element)
        style = element.attr("style")
        # turbohtml takes for code what keeps its white space, as editors of text do everywhere.
        if style and element.tag not in _CODE and not _MONOSPACED.search(style):
            element.attrs["style"] = _WHITE_SPACE.sub("", style)
    return rows


def _heed_name(paragraph: Element) -> None:
    name = (paragraph.attr("class") or "").partition(" ")[0]
    if not paragraph.text.strip() or paragraph.closest(_ELSEWHERE) is not None:
        return
    if name in HEADINGS and _free_text(paragraph):
        paragraph.tag = name
    elif name.startswith(NOTICE):
        paragraph.wrap(Element("blockquote"))


def _free_text(element: Element) -> bool:
    """Take away a block that is alone in an element; tell whether no other is left, and the text no longer than one."""
    if len(element.text) > _LONGEST_HEADING:
        return False
    blocks = element.select(BLOCKS)
    if len(blocks) == 1 and blocks[0].tag in _TEXTS:
        blocks.pop().unwrap()
    return not blocks
