"""Pages that only hold others in frames: what they say to who sees none, and where the frames lead."""

from __future__ import annotations

from turbohtml import Document, Element, Text, parse


def framed_body(document: Document) -> Element | None:
    """Return what stands in place of a frameset; None if the page has none."""
    if document.find("frameset") is None:
        return None
    # No parser makes elements of it, as no browser shows it.
    instead = document.find("noframes")
    body = parse(instead.text).find("body") if instead is not None else None
    if body is not None and body.text.strip():
        return body
    frames = [frame for frame in document.find_all("frame") if frame.attr("src")]
    links = Element("body")
    for frame in frames:
        links.append(Element("p", children=[_link(frame)]))
    return links


def _link(frame: Element) -> Element:
    address = frame.attr("src") or ""
    return Element("a", {"href": address}, children=[Text(frame.attr("title") or frame.attr("name") or address)])
