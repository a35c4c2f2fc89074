"""Both ends of a page's Markdown, where what a site repeats on its pages stands: read in chunks, cut, and put back.

A chunk is what stands between empty lines. Its pieces are the lines, cells and links in it, by their text alone: of a
bar of links to the pages before and after, each page has the same few and some of its own.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from xxhash import xxh3_64_digest

from quire.records import Cut

PRINT: Final = 4
"""Bytes of a fingerprint; the text itself need not be known to count it."""
_GAP: Final = "\n\n"
_RULE: Final = "---"
_REACH: Final = 12  # chunks
_SHORT_REACH: Final = 4
_MOST_PIECES: Final = 64
_LONG_TEXT: Final = 2_000  # characters
_LONGEST_LIST: Final = 8_000
# Of longer lists more is learnt than asked for: where a page lacks some of one, its ends are others.
_LEARNT_REACH: Final = 2
_LONG_PROSE: Final = 300
_LISTS: Final = ("-", "|", "1")
# Where a page marks its content, only a text of so many words can be frame all the same: a label is too common.
_STATEMENT: Final = 6
# What may stand between frame and the page's end and is not frame itself: a title, a date.
_STRAY_WORDS: Final = 20
_STRAYS: Final = 2
_BAR_WORDS: Final = 40
_BAR_LINKS: Final = 2
_LINKED: Final = "["  # begins a piece that is a link
_IN_LONG_LIST: Final = "…"
_LABEL_WORDS: Final = 4
_DEEPEST_HEADING: Final = 6
_TARGET: Final = r"(?:<[^<>\n]*+>|[^()\s]*+(?:\([^()\s]*+\)[^()\s]*+)*+)"
_TITLE: Final = r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+'
_IMAGE: Final = rf'!\[([^\[\]\\\n]*+(?:\\.[^\[\]\\\n]*+)*+)\]\({_TARGET}(?: "{_TITLE}")?+\)'
_PICTURE: Final = re.compile(_IMAGE)
_LINK: Final = re.compile(
    rf'(?<![!\\])\[(?P<text>(?:[^\[\]\\\n!]++|\\.|{_IMAGE}|!(?!\[))*+)\]\({_TARGET}(?: "(?P<title>{_TITLE})")?+\)'
)
_BREAK: Final = re.compile(r"[\n|]+")
_MARKS: Final = " \t\u00a0*_>-+•·»›/:#,"
_LETTER: Final = re.compile(r"\w")


def prints_of(markdown: str, *, judged: bool) -> bytes:
    """Return the fingerprints of what stands at both ends of a page."""
    chunks = _ends(markdown.rstrip("\n"), _REACH if judged else _SHORT_REACH)
    found: dict[bytes, None] = {}
    for place in {*_top(chunks, judged=judged), *_bottom(chunks, judged=judged)}:
        found.update((_print(text), None) for text in _texts(chunks[place], judged=judged, reach=_LEARNT_REACH))
    return b"".join(sorted(found))


def prints_of_texts(texts: Iterable[str]) -> bytes:
    """Return the fingerprints of texts that would be pieces, had they been written; a link begins with `[`."""
    return b"".join(sorted({_print(_bare(text)) for text in texts}))


def cuts_of(markdown: str, frame: Container[bytes], *, judged: bool) -> tuple[Cut, ...]:
    """Return the chunks that are frame; none if nothing but headings would be left."""
    chunks = markdown.rstrip("\n").split(_GAP)
    cut = {*_run(chunks, _top(chunks, judged=judged), frame, judged=judged)}
    cut.update(_run(chunks, _bottom(chunks, judged=judged), frame, judged=judged))
    cut -= _labels_with_text(chunks, cut)
    if not cut or all(place in cut or _is_heading(chunk) or chunk == _RULE for place, chunk in enumerate(chunks)):
        return ()
    _widen_to_rules(chunks, cut)
    return tuple(Cut(place, chunks[place]) for place in sorted(cut))


def without(markdown: str, cuts: Sequence[Cut]) -> str:
    """Return the Markdown without chunks of it."""
    places = {cut.place for cut in cuts}
    chunks = markdown.rstrip("\n").split(_GAP)
    return _GAP.join(chunk for place, chunk in enumerate(chunks) if place not in places) + "\n"


def restored(markdown: str, cuts: Sequence[Cut]) -> str:
    """Return the Markdown as it was before chunks were cut."""
    chunks = markdown.rstrip("\n").split(_GAP)
    for cut in cuts:
        chunks.insert(cut.place, cut.text)
    return _GAP.join(chunks) + "\n"


def shown(chunk: str) -> str:
    """Return a chunk's text in one line, as a reader sees it."""
    return " ".join(_PICTURE.sub(r"\1", piece.removeprefix(_LINKED)) for piece in _pieces(chunk))


