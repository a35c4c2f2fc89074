"""Notes, sidebars and topics, which pages set off in boxes, as quotations that begin with their title."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from turbohtml import Element, Node, Text

from .complete import say_all
from .lists import HEADINGS
from .note_kinds import NEXTRA, drop_icon, is_colored, is_hexo, mallard_title

NOTE: Final = "admonition"
# Bootstrap, which others have for what their forms say.
_ALERT: Final = "alert"
# Sphinx and MkDocs, Docusaurus, GitHub, Starlight, VuePress, Rspress, Docsy, TypeDoc, pydoctor.
_NOTES: Final = frozenset([
    NOTE, "theme-admonition", "markdown-alert", "starlight-aside", "hint-container", "rp-callout", _ALERT, "tsd-alert",
    "rst-admonition",
])  # fmt: skip
# What is never called so but for a note, and so may have any heading.
_SURE_KINDS: Final = frozenset(["note", "tip", "warning", "caution", "important", "danger"])
# What a note begins with, that does not have it for a name.
_FIRST_WORDS: Final = _SURE_KINDS | {"attention", "heads up", "hint", "info"}
# DocBook and VitePress, Microsoft's documentation: words that others have for other things.
_KINDS: Final = _SURE_KINDS | {"info"}
_NAMED_NOTES: Final = _KINDS | set(map(str.upper, _KINDS))
# MkDocs, and mkdocstrings for the sections of a docstring.
_QUOTATION: Final = "quote"
_NO_QUOTATION: Final = ("pre", *HEADINGS)
_FOLDED_NOTES: Final = frozenset([
    "abstract", "attention", "bug", "deprecated", "error", "example", "failure", "hint", _QUOTATION, "question",
    "see-also", "seealso", "success", "todo",
])  # fmt: skip
# gtk-doc, rustdoc, Haddock, QDoc.
_NEED_NO_TITLE: Final = frozenset(["note", "warning"])
# YARD, which begins them with strong words.
_YARD_NOTES: Final = frozenset(["note abstract", "note deprecated", "note notetag", "note private", "note todo"])
# bookdown, which has pictures of them in its style sheet.
_BOOKDOWN_NOTES: Final = {f"rmd{kind}": kind for kind in _SURE_KINDS}
# pdoc and Org, which have their names in their style sheets.
_KINDS_WITHOUT_TITLES: Final = {
    **{f"{_ALERT} {kind}": kind for kind in _SURE_KINDS},
    **{kind.upper(): kind for kind in _SURE_KINDS},
    **_BOOKDOWN_NOTES,
}
# Mallard and Hexo.
_ANY_NOTE: Final = "note"
_LONGEST_UNTITLED: Final = 2000  # characters
_MDN_NOTE: Final = "notecard"
_ASCIIDOC_NOTE: Final = "admonitionblock"
_ASCIIDOC_ICON: Final = "td.icon"
_ASCIIDOC_CONTENT: Final = "td.content"
_ASCIIDOC_TITLE: Final = "blockquote > div.title"
# An icon beside both rows, the title, the text.
_DOCBOOK_CELLS: Final = ["td", "th", "td"]
# docutils and DocBook.
_SIDEBAR: Final = "sidebar"
_SIDEBAR_TITLE: Final = ".sidebar-title,.titlepage .title"
_TOPIC: Final = "topic"
_TOPIC_TITLE: Final = "topic-title"
_CONTENTS: Final = "contents"
# VitePress, Publican.
_NAMES_OF_TITLES: Final = ("custom-block-title", "admonition_header")
# javadoc and Valadoc, which have titles that are no blocks.
_LABELS: Final = {"deprecation-block": "deprecated-label", "main_notification_block": "main_block_headline"}
NAMES: Final = _NOTES | _NAMED_NOTES | {_MDN_NOTE, _ASCIIDOC_NOTE, _SIDEBAR, _TOPIC, NEXTRA, *_LABELS, *_BOOKDOWN_NOTES}
_TITLES: Final = frozenset(["div", "p", "summary", *HEADINGS])
_TITLE: Final = re.compile("title|heading", re.IGNORECASE)
_STRONG: Final = frozenset(["b", "strong"])
_CELL: Final = "td,th"


def quote(note: Element, name: str, found: dict[str, list[Element]]) -> None:
    """Make a quotation of a note that has a title or needs none, and the title strong."""
    if name == NEXTRA:
        drop_icon(note)
    title = None if name == _MDN_NOTE else _untabled(note) or _titled(note, name) or _named_by_class(note)
    if title is None and name != _MDN_NOTE and not _needs_no_title(note, name):
        return
    note.tag = "blockquote"
    found["blockquote"].append(note)
    if title is None:
        return
    title.tag = "p"
    strengthen(title, found)
    if name == _ASCIIDOC_NOTE and (own_title := note.select_one(_ASCIIDOC_TITLE)):
        strengthen(own_title, found)


def strengthen(title: Element, found: dict[str, list[Element]]) -> None:
    """Make a title strong, unless it has strong words."""
    if title.text.strip() and next(title.iter_elements(_STRONG), None) is None:
        emphasis = Element("strong")
        title.wrap_children(emphasis)
        found["mark"].append(emphasis)


def open_notes(controls: Iterable[Element], divs: list[Element]) -> None:
    """Let notes that unfold (MkDocs, Sphinx Immaterial) be notes like others."""
    for summary in controls:
        note = summary.parent
        if summary.tag != "summary" or not isinstance(note, Element) or note.tag != "details":
            continue
        if summary.text.strip() and _unfolds(note):
            summary.attrs["class"] = "title"
            note.attrs["class"] = NOTE
            divs.append(note)


def _unfolds(note: Element) -> bool:
    """Return whether a class is that of a note; some are of whole references and, by mkdocstrings, of source, too."""
    names = (note.attr("class") or "").split()
    kind = names[0] if names else ""
    if kind in _FOLDED_NOTES:
        return next(note.iter_elements(_NO_QUOTATION if kind == _QUOTATION else HEADINGS), None) is None
    return kind in _NAMED_NOTES or NOTE in names


def _untabled(note: Element) -> Element | None:
    """Free a note of the table that puts an icon beside it; return its title, if it has such a table."""
    icon, content = note.select_one(_ASCIIDOC_ICON), note.select_one(_ASCIIDOC_CONTENT)
    if icon is None or content is None:
        first = _first_shown(note)
        cells = first.select(_CELL) if first is not None and first.tag == "table" else []
        if [cell.tag for cell in cells] != _DOCBOOK_CELLS:
            return None
        _, icon, content = cells
    if not say_all([icon, content], note):
        return None
    title = Element("p", children=[Text(icon.text.strip() or _icon_name(icon, note))])
    note.clear()
    note.extend([title, *content.children])
    return title


def _icon_name(icon: Element, note: Element) -> str:
    """Return what an icon of Asciidoctor says to those who do not see it, or else the note's class."""
    picture = next(icon.iter_elements(("i", "img")), None)
    name = (picture.attr("title") or picture.attr("alt")) if picture is not None else None
    return name or (note.attr("class") or "").split()[-1].capitalize()


