"""Which part of a page is kept (M3): its blocks of text are judged one by one, and what is no content is taken away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from copy import deepcopy
from itertools import accumulate
from math import exp
from operator import mul
from typing import Final, NamedTuple

from turbohtml import Document, Element, SelectorSyntaxError

from . import json_ld
from .alike import agreed, judge_together
from .besides import besides
from .blocks import Block, Layout
from .bylines import drop_cards
from .concealed import concealed
from .copies import without_copies
from .frame_words import BITS, FRAME_NAMES, MARKS
from .framesets import framed_body
from .generators import content_by_name, title_beside
from .headings import bare_headings, headings_of, idle_labels
from .landmarks import landmark_of, nested_landmarks, outermost
from .legible import make_legible
from .names import names_in
from .offers import offered, teasers
from .pruning import pruned
from .traits import TRAITS, Reading
from .unseen import drop_unseen
from .weights import BIAS, MARK_WEIGHTS, TRAIT_WEIGHTS
from .wholes import bridged, captioned, completed, embraced, labelled, tabulated

_CODE: Final = "script,style"  # also inside paragraphs
_FEW_LINKS: Final = 0.05
_FRAMING: Final = FRAME_NAMES | BITS["form"]
_LITTLE_TEXT: Final = 150  # characters, some 25 words
_MUCH_TEXT: Final = 5_000
_MOST_DROPPED: Final = 30  # at each end of a page
# On a short page there is little to judge by: only what is clearly no content goes.
_SHORT_PAGE: Final = 600
# Choices of a form, and the form for comments, are more than such a page says.
_DIALOGS: Final = "dialog,[role=dialog],[role=alertdialog]"
_IDLE: Final = f"select,textarea,datalist,#respond,.comment-respond,{_DIALOGS}"
# With a title and a sentence or a few links, a short page says enough for its frame to be none of it.
_SENTENCE: Final = 40  # characters
_HOPELESS: Final = -2.2  # a chance of one in ten: so many blocks have it that together they would count
_A_LINK: Final = 0.5  # of a text
_LIKELY: Final = 0.0  # a chance of one half: of links in boxes that are called frame there are many too
_FAIR_CHANCE: Final = 0.15
# A page that is nearly all content has no frame to speak of.
_NEARLY_ALL: Final = 0.95
_CLEAR_CHANCE: Final = 0.8
# The share of the expected content in the article above which elsewhere is only what is clearly content.
_ONE_ARTICLE: Final = 0.6
_DECLARED_ARTICLE: Final = 0.3
_PUBLISHED: Final = 'meta[property="article:published_time"]'
_ARTICLE_TYPES: Final = ('"Article"', '"NewsArticle"', '"BlogPosting"', '"ReportageNewsArticle"')
_ARTICLE_ITEMS: Final = '[itemtype$="Article"],[itemtype$="BlogPosting"]'
_MOST_ITEMS: Final = 3  # more are a list of articles
# Beside its text, an article's comments are not its content, nor is what a page offers next; beside what is seen of it,
# nothing hidden is, nor on any page what nobody can unfold.
_LEAST_TEXT: Final = 25  # words
_OWN_TEXT: Final = 100  # words
_SEEN: Final = 0.2
_MOSTLY_SEEN: Final = 0.5
_COMMENT: Final = BITS[".comment"]
_HIDDEN: Final = BITS["hidden"]
# A text of this length that a page has twice is there for other screens.
_TELLING: Final = 120
_TELLING_IN_ARTICLE: Final = 80
_WEIGHTS: Final = tuple(TRAIT_WEIGHTS.get(trait, (0.0,) * 5) for trait in TRAITS)
_MARKED: Final = tuple((1 << place, *MARK_WEIGHTS[mark]) for place, mark in enumerate(MARKS) if mark in MARK_WEIGHTS)


class Content(NamedTuple):
    """The elements of a page to keep, and whether the page was judged because it does not mark them itself.

    `dropped` are texts that were taken for frame then, those of links after a `[`; `left_out` is how much of the page's
    text that was, in per cent.
    """

    elements: list[Element]
    judged: bool = False
    dropped: Sequence[str] = ()
    left_out: int = 0


def content_of(document: Document, part: str) -> list[Element]:
    """Return the elements to keep: "main", "full", or the matches of a CSS selector; the body where nothing matches."""
    return choose(document, part).elements


def choose(document: Document, part: str) -> Content:
    """Return what `content_of` does, and how it was found."""
    own = document.find("body")
    body = own or framed_body(document) or document.root or Element("body")
    make_legible(document if own else body, plain=part == "main")
    if part == "full":
        return Content([body])
    if part == "main":
        if landmark := landmark_of(document, body):
            drop_cards(landmark)
            has_title = landmark.find("h1") is not None or _declares_article(document)
            return Content([landmark] if has_title else [*title_beside(body), landmark])
        names = names_in(document)
        named = content_by_name(body, names)
        return Content([named]) if named else _judged(document, body, names)
    return Content(outermost(document, part) or [body])


def valid_selector(css: str) -> str | None:
    """Return what is wrong with a CSS selector; None if it is one."""
    try:
        Element("body").matches(css)
    except SelectorSyntaxError as error:
        return str(error)
    return None


def _judged(document: Document, body: Element, names: Set[str]) -> Content:
    """Return a copy without what is no content; the body itself if little would be left."""
    copy = drop_unseen(deepcopy(body), names)
    layout = _layout(copy)
    if layout.boxes[0].chars < _LITTLE_TEXT:
        return Content([pruned(layout, layout.blocks) if _stands_alone(layout) else _whole(body)], judged=True)
    declared = _declares_article(document)
    if not declared and _is_clean(layout):
        return Content([pruned(layout, layout.blocks)], judged=True)
    title = document.find("title")
    kept = kept_blocks(Reading(layout, title.text if title else "", declared=declared))
    length = sum(block.length for block in kept)
    if length < _LITTLE_TEXT:
        return Content([_whole(body)], judged=True)
    whole = layout.boxes[0].chars + sum(len(element.text) for element in layout.frame)
    return Content([pruned(layout, kept)], True, _dropped(layout, kept), round(100 * (1 - length / whole)))


def _whole(body: Element) -> Element:
    """Return what is kept of a page without much of a content: what it marks as that, or all of it."""
    landmarks = nested_landmarks(body)
    for part in (*landmarks[-1:], body):
        left = deepcopy(part).remove(_IDLE)
        if left.text.strip():
            return left
    return body


def _dropped(layout: Layout, kept: Sequence[Block]) -> list[str]:
    """Return the short texts and the links of blocks that are not kept, of a long page those at its ends."""
    chosen = set(map(id, kept))
    blocks = [block for block in layout.blocks if id(block) not in chosen and block.length < _LITTLE_TEXT]
    texts: list[str] = []
    for block in blocks if len(blocks) <= 2 * _MOST_DROPPED else [*blocks[:_MOST_DROPPED], *blocks[-_MOST_DROPPED:]]:
        texts.append(block.text)
        texts.extend(_links_and_words(block))
    return texts


def _links_and_words(block: Block) -> Iterator[str]:
    """Yield the texts of a block's links, and what stands before each of them."""
    rest = block.text
    for node in block.nodes:
        if isinstance(node, Element):
            for link in [node] if node.tag == "a" else node.find_all("a"):
                label = " ".join(link.text.split())
                yield f"[{label}"
                if label:
                    before, _, rest = rest.partition(label)
                    yield before


