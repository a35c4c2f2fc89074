"""A page as the blocks of text that a reader sees, and the boxes that hold them."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Node, Text

from .controls import CONTROLS, HEADINGS, is_control, is_of_sentence, is_question, is_title, rows_of_names
from .frame_words import OF_SMALL_BOXES, kind_and_marks

_UNREAD: Final = frozenset(
    ["audio", "canvas", "datalist", "embed", "head", "iframe", "input", "map", "noembed", "noframes", "noscript",
     "object", "script", "style", "svg", "template", "title", "video"]
)  # fmt: skip
_CONTROLS: Final = frozenset(CONTROLS)
_INLINE: Final = frozenset(
    ["a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i",
     "img", "ins", "kbd", "label", "mark", "math", "picture", "q", "rp", "rt", "ruby", "s", "samp", "small", "source",
     "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", *_UNREAD]
)  # fmt: skip
# One block, whatever is marked up inside.
_WHOLE: Final = frozenset(["caption", "dt", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "summary"])
_TITLE: Final = "h4"
_TEXTS: Final = frozenset(["div", "p"])
_DOXYGEN_CODE: Final = "fragment"
_LAYOUT: Final = ("article", "div", "form", "section", "table")
_FRAME_ROLES: Final = frozenset(
    ["alertdialog", "contentinfo", "dialog", "doc-toc", "menu", "menubar", "navigation", "search", "tooltip"]
)
_EDGES: Final = frozenset(["aside", "footer", "header"])
_SECTIONS: Final = frozenset(["article", "main", "section"])
_DEEPEST: Final = 150
# Inline elements with blocks in them, in each other: each is looked through again for those around it.
_MOST_SPLIT: Final = 8
_PROSE: Final = 80  # characters
_PROSE_LINKS: Final = 0.4


class Box:
    """An element that holds blocks; the sums are over all the blocks below it."""

    __slots__ = (
        "around", "article_share", "blocks", "branch", "chars", "distance", "element", "first", "frame_heading",
        "joint_share", "kept", "kind", "larger", "link_chars", "marks", "own", "paragraphs", "parent", "prose",
        "score", "similar", "tag",
    )  # fmt: skip

    def __init__(self, element: Element, parent: Box | None, tag: str, first: int) -> None:
        self.element = element
        self.parent = parent
        self.tag = tag
        self.first = first
        self.blocks = 0
        self.chars = self.link_chars = self.prose = 0.0

    def know(self) -> None:
        """Make room for what is known of a box with text in it."""
        self.kind, self.own = kind_and_marks(self.element, self.tag)
        self.marks = self.own
        self.kept = self.similar = self.distance = 0
        self.paragraphs = self.score = self.around = self.article_share = self.frame_heading = 0.0
        self.larger: Box | None = None
        self.joint_share = 1.0
        self.branch: tuple[float, ...] | None = None


class Block:
    """A piece of text without a break, its share of links, and the nodes that it is made of."""

    __slots__ = ("box", "length", "links", "nodes", "text", "words")

    def __init__(self, text: str, words: int, links: float, box: Box, nodes: list[Node]) -> None:
        self.text = text
        self.length = len(text)
        self.words = words
        self.links = links
        self.box = box
        self.nodes = nodes


class Layout:
    """A page's boxes and blocks in its order, and the elements that are its frame by their tag or role."""

    __slots__ = ("blocks", "boxes", "frame", "has_frame", "rows")

    def __init__(self, root: Element, *, has_frame: bool = True) -> None:
        self.has_frame = has_frame
        self.boxes: list[Box] = []
        self.blocks: list[Block] = []
        self.frame: list[Element] = []
        # Names of panels go where the panels go, and are not judged themselves.
        self.rows = rows_of_names(root)
        self._read(Box(root, None, root.tag, 0), False, 0)
        self._sum_up()

    def _sum_up(self) -> None:
        """Add up the boxes, and leave those out that hold no text."""
        for box in reversed(self.boxes):
            if box.blocks and (outer := box.parent):
                outer.blocks += box.blocks
                outer.chars += box.chars
                outer.link_chars += box.link_chars
                outer.prose += box.prose
        self.boxes = [box for box in self.boxes if box.blocks or not box.parent]
        large = self.boxes[0].chars / 2
        alike: dict[tuple[int, str], int] = {}
        for box in self.boxes:
            box.know()
            if box.chars > large:
                box.marks &= ~OF_SMALL_BOXES
            if outer := box.parent:
                box.marks |= outer.marks
                key = (id(outer), box.kind)
                alike[key] = alike.get(key, 0) + 1
        for box in self.boxes:
            if outer := box.parent:
                box.similar = max(outer.similar, alike[id(outer), box.kind])

    def _read(self, box: Box, linked: bool, depth: int, split: int = 0) -> None:
        self.boxes.append(box)
        tag = box.tag
        if tag in _WHOLE or depth > _DEEPEST or (tag == "table" and _is_data(box.element)):
            self._add(box, [box.element], linked)
            return
        linked = linked or (tag == "a" and not _leads_to_itself(box.element))
        run: list[Node] = []
        for child in box.element.children:
            if type(child) is Text:
                if run or not child.data.isspace():
                    run.append(child)
                continue
            if type(child) is not Element:
                continue
            tag = child.tag
            if tag in _INLINE or (tag == "button" and is_of_sentence(child)):
                if tag in _UNREAD:
                    continue
                if split > _MOST_SPLIT or _is_inline(child):
                    run.append(child)
                    continue
            if run:
                self._add(box, run, linked)
                run = []
            self._enter(child, tag, box, linked, depth + 1, split + (tag in _INLINE))
        if run:
            self._add(box, run, linked)

    def _enter(self, child: Element, tag: str, box: Box, linked: bool, depth: int, split: int) -> None:
        if self.has_frame and (tag in _CONTROLS or _is_frame(child, tag, box)) and is_control(child, self.rows):
            self.frame.append(child)
        elif child not in self.rows:
            self._read(Box(child, box, _role(child, tag), len(self.blocks)), linked, depth, split)

    def _add(self, box: Box, nodes: list[Node], linked: bool) -> None:
        words = (_text(nodes[0]) if len(nodes) == 1 else "".join([_text(node) for node in nodes])).split()
        if not words:
            return
        text = " ".join(words)
        length = len(text)
        links = 1.0
        if not linked:
            count = _chars_of_links_elsewhere if box.tag in HEADINGS else _link_chars
            links = min(1.0, sum([count(node) for node in nodes if type(node) is Element]) / length)
        self.blocks.append(Block(text, len(words), links, box, nodes))
        box.blocks += 1
        box.chars += length
        box.link_chars += links * length
        if length > _PROSE and links < _PROSE_LINKS:
            box.prose += length