def _ends(text: str, reach: int) -> list[str]:
    """Return the chunks up to a reach from both ends; what is between them, if any, as one."""
    *top, rest = text.split(_GAP, reach)
    return [*top, *rest.rsplit(_GAP, reach)]


def _top(chunks: Sequence[str], *, judged: bool) -> Iterator[int]:
    """Yield the places from the first on, up to code or HTML, inside of which nothing may be cut."""
    for place in range(min(len(chunks), _REACH if judged else _SHORT_REACH)):
        if _is_opaque(chunks[place]):
            return
        yield place


def _bottom(chunks: Sequence[str], *, judged: bool) -> Iterator[int]:
    """Yield the places from the last on, back to where code or HTML ends."""
    for place in range(len(chunks) - 1, max(-1, len(chunks) - 1 - (_REACH if judged else _SHORT_REACH)), -1):
        if _is_opaque(chunks[place]):
            return
        yield place


def _run(chunks: Sequence[str], places: Iterator[int], frame: Container[bytes], *, judged: bool) -> Iterator[int]:
    """Yield the places of frame, from one end of the page to where its content begins."""
    strays = 0
    for place in places:
        if _is_frame(chunks[place], frame, judged=judged):
            yield place
            continue
        strays += _has_words(chunks[place])
        if strays > _STRAYS or len(chunks[place].split()) > _STRAY_WORDS:
            return


def _is_frame(chunk: str, frame: Container[bytes], *, judged: bool) -> bool:
    texts = _texts(chunk, judged=judged)
    known = [text for text in texts if _print(text) in frame]
    if not known or len(known) < 0.5 * len(texts):
        return False
    if not _is_bar(chunk):
        return len(known) >= 0.8 * len(texts)
    links = sum(text.startswith(_LINKED) for text in known)
    return (links >= _BAR_LINKS or len(known) >= 0.8 * len(texts)) and not _has_own_words(chunk, frame)


def _has_own_words(bar: str, frame: Container[bytes]) -> bool:
    """Return whether words that are not known have links beside them, as a signature has to its source.

    In a cell of their own, or set off by a mark as at the end of a trail, they are a title.
    """
    for line in _BREAK.split(bar):
        first, *others = _LINK.sub("\n", line).split("\n")
        beside = (text for text in others if text.lstrip()[:1] not in _MARKS)
        if others and any(_LETTER.search(text) and _print(_bare(text)) not in frame for text in (first, *beside)):
            return True
    return False


def _labels_with_text(chunks: Sequence[str], cut: Container[int]) -> set[int]:
    """Return the headings and labels that name something which is not cut."""
    kept: set[int] = set()
    for place in range(len(chunks) - 1, -1, -1):
        if place not in cut or not _is_label(chunks[place]) or _names_site(chunks, cut, place):
            continue
        level = _level(chunks[place]) or _DEEPEST_HEADING
        for below in range(place + 1, len(chunks)):
            if 0 < _level(chunks[below]) <= level:
                break
            if below not in cut or below in kept:
                kept.add(place)
                break
    return kept


def _names_site(chunks: Sequence[str], cut: Container[int], place: int) -> bool:
    """Return whether a first heading stands right above the page's own."""
    if _level(chunks[place]) != 1 or any(above not in cut for above in range(place)):
        return False
    below = next((chunk for number, chunk in enumerate(chunks) if number > place and number not in cut), "")
    return _is_heading(below)