def _is_clean(layout: Layout) -> bool:
    """Return whether nothing on a page looks like frame, as in an old manual."""
    root = layout.boxes[0]
    if layout.frame or root.link_chars > _FEW_LINKS * root.chars:
        return False
    return not any(box.own & _FRAMING for box in layout.boxes if box.parent)


def _declares_article(document: Document) -> bool:
    """Return whether the page says of itself that it is one article."""
    if document.select_one(_PUBLISHED) is not None:
        return True
    texts = [script.text for script in document.select(json_ld.SELECTOR)]
    if found := sum(text.count(word) for text in texts for word in _ARTICLE_TYPES):
        return found <= _MOST_ITEMS
    return 0 < len(document.select(_ARTICLE_ITEMS)) <= _MOST_ITEMS


def _layout(body: Element) -> Layout:
    """Return what there is to read, whatever a page that hides all of it calls the place."""
    layout = Layout(body.remove(_CODE))
    found = layout.boxes[0].chars
    if found > _MUCH_TEXT:
        return layout
    fallbacks = body.find_all("noscript")
    # Pages that a script draws have their text for everybody else in there.
    if fallbacks and sum(len(fallback.text) for fallback in fallbacks) > 3 * found + _LITTLE_TEXT:
        for fallback in fallbacks:
            fallback.tag = "div"
        layout = Layout(body)
        found = layout.boxes[0].chars
    if found >= _LITTLE_TEXT or _stands_alone(layout):
        return layout
    rest = deepcopy(body).remove(_DIALOGS)
    return Layout(rest if rest.text.strip() else body, has_frame=False)


