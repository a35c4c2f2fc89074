"""What common programs have on their pages and show to nobody, or only at times, or tell again with each post."""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from turbohtml import Element, Text

from .names import NamedParts

# What forums tell with each post about who wrote it, but for the name, and what they write below it.
_OF_POSTERS: Final = (
    # XenForo.
    ".message-userTitle", ".userBanner", ".message-userExtras", ".message-attribution-opposite", ".message-signature",
    # phpBB.
    ".postprofile > dd", ".postbody .signature",
    # Simple Machines.
    ".poster > .user_info", ".moderatorbar > .signature",
    # Invision.
    ".ipsEntry__group", ".ipsEntry__authorStats", ".ipsEntry__authorFields", ".ipsEntry__signature",
)  # fmt: skip
_UNSEEN: Final = NamedParts(
    # WooCommerce writes each price for screen readers too, and Shopify's themes the price with and without a sale.
    ":is(del,ins)[aria-hidden=true] ~ .screen-reader-text",
    ".price--on-sale > .price__container > .price__regular",
    ".price:not(.price--on-sale) > .price__container > .price__sale",
    ".price .unit-price.hidden",
    # Its themes have beside each choice what is said of it if it is sold out, and the title and badge of a card twice.
    ".product-form__input label > .visually-hidden",
    ".card--standard.card--media:has(> .card__content .card__heading) > .card__inner .card__information",
    ".card--standard:not(.card--horizontal) > .card__content .card__badge",
    # Shopify's and Bazaarvoice's notes to machines.
    "#a11y-refresh-page-message", "#a11y-new-window-message", "#a11y-status-message", "#BVSEOSDK_meta",
    # Webflow: what a form says when it was sent, and parts for others.
    ".w-form-done", ".w-form-fail", ".w-condition-invisible",
    # XenForo's quotations and letters in place of portraits, phpBB's and SMF's titles of code, NodeBB's preview of
    # what is answered, Invision's short times.
    ".bbCodeBlock-expandLink", ".bbCodeBlock-shrinkLink", ".avatar--default--dynamic",
    ".codebox > :is(dt,p):has(> a)", ".codeheader:has(> .codeoperation)",
    '[component="post/parent"]', ".ipsTime__short",
    # Expressive Code's name for terminals.
    ".expressive-code .sr-only",
    # Pandoc's contents of a page in HTML 4.
    "body > div#TOC",
    # Sphinx's contents of a whole site, beside a page of it.
    "ul:has(> li.toctree-l1):not(.toctree-wrapper ul)",
    # Plugins of WordPress that ask for a grade.
    ".rmp-widgets-container", ".rw-rating-table",
    *_OF_POSTERS,
)  # fmt: skip
_ICON: Final = "icon"
_ICONS: Final = f":is(div,i,span)[class*={_ICON} i]"
_SCREEN_READERS: Final = ("sr-only", "visually", "screen-reader", "offscreen", "off-screen", "clipped", "a11y")
_FOR_SCREEN_READERS: Final = ",".join(f"span[class*={name}]" for name in _SCREEN_READERS)
_MONEY: Final = frozenset("$€£¥")
# What a link shows when somebody points at it.
_CARDS: Final = ("hovercard", "hover-card", "popover", "rollover", "tooltip")
_SHOWN_AT_LINKS: Final = f":is({','.join(f'[class*={name} i]' for name in _CARDS)})"
_PICTURED: Final = ("img", "svg")


def drop_unseen(body: Element, names: Set[str]) -> Element:
    """Take all that out, and icons that are a letter of a font; part words for screen readers. Return the element.

    `names` are those on the page.
    """
    for unseen in _UNSEEN.found(body, names):
        unseen.extract()
    written = " ".join(names)
    for card in body.select(_SHOWN_AT_LINKS) if any(name in written for name in _CARDS) else ():
        if _belongs_to_link(card):
            card.extract()
    for icon in body.select(_ICONS) if _ICON in written else ():
        if _is_drawn(icon.text.strip()):
            icon.replace_with(Text(" "))
    for words in body.select(_FOR_SCREEN_READERS) if any(name in written for name in _SCREEN_READERS) else ():
        before, after, text = words.previous_sibling, words.next_sibling, words.text
        if before is not None and text[:1].isalnum() and _is_shown(before.text[-1:]):
            words.insert_before(Text(" "))
        if after is not None and text[-1:].isalnum() and _is_shown(after.text[:1]):
            words.insert_after(Text(" "))
    return body


def _belongs_to_link(card: Element) -> bool:
    """Return whether a card right behind a link tells of what that leads to; words alone may be a note."""
    link = card.previous_sibling
    return isinstance(link, Element) and link.tag == "a" and any(card.find(tag) for tag in ("a", *_PICTURED))


def _is_drawn(text: str) -> bool:
    """Return whether a text is one letter or sign; numbers of steps are in such places too."""
    return len(text) == 1 and (not text.isalnum() or (text.isascii() and text.isalpha()))


def _is_shown(sign: str) -> bool:
    return sign.isalnum() or sign in _MONEY
