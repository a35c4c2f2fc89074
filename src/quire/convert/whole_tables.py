"""Tables that Markdown cannot hold: HTML with nothing in it but the table and what its cells say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from turbohtml import Comment, Element, Text

from .verbatim import Verbatim

_TABLE: Final = ("table", "thead", "tbody", "tfoot", "tr", "th", "td")
_BLOCKS: Final = (
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "p",
    "pre",
    "blockquote",
    "hr",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
)
_INLINE: Final = ("a", "b", "strong", "i", "em", "del", "s", "sub", "sup", "code", "kbd", "samp", "br", "img")
_UNWRAPPED: Final = f":not({','.join((*_TABLE, *_BLOCKS, *_INLINE))}),a:not([href])"
_ATTRIBUTES: Final = {
    "a": ("href", "title"),
    "img": ("src", "alt", "title"),
    "ol": ("start",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan"),
    "pre": ("class",),
}
_LONE_PARAGRAPHS: Final = "td > p:only-child,th > p:only-child,li > p:only-child"
_SPACE: Final = re.compile(r"[ \t\n\r\f\v\u00a0]+")
_IDLE_SPACE: Final = re.compile(
    r"(?:(?<!\s)\s++)?+(</?(?:table|thead|tbody|tfoot|tr|th|td|ul|ol|li|dl|dt|dd|p|br)\b[^>]*+>)\s*+"
)
_LINE_START: Final = re.compile(r"(?<!^)(?=<(?:tr|/?thead|/?tbody|/?tfoot|/table)\b)")
_EMPTY_PARAGRAPH: Final = "<p></p>"
# An empty line would end the HTML.
_EMPTY_LINE: Final = re.compile(r"\n(?=[ \t]*+\n)")


def write_tables(tables: Iterable[Element], verbatim: Verbatim) -> None:
    """Replace tables by their HTML."""
    for table in tables:
        captions = table.find_all("caption")
        for caption in captions:
            caption.extract()
            caption.tag = "p"
        html = verbatim.write(_html(table))
        words = verbatim.write("\n".join(" ".join(cell.to_text().split()) for cell in table.select("td,th")))
        table.clear()
        table.extend([*captions, Element("p", children=[verbatim.stand_in(html, words)])])
        table.tag = "div"


def _html(table: Element) -> str:
    for line in table.select("div + div"):
        line.insert_before(Element("br"))
    table.strip_tags(f"{_UNWRAPPED},{_LONE_PARAGRAPHS}")
    for row in table.find_all("tr"):
        if not row.select_one("td,th"):
            row.extract()
    table.strip_tags("tbody:not(thead ~ tbody)")
    for node in list(table.descendants):
        if isinstance(node, Comment):
            node.extract()
        elif isinstance(node, Element):
            _strip_attributes(node)
        elif isinstance(node, Text) and (parent := node.parent) and parent.closest("pre") is None:
            node.data = _SPACE.sub(" ", node.data)
    _strip_attributes(table)
    for block in table.find_all("pre"):
        _write_code(block)
    html = _LINE_START.sub("\n", _IDLE_SPACE.sub(r"\1", table.html).replace(_EMPTY_PARAGRAPH, ""))
    return _EMPTY_LINE.sub("&#10;", html)


def _write_code(block: Element) -> None:
    code = Element("code", children=[Text(block.text.strip("\n"))])
    if language := block.attr("class"):
        code.attrs["class"] = language
    if "class" in block.attrs:
        del block.attrs["class"]
    block.clear()
    block.append(code)


def _strip_attributes(element: Element) -> None:
    kept = _ATTRIBUTES.get(element.tag, ())
    for name in [name for name in element.attrs if name not in kept]:
        del element.attrs[name]
