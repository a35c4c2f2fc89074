"""Cards of authors, which a list of posts has with each of them: whose post it is, the name alone tells (M3)."""

from __future__ import annotations

from typing import Final

from turbohtml import Element

_POST: Final = "article"
_HEAD: Final = "header"
_CARDS: Final = "[class*=avatar i],[class*=author i]"
_WORDS: Final = ("bio", "description", "position", "role", "title")
_ABOUT: Final = ",".join(f"[class*=author{join}{word} i]" for join in ("", "-", "_", "__") for word in _WORDS)


def drop_cards(content: Element) -> Element:
    """Leave authors nothing but their names in the heads of listed posts; return the element."""
    posts = content.find_all(_POST)
    for post in posts if len(posts) > 1 or any(map(is_listed, posts)) else ():
        for head in post.find_all(_HEAD):
            for card in head.select(_CARDS):
                _leave_name(card)
    return content


def is_listed(post: Element) -> bool:
    """Return whether a post has a title, but not that of its page, which may be about who wrote it."""
    head = post.find(_HEAD)
    return head is not None and head.find("h2") is not None and head.find("h1") is None


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
