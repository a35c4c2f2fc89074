"""Tables and code that only style sheets make: javadoc's summaries and signatures, Doxygen's code, Sphinx's signatures.

Notes are written as quotations, and the terms of definition lists strong: Markdown has neither, and pages set them off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Final

from turbohtml import Element, Node, Text

from .lists import HEADINGS

_SUMMARY: Final = "summary-table"
_HEAD: Final = "table-header"
_FRAGMENT: Final = "fragment"
_LINE: Final = "line"
_DOXYGEN_TITLE: Final = "title"
_DOXYGEN_HEAD: Final = "headertitle"
_BESIDE_CODE: Final = ".lineno,.ttc"
_PROTOTYPE: Final = "memproto"
_TABLE: Final = "table,tbody,tr,td"
_SIGNATURES: Final = frozenset(["type-signature", "member-signature"])
_SIGNATURE: Final = "sig"
# Discourse has who said it beside the quotation.
_QUOTE: Final = "quote"
_SPEAKER: Final = "data-username"
# Sphinx and MkDocs, Docusaurus, GitHub, Starlight, Docsy.
_NOTES: Final = frozenset(["admonition", "theme-admonition", "markdown-alert", "starlight-aside", "alert"])
# DocBook and VitePress, Microsoft's documentation: words that others have for other things.
_KINDS_OF_NOTE: Final = ("note", "tip", "warning", "caution", "important", "info", "danger")
_NAMED_NOTES: Final = frozenset([*_KINDS_OF_NOTE, *map(str.upper, _KINDS_OF_NOTE)])
_NOTE: Final = "admonition"
_MDN_NOTE: Final = "notecard"
_TITLES: Final = frozenset(["div", "p", "summary", *HEADINGS])
# docutils.
_FOOTNOTES: Final = frozenset(["footnote", "citation"])
_LABEL: Final = "label"
_VITEPRESS_TITLE: Final = "custom-block-title"
_ASCIIDOC_NOTE: Final = "admonitionblock"
_ASCIIDOC_ICON: Final = "td.icon"
_ASCIIDOC_CONTENT: Final = "td.content"
# An icon beside both rows, the title, the text.
_DOCBOOK_CELLS: Final = ["td", "th", "td"]
_TITLE: Final = re.compile("title|heading", re.IGNORECASE)
_MARKUP: Final = "span,em,strong,b,i,code,tt,wbr"
_STRONG: Final = "b,strong"
_PLAIN: Final = frozenset(["code", "kbd", "samp", "span", "tt"])
_BARE_ANCHORS: Final = "a:not([href])"
_FEWEST_COLUMNS: Final = 2


def give_shape(divs: Iterable[Element], found: dict[str, list[Element]]) -> None:
    """Make the tables and code among these elements such, and add them to those that were found."""
    for div in divs:
        names = div.attr("class") or ""
        # A note with a title of its own is called by that first.
        name = _NOTE if names.endswith(_NOTE) else names.partition(" ")[0]
        if name == _SUMMARY and _tabulate(div):
            found["table"].append(div)
        elif name == _FRAGMENT and _write_code(div):
            found["pre"].append(div)
        elif name == _DOXYGEN_TITLE and (around := div.parent) and isinstance(around, Element):
            if around.has_class(_DOXYGEN_HEAD):
                _write_title(div)
        elif name == _PROTOTYPE:
            div.strip_tags(_TABLE)
            _write_signature(div)
        elif name in _SIGNATURES:
            _write_signature(div)
        elif name == _QUOTE and div.attr(_SPEAKER):
            _name_speaker(div)
        elif name in _FOOTNOTES:
            _join_label(div)
        elif name == _MDN_NOTE:
            div.tag = "blockquote"
            found["blockquote"].append(div)
        elif name in _NOTES or name in _NAMED_NOTES or name == _ASCIIDOC_NOTE:
            _quote(div, name, found)


def open_notes(controls: Iterable[Element], divs: list[Element]) -> None:
    """Let notes that unfold (MkDocs Material) be notes like others."""
    for summary in controls:
        note = summary.parent
        if summary.tag != "summary" or not isinstance(note, Element) or note.tag != "details":
            continue
        if (note.attr("class") or "").partition(" ")[0] in _NAMED_NOTES:
            summary.attrs["class"] = "title"
            note.attrs["class"] = _NOTE
            divs.append(note)


def write_terms(terms: Iterable[Element]) -> list[Element]:
    """Make signatures code and other plain terms strong; return what is strong now."""
    strong: list[Element] = []
    for term in terms:
        if (term.attr("class") or "").startswith(_SIGNATURE):
            _write_signature(term)
        elif _is_plain_term(term) and term.text.strip():
            term.strip_tags(_STRONG)
            emphasis = Element("strong")
            term.wrap_children(emphasis)
            strong.append(emphasis)
    return strong


def _is_plain_term(term: Element) -> bool:
    """Return whether a term has neither links nor other emphasis; the names of places in the page are none."""
    if term.find("a"):
        term.strip_tags(_BARE_ANCHORS)
        if term.find("a"):
            return False
    return all(map(_is_plain, term.children))


def _tabulate(summary: Element) -> bool:
    """Make rows of a grid that has its cells one after the other; False if they do not fill it."""
    cells = [child for child in summary.children if isinstance(child, Element)]
    width = sum(1 for _ in takewhile(_is_head, cells))
    if width < _FEWEST_COLUMNS or len(cells) % width:
        return False
    for start in range(0, len(cells), width):
        for cell in cells[start : start + width]:
            cell.tag = "td" if start else "th"
        cells[start].wrap_siblings(Element("tr"), until=cells[start + width - 1])
    summary.tag = "table"
    return True


def _is_head(cell: Element) -> bool:
    return cell.has_class(_HEAD)


def _write_code(fragment: Element) -> bool:
    fragment.remove(_BESIDE_CODE)
    lines = [child for child in fragment.children if isinstance(child, Element) and child.has_class(_LINE)]
    if lines:
        text = "\n".join(line.text.replace("\u00a0", " ").rstrip() for line in lines)
        fragment.clear()
        fragment.append(Text(text))
        fragment.tag = "pre"
    return bool(lines)


def _write_title(title: Element) -> None:
    """Make a heading of Doxygen's title; the groups that the page is in stand below it."""
    if groups := title.find("div"):
        title.insert_after(groups)
    title.tag = "h1"


