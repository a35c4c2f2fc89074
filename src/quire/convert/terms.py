"""Definition lists: their terms are strong, and those within others, tables of contents and indexes are lists."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile, zip_longest
from typing import Final

from turbohtml import Element, Node, Text

from .lists import HEADINGS, elements
from .signatures import write_signature

_TERM: Final = ("dt",)
_SIGNATURE: Final = "sig"
_STRONG: Final = "b,strong"
_PLAIN: Final = frozenset(["code", "kbd", "samp", "span", "tt"])
_SLANTED: Final = frozenset(["em", "i"])
_BARE_ANCHORS: Final = "a:not([href])"
# DocBook.
_CONTENTS: Final = "toc"
# What Sphinx, javadoc and Texinfo say about members of a class, which is no list for anybody.
_MEMBERS: Final = ("field-list", "notes", "def")
_SIGNATURES: Final = "dt.sig,.descname"
# SWI-Prolog.
_PREDICATE: Final = "def"
_TAG: Final = "pred-tag"
# Texinfo's, which has nothing but a colon there if a definition is of nothing special.
_DEFINED: Final = "index-"
_CATEGORIES: Final = frozenset(["category", "category-def"])
_NO_CATEGORY: Final = " :\u00a0\n"
_LINE_END: Final = "\x00"
# docutils says so of what kind a term is; newer versions have the colon in their style sheet.
_CLASSIFIER: Final = "classifier"
_DASHES: Final = ("—", "–", "-")
_BETWEEN_LINKS: Final = ", \t\n\u00a0"
_BEFORE_LINKS: Final = (".", ",")
_FEWEST_ENTRIES: Final = 2


def list_terms(lists: Iterable[Element]) -> None:
    """Make lists of definition lists that are in the meaning of a term, and of tables of contents."""
    mixed: set[Node] = set()
    for each in lists:
        # Those within contents are lists by now.
        if each.tag != "dl" or each.parent is None:
            continue
        first = next(each.iter_elements(_TERM), None)
        if first is not None and (first.attr("class") or "").startswith(_SIGNATURE):
            continue
        if _is_contents(each, first, mixed):
            for inner in [*reversed(each.find_all("dl")), each]:
                _list_entries(inner)
        elif first is not None and _is_in_meaning(each) and not _tells_of_members(each):
            _list_meanings(each)


def write_terms(terms: Iterable[Element]) -> list[Element]:
    """Make signatures code and other plain terms strong; return what is strong now."""
    strong: list[Element] = []
    for term in terms:
        name = term.attr("class")
        if name and name.endswith(_PREDICATE):
            _part_tag(term)
        if name and name.startswith(_SIGNATURE):
            write_signature(term)
        elif (place := term.attr("id")) and place.startswith(_DEFINED) and (category := _category(term)):
            _write_definition(term, category)
        elif term.tag != "li" and (last := term.children[-1:]) and _is_classifier(last[0]):
            strong += _write_classified(term)
        elif term.tag != "li" and _is_plain_term(term) and term.text.strip():
            term.strip_tags(_STRONG)
            emphasis = Element("strong")
            term.wrap_children(emphasis)
            strong.append(emphasis)
    return strong


def _is_classifier(node: Node) -> bool:
    return isinstance(node, Element) and node.attr("class") == _CLASSIFIER


def _is_part_of_term(node: Node) -> bool:
    return not isinstance(node, Element) or not (node.attr("class") or "").startswith(_CLASSIFIER)


def _write_classified(term: Element) -> list[Element]:
    """Put a colon before what kind a term is of, and make the term strong; return what is strong now."""
    words = list(takewhile(_is_part_of_term, term.children))
    for kind in filter(_is_classifier, term.children):
        before = kind.previous_sibling
        if before is not None and not (isinstance(before, Text) and before.data.isspace()):
            kind.insert_before(Text(" : "))
    if not any(word.text.strip() for word in words) or not all(map(_is_plain, words)):
        return []
    emphasis = Element("strong")
    words[0].wrap_siblings(emphasis, until=words[-1])
    return [emphasis]


def _part_tag(term: Element) -> None:
    """Put a blank behind what is said of a predicate before its name: it stands at the other end of the line."""
    first = term.children[0] if term.children else None
    if isinstance(first, Element) and first.attr("class") == _TAG:
        first.insert_after(Text(" "))


def _category(term: Element) -> Element | None:
    """Return what Texinfo says a definition is of, before it."""
    first = term.children[0] if term.children else None
    return first if isinstance(first, Element) and first.attr("class") in _CATEGORIES else None


def _write_definition(term: Element, category: Element) -> None:
    """Make code of a definition, line by line, behind its category if that says anything."""
    lines = _lines(term, category)
    is_said = category.text.strip(_NO_CATEGORY) != ""
    if not lines and not is_said:
        return
    term.clear()
    if is_said:
        term.append(category)
    for number, line in enumerate(lines):
        if number or is_said:
            term.append(Element("br") if number else Text(" "))
        term.append(Element("code", children=[Text(line)]))


def _lines(term: Element, category: Element) -> list[str]:
    for each in term.find_all("br"):
        each.replace_with(Text(_LINE_END))
    text = "".join(child.text for child in term.children if child is not category)
    lines = (" ".join(line.split()) for line in text.split(_LINE_END))
    return list(filter(None, lines))


def _is_contents(each: Element, first: Element | None, mixed: set[Node]) -> bool:
    """Return whether a list is a table of contents or an index, and none in it is another; note what has such in it."""
    if each.has_class(_CONTENTS):
        return True
    around = each.parent
    if isinstance(around, Element) and around.has_class(_CONTENTS):
        return True
    if each in mixed or first is None or (first.find("a") is None and each.find("dl") is None) or not _is_index(each):
        return False
    if len(each.find_all("dt", limit=_FEWEST_ENTRIES)) < _FEWEST_ENTRIES:
        return False
    other = next((inner for inner in each.find_all("dl") if not _is_index(inner)), None)
    if other is not None:
        mixed.update(takewhile(lambda around: around is not each, other.ancestors))
    return other is None


def _is_index(each: Element) -> bool:
    """Return whether all terms are links, or hold none but have entries below them; none is given a meaning."""
    parts = elements(each)
    for part, behind in zip_longest(parts, parts[1:]):
        if part.tag == "dt":
            has_entries = behind is not None and behind.tag == "dd"
            is_entry = _is_link(part) or ((has_entries or not part.text.strip()) and part.find("a") is None)
        else:
            is_entry = part.tag == "dd" and [child.tag for child in _shown(part)] == ["dl"]
        if not is_entry:
            return False
    return True


def _shown(part: Element) -> list[Element]:
    """Return the elements of a part, and the part itself for text among them."""
    children = (child for child in part.children if isinstance(child, Element) or child.text.strip())
    return [child if isinstance(child, Element) else part for child in children]


def _is_link(term: Element) -> bool:
    """Return whether a term is but links, a number or an index's word before them and what a dash begins behind."""
    links = [text for link in term.find_all("a") if link.attr("href") and (text := link.text.strip())]
    if not links:
        return False
    first = term.children[0]
    # A word may be said before a link and in it.
    word = first.data.strip() if isinstance(first, Text) else ""
    number, _, behind = term.text.strip().removeprefix(word).partition(links[0])
    number = (word + number).rstrip()
    rest = _without(links[1:], behind).strip(_BETWEEN_LINKS)
    return (not number or number.endswith(_BEFORE_LINKS)) and (not rest or rest.startswith(_DASHES))


