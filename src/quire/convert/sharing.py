"""Links that hand a page on to others: they say nothing about what is on it."""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element, Node, Text

from .prepare import INVISIBLE

# Where networks take the address of a page, and letters to nobody yet. The same hosts have pages of people, which stay.
_SHARES: Final = re.compile(
    r"(?:https?:)?//(?:[\w-]++\.){0,2}(?:"
    r"facebook\.com/(?:share[r.]|dialog/(?:feed|send|share))"
    r"|(?:twitter|x)\.com/(?:intent/(?:post|tweet)|share\b|home\?status=)"
    r"|linkedin\.com/(?:cws/share|shareArticle|sharing/)"
    r"|pinterest\.[a-z.]{2,6}/pin/create/"
    r"|reddit\.com/submit"
    r"|tumblr\.com/(?:widgets/)?share"
    r"|whatsapp\.com/send/?\?text=|wa\.me/\?"
    r"|(?:t|telegram)\.me/share"
    r"|(?:bsky\.app|threads\.(?:com|net))/intent/"
    r"|flipboard\.com/bookmarklet/|getpocket\.com/(?:edit|save)|b\.hatena\.ne\.jp/(?:add|entry)|line\.me/(?:lineit/share|R/msg)"
    r"|news\.ycombinator\.com/submitlink|vk\.com/share|xing\.com/(?:app/user\?op=share|spi/shares)"
    r"|addthis\.com/bookmark|addtoany\.com/(?:add_to|share)|buffer(?:app)?\.com/add|plus\.google\.com/share"
    r")|whatsapp://send\?|mailto:\?[^@]*+\Z",
    re.IGNORECASE,
)
# Few links have one, which nearly all of these have, and to look for its sign is many times faster.
QUERY: Final = "?"
_LONGEST_LABEL: Final = 40  # characters; a sentence to be quoted is longer


def drop_sharing(link: Element, href: str, text: str) -> bool:
    """Take a button out that shares its page, and the item that it was all of; tell whether the link was one."""
    if _SHARES.match(href) is None or not _is_button(link, text.strip(INVISIBLE)):
        return False
    around = link.parent
    link.extract()
    if isinstance(around, Element) and around.tag == "li" and not around.text.strip() and around.find("img") is None:
        around.extract()
    return True


def _is_button(link: Element, label: str) -> bool:
    """Return whether a link has nothing but a label, and is no part of a sentence."""
    if not label and (picture := link.find("img")):
        label = (picture.attr("alt") or picture.attr("title") or "").strip()
        if not label:
            # It may be the picture that readers are asked to pin.
            return False
    # What writes about such addresses shows them.
    is_label = len(label) <= _LONGEST_LABEL and "/" not in label
    return is_label and not any(map(_says_something, (link.previous_sibling, link.next_sibling)))


def _says_something(node: Node | None) -> bool:
    return isinstance(node, Text) and any(map(str.isalnum, node.data))
