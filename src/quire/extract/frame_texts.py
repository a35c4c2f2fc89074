"""Words that stand around content: labels, commands, notices, and the headings of what is offered next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split(","))


FRAME_WORDS: Final = _words(
    """affiliate browser commission cookie cookies copyright download email inbox javascript log login logged
    newsletter newsletters policy powered privacy recaptcha reserved rights shipping sign signing subscribe subscriber
    subscribers subscribing subscription terms unsubscribe ©"""
)
_HEADING_WORDS: Final = _words(
    """also advertisement archives browse cart categories comment comments company connect connected contact cookies
    discover download editor's explore featured filter filters follow help join latest legal login menu more navigation
    newsletter next other picks popular privacy read recent recently recommendations recommended refine related
    resources search share shop sign similar social sort sponsored subscribe support tags trending viewed"""
)
_DATE_WORDS: Final = _words(
    """january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec ago"""
)
_LABELS: Final = _phrases(
    """ad, add to bag, add to basket, add to cart, add to wishlist, advertisement, apply, back, buy now, by, categories,
    categories:, clear, clear all, close, color, comment, comments, compare, contact us, copy, copy link, credit,
    delete, edit, email, facebook, filter, filters, follow, get started, home, in stock, instagram, learn more, like,
    linkedin, load more, log in, log out, login, mail, menu, more, new, next, out of stock, permalink, pin, pinterest,
    prev, previous, print, qty, quantity, quick shop, quick view, quote, read more, reddit, register, reply, report,
    sale, save, search, see all, see more, share, shop now, show all, show less, show more, sign in, sign up, size,
    sold out, sort, sponsored, subscribe, tag, tags, tags:, tweet, twitter, view all, view details, view more,
    whatsapp, youtube"""
)
_POINTERS: Final = (
    "related", "read more", "see more", "see also", "also read", "also on", "more:", "more from", "more in", "follow",
    "click here", "subscribe", "sign up", "get the", "don't miss", "don’t miss", "watch", "listen", "share",
    "like this", "you may", "recommended", "photo", "image", "credit", "source",
)  # fmt: skip
_POINTING: Final = frozenset(pointer.split()[0].rstrip(":") for pointer in _POINTERS)
_BREAKS_OFF: Final = ("...", "…", "[...]", "[…]")
_LABEL_STARTS: Final = (
    "skip to", "loading", "sort by", "photo:", "image:", "credit:", "posted", "published", "updated", "filed under",
)  # fmt: skip
_LABEL_ENDS: Final = (" min read", " minute read", " comments", " shares", " views", " likes", " replies", " reviews")


def is_small(lower: str) -> bool:
    """Return whether a short text in lower case is a label, a command or a count."""
    return lower in _LABELS or lower.isdigit() or lower.startswith(_LABEL_STARTS) or lower.endswith(_LABEL_ENDS)


def is_pointer(lower: str, first: str) -> bool:
    """Return whether a text in lower case, with that first word, begins by leading elsewhere or naming a source."""
    return first.rstrip(":") in _POINTING and lower.startswith(_POINTERS)


def is_frame_heading(text: str) -> bool:
    """Return whether a short text reads like the heading of what is not this page's content."""
    return not _HEADING_WORDS.isdisjoint(text.lower().split())


def is_date(words: Sequence[str]) -> bool:
    """Return whether these few words in lower case hold a date."""
    return not _DATE_WORDS.isdisjoint(words) and any(map(str.isdecimal, "".join(words)))


def breaks_off(text: str) -> bool:
    """Return whether a text goes on elsewhere."""
    return text.endswith(_BREAKS_OFF)
