"""E-mail addresses that Cloudflare hides from programs, and its script shows to readers."""

from __future__ import annotations

from typing import Final

from turbohtml import Document

SIGN: Final = b"/cdn-cgi/l/email-protection"
_CODED: Final = "data-cfemail"
_PATH: Final = SIGN.decode()
_HIDDEN: Final = f'[{_CODED}],a[href*="{_PATH}"]'
_LONGEST: Final = 700  # hexadecimal digits


def show_addresses(document: Document) -> None:
    """Write the addresses where they are meant to be read, and into the links to them."""
    for element in document.select(_HIDDEN):
        coded = element.attr(_CODED) or (element.attr("href") or "").partition("#")[2]
        address = _decoded(coded)
        if address is None:
            continue
        if element.attr(_CODED) is not None:
            element.set_text(address.partition("?")[0])
        if _PATH in (element.attr("href") or ""):
            element.attrs["href"] = f"mailto:{address}"


def _decoded(coded: str) -> str | None:
    """Return the address behind hexadecimal bytes, the first of which was added to each of the others bit by bit."""
    if not 4 <= len(coded) <= _LONGEST:
        return None
    try:
        key, *hidden = bytes.fromhex(coded)
        address = bytes(key ^ each for each in hidden).decode()
    except ValueError:
        return None
    return address if "@" in address and address.isprintable() else None
