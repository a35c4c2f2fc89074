"""A last look at a page's Markdown: nothing in it that no reader sees, and no idle space."""

from __future__ import annotations

import re
from typing import Final

from .fences import code_blocks

_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_C0_CONTROLS: Final = bytes(code for code in (*range(32), 127) if code not in b"\t\n")
# In UTF-8: all of the above and below that is not ASCII. Patterns that begin with one value, and have no other that has
# to follow, are searched for many times faster than others; that value alone again many times faster.
_UNSEEN: Final = (
    (b"\xc2", re.compile(rb"\xc2[\x80-\x9f\xad]")),
    (b"\xe2", re.compile(rb"\xe2(?:\x80[\x8b\x8d\xa8\xa9]|\x81\xa0)")),
    (b"\xef", re.compile(rb"\xef[\xbb]\xbf")),
)
_LINE_SEPARATORS: Final = re.compile("[\u2028\u2029]")
# Soft hyphens, and what is wide as nothing: nobody finds a word with one of them in it. Thai, Lao, Burmese and Khmer
# are written without spaces, and have one of them between words.
_NO_SPACES: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
# What begins a line, or is all of some markup, has to stay: without it the next sign could mean something.
_INSIDE: Final = r"(?<=[^\s`>*+\-\[_~|])"
_NO_WIDTH: Final = re.compile(
    rf"{_INSIDE}(?:[\u00ad\u2060\ufeff]|(?<![{_NO_SPACES}])\u200b(?![{_NO_SPACES}]))|[\u00ad\u2060\ufeff\u200b]++(?=[^\W\d_{_NO_SPACES}])"
)
_UNSEEN_LINE: Final = re.compile("^[\u200b\u200d\u2060\ufeff]+$", re.MULTILINE)
_ENTITY: Final = re.compile("&[#]")
# Behind a backslash or a backtick it is what a page writes about. The one sign that all begin with is looked for first.
_MEANT: Final = r"&(?<![\\`]&)#"
_SEPARATOR_ENTITIES: Final = re.compile(rf"{_MEANT}823[23];")
_BLANK: Final = "(?:160|819[2-8]|820[01]|8239);"
_BLANKS: Final = re.compile(rf"{_MEANT}{_BLANK}[ \u00a0]*+(?:&#{_BLANK}[ \u00a0]*+)*+")
# Typesetters' spaces, as wide as letters: between words they are blanks. Narrow ones part the digits of a number.
_WIDE: Final = re.compile("&#819[2-8];")
# At either end of a cell or a block, a space that does not break is nothing to readers. What is no letter and no number
# could begin a list or a heading without the space before it.
_MAY_BEGIN: Final = re.compile(r"[^\W\d_]|\d++(?![.)])|\*{1,3}+[^\s*_]|#++[^\s#]|!?\[|[(\"“‘«»–—•→]|`(?!``)|\\[^\w\s]")
_MARGIN: Final = re.compile(r"[ >]*+(?:(?:[-*+]|\d{1,9}[.)]) [ >]*+)*+")
_DEEPEST_MARGIN: Final = 40  # characters
# A break that nothing follows: turbohtml writes a `\\` of the page's own as two.
_LAST_BREAK: Final = re.compile(r"\\(?<!\\\\)\n(?=\n|\Z)")
_SPACES_AT_END: Final = re.compile(r"(?<! ) ++\n")
_IDLE_SPACE: Final = re.compile(r"\n(?:(?<= \n)|\n(?:\n|(?<=[^\\]\\\n\n)))")
_NO_BREAK: Final = "\u00a0"
_SPACED_CELL: Final = re.compile(rf"{_NO_BREAK}(?: \||(?<=\| {_NO_BREAK}))")
_UNTIDY: Final = (("&", _ENTITY), ("\n", _IDLE_SPACE), (_NO_BREAK, _SPACED_CELL))
_MARGINS: Final = " >"
_NEXT_CELL: Final = re.compile(r"(?<!\\)\|")


def tidied(text: str) -> tuple[str, bytes]:
    """Return the text with one newline at its end, without what nobody sees; and as bytes."""
    text = text.strip("\n") + "\n"
    # Bytes are searched for single values ten times faster than a string is for the same characters.
    raw = text.encode(errors="replace")
    is_unseen = len(raw.translate(None, _C0_CONTROLS)) < len(raw) or (
        not raw.isascii() and any(sign in raw and pattern.search(raw) for sign, pattern in _UNSEEN)
    )
    if not is_unseen and not any(sign in text and pattern.search(text) for sign, pattern in _UNTIDY):
        return text, raw
    if is_unseen:
        text = _CONTROLS.sub("", text)
    text = _in_prose(text, is_unseen=is_unseen).strip("\n") + "\n"
    return text, text.encode(errors="replace")


def _in_prose(text: str, *, is_unseen: bool) -> str:
    """Return the text without unseen signs, if it has any, spaces at line ends and second empty lines; not in code."""
    pieces = []
    position = 0
    for start, end in code_blocks(text):
        pieces += [_squeezed(text[position:start], is_unseen=is_unseen), text[start:end]]
        position = end
    return "".join(pieces) + _squeezed(text[position:], is_unseen=is_unseen)


def _squeezed(prose: str, *, is_unseen: bool) -> str:
    if is_unseen:
        prose = _NO_WIDTH.sub("", _UNSEEN_LINE.sub("", _LINE_SEPARATORS.sub(" ", prose)))
    if _ENTITY.search(prose):
        prose = _SEPARATOR_ENTITIES.sub(" ", prose)
        prose = _BLANKS.sub(_unless_outer, prose)
    if _SPACED_CELL.search(prose):
        prose = "\n".join([_with_tidy_cells(line) if _NO_BREAK in line else line for line in prose.split("\n")])
    # Mostly it is one space, and to replace that is many times faster.
    prose = prose.replace(" \n", "\n")
    if " \n" in prose:
        prose = _SPACES_AT_END.sub("\n", prose)
    prose = _LAST_BREAK.sub("\n", prose)
    while "\n\n\n" in prose:
        prose = prose.replace("\n\n\n", "\n\n")
    return prose


def _with_tidy_cells(line: str) -> str:
    """Return a row of a table without spaces that do not break at the ends of its cells; other lines as they are."""
    if not line.lstrip(_MARGINS).startswith("|") or not line.endswith("|"):
        return line
    margin, *cells, _ = _NEXT_CELL.split(line)
    return "|".join([margin, *(f" {cell.strip(f' {_NO_BREAK}')} " for cell in cells), ""])


def _unless_outer(blanks: re.Match[str]) -> str:
    text, start, end = blanks.string, blanks.start(), blanks.end()
    after = text[end : end + 1]
    if after == "|":
        return " "
    if not after.strip("\n"):
        return ""
    line = text.rfind("\n", max(0, start - _DEEPEST_MARGIN), start) + 1
    is_first = (line > 0 or start < _DEEPEST_MARGIN) and _MARGIN.fullmatch(text, line, start) is not None
    if is_first:
        return "" if _MAY_BEGIN.match(text, end) else blanks[0]
    # Signs behind a blank would close a heading.
    if after == "#" or not _WIDE.match(blanks[0]):
        return blanks[0]
    return "" if text[start - 1] == " " else " "
