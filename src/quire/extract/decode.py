"""From bytes to a tree: the character set is the byte order mark's, the header's, the page's own, or a guess (R9)."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from turbohtml import Document, parse

from . import addresses, shadows, streamed

_CHARSET: Final = re.compile(r"charset\s*+=\s*+[\"']?+\s*+([^\s\"';,]++)", re.IGNORECASE)
_XML_ENCODING: Final = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._:-]+)[\"']")
_UTF16_LETTERS: Final = {b"<\x00": "utf-16le", b"\x00<": "utf-16be"}
_UTF_8: Final = "UTF-8"
_LATIN: Final = "windows-1252"
_SIGN_OF_WINDOWS: Final = re.compile(rb"\xc2([\x80-\x9f])")
# In XHTML these may be closed like any other element, which a parser of HTML takes for open: all that follows an
# `<iframe/>` would be in it.
_XHTML: Final = re.compile(rb"<\?xml\s|//DTD XHTML|xmlns=\W?http://www\.w3\.org/1999/xhtml", re.IGNORECASE)
_PROLOGUE: Final = 1_000  # bytes
# The entities that a document declares are HTML's own; a parser of HTML takes what follows the first for text.
_DECLARATIONS: Final = re.compile(rb"(<!DOCTYPE[^<>\[]*+)\[(?:[^\]<]++|<![A-Z][^<>]*+>)*+\]\s*+(?=>)", re.IGNORECASE)
_LONGEST_DECLARATIONS: Final = 20_000  # bytes
_CLOSED: Final = re.compile(
    rb"<(a|audio|b|canvas|div|em|i|iframe|li|object|p|script|span|strong|style|td|textarea|th|title|video)"
    rb"((?:\s[^<>]*+(?<=[\"'\s]/)|/)>)"
)
# The labels that browsers refuse to decode, because scripts could hide in them; nothing runs here, so they are unknown.
_REFUSED: Final = "replacement"
# UTF-8 that somebody took for Latin-1 and wrote as UTF-8 again: a letter and two or three signs, one of them a control
# character. A letter and one may also be a quotation mark of Windows behind a word.
_TWICE: Final = re.compile(
    rb"\xc3[\xa0-\xaf]\xc2[\x80-\x9f]\xc2[\x80-\xbf]|\xc3[\xb0-\xb4]\xc2[\x80-\x9f](?:\xc2[\x80-\xbf]){2}"
)
# What a pattern begins with is found much faster alone, and most pages do not have it.
_SIGN_OF_TWICE: Final = b"\xc3"

# Closed trees are read too, which the parser's own would not be.
_parse: Final = partial(parse, allow_declarative_shadow_roots=False)


def decode(body: bytes, content_type: str) -> tuple[Document, str]:
    """Return the parsed page and the name of its character set; any bytes are a page."""
    if _XHTML.search(body, 0, _PROLOGUE):
        if declared := _DECLARATIONS.search(body, 0, _LONGEST_DECLARATIONS):
            body = body[: declared.end(1)] + body[declared.end() :]
        body = _CLOSED.sub(lambda closed: b"<%s%s></%s>" % (closed[1], closed[2][:-2], closed[1]), body)
    label = _CHARSET.search(content_type)
    named = _parsed(body, label[1]) if label else None
    document = named or _parsed(body, None) or _parse(body, encoding="utf-8")
    if document.encoding_confidence == "tentative":
        document = _declared_elsewhere(body) or document
    if named is None and document.encoding == _LATIN and _is_utf_8(body):
        document = _parse(_SIGN_OF_WINDOWS.sub(_named_sign, body), encoding=_UTF_8)
    elif document.encoding == _UTF_8 and _is_no_utf_8(body):
        # Nothing is lost: as UTF-8 it has no letter beyond ASCII.
        own = _parsed(body, None)
        document = own if own and own.encoding != _UTF_8 else _parse(body, encoding=_LATIN)
    if document.encoding == _UTF_8 and _SIGN_OF_TWICE in body and _TWICE.search(body):
        document = _parse(_once(body), encoding=_UTF_8)
    # Few pages have templates, and the tree has an index of tags: to ask the bytes takes far longer.
    if document.find("template") is not None:
        shadows.show_shadows(document)
        streamed.put_in_place(document)
    if addresses.SIGN in body:
        addresses.show_addresses(document)
    return document, document.encoding or "utf-8"


def _parsed(body: bytes, label: str | None) -> Document | None:
    """Return the page, read as `label` unless it begins with a byte order mark; None if that label is unknown."""
    try:
        # turbohtml's own order is the same: mark, label, meta, detection.
        document = _parse(body, encoding=label, detect_encoding=True, positions=False)
    except LookupError:
        return None
    return None if document.encoding == _REFUSED else document


def _is_utf_8(body: bytes) -> bool:
    """Return whether bytes have letters in UTF-8 and nothing else, which no text in Latin-1 has by chance."""
    try:
        return not body.isascii() and bool(body.decode())
    except UnicodeError:
        return False


def _is_no_utf_8(body: bytes) -> bool:
    """Return whether bytes that are called UTF-8 have letters, and not one of them in UTF-8."""
    return not body.isascii() and body.decode(errors="ignore").isascii()


def _named_sign(sign: re.Match[bytes]) -> bytes:
    """Return a quotation mark or another sign of Windows that was taken for a control character."""
    return sign[1].decode("cp1252", "ignore").encode()


def _once(body: bytes) -> bytes:
    """Undo a second encoding: of the whole page if that gives text, else of the characters that show it."""
    return _undone(body) or _TWICE.sub(lambda twice: _undone(twice[0]) or twice[0], body)


def _undone(body: bytes) -> bytes | None:
    try:
        once = body.decode().encode("latin-1")
        once.decode()
    except UnicodeError:
        return None
    return once


def _declared_elsewhere(body: bytes) -> Document | None:
    """Return the page as an XML declaration or the zero bytes of UTF-16 have it; None if there are none."""
    if label := _UTF16_LETTERS.get(body[:2]):
        return _parsed(body, label)
    declaration = _XML_ENCODING.match(body, 0, 200)
    if declaration is None:
        return None
    label = declaration[1].decode("ascii").lower()
    # What could be read byte by byte is not UTF-16, whatever it says (the HTML standard's rule for meta).
    return _parsed(body, "utf-8" if label.startswith("utf-16") else label)
