"""Listings of source: Sphinx has blocks in them, with links to what is said about each."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Text

LISTED: Final = "viewcode-block"


def join_listing(block: Element, link: Element) -> None:
    """Let a part of a listing have the lines that its source has; those of the link and the tags are more."""
    if block.closest("pre") is None:
        return
    before, behind = link.previous_sibling, link.next_sibling
    # Older versions have the tags at the beginning and the end of lines.
    if isinstance(before, Text) and before.data == "\n" and isinstance(behind, Text):
        for line_end in (before, behind, block.next_sibling):
            if isinstance(line_end, Text):
                line_end.data = line_end.data.removeprefix("\n")
    block.tag = "span"