def _titled(note: Element, name: str) -> Element | None:
    first = _first_shown(note)
    if first is not None and name in _LABELS and first.has_class(_LABELS[name]):
        return first
    if first is None or first.tag not in _TITLES:
        return None
    if name == _SIDEBAR:
        title = note.select_one(_SIDEBAR_TITLE)
        return title if title is not None and (title is first or title in first.descendants) else None
    if name == _TOPIC:
        is_title = not note.has_class(_CONTENTS) and first.has_class(_TOPIC_TITLE)
    elif name in _NAMED_NOTES:
        is_title = _titles_named_note(first, note, name)
    else:
        is_title = _is_title(first)
    return first if is_title else None


def _first_shown(note: Element) -> Element | None:
    """Return the element that a note begins with, behind names of places in the page."""
    first = next((child for child in note.children if child.text.strip() or not _is_unseen(child)), None)
    return first if isinstance(first, Element) else None


def _is_unseen(child: Node) -> bool:
    return isinstance(child, Text) or (isinstance(child, Element) and child.tag == "a" and not child.children)


def _is_title(element: Element) -> bool:
    return _TITLE.search(element.attr("class") or "") is not None


def _titles_named_note(element: Element, note: Element, name: str) -> bool:
    """Return whether an element is the one heading of a note, or says no more than the note's own class."""
    text = element.text.strip()
    if _names(text, name) or any(map(element.has_class, _NAMES_OF_TITLES)):
        return True
    if element.tag not in HEADINGS:
        return False
    if _is_title(element):
        return True
    return name in _SURE_KINDS and note.text.strip() != text and len(list(note.iter_elements(HEADINGS))) == 1


def _names(text: str, name: str) -> bool:
    return text.strip().rstrip(":").lower() == name.lower()


def _named_by_class(note: Element) -> Element | None:
    """Return a title that says what a note's class does, which is all there is of one."""
    names = note.attr("class") or ""
    if names.startswith(_ANY_NOTE) and (named := mallard_title(note)):
        return named
    kind = _KINDS_WITHOUT_TITLES.get(names)
    if kind is None or _names_itself(note) or not _may_be_untitled(note):
        return None
    title = Element("p", children=[Text(kind.capitalize())])
    note.insert(0, title)
    return title


def _needs_no_title(note: Element, name: str) -> bool:
    """Return whether a note's class says that it is one, or the strong words that it begins with."""
    names = note.attr("class") or ""
    is_sure = name in (NOTE, NEXTRA) or names in _NEED_NO_TITLE or names in _YARD_NOTES
    is_sure = is_sure or (name == _ANY_NOTE and is_hexo(names))
    is_sure = is_sure or (name == _ALERT and is_colored(note))
    is_sure = is_sure or ((name in _SURE_KINDS or name == _ALERT) and _names_itself(note))
    return is_sure and _may_be_untitled(note)


def _may_be_untitled(note: Element) -> bool:
    """Return whether a note is short, in no other, in no table, and has no headings."""
    around = note.parent
    if isinstance(around, Element) and around.tag == "blockquote":
        return False
    if not 0 < len(note.text.strip()) <= _LONGEST_UNTITLED:
        return False
    return next(note.iter_elements(HEADINGS), None) is None and note.closest(_CELL) is None


def _names_itself(note: Element) -> bool:
    first = _first_shown(note)
    words = _first_shown(first) if first is not None and first.tag in _TITLES else first
    return words is not None and words.tag in _STRONG and words.text.rstrip(" .:!").lower() in _FIRST_WORDS
