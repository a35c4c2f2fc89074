"""Parts of a page that React sent late: scripts put them in place, and so does this."""

from __future__ import annotations

from typing import Final

from turbohtml import Comment, Document, Element

SIGN: Final = b'id="S:'
_LATE: Final = '[id^="S:"]'
_PLACES: Final = 'template[id^="B:"],template[id^="P:"]'
_END: Final = "/$"


def put_in_place(document: Document) -> None:
    """Move what came late to where it belongs, instead of what was shown meanwhile."""
    late = {element.attr("id"): element for element in document.select(_LATE)}
    for place in document.select(_PLACES):
        name = place.attr("id") or ""
        part = late.get(f"S:{name[2:]}")
        if part is None or place.parent is None or part in place.ancestors:
            continue
        if name.startswith("B:"):
            _drop_meanwhile(place)
        for child in part.children:
            place.insert_before(child)
        place.extract()
        part.extract()


def _drop_meanwhile(place: Element) -> None:
    after = place.next_sibling
    while after is not None and not (isinstance(after, Comment) and after.data.strip() == _END):
        following = after.next_sibling
        after.extract()
        after = following
