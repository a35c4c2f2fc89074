"""Parts of a page that React sent late: scripts put them in place, and so does this."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from turbohtml import Comment, Document, Element, Node

_LATE: Final = '[id^="S:"]'
_PLACES: Final = 'template[id^="B:"],template[id^="P:"]'
_END: Final = "/$"


def put_in_place(document: Document) -> None:
    """Move what came late to where it belongs, instead of what was shown meanwhile."""
    late = {element.attr("id"): element for element in document.select(_LATE)}
    endless: set[Node] = set()
    for place in document.select(_PLACES):
        name = place.attr("id") or ""
        part, around = late.get(f"S:{name[2:]}"), place.parent
        # One before all words is in the head by now.
        if part is None or around is None or part in place.ancestors or place.closest("body") is None:
            continue
        if name.startswith("B:") and around not in endless and not _drop_meanwhile(place):
            endless.add(around)
        for child in part.children:
            place.insert_before(child)
        place.extract()
        part.extract()


def _drop_meanwhile(place: Element) -> bool:
    """Drop what stands behind a place up to its end; False if it has none."""
    meanwhile = list(takewhile(_is_no_end, place.next_siblings))
    last = meanwhile[-1] if meanwhile else place
    if last.next_sibling is None:
        return False
    for node in meanwhile:
        node.extract()
    return True


def _is_no_end(node: Node) -> bool:
    return not isinstance(node, Comment) or node.data.strip() != _END
