"""What tells content from frame: the traits of each block of text, as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import Final

from .alike import is_one_of_many, parts_alike, ways_of
from .blocks import Block, Box, Layout
from .controls import HEADINGS
from .frame_texts import FRAME_WORDS, breaks_off, is_date, is_frame_heading, is_pointer, is_small
from .frame_words import BITS, bits_of
from .headline import MAIN_HEADINGS, MOST, SOME, Subject

TRAITS: Final = (
    "length", "links", "punctuation", "ends like a sentence", "frame text", "frame phrases", "date", "title words",
    "pointer", "next length", "next links", "previous links", "place", "before the heading", "far after the heading",
    "before the article", "after the article", "below a frame heading",
    "box links", "box share", "2nd box prose", "2nd box share", "2nd box blocks", "3rd box length", "3rd box prose",
    "3rd box share", "3rd box blocks", "similar boxes", "paragraphs beside", "paragraphs around",
    "in the article", "next to the article", "far from the article", "shared box share",
    "frame heading", "outside main", "article element share", "branch length", "branch links", "branch prose",
)  # fmt: skip
# Traits that mean more, or less, the more a page is one article: they count once more, times each of the page's own.
SHIFTING: Final = (
    "length", "links", "2nd box prose", "3rd box prose", "similar boxes", "paragraphs beside", "paragraphs around",
    "before the article", "after the article", "far from the article", "branch prose",
)  # fmt: skip
PAGE: Final = ("largest text", "prose", "article")
OF_MANUALS: Final = frozenset(["dt", "pre"])

_PARTS: Final = frozenset(
    ["blockquote", "dd", "dt", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "li", "p", "pre", "td"]
)
_LISTS: Final = frozenset(["ol", "ul"])
_ENDS: Final = frozenset(".!?:…。！？")
_DOUBTFUL: Final = bits_of("aside", "form", "hidden", "footer")
_BESIDES: Final = bits_of(".comment", ".foot", ".related", ".side")
_NO_TITLE: Final = bits_of("hidden", "li", ".crumb", ".foot", ".menu", ".side")
_NO_BRANCH: Final[tuple[float, ...]] = (0.0, -0.5, 1.5)
_SHARES: Final[tuple[float, ...]] = (1.0, 0.5, 0.25)
_SHORT: Final = 80
_SHORT_HEADING: Final = 60
_LONG: Final = 400
_LONG_POINTER: Final = 250


class Reading:
    """A page's blocks seen as parts of one whole: where its article is, and how each block lies to it."""

    def __init__(self, layout: Layout, title: str, *, declared: bool = False) -> None:
        self.boxes, self.blocks = layout.boxes, layout.blocks
        self.declared = declared
        self.total = self.boxes[0].chars
        self._title = frozenset(title.lower().split()[:50])
        self._subject = Subject(title)
        self.headline = self._headline()
        self._holders = [_holder(block.box) for block in self.blocks]
        self._weigh_paragraphs()
        self._largest = max(box.paragraphs for box in self.boxes) or 1.0
        self.article = _grown(max(self.boxes, key=_score))
        self.has_main = any(box.own & BITS["main"] and box.chars > 0.1 * self.total for box in self.boxes)
        self._pass_on()
        ways = ways_of(self.boxes)
        self.parts = parts_alike(self.blocks, self._holders, ways)
        # Of posts alike, and of the sections of a manual, none is the page's one article.
        self.is_manual = any(box.tag in OF_MANUALS for box in self.boxes)
        self.is_of_many = not declared and (self.is_manual or is_one_of_many(self.article, ways))

    def page(self) -> tuple[float, ...]:
        """Return the page's own traits."""
        return self._largest / self.total, self.boxes[0].prose / self.total, self.article.chars / self.total

    def _headline(self) -> int:
        """Return which block is the page's heading, and not the site's name in its place; -1 if none is."""
        heading = _first_heading(self.blocks)
        if heading >= 0 and self._subject.said_in(self.blocks[heading].text) >= SOME:
            return heading
        for place, block in enumerate(self.blocks):
            tag = block.box.tag
            if tag not in MAIN_HEADINGS or block.box.marks & BITS["hidden"]:
                continue
            if self._subject.is_named_by(block.text) or (tag == "h1" and self._subject.said_in(block.text) >= MOST):
                return place
        return heading if heading >= 0 or self.declared else self._title_in_a_block()

    def _title_in_a_block(self) -> int:
        """Return which block is what the page is called, though no tag says that it is a heading; -1 if none is."""
        # A word or two may be the site's name, in any place.
        for place, block in enumerate(self.blocks if self._subject.is_telling else ()):
            if not block.links and not block.box.marks & _NO_TITLE and self._subject.is_said_by(block.text):
                return place
        return -1

    def rows(self) -> Iterator[tuple[tuple[float, ...], int]]:
        """Yield each block's traits and marks."""
        blocks, holders = self.blocks, self._holders
        count = len(blocks)
        heading = self.headline
        # "See also" and "Related" are sections of a manual, which goes on far below its first heading.
        headings = () if self.is_manual else HEADINGS
        far = count if heading < 0 or self.is_manual else heading + count / 2
        first, end = self.article.first, self.article.first + self.article.blocks
        lengths = [log(block.length + 1) for block in blocks]
        lengths.append(0.0)
        links = [block.links for block in blocks]
        links.append(1.0)
        box: Box | None = None
        shared: tuple[float, ...] = ()
        is_below = False
        for place, block in enumerate(blocks):
            if block.box is not box:
                box = block.box
                shared = self._measured(box, holders[place])
                if box.tag in headings:
                    is_below = block.length < _SHORT_HEADING and is_frame_heading(block.text)
            yield (
                (
                    lengths[place],
                    links[place],
                    *self._worded(block),
                    lengths[place + 1],
                    links[place + 1],
                    links[place - 1],
                    place / count,
                    place < heading,
                    place > far,
                    place < first,
                    place >= end,
                    is_below,
                    *shared,
                ),
                box.marks,
            )

    def _worded(self, block: Block) -> tuple[float, ...]:
        """Return what the words of a block say; of a long one, only how it is punctuated."""
        text = block.text
        marks = text.count(".") + text.count(",") + text.count(";") + text.count("!") + text.count("?")
        punctuation = marks / block.words
        if block.length > _LONG:
            return punctuation, text[-1] in _ENDS, 0.0, 0.0, 0.0, 0.0, 0.0
        lower = text.lower()
        words = lower.split()
        is_short = block.length < _SHORT
        framing = 0.0 if FRAME_WORDS.isdisjoint(words) else len(FRAME_WORDS.intersection(words))
        titled = 0.0 if self._title.isdisjoint(words) else len(self._title.intersection(words))
        return (
            punctuation,
            text[-1] in _ENDS,
            is_short and is_small(lower),
            framing / (block.length / 100 + 1),
            is_short and is_date(words),
            titled / (len(self._title) + 1),
            self.declared and block.length < _LONG_POINTER and is_pointer(lower, words[0]),
        )

    def _weigh_paragraphs(self) -> None:
        """Let paragraphs speak for the box that holds them and, less, for those around it."""
        besides = 0.1 if self.declared else 0.5
        for place, (block, holder) in enumerate(zip(self.blocks, self._holders, strict=True)):
            if block.length <= 60 or block.links >= 0.5:
                continue
            weight = block.length * (1 - block.links)
            holder.paragraphs += weight
            if block.box.marks & _DOUBTFUL:
                weight *= 0.1
            if block.box.marks & _BESIDES:
                weight *= besides
            if place < self.headline:
                weight *= 0.3
            if block.links and breaks_off(block.text):
                weight *= 0.3
            outer: Box | None = holder
            for share in _SHARES:
                if outer is None:
                    break
                outer.score += weight * share
                outer = outer.parent

    def _pass_on(self) -> None:
        """Tell each box what it is part of; those around a box come before it."""
        total, article_bit = self.total, BITS["article"]
        line = {id(box): place for place, box in enumerate(_outwards(self.article))}
        for box in self.boxes:
            outer = box.parent
            if outer is None:
                box.distance = line[id(box)]
                continue
            box.larger = outer if outer.chars > box.chars else outer.larger
            box.around = outer.around
            if box.paragraphs > box.around and box.chars < 0.7 * total:
                box.around = box.paragraphs
            box.article_share = outer.article_share or (box.chars / total if box.own & article_bit else 0.0)
            if (distance := line.get(id(box))) is not None:
                box.distance, box.joint_share = distance, box.chars / total
            else:
                box.distance, box.joint_share = outer.distance, outer.joint_share
                box.branch = outer.branch or (log(box.chars), box.link_chars / box.chars, box.prose / box.chars)
            box.frame_heading = outer.frame_heading
            if not box.frame_heading and box.chars < 0.5 * total:
                first = self.blocks[box.first]
                if first.length < _SHORT_HEADING and first.box is not box and is_frame_heading(first.text):
                    box.frame_heading = 1.0 if first.box.tag in HEADINGS else 0.5

    def _measured(self, box: Box, holder: Box) -> tuple[float, ...]:
        """Return the traits that the blocks of one box have in common."""
        total, largest = self.total, self._largest
        second = box.larger or box
        third = second.larger or second
        distance = box.distance
        return (
            box.link_chars / box.chars,
            box.chars / total,
            second.prose / second.chars,
            second.chars / total,
            log(second.blocks),
            log(third.chars),
            third.prose / third.chars,
            third.chars / total,
            log(third.blocks),
            log(box.similar + 1),
            holder.paragraphs / largest,
            box.around / largest,
            distance == 0,
            distance == 1,
            distance >= 3,
            box.joint_share,
            box.frame_heading,
            self.has_main and not box.marks & BITS["main"],
            box.article_share,
            *(box.branch or _NO_BRANCH),
        )


def _first_heading(blocks: list[Block]) -> int:
    for place, block in enumerate(blocks):
        if block.box.tag == "h1" and not block.box.marks & BITS["hidden"]:
            return place
    return -1


def _score(box: Box) -> float:
    return box.score


def _holder(box: Box) -> Box:
    """Return the box whose paragraph, list item or the like a block is."""
    if box.tag in _PARTS and box.parent:
        box = box.parent
    return box.parent if box.tag in _LISTS and box.parent else box


def _outwards(box: Box) -> Iterator[Box]:
    """Yield the box, then those around it."""
    outer: Box | None = box
    while outer is not None:
        yield outer
        outer = outer.parent


def _grown(box: Box) -> Box:
    """Return the box, or one around it as long as what that adds is prose too."""
    inner = box
    for outer in _outwards(box):
        added = outer.chars - inner.chars
        if added <= 0:
            continue
        prose = outer.prose - inner.prose
        is_prose = prose > 0.6 * added and outer.link_chars - inner.link_chars < 0.15 * added
        if is_prose and prose > 0.3 * inner.prose:
            inner = outer
        elif added > 0.5 * inner.chars:
            break
    return inner
