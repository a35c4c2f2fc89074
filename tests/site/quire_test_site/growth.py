"""A site of any size, made up page by page: the same number always gives the same page."""

from __future__ import annotations

import re

from .answers import Page

_WORDS = re.findall(
    r"\w+",
    "harbour lantern copper orchard winter ledger meadow granite thimble kettle saffron willow compass timber violet "
    "marble ferry almond beacon cinder dapple ember fathom gable hazel ivory juniper kelp linen mortar nettle opal",
)
_SENTENCES = [
    " ".join(_WORDS[(7 * number + 11 * place + place * place) % len(_WORDS)] for place in range(12)).capitalize() + "."
    for number in range(97)
]
_PARAGRAPHS = [
    "<p>" + " ".join(_SENTENCES[(5 * number + step) % 97] for step in range(5)) + "</p>" for number in range(89)
]


def paragraphs(number: int, count: int) -> list[str]:
    """Return paragraphs of text, others for each number."""
    return [
        " ".join(_SENTENCES[(5 * (number * 31 + step * 17) + place) % 97] for place in range(5)) + f" {number}.{step}"
        for step in range(count)
    ]


def neighbours(number: int, pages: int, links_per_page: int) -> list[int]:
    """Return the pages one page links to: its children in a tree, so that all are reachable, then some far away."""
    children = max(1, links_per_page // 2)
    first = number * children + 1
    near = list(range(first, min(first + children, pages)))
    far = [(number * 2654435761 + step * 40503 + 1) % pages for step in range(links_per_page - len(near))]
    return near + far


def grown_page(number: int, pages: int, links_per_page: int) -> Page:
    """Return one page of the grown site, about 2 to 5 KB of HTML."""
    paragraphs = [_PARAGRAPHS[(number * 31 + step * 17) % 89] for step in range(4 + number % 5)]
    paragraphs.insert(2, f"<h2>Section {number % 13} of page {number}</h2>")
    links = [f"/p/{other}" for other in neighbours(number, pages, links_per_page)]
    body = f"<h1>Page {number}</h1>\n" + "\n".join(paragraphs)
    return Page(body, title=f"Page {number}", links=links, etag=f'"p{number}"')
