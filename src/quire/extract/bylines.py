"""What a list of posts tells of each (M3): of its author the name is enough, and reading times are none of it."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from turbohtml import Comment, Element, Text

_POST: Final = "article"
_HEAD: Final = "header"
_CARDS: Final = "[class*=avatar i],[class*=author i]"
_WORDS: Final = ("bio", "description", "position", "role", "title")
_ABOUT: Final = ",".join(f"[class*=author{join}{word} i]" for join in ("", "-", "_", "__") for word in _WORDS)
_DURATION: Final = re.compile(r"\s*[·•|,–—-]?\s*(?:\d{1,3}|one) min(?:ute)?s? (?:to )?read\s*", re.IGNORECASE)
_MOST_BEHIND: Final = 5


def drop_cards(content: Element) -> Element:
    """Leave authors their names in the heads of listed posts, and days to themselves; return the element."""
    posts = content.find_all(_POST)
    for post in posts if len(posts) > 1 or any(map(is_listed, posts)) else ():
        for head in post.find_all(_HEAD):
            for card in head.select(_CARDS):
                _leave_name(card)
            for day in head.find_all("time"):
                _drop_duration(day)
    return content


def is_listed(post: Element) -> bool:
    """Return whether a post has a title, but not that of its page, which may be about who wrote it."""
    head = post.find(_HEAD)
    return head is not None and head.find("h2") is not None and head.find("h1") is None


def _drop_duration(day: Element) -> None:
    """Drop what stands behind the day of a post if it is how long that takes to read."""
    behind = list(islice(day.next_siblings, _MOST_BEHIND))
    if all(isinstance(node, Comment | Text) for node in behind):
        said = "".join(node.data for node in behind if isinstance(node, Text))
        if _DURATION.fullmatch(said):
            for node in behind:
                node.extract()


def _leave_name(card: Element) -> None:
    """Drop portraits, links that are icons, and what somebody is: but for what is all that a card has, or is linked."""
    if not card.text.strip():
        return
    for about in card.select(_ABOUT):
        if about.find("a") is None and about.text.strip() != card.text.strip():
            about.extract()
    for part in (*card.find_all("a"), *card.find_all("img")):
        if not part.text.strip():
            part.extract()
