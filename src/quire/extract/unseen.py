"""What common programs have on their pages and show to nobody, or only at times, or tell again with each post."""

from __future__ import annotations

from typing import Final

from turbohtml import Element, Text

# What forums tell with each post about who wrote it, but for the name, and what they write below it.
_OF_POSTERS: Final = ",".join([
    # XenForo.
    ".message-userTitle", ".userBanner", ".message-userExtras", ".message-attribution-opposite", ".message-signature",
    # phpBB, which has a button above code too.
    ".postprofile > dd", ".postbody .signature", ".codebox > p:first-child",
    # Simple Machines.
    ".poster > .user_info", ".moderatorbar > .signature",
    # Invision.
    ".ipsEntry__group", ".ipsEntry__authorStats", ".ipsEntry__authorFields", ".ipsEntry__signature",
])  # fmt: skip
_UNSEEN: Final = ",".join([
    # WooCommerce writes each price for screen readers too, and Shopify's themes the price with and without a sale.
    ":is(del,ins)[aria-hidden=true] ~ .screen-reader-text",
    ".price--on-sale > .price__container > .price__regular",
    ".price:not(.price--on-sale) > .price__container > .price__sale",
    ".price .unit-price.hidden",
    # Shopify's and Bazaarvoice's notes to machines.
    "#a11y-refresh-page-message", "#a11y-new-window-message", "#a11y-status-message", "#BVSEOSDK_meta",
    # Webflow: what a form says when it was sent, and parts for others.
    ".w-form-done", ".w-form-fail", ".w-condition-invisible",
    # XenForo's quotations, NodeBB's preview of what is answered, Invision's short times.
    ".bbCodeBlock-expandLink", ".bbCodeBlock-shrinkLink", '[component="post/parent"]', ".ipsTime__short",
    # Expressive Code's name for terminals.
    ".expressive-code .sr-only",
    # Pandoc's contents of a page in HTML 4.
    "body > div#TOC",
    # Sphinx's contents of a whole site, beside a page of it.
    "ul:has(> li.toctree-l1):not(.toctree-wrapper ul)",
    # Plugins of WordPress that ask for a grade.
    ".rmp-widgets-container", ".rw-rating-table",
    _OF_POSTERS,
])  # fmt: skip
_ICONS: Final = ":is(div,i,span)[class*=icon i]"
_FOR_SCREEN_READERS: Final = ",".join(
    f"span[class*={name}]" for name in ("sr-only", "visually", "screen-reader", "offscreen", "clipped", "a11y")
)
_MONEY: Final = frozenset("$€£¥")


def drop_unseen(body: Element) -> Element:
    """Take all that out, and icons that are a letter of a font; part words for screen readers. Return the element."""
    body.remove(_UNSEEN)
    for icon in body.select(_ICONS):
        if _is_drawn(icon.text.strip()):
            icon.replace_with(Text(" "))
    for words in body.select(_FOR_SCREEN_READERS):
        before, after, text = words.previous_sibling, words.next_sibling, words.text
        if before is not None and text[:1].isalnum() and _is_shown(before.text[-1:]):
            words.insert_before(Text(" "))
        if after is not None and text[-1:].isalnum() and _is_shown(after.text[:1]):
            words.insert_after(Text(" "))
    return body


def _is_drawn(text: str) -> bool:
    """Return whether a text is one letter or sign; numbers of steps are in such places too."""
    return len(text) == 1 and (not text.isalnum() or (text.isascii() and text.isalpha()))


def _is_shown(sign: str) -> bool:
    return sign.isalnum() or sign in _MONEY
