"""Decisions in words: why a page is in the mirror, or is not (C5)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from msgspec import convert, json

from quire import urls
from quire.convert.edges import shown
from quire.errors import UsageError
from quire.filter.judge import Judge
from quire.records import Accepted, Link, State
from quire.schedule.assets import Asset
from quire.schedule.ledger import Decision, Ledger
from quire.settings import Settings, groups
from quire.wording import counted

_LONGEST_TRAIL = 20
_LONGEST_TEXT = 100
_SENTENCES = {
    State.PENDING: "waiting: it is to be crawled and was not reached yet",
    State.SAVED: "saved",
    State.UNCHANGED: "saved by an earlier crawl, and unchanged since",
    State.FILTERED: "filtered out by --{reason} ({detail})",
    State.EXTERNAL: "external: recorded, not crawled ({reason}: {detail})",
    State.INVALID: "not a valid web address ({detail})",
}
_REASONS = {
    (State.SKIPPED, "robots"): "skipped: robots.txt does not allow it; --ignore-robots would",
    (State.SKIPPED, "robots-unreachable"): "skipped, as nothing on the host may be asked for: {detail}",
    (State.SKIPPED, "not-found"): "skipped: the server says there is no such page ({detail})",
    (State.SKIPPED, "gone"): "skipped: the server says the page is gone ({detail})",
    (State.SKIPPED, "extension"): "skipped: {detail} files are downloads, not pages",
    (State.SKIPPED, "not-reached"): "not reached: that crawl ended before it was asked for",
    (State.SKIPPED, "content-type"): "skipped: it is {detail}, not HTML",
    (State.FAILED, "private-address"): "failed, and not asked for: {detail}",
    (State.FILTERED, "trap"): "left out as a trap: {detail}; --trap-budget sets the bound, --allow-trap lets it in",
    (State.FILTERED, "dead-end"): (
        "left out: every page that leads to it is one too many of a trap ({detail}); --trap-budget sets the bound,"
        " --allow-trap lets it in"
    ),
    (State.FILTERED, "nofollow"): "left out: {detail}; --allow-trap lets it in",
    (State.FILTERED, "url-length"): "left out: the URL is too long ({detail}); --max-url-length sets the bound",
    (State.DUPLICATE, "redirect"): "duplicate: it redirects to {detail}",
    (State.DUPLICATE, "same-content"): "duplicate: its content is that of {detail}, which differs in the query only",
    (State.DUPLICATE, "view"): "duplicate: a view of {detail}, of a kind that says noindex, nofollow wherever it is",
    (State.DUPLICATE, "canonical"): "duplicate: it names {detail} as its canonical URL",
}


def told(decision: Decision, ledger: Ledger) -> Iterator[str]:
    """The decision, what led to it, and the trail of pages that leads to the URL."""
    yield decision.url
    still_there = ledger.is_still_there(decision.id)
    if ledger.last_seen(decision.id) < ledger.crawl:
        gone = "gone: the last crawl did not find it any more"
        yield f"  decision: {'kept: the last crawl did not come to it' if still_there else gone}; before that:"
    yield f"  decision: {sentence(decision)}"
    if decision.path and (still_there or decision.state in (State.SAVED, State.UNCHANGED)):
        yield f"  file: {decision.path}"
        yield from _cut(decision, ledger)
    if decision.reason == "content-type":
        yield "  a note stands in _skipped/"
    target = ledger.target(decision)
    if target:
        yield f"  that one: {sentence(target)}" + (f", {target.path}" if target.path else "")
    yield from _trail(decision, ledger)


def never_seen(url: str, settings: Settings) -> Iterator[str]:
    """What can be said about a URL that no page and no sitemap named."""
    yield urls.shown(url)
    yield "  decision: never seen: no crawled page links to it and no sitemap names it"
    verdict = Judge(settings)(Link(url, 0, "a"))
    if isinstance(verdict, Accepted):
        yield "  had it been found, it would have been crawled; give it as a start URL to have it"
    else:
        yield f"  had it been found, it would be {verdict.state.label} ({verdict.reason}: {verdict.detail})"


def sentence(decision: Decision) -> str:
    """One decision in words."""
    known = _REASONS.get((decision.state, decision.reason)) or _SENTENCES.get(decision.state)
    if known is None:
        known = f"{decision.state.label}: {decision.reason}" + (" ({detail})" if decision.detail else "")
    return known.format(reason=decision.reason, detail=decision.detail)


def told_of_image(image: Asset) -> str:
    """What became of an image that a page shows, in one line."""
    line = f"  as an image: {image.state.label}"
    if image.reason:
        line += f" ({image.reason}: {image.detail})"
    return f"{line}\n  file: {image.path}" if image.path else line


def settings_of(ledger: Ledger) -> Settings:
    """The settings that decided, as the mirror keeps them."""
    kept = ledger.note("scope")
    if kept is None:
        raise UsageError("the mirror was never begun; run `quire mirror` first")
    values = json.decode(kept)
    found: dict[str, Any] = {name: convert(values[name], kind) for name, kind in groups() if name in values}
    return Settings(start=tuple(json.decode(ledger.note("start") or "[]")), **found)


def _cut(decision: Decision, ledger: Ledger) -> Iterator[str]:
    """What of the page is not in its file, and why (M3)."""
    found = ledger.cut(decision.id)
    if found is None:
        return
    ends, cuts = found
    if ends.judged:
        yield f"  content: judged block by block; {ends.left_out} % of the page's text was left out"
    else:
        yield "  content: the part that the page marks as its content; the rest was left out"
    texts = [text for cut in cuts if (text := shown(cut.text))]
    if texts:
        words = sum(len(text.split()) for text in texts)
        yield f"  cut as frame, because it is on most pages of the site: {counted(words, 'word')}"
        yield from (f"    {textwrap.shorten(text, _LONGEST_TEXT, placeholder=' …')}" for text in texts)


def _trail(decision: Decision, ledger: Ledger) -> Iterator[str]:
    """How the URL was reached, from the page that names it back to a start URL."""
    if decision.source == "start":
        yield "  it is a start URL"
    for _ in range(_LONGEST_TRAIL):
        if decision.found_on is None:
            return
        parent = ledger.parent(decision)
        start = ", a start URL" if parent and parent.source == "start" else ""
        yield f"  found on: {decision.found_on}{start} ({decision.source})"
        if parent is None:
            return
        decision = parent