def _quote(note: Element, name: str, found: dict[str, list[Element]]) -> None:
    """Make a quotation of a note that has a title, and the title strong."""
    title = _untabled(note) or _titled(note, name)
    if title is None:
        return
    title.tag = "p"
    note.tag = "blockquote"
    found["blockquote"].append(note)
    if title.text.strip() and not title.find("strong"):
        emphasis = Element("strong")
        title.wrap_children(emphasis)
        found["mark"].append(emphasis)


def _untabled(note: Element) -> Element | None:
    """Free a note of the table that puts an icon beside it; return its title, if it has such a table."""
    icon, content = note.select_one(_ASCIIDOC_ICON), note.select_one(_ASCIIDOC_CONTENT)
    if icon is None or content is None:
        first = _first_shown(note)
        cells = first.select("td,th") if first is not None and first.tag == "table" else []
        if [cell.tag for cell in cells] != _DOCBOOK_CELLS:
            return None
        _, icon, content = cells
    title = Element("p", children=[Text(icon.text.strip())])
    note.clear()
    note.extend([title, *content.children])
    return title


def _titled(note: Element, name: str) -> Element | None:
    first = _first_shown(note)
    if first is None or first.tag not in _TITLES:
        return None
    is_title = _titles_named_note(first, name) if name in _NAMED_NOTES else _is_title(first)
    return first if is_title else None


def _first_shown(note: Element) -> Element | None:
    """Return the element that a note begins with."""
    first = next((child for child in note.children if not isinstance(child, Text) or child.data.strip()), None)
    return first if isinstance(first, Element) else None


def _join_label(footnote: Element) -> None:
    """Put a footnote's number into the paragraph that it is of."""
    label = next((child for child in footnote.children if isinstance(child, Element)), None)
    beside = label.next_sibling if label else None
    while isinstance(beside, Text) and not beside.data.strip():
        beside = beside.next_sibling
    if label and label.has_class(_LABEL) and isinstance(beside, Element) and beside.tag == "p":
        beside.insert(0, Text(" "))
        beside.insert(0, label)


def _name_speaker(quote: Element) -> None:
    """Put the name of whom a quotation is of into it, without the picture."""
    title, said = quote.select_one(".title"), quote.find("blockquote")
    if title is None or said is None or not (name := " ".join(title.text.split())):
        return
    title.extract()
    said.insert(0, Element("p", children=[Element("strong", children=[Text(name)])]))


def _is_title(element: Element) -> bool:
    return _TITLE.search(element.attr("class") or "") is not None


def _titles_named_note(element: Element, name: str) -> bool:
    """Return whether an element is a heading, or says no more than the note's own class."""
    if element.text.strip().rstrip(":").lower() == name.lower() or element.has_class(_VITEPRESS_TITLE):
        return True
    return element.tag in HEADINGS and _is_title(element)


def _write_signature(signature: Element) -> None:
    if signature.find("a"):
        signature.strip_tags(_MARKUP)
        signature.wrap_children(Element("code"))
    elif text := " ".join(signature.text.split()):
        signature.clear()
        signature.append(Element("code", children=[Text(text)]))


def _is_plain(node: Node) -> bool:
    return isinstance(node, Text) or (isinstance(node, Element) and node.tag in _PLAIN)
