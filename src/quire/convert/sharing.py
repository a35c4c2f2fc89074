"""Links that tell others of a page: buttons, which are nothing to whoever reads it."""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element

from .prepare import INVISIBLE

# Where services take the address of a page. WhatsApp with a number is a way to call somebody.
_TAKES_ADDRESS: Final = re.compile(
    r"(?:https?:)?//(?:(?:www|m|mobile|web|api)\.)?(?:facebook\.com/(?:sharer|share\.php|dialog/(?:share|send|feed))"
    r"|(?:twitter|x)\.com/(?:share\b|intent/(?:tweet|post)|home\?status=)"
    r"|linkedin\.com/(?:shareArticle|sharing/|cws/share)|plus\.google\.com/share|reddit\.com/(?:r/\w+/)?submit"
    r"|pinterest\.[a-z.]+/pin/create|whatsapp\.com/send/?\?(?!.*phone=)|wa\.me/\?|(?:t|telegram)\.me/share"
    r"|tumblr\.com/(?:widgets/)?share|vk\.com/share|getpocket\.com/(?:save|edit)|share\.flipboard\.com/"
    r"|news\.ycombinator\.com/submitlink|addtoany\.com/(?:add_to|share)|bsky\.app/intent|threads\.(?:net|com)/intent)"
    r"|(?:mailto|sms):\?|whatsapp://send\?(?!.*phone=)|fb-messenger://share",
    re.IGNORECASE,
)
_NAME: Final = re.compile(
    r"\b(?:share|tweet|pin|post|discuss|send|e?mail|facebook|messenger|twitter|x|linkedin|google|pinterest|reddit"
    r"|whatsapp|telegram|tumblr|vk|pocket|flipboard|bluesky|threads|sms)\b",
    re.IGNORECASE,
)
_QUERY: Final = "?"
# What is longer is a sentence that others are to pass on.
_LONGEST_NAME: Final = 60  # characters


def is_sharing(anchor: Element, href: str, text: str) -> bool:
    """Return whether a link is a button that shares the page: it says so, or by whom, or says nothing at all."""
    # Few links have a query, and to look for its sign is many times faster.
    if _QUERY not in href or not _TAKES_ADDRESS.match(href):
        return False
    picture = anchor.find("img")
    name = text.strip(INVISIBLE) or (picture.attr("alt") if picture is not None else anchor.attr("aria-label")) or ""
    # Pictures that say nothing may be those that the page is about.
    return len(name) <= _LONGEST_NAME and (_NAME.search(name) is not None or not (name or picture))
