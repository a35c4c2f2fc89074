"""From HTML to Markdown (M1): small changes to the tree, one conversion, and signs put into its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from turbohtml import Element, Markdown

from quire.targets import PageTargets, Targets
from quire.urls import UrlPolicy

from . import formulas, lists, marks
from .alignment import write_alignment
from .anchors import absolute_links, end_links, name_empty_links, part_links
from .attributes import heed_attributes
from .breaks import free_breaks
from .callouts import name_quotations
from .code import free_blocks, name_languages
from .code_lines import break_lines, join_lines, keep_layout
from .delimited import write_delimited
from .escapes import without_needless
from .footnotes import free_notes, free_superscripts, without_notes
from .headed import free_headings
from .images import absolute_images, take_sources
from .inline_code import (
    CODE,
    free_links,
    is_docutils,
    part_pieces,
    part_tags,
    tidy_spaces,
    write_literals,
    write_typed,
)
from .latexml import read_latexml
from .media import MEDIA, link_media
from .notes import open_notes
from .prepare import (
    APART,
    CONTROLS,
    NOISE,
    drop,
    drop_controls,
    drop_source_switches,
    free_checkboxes,
    read_aloud,
    set_apart,
)
from .quotations import free_indented, name_sources
from .scribble import write_programs
from .shapes import give_shape
from .signatures import write_haskell
from .sliders import show_once
from .tables import even_tables
from .tabs import name_tabs, write_slots
from .tags import STRUCK, keep_unknown, leave_open, write_struck
from .terms import list_terms, write_terms
from .tidy import tidied
from .titles import clean_headings, drop_heading, is_within
from .verbatim import Verbatim
from .whole_tables import write_tables

_CHANGED: Final = ("a", "blockquote", "br", "div", "dl", "dt", "img", "input", "pre", "rt", "script", "table", "tt")
_KINDS: Final = {
    **dict.fromkeys(marks.MARKED, "mark"),
    **dict.fromkeys(marks.SLANTED, "slanted"),
    **dict.fromkeys(STRUCK, "struck"),
    **dict.fromkeys(lists.HEADINGS, "heading"),
    **dict.fromkeys(lists.LISTS, "list"),
    **dict.fromkeys(formulas.TAGS, "formula"),
    **dict.fromkeys(NOISE, "noise"),
    **dict.fromkeys(MEDIA, "media"),
    **dict.fromkeys(CONTROLS, "control"),
    **dict.fromkeys(CODE, "code"),
    **{tag: tag for tag in _CHANGED},
    **dict.fromkeys(("aside", "section"), "div"),
    **dict.fromkeys(APART, "apart"),
}
_PAGES: Final = frozenset(["article", "body", "div", "html", "main", "section"])
_BLOCKS: Final = ("blockquote", "heading", "pre", "table")
_MARKDOWN: Final = Markdown(document=Markdown.Document(line_break="backslash"))
# What a pattern begins with is looked for first, and one character several times faster than three.
_EMPTY_LINK: Final = re.compile(r"\](?<=\[\])\(")
_TOUCHING_LINKS: Final = ")["
_NO_BREAK: Final = "\u00a0"
_SPACED_LINK: Final = re.compile(rf"{_NO_BREAK}(?:\]\(|(?<=\[{_NO_BREAK}))")
_EMPTY_LAST: Final = ("-", "*")
_TAG: Final = "<"
_CODE_AS_HTML: Final = f"{_TAG}code>"
# Most lines end otherwise, which takes one look.
_EMPTY_ITEM: Final = re.compile(r"\n(?<=[ ;]\n)(?:(?<=[-*.] \n)|(?<=[-*.] &#160;\n))")


# These are nothing without anything in them.
_NOTHING: Final = frozenset(["dd", "div", "dt", "li", "p", "section", "span", "td", "th"])


class Rough(NamedTuple):
    """The Markdown of an element with signs in it, and what makes text of those."""

    markdown: str
    changes: tuple[Callable[[str], str], ...]


def to_markdown(elements: Iterable[Element], base_url: str) -> str:
    """Return the Markdown of elements in order, changing them on the way; without a base URL links stay as written."""
    return tidied(finished(converted(elements, Targets(UrlPolicy()).of_page(base_url, base_url))))[0]


def converted(elements: Iterable[Element], targets: PageTargets, dropped: Element | None = None) -> list[Rough]:
    """Return what becomes of elements, to be finished and tidied; their tree, with all words in it, may go before.

    The heading that is to be dropped is taken out of it, with the words that it would have had.
    """
    shown = (element for element in elements if element.tag not in NOISE and not _is_nothing(element))
    return [_converted(_as_page(element), targets, dropped) for element in shown]


def finished(parts: list[Rough]) -> str:
    """Return the Markdown of parts one below the other, and let go of them: those of a large page are large."""
    texts = []
    parts.reverse()
    while parts:
        text, changes = parts.pop()
        for change in changes:
            text = change(text)
        texts.append(text)
    return "\n\n".join(filter(None, texts))


def _is_nothing(element: Element) -> bool:
    """Whether there is nothing to convert: a selector may choose as many such elements as a page has room for."""
    return element.tag in _NOTHING and not element.children and not element.attrs


def _as_page(element: Element) -> Element:
    """Return an element, or a block around one that may be taken out: turbohtml cannot convert what is in nothing."""
    if element.tag in _PAGES:
        return element
    page = Element("div")
    # In a document there may be but one element.
    if isinstance(element.parent, Element):
        element.wrap(page)
    else:
        element.extract()
        page.append(element)
    return page


def _converted(element: Element, targets: PageTargets, dropped: Element | None) -> Rough:
    verbatim = Verbatim()
    rows = heed_attributes(element)
    found = _found(element)
    _clean(element, found, targets, verbatim, dropped)
    free_checkboxes(found["input"])
    set_apart(found["apart"])
    whole_tables, is_aligned = even_tables(without_notes(found["table"]))
    absolute_links(found["a"], targets)
    absolute_images(found["img"], targets, found["a"])
    show_once(found["img"], element)
    free_headings(found["heading"], targets.base)
    name_languages(found["pre"])
    name_tabs(found["input"], rows)
    read_aloud(found["rt"])
    found["mark"] += free_breaks(found["br"])
    write_tables(whole_tables, verbatim)
    free_notes(found["dl"])
    list_terms(found["dl"])
    found["mark"] += write_terms(found["dt"])
    found["mark"] += write_struck(found["struck"], verbatim)
    is_marked = marks.mark(found["mark"], found["br"])
    is_spaced = lists.space_items(each for kind in _BLOCKS for each in found[kind])
    write_typed(found["tt"])
    # Of a large page there are so many that what comes next takes their room.
    found.clear()
    free_links(element)
    markdown = _written(element, targets, verbatim)
    verbatim.leave_words()
    signs = ((is_marked, marks.write), (is_aligned, write_alignment), (is_spaced, lists.write))
    changes = (change for is_any, change in signs if is_any)
    return Rough(markdown, (*changes, without_needless, verbatim.write))


def _clean(
    element: Element,
    found: dict[str, list[Element]],
    targets: PageTargets,
    verbatim: Verbatim,
    dropped: Element | None,
) -> None:
    """Take out what is not for readers, and give the rest the shape that the page shows it in."""
    formulas.write_scripts(found["script"], verbatim)
    take_sources(found["noise"])
    found["mark"] += write_slots(found["noise"])
    drop([*found["noise"], *found["script"]])
    drop_controls(found["control"])
    drop_source_switches(found["input"], element)
    read_latexml(element, found, verbatim)
    formulas.write_code(found["code"], verbatim)
    formulas.write_formulas(found["formula"], verbatim)
    found["img"] += link_media(found["media"], targets)
    keep_unknown(element, verbatim)
    clean_headings(found["heading"], element)
    lists.unlist_sections(found["heading"])
    if dropped is not None and is_within(dropped, element):
        found["heading"] = [heading for heading in found["heading"] if heading is not dropped]
        drop_heading(dropped)
    lists.free_names(found.pop("list"))
    write_haskell(found["a"], element)
    _give_shapes(found)
    write_programs(found, element)
    free_indented(found["blockquote"])
    name_sources(found["blockquote"])
    name_quotations(found["blockquote"], found)
    _tidy_code(found, element)


def _give_shapes(found: dict[str, list[Element]]) -> None:
    """Make what pages only show as something, by class or by tag, that."""
    marks.free_blocks(found["mark"])
    open_notes(found["control"], found["div"])
    # There are so many on a large page that letting go of them leaves room for what is made next.
    give_shape(found.pop("div"), found)
    found["mark"] += marks.slant(found["slanted"])
    free_superscripts(found["mark"])


def _tidy_code(found: dict[str, list[Element]], element: Element) -> None:
    """Make of inline code what Markdown can have of it: lines of words."""
    free_blocks(found["pre"])
    # Let go of like the blocks before: a large page has many.
    code = found.pop("code")
    if not code or any(map(is_docutils, found["pre"])):
        code += write_literals(element)
    code += break_lines(found["br"], found["pre"])
    code += found["tt"]
    keep_layout(found["br"], found["pre"])
    join_lines(found["br"])
    part_tags(code, found["heading"])
    tidy_spaces(code)


def _found(element: Element) -> dict[str, list[Element]]:
    """Return what all the changes are about: a walk for each would cost as much as the conversion."""
    found: dict[str, list[Element]] = {kind: [] for kind in _KINDS.values()}
    if element.tag == "div":
        found["div"].append(element)
    for each in element.iter_elements(_KINDS):
        found[_KINDS[each.tag]].append(each)
    return found


def _written(element: Element, targets: PageTargets, verbatim: Verbatim) -> str:
    """Return turbohtml's Markdown, after changes that only few pages need."""
    markdown = element.to_markdown(_MARKDOWN)
    # To look for any of them costs a walk: the Markdown tells.
    is_changed = write_delimited(markdown, element, verbatim)
    if _TAG in markdown and _CODE_AS_HTML in markdown:
        is_changed = part_pieces(list(element.iter_elements(CODE))) or is_changed
    if _EMPTY_LINK.search(markdown):
        links = element.find_all("a")
        is_changed = name_empty_links(links, targets) or is_changed
        is_changed = leave_open(links, verbatim) or is_changed
    if _TOUCHING_LINKS in markdown:
        is_changed = part_links(element.find_all("a")) or is_changed
    if _NO_BREAK in markdown and _SPACED_LINK.search(markdown):
        is_changed = end_links(element.find_all("a")) or is_changed
    if markdown.endswith(_EMPTY_LAST) or _EMPTY_ITEM.search(markdown):
        is_changed = lists.drop_empty(element) or is_changed
    return element.to_markdown(_MARKDOWN) if is_changed else markdown