def _text(node: Node) -> str:
    if type(node) is Text:
        return node.data
    return " " if type(node) is Element and node.tag == "br" else node.text


def _link_chars(element: Element) -> int:
    if element.tag == "a":
        return len(element.text.strip())
    return sum([len(anchor.text.strip()) for anchor in element.find_all("a")])


def _leads_to_itself(anchor: Element) -> bool:
    fragment = (anchor.attr("href") or "").partition("#")[2]
    return bool(fragment) and fragment == anchor.attr("id")


def _chars_of_links_elsewhere(heading: Element) -> int:
    """Return the length of a heading's links, but for those to itself."""
    anchors = heading.find_all("a")
    return sum([len(anchor.text.strip()) for anchor in anchors if not (anchor.attr("href") or "").startswith("#")])


def _role(element: Element, tag: str) -> str:
    """Return the tag that an element stands for: Doxygen has code in `div` elements, accordions titles in buttons.

    The questions that others have asked are said to be that.
    """
    if tag == "button":
        return _TITLE if is_title(element) else tag
    if tag == "div" and element.attr("class") == _DOXYGEN_CODE:
        return "pre"
    return _TITLE if tag in _TEXTS and is_question(element) else tag


def _is_inline(element: Element) -> bool:
    for child in element.children:
        if type(child) is not Element or (tag := child.tag) in _UNREAD:
            continue
        if (tag not in _INLINE and not (tag == "button" and is_of_sentence(child))) or not _is_inline(child):
            return False
    return True


def _is_data(table: Element) -> bool:
    """Return whether a table is one, and not a means of layout."""
    return table.find("th") is not None and next(table.iter_elements(_LAYOUT), None) is None


def _is_frame(element: Element, tag: str, box: Box) -> bool:
    """Return whether an element is no content by its role, or a head, foot or aside that is not an article's own."""
    role = element.attr("role")
    if role is None:
        if tag not in _EDGES:
            return False
    elif role in _FRAME_ROLES:
        return True
    elif tag not in _EDGES and role not in ("banner", "complementary"):
        return False
    outer: Box | None = box
    while outer is not None:
        if outer.tag in _SECTIONS or outer.element.attr("role") == "main":
            return False
        outer = outer.parent
    return (tag != "header" and role != "banner") or element.find("h1") is None
