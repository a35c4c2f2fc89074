"""Tables and code that only style sheets make: javadoc's summaries, signatures, Doxygen's code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile
from typing import Final

from turbohtml import Element, Text

from . import asciidoctor, callouts, cards, footnotes, notes
from .complete import say_all
from .lists import elements, unlist
from .signatures import write_signature

_SUMMARY: Final = "summary-table"
_SUMMARIES: Final = "ul.summary-list"
_HEAD: Final = "table-header"
_FRAGMENT: Final = "fragment"
_LINE: Final = "line"
_DOXYGEN_TITLE: Final = "title"
_DOXYGEN_HEAD: Final = "headertitle"
_BESIDE_CODE: Final = ".lineno,.ttc"
_PROTOTYPE: Final = "memproto"
# Doxygen's, RDoc's; style sheets part them from what they are about.
_LABELS: Final = ".mlabel"
_ACCESS: Final = ".attribute-access-type"
_TABLE: Final = "table,tbody,tr,td"
# RDoc's, which says what a click on it does.
_HEADING: Final = "method-heading"
_ADVICE: Final = ".method-click-advice"
_SIGNATURES: Final = frozenset(["type-signature", "member-signature", _HEADING, _PROTOTYPE])
# DocBook's, with a row for each parameter.
_SYNOPSIS: Final = "funcsynopsis"
_PROTOTYPES: Final = "table.funcprototype-table"
_BEFORE_SIGN: Final = re.compile(r"(?<=\() | (?=[,;)])")
# TypeDoc's, with a link to itself; TypeDoc is about nothing but TypeScript.
_TYPED: Final = "tsd-signature"
_ICON: Final = ".tsd-anchor-icon"
_TYPESCRIPT: Final = "language-ts"
# Sphinx, which begins with the classes that an author gives.
_NOTE_AMONG_OTHERS: Final = f" {notes.NOTE} "
# Discourse has who said it beside the quotation.
_QUOTE: Final = "quote"
_SPEAKER: Final = "data-username"
# Sphinx, in themes that have a title for them.
_VERSIONS: Final = frozenset(["versionadded", "versionchanged", "deprecated"])
# Notebooks.
_PROMPTS: Final = frozenset(["jp-InputPrompt", "jp-OutputPrompt", "prompt"])
_PROMPT: Final = re.compile(r"\s*+(?:In|Out)?+\s*+\[[\d\s*]*+\]:\s*+")
# SpectaQL, above each entry of a group that has a heading.
_GROUPS: Final = frozenset(["operation-group-name", "definition-group-name"])
# docutils.
_LINES: Final = "line-block"
_OTHERS: Final = (
    footnotes.NAMES
    | _VERSIONS
    | notes.NAMES
    | asciidoctor.NAMES
    | cards.NAMES
    | _PROMPTS
    | _GROUPS
    | {_LINES, _SYNOPSIS}
)
_OF_DIVS: Final = _SIGNATURES | {_SUMMARY, _FRAGMENT, _DOXYGEN_TITLE, _TYPED, _QUOTE}
_FEWEST_COLUMNS: Final = 2


def give_shape(divs: Iterable[Element], found: dict[str, list[Element]]) -> None:
    """Make the tables and code among these elements such, and add them to those that were found."""
    for div in divs:
        if (names := div.attr("class")) and (name := _name_in(names)):
            _shape(div, name, found)


# The pages of a site share their classes, of which few mean anything here.
@lru_cache(maxsize=10_000)
def _name_in(names: str) -> str:
    """Return that one of an element's names that tells its shape; none if there is no such."""
    # A note with a title of its own is called by that first.
    if names.endswith(notes.NOTE) or _NOTE_AMONG_OTHERS in names:
        return notes.NOTE
    name = names.partition(" ")[0]
    is_callout = callouts.CALLED in names or name.startswith(callouts.BEGINNINGS)
    return name if is_callout or name in _OF_DIVS or name in _OTHERS else ""


def _shape(div: Element, name: str, found: dict[str, list[Element]]) -> None:
    if name == _SUMMARY:
        if _tabulate(div):
            found["table"].append(div)
            _unlist(div)
    elif name == _FRAGMENT:
        if _write_code(div):
            found["pre"].append(div)
    elif name == _DOXYGEN_TITLE:
        if isinstance(around := div.parent, Element) and around.has_class(_DOXYGEN_HEAD):
            _write_title(div)
    elif name == _TYPED:
        _write_typed(div, found)
    elif name in _SIGNATURES:
        _clean_signature(div, name)
        write_signature(div)
    elif name == _QUOTE:
        if div.attr(_SPEAKER):
            _name_speaker(div)
    elif name in _OTHERS:
        _give_other_shape(div, name, found)
    else:
        callouts.quote(div, found)


