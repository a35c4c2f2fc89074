"""How the columns of tables are aligned, which travels through the conversion as signs."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from turbohtml import Element, Text

_ALIGNED: Final = "[align],[style*=text-align],[class*=right],[class*=center]"
_ALIGNMENT: Final = re.compile(r"text-align\s*+:\s*+(left|center|right)", re.IGNORECASE)
# Asciidoctor's, MyST's, Org's, LaTeXML's, WordPress's and DokuWiki's; left is how most cells are.
_CLASS: Final = re.compile(
    r"(?<!\S)(?:(?:halign-|text-|org-|ltx_align_|has-text-align-)(right|center)|(right|center)align)(?!\S)"
)
_SIGNS: Final = {"left": "\x14", "center": "\x15", "right": "\x16"}
_RULES: Final = {"\x14": ":---", "\x15": ":---:", "\x16": "---:"}
# With the white space that the page has before the words of a head.
_SIGN: Final = re.compile(r"[\x14-\x16](?: ++(?!\|))?+")
_RULE: Final = re.compile(r"[ >]*+\|(?: --- \|)++")
_BAR: Final = re.compile(r"(?<!\\)\|")


def align(table: Element) -> bool:
    """Put a sign into the head of every column that has an alignment."""
    row = table.find("tr")
    heads = row.select(_ALIGNED) if row else []
    is_any_aligned = False
    for head in heads:
        named = _alignment(head)
        if head.tag in ("th", "td") and named in _SIGNS:
            head.insert(0, Text(_SIGNS[named]))
            is_any_aligned = True
    return is_any_aligned


def write_alignment(text: str) -> str:
    """Return the Markdown with columns aligned as the signs in their heads say."""
    lines = text.split("\n")
    for place, (head, rule) in enumerate(pairwise(lines)):
        if _SIGN.search(head) and _RULE.fullmatch(rule):
            lines[place + 1] = _aligned(head, rule)
    return _SIGN.sub("", "\n".join(lines))


def _alignment(head: Element) -> str:
    if styled := _ALIGNMENT.search(head.attr("style") or ""):
        return styled[1].lower()
    if named := head.attr("align"):
        return named.lower()
    called = _CLASS.search(head.attr("class") or "")
    return called[1] or called[2] if called else ""


def _aligned(head: str, rule: str) -> str:
    columns = zip(_BAR.split(head), rule.split("|"), strict=False)
    return "|".join(f" {_RULES[sign[0][0]]} " if (sign := _SIGN.search(cell)) else idle for cell, idle in columns)