def _without(texts: Iterable[str], whole: str) -> str:
    """Return what a text says between and behind others that it has, in order."""
    pieces: list[str] = []
    place = 0
    for text in texts:
        found = whole.find(text, place)
        if found >= 0:
            pieces.append(whole[place:found])
            place = found + len(text)
    return "".join((*pieces, whole[place:]))


def _list_entries(contents: Element) -> None:
    """Make an item of each term, with the entries below it."""
    _free_of_groups(contents)
    item: Element | None = None
    for part in elements(contents):
        if part.tag == "dt" or item is None:
            part.tag = "li"
            item = part
        else:
            part.tag = "div"
            item.append(part)
            if all(child.tag == "ul" for child in _shown(part)):
                part.unwrap()
    for item in elements(contents):
        if not item.text.strip() and item.find("img") is None:
            item.extract()
    contents.tag = "ul"


def _is_in_meaning(each: Element) -> bool:
    """Return whether a list is in the meaning of a term, and not all there is of an item, which has its marker."""
    item = each.parent
    is_item = isinstance(item, Element) and item.tag == "li" and _shown(item) == [each]
    return not is_item and each.closest("dd") is not None


def _tells_of_members(each: Element) -> bool:
    if any(map(each.has_class, _MEMBERS)) or each.select_one(_SIGNATURES):
        return True
    return next(each.iter_elements(HEADINGS), None) is not None


def _list_meanings(each: Element) -> None:
    """Make an item of each term, or of several that mean the same, and of what they mean."""
    _free_of_groups(each)
    item: Element | None = None
    before = ""
    for part in elements(each):
        if item is None or (part.tag == "dt" and before == "dd"):
            item = Element("li")
            part.insert_before(item)
        before = part.tag
        part.tag = "p" if before == "dt" else "div"
        item.append(part)
    each.tag = "ul"


def _free_of_groups(each: Element) -> None:
    for group in elements(each):
        if group.tag == "div":
            group.unwrap()


def _is_plain_term(term: Element) -> bool:
    """Return whether a term begins with no emphasis, nor says what it links to; the names of places in the page go."""
    if term.find("a"):
        term.strip_tags(_BARE_ANCHORS)
        if any(map(_explains_link, term.children)):
            return False
    return all(_is_plain(node) or _is_slanted_word(node) for node in term.children)


def _is_slanted_word(node: Node) -> bool:
    """Return whether words are emphasised that stand behind others, as in a title."""
    before = node.previous_sibling
    return (
        isinstance(node, Element)
        and node.tag in _SLANTED
        and isinstance(before, Text)
        and before.data.endswith(" ")
        and before.data.strip() != ""
    )


def _explains_link(node: Node) -> bool:
    """Return whether text is what javadoc's index says of a link before it."""
    if not isinstance(node, Text) or not isinstance(node.previous_sibling, Element):
        return False
    return node.previous_sibling.tag == "a" and node.data.startswith(" ") and node.data.lstrip().startswith(_DASHES)


def _is_plain(node: Node) -> bool:
    if isinstance(node, Element) and node.tag == "a":
        return node.text.strip() != "" and all(map(_is_plain, node.children))
    return isinstance(node, Text) or (isinstance(node, Element) and node.tag in _PLAIN)