def _stands_alone(layout: Layout) -> bool:
    """Return whether a short page has a frame by its tags, and within it a title and something to say."""
    titles = [block for block in layout.blocks if block.box.tag == "h1"]
    said = layout.boxes[0].chars - sum(block.length for block in titles)
    return bool(layout.frame and titles) and said >= _SENTENCE


def kept_blocks(reading: Reading) -> list[Block]:
    """Return the blocks that are likely content: as many as make the best of finding all of it and nothing else."""
    blocks = reading.blocks
    chances = _without(teasers(reading), _chances(reading), blocks, _OWN_TEXT, _SEEN)
    chances = _without(offered(reading) | besides(reading), chances, blocks, _LEAST_TEXT, 0)
    if reading.declared:
        chances = _without(_marked(_COMMENT, blocks), chances, blocks, _LEAST_TEXT, 0)
        chances = _without(_marked(_HIDDEN, blocks), chances, blocks, 0, _SEEN)
    else:
        chances = _without(concealed(reading), chances, blocks, 0, _MOSTLY_SEEN)
    expected = [chance * block.words for chance, block in zip(chances, blocks, strict=True)]
    least = _least_chance(chances, expected, blocks)
    if reading.total < _SHORT_PAGE:
        least = min(least, _FAIR_CHANCE)
    clear = max(least, _CLEAR_CHANCE)
    first, end = reading.article.first, reading.article.first + reading.article.blocks
    one_article = _DECLARED_ARTICLE if reading.declared else _ONE_ARTICLE
    if reading.is_of_many or sum(expected[first:end]) <= one_article * sum(expected):
        first, end = 0, len(blocks)
    headline = reading.headline
    kept = {
        place
        for place, block in enumerate(blocks)
        if place == headline
        or (first <= place < end and (chances[place] >= least or block.box.tag == "pre"))
        or chances[place] >= clear
    }
    kept = captioned(reading, tabulated(reading, completed(reading, kept)))
    kept = labelled(reading, embraced(reading, bridged(reading, kept)))
    kept = agreed(blocks, reading.parts, kept | headings_of(reading, kept))
    if reading.total > _SHORT_PAGE and sum(blocks[place].length for place in kept) > _NEARLY_ALL * reading.total:
        kept.update(
            place for place, chance in enumerate(chances) if chance and not blocks[place].box.marks & FRAME_NAMES
        )
    kept -= idle_labels(reading, kept) | bare_headings(reading, kept) - {headline}
    telling = _TELLING_IN_ARTICLE if reading.declared else _TELLING
    return [blocks[place] for place in without_copies(reading, sorted(kept), telling)]


def _marked(mark: int, blocks: list[Block]) -> set[int]:
    return {place for place, block in enumerate(blocks) if block.box.marks & mark}


def _without(places: Set[int], chances: list[float], blocks: list[Block], words: int, share: float) -> list[float]:
    """Return no chance for blocks, if these words and this share of what is expected are in the others."""
    if not places:
        return chances
    others = [0.0 if place in places else chance for place, chance in enumerate(chances)]
    left, whole = (sum(map(mul, each, (block.words for block in blocks))) for each in (others, chances))
    return others if left > max(words, share * whole) else chances


def _least_chance(chances: list[float], expected: list[float], blocks: list[Block]) -> float:
    """Return the chance of the last block that the expected F1 of all words gains by."""
    order = sorted(range(len(blocks)), key=chances.__getitem__, reverse=True)
    found = list(accumulate(expected[place] for place in order))
    taken = accumulate(blocks[place].words for place in order)
    best = [right / (words + found[-1]) for right, words in zip(found, taken, strict=True)]
    return chances[order[best.index(max(best))]]


def _chances(reading: Reading) -> list[float]:
    """Return how likely each block is content."""
    declared = float(reading.declared)
    page = (1.0, *reading.page(), declared)
    weights = [sum(map(mul, shares, page)) for shares in _WEIGHTS]
    bias = BIAS[0] + declared * BIAS[1]
    marked: dict[int, float] = {}
    totals = []
    for traits, marks in reading.rows():
        if (base := marked.get(marks)) is None:
            base = marked[marks] = bias + sum(weight + declared * more for bit, weight, more in _MARKED if marks & bit)
        totals.append(base + sum(map(mul, weights, traits)))
    judge_together(totals, reading.blocks, reading.parts)
    return [
        1 / (1 + exp(-total)) if total > (_LIKELY if _is_link_of_frame(block) else _HOPELESS) else 0.0
        for total, block in zip(totals, reading.blocks, strict=True)
    ]


def _is_link_of_frame(block: Block) -> bool:
    return block.links > _A_LINK and block.box.marks & FRAME_NAMES != 0
