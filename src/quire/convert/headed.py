"""Links around headings, as cards have them: Markdown has headings around links. Titles may lead to their own page."""

from __future__ import annotations

from collections.abc import Iterable

from turbohtml import Element


def free_headings(headings: Iterable[Element], page: str) -> None:
    """Put each link that holds headings into the first of them; what else it held is text."""
    freed: set[Element] = set()
    for heading in headings:
        if link := _link_to_itself(heading, page):
            link.unwrap()
            continue
        outer = heading.closest("a") if heading.text.strip() else None
        if outer is None or outer in freed or not (href := outer.attr("href")):
            continue
        freed.add(outer)
        if href.partition("#")[0] != page or not _leads_to_itself(href, outer, heading):
            link = Element("a", {name: value for name in ("href", "title") if (value := outer.attr(name))})
            heading.wrap_children(link)
        if outer.parent is not None:
            outer.unwrap()


def _link_to_itself(heading: Element, page: str) -> Element | None:
    """Return the link that a heading is nothing but, to its page or its place in it.

    Blogs and forums have it; Quickbook has it behind the name of the place.
    """
    anchors = heading.find_all("a") if heading.find("a") else []
    links = [anchor for anchor in anchors if anchor.attr("href")]
    if len(links) != 1 or links[0].text.strip() != heading.text.strip():
        return None
    href = links[0].attr("href") or ""
    is_here = href == page or (href.startswith(f"{page}#") and _leads_to_itself(href, heading, *anchors))
    return links[0] if is_here else None


def _leads_to_itself(href: str, *elements: Element) -> bool:
    fragment = href.partition("#")[2]
    return bool(fragment) and any(fragment in (element.attr("id"), element.attr("name")) for element in elements)