def _write_prototypes(synopsis: Element) -> None:
    """Make a line of code of each table; one with links stays, as they would be between its signs."""
    for table in synopsis.select(_PROTOTYPES):
        words = " ".join(" ".join(cell.text for cell in table.find_all("td")).split())
        if words and table.select_one("a[href]") is None:
            table.replace_with(Element("p", children=[Element("code", children=[Text(_BEFORE_SIGN.sub("", words))])]))


def _give_other_shape(div: Element, name: str, found: dict[str, list[Element]]) -> None:
    """Make notes, lists and lines of what is no table and no code."""
    if name in notes.NAMES:
        notes.quote(div, name, found)
    elif name in asciidoctor.NAMES:
        asciidoctor.give_shape(div, name, found)
    elif name in cards.NAMES:
        cards.give_shape(div, name, found)
    elif name == _LINES:
        _write_lines(div)
    elif name == _SYNOPSIS:
        _write_prototypes(div)
    elif name in _PROMPTS:
        if _PROMPT.fullmatch(div.text):
            div.extract()
    elif name in _GROUPS:
        if div.select_one("a[href^='#group-']"):
            div.extract()
    else:
        footnotes.join_label(div)


def _write_lines(block: Element) -> None:
    """Make a paragraph of lines that are not to be joined, or several where one is empty."""
    lines = block.select(f".{_LINE}")
    if not say_all(lines, block):
        return
    paragraphs = Element("div")
    paragraph: Element | None = None
    # Those within others are no longer there when it is their turn.
    for line in lines:
        if not line.text.strip() and not line.find("img"):
            paragraph = None
            continue
        if paragraph is None:
            paragraph = Element("p")
            paragraphs.append(paragraph)
        else:
            paragraph.append(Element("br"))
        paragraph.extend(list(line.children))
    if paragraphs.children:
        block.clear()
        block.extend(list(paragraphs.children))


def _tabulate(summary: Element) -> bool:
    """Make rows of a grid that has its cells one after the other; False if they do not fill it."""
    cells = elements(summary)
    width = sum(1 for _ in takewhile(_is_head, cells))
    if width < _FEWEST_COLUMNS or len(cells) % width:
        return False
    for start in range(0, len(cells), width):
        for cell in cells[start : start + width]:
            cell.tag = "td" if start else "th"
        cells[start].wrap_siblings(Element("tr"), until=cells[start + width - 1])
    summary.tag = "table"
    return True


def _unlist(summary: Element) -> None:
    """Make blocks of the list of a package's summaries, which have no headings."""
    if around := summary.closest(_SUMMARIES):
        unlist(around)


def _is_head(cell: Element) -> bool:
    return cell.has_class(_HEAD)


def _write_code(fragment: Element) -> bool:
    fragment.remove(_BESIDE_CODE)
    lines = fragment.select(f".{_LINE}")
    if not lines or not say_all(lines, fragment):
        return False
    text = "\n".join(line.text.replace("\u00a0", " ").rstrip() for line in lines)
    fragment.clear()
    fragment.append(Text(text))
    fragment.tag = "pre"
    return True


def _write_title(title: Element) -> None:
    """Make a heading of Doxygen's title; the groups that the page is in stand below it."""
    if groups := title.find("div"):
        title.insert_after(groups)
    _part(title, _LABELS)
    title.tag = "h1"


def _clean_signature(signature: Element, name: str) -> None:
    if name == _PROTOTYPE:
        signature.strip_tags(_TABLE)
        _part(signature, _LABELS)
    elif name == _HEADING:
        signature.remove(_ADVICE)
        _part(signature, _ACCESS)


def _part(element: Element, labels: str) -> None:
    for label in element.select(labels):
        label.insert_before(Text(" "))


def _write_typed(signature: Element, found: dict[str, list[Element]]) -> None:
    """Make code of a signature: a block of its lines, or one line where there are links, which a block cannot have."""
    signature.remove(_ICON)
    breaks = signature.find_all("br")
    is_block = bool(breaks) and signature.select_one("a[href]") is None
    for line_break in breaks:
        line_break.replace_with(Text("\n"))
    if is_block:
        signature.set_text(signature.text.replace("\u00a0", " ").strip())
        signature.tag = "pre"
        signature.attrs["class"] = _TYPESCRIPT
        found["pre"].append(signature)
    else:
        write_signature(signature)


def _name_speaker(quote: Element) -> None:
    """Put the name of whom a quotation is of into it, without the picture."""
    title, said = quote.select_one(".title"), quote.find("blockquote")
    if title is None or said is None or not (name := " ".join(title.text.split())):
        return
    title.extract()
    said.insert(0, Element("p", children=[Element("strong", children=[Text(name)])]))
