"""A forgiving reader of XML tags: it resolves no entity, opens no file, and goes on after every error.

A sitemap is flat, so tags and the text between them are enough, and an error costs no more than the element it is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5
from typing import Final, NamedTuple

MAX_TAG: Final = 16_384

_NAME: Final = r"(?:[\w.-]++:)?+([A-Za-z_][\w.-]*+)"
_ATTRIBUTES: Final = r"""([^<>"']*+(?:(?:"[^"<]*+"|'[^'<]*+')[^<>"']*+)*+)"""
# Text and a tag; of most elements in a sitemap the same match brings the content and the end tag, too.
_TAG: Final = re.compile(rf"([^<]*+)<(/?+){_NAME}{_ATTRIBUTES}>(?:([^<]*+)</(?:[\w.-]++:)?+\3\s*+>)?+")
_TAG_WITH_STRAY_QUOTE: Final = re.compile(rf"<(/?+){_NAME}([^<>]*+)>")
_INSTRUCTION: Final = re.compile(r"<\?[^<>]*+>")
_DECLARATION: Final = re.compile(r"""<![^<>"'\[]*+(?:(?:"[^"]*+"|'[^']*+')[^<>"'\[]*+)*+[>\[]""")
_ATTRIBUTE: Final = re.compile(r"""([\w.:-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_REFERENCE: Final = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z_][\w.-]{0,63}));")


TEXT: Final = 0
START: Final = 1
END: Final = 2
ELEMENT: Final = 3

Token = tuple[str, int, str, str, str]
"""The text before, and the tag: its kind, local name, attributes; an ELEMENT is a START, its content and the END."""


class _Section(NamedTuple):
    start: str
    end: str
    is_text: bool


_SECTIONS: Final = (_Section("<!--", "-->", is_text=False), _Section("<![CDATA[", "]]>", is_text=True))


class Markup:
    """Turns text into tokens, however it is cut; each result must be exhausted before the next call."""

    def __init__(self) -> None:
        self._rest = ""
        self._section: _Section | None = None

    def feed(self, text: str, last: bool = False) -> Iterator[Token]:
        """Yield the tokens that are complete; `last` says that nothing follows."""
        buffer = self._rest + text
        position = 0
        while position < len(buffer):
            match = None if self._section else _TAG.match(buffer, position)
            if match and (match.end() - position < MAX_TAG or match.end(4) - match.end(1) < MAX_TAG):
                before, slash, name, attributes, content = match.groups()
                position = match.end()
                if slash:
                    position = match.end(4) + 1
                    yield before, END, name, "", ""
                elif content is None:
                    yield before, START, name, attributes, ""
                else:
                    yield before, ELEMENT, name, attributes, content
                continue
            odd = self._odd(buffer, position, last)
            if odd is None:
                break
            position, token = odd
            if token is not None:
                yield token
        self._rest = buffer[position:]

    def _odd(self, buffer: str, position: int, last: bool) -> tuple[int, Token | None] | None:
        """Return where that which is no plain tag ends, and its token; None if only more text can tell."""
        if self._section is not None:
            return self._in_section(self._section, buffer, position, last)
        opening = buffer.find("<", position)
        if opening != position:
            stop = opening if opening > 0 else len(buffer)
            return stop, _text(buffer[position:stop])
        # All is decided within MAX_TAG characters, so that it does not depend on where the text was cut.
        limit = position + MAX_TAG
        last = last or len(buffer) >= limit
        if buffer.startswith("<!", position):
            return self._declaration(buffer, position, last)
        if not last and buffer.find("<", position + 1) < 0:
            return None
        if instruction := _INSTRUCTION.match(buffer, position, limit):
            return instruction.end(), None
        if tag := _TAG_WITH_STRAY_QUOTE.match(buffer, position, limit):
            return tag.end(), ("", END if tag[1] else START, tag[2], tag[3], "")
        return position + 1, _text("<")

    def _declaration(self, buffer: str, position: int, last: bool) -> tuple[int, Token | None] | None:
        """Step over a part of a DTD, or into a comment or a CDATA section."""
        for section in _SECTIONS:
            if buffer.startswith(section.start, position):
                self._section = section
                return position + len(section.start), None
            if not last and section.start.startswith(buffer[position : position + len(section.start)]):
                return None
        declaration = _DECLARATION.match(buffer, position, position + MAX_TAG)
        if declaration is None and not last:
            return None
        return declaration.end() if declaration else position + 1, None

    def _in_section(self, section: _Section, buffer: str, position: int, last: bool) -> tuple[int, Token | None] | None:
        end = buffer.find(section.end, position)
        if end >= 0:
            self._section = None
            stop, resume = end, end + len(section.end)
        else:
            stop = resume = len(buffer) if last else len(buffer) - len(section.end) + 1
            if stop <= position:
                return None
        return resume, _text(buffer[position:stop].replace("&", "&amp;")) if section.is_text else None


def attribute(attributes: str, name: str) -> str | None:
    """Return the value of the attribute, whatever its prefix and case."""
    for written, double, single in _ATTRIBUTE.findall(attributes):
        if written.rpartition(":")[2].lower() == name:
            return unescape(double or single)
    return None


def unescape(text: str) -> str:
    """Return the text with references to characters resolved; a reference to anything else is dropped.

    Only with their semicolon: in `?a=1&copy=2` somebody forgot to escape an ampersand.
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name:
        return html5.get(name + ";", "")
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else ""


def _text(text: str) -> Token:
    return text, TEXT, "", "", ""