def _widen_to_rules(chunks: Sequence[str], cut: set[int]) -> None:
    """Cut the rules that set off frame from content, too."""
    for place, chunk in enumerate(chunks):
        if chunk == _RULE and (place - 1 in cut or place + 1 in cut):
            cut.add(place)


def _is_opaque(chunk: str) -> bool:
    return chunk.startswith("<") or "```" in chunk or "~~~" in chunk


def _has_words(chunk: str) -> bool:
    """Return whether a chunk says anything, as a rule and a picture without a text do not."""
    return _LETTER.search(shown(chunk)) is not None


def _is_heading(chunk: str) -> bool:
    return chunk.startswith("#")


def _level(chunk: str) -> int:
    """Return the level of a heading; 0 if it is none."""
    return len(chunk) - len(chunk.lstrip("#"))


def _is_label(chunk: str) -> bool:
    return _is_heading(chunk) or ("](" not in chunk and len(chunk.split()) <= _LABEL_WORDS)


def _is_bar(chunk: str) -> bool:
    """Return whether a chunk is a few words with links in between."""
    is_likely = len(chunk) <= _LONG_TEXT and chunk.count(" ") <= 3 * _BAR_WORDS and chunk.count("](") >= _BAR_LINKS
    return is_likely and len(_LINK.sub(r"\g<text>", chunk).split()) <= _BAR_WORDS


def _print(text: str) -> bytes:
    return xxh3_64_digest(text.encode())[:PRINT]


def _texts(chunk: str, *, judged: bool, reach: int = 1) -> list[str]:
    """Return what is counted of a chunk: its pieces; where the page marks its content, only those of bars."""
    if len(chunk) > _LONGEST_LIST and judged:
        # The contents of a manual name all its sections: a page's own list of a few of them is no frame for that.
        return [_IN_LONG_LIST + piece for piece in _pieces(chunk, reach)]
    if judged or _is_bar(chunk):
        return _pieces(chunk, reach)
    return [chunk] if len(chunk) <= _LONG_TEXT and chunk.count(" ") >= _STATEMENT - 1 else []


def _pieces(chunk: str, reach: int = 1) -> list[str]:
    """Return the texts in a chunk that stand for themselves; of a long one only if it is a list or a table."""
    if _is_heading(chunk) and "](" in chunk and len(chunk) <= _LONG_TEXT:
        # A site's name is a link on all pages but the one that it leads to.
        chunk = _LINK.sub(r"\g<text>", chunk)
    if "](" not in chunk and "\n" not in chunk and "|" not in chunk:
        return [text] if (text := _bare(chunk)) else []
    if len(chunk) > _LONG_PROSE and chunk[:1] not in _LISTS and not _is_bar(chunk):
        return [chunk]
    if len(chunk) <= _LONGEST_LIST:
        return _parts(chunk)[:_MOST_PIECES]
    # What begins and ends alike on most pages is the same list, whatever of it is unfolded.
    half, most = reach * _LONGEST_LIST // 2, reach * _MOST_PIECES // 2
    return _parts(chunk[:half].rpartition("\n")[0])[:most] + _parts(chunk[-half:].partition("\n")[2])[-most:]


def _parts(chunk: str) -> list[str]:
    """Return the lines, cells and links; those of marks alone, as the links to sections, only if there are no other."""
    parts = [part for part in map(_bare, _BREAK.split(_LINK.sub(_as_part, chunk))) if part]
    return [part for part in parts if _LETTER.search(part)] or parts


def _as_part(link: re.Match[str]) -> str:
    return f"\n{_LINKED}{link['text'] or link['title'] or ''}\n"


def _bare(text: str) -> str:
    """Return a text without the marks around it, a link of nothing else with them."""
    if text.startswith(_LINKED):
        return _LINKED + (text[1:].strip(_MARKS) or text[1:].strip())
    return text.strip(_MARKS)
