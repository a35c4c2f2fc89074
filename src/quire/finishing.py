"""The end of a crawl: last decisions, chores, and the reports."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from quire.events import CrawlFinished
from quire.explaining import settings_of
from quire.filter.judge import Judge
from quire.filter.rules import filters_applied
from quire.images import drop_unused
from quire.mending import do_chores
from quire.opening import OpenMirror
from quire.records import State
from quire.report.index import INDEX_FILE, index_lines
from quire.report.manifest import MANIFEST_FILE, manifest_chunks
from quire.report.page import MOST_OTHERS, MOST_PAGES, REPORT_FILE, report_pieces
from quire.schedule import assets, closing, views
from quire.schedule.assets import Asset
from quire.schedule.ledger import Changes, Decision, Ledger, PageRow
from quire.schedule.sqlite import SqliteFrontier
from quire.schedule.survey import Survey
from quire.settings import Settings
from quire.store.paths import page_path, with_suffix
from quire.store.shelf import FAILED_LOG, folded
from quire.urls import UrlPolicy
from quire.version import VERSION


def finish(mirror: OpenMirror, frontier: SqliteFrontier, judge: Judge, policy: UrlPolicy) -> int:
    """Take the decisions that need all pages; returns how many pages turned out to be copies."""
    # What is gone has no copies, and nothing is learnt from it.
    _mark_gone(mirror, is_over=True)
    dropped = closing.drop_copies(mirror.database)
    dropped += views.drop_views(mirror.database, policy, judge.may_be_view)
    if policy.query != "all":
        dropped += closing.drop_repeats(mirror.database)
    closing.order_names(mirror.database, closing.Naming(page_path, with_suffix, folded))
    do_chores(mirror.database, mirror.files)
    if dropped:
        frontier.recount()
    return dropped


class Stock(Struct, frozen=True):
    """What changed since the last crawl, and whether what is gone is to be deleted."""

    changes: Changes
    is_pruned: bool
    missed: int = 0
    """Pages that are not there any more, too many of them to be believed."""


def is_clean(ledger: Ledger) -> bool:
    """Whether pages were saved, none has failed, and no robots.txt was unreadable."""
    counts = ledger.counts()
    is_troubled = counts[State.FAILED] or "robots-unreachable" in ledger.reasons(State.SKIPPED)
    return not is_troubled and counts[State.SAVED] + counts[State.UNCHANGED] > 0


def take_stock(mirror: OpenMirror, settings: Settings, finished: CrawlFinished) -> Stock:
    """Tell what changed since the last crawl."""
    ledger = Ledger(mirror.database)
    is_sure, missed = _mark_gone(mirror, is_over=finished.complete)
    changes = ledger.changes() if ledger.crawl > 1 else Changes([], [], [])
    return Stock(changes, is_sure and settings.mirror.prune, missed)


def _mark_gone(mirror: OpenMirror, *, is_over: bool) -> tuple[bool, int]:
    """Mark the pages that the site no longer has.

    Returns whether what was not found is among them, and how many are missing where that are too many to be believed.
    Only a complete crawl without failures, whose pages were all looked through for links, can be sure that a page is
    gone because it did not come across it, and only if there is still a site.
    """
    ledger = Ledger(mirror.database)
    if ledger.crawl == 1:
        # Whom would it tell? The next one does.
        return False, 0
    is_complete = is_over and not ledger.counts()[State.PENDING]
    is_overlooking = any(ledger.note(name) for name in ("overlooked", "unfollowed"))
    is_sure = is_complete and is_clean(ledger) and not is_overlooking
    missed = closing.missed(mirror.database) if is_sure else 0
    is_sure = is_sure and not missed
    closing.mark_gone(mirror.database, sure=is_sure)
    return is_sure, missed


def prune(mirror: OpenMirror, settings: Settings) -> None:
    """Delete what is gone, after it was reported."""
    closing.drop_gone(mirror.database)
    drop_unused(mirror.database, mirror.files, wanted=settings.mirror.assets)
    do_chores(mirror.database, mirror.files)


def write_reports(mirror: OpenMirror, settings: Settings, finished: CrawlFinished, changes: Changes) -> None:
    """Write the manifest, the index, the list of failures, and the report to look at."""
    ledger = Ledger(mirror.database)
    # They are about the mirror, whatever single page this run has added to it.
    kept = settings_of(ledger)
    heads = _heads(ledger, kept, finished, changes)
    lists = {
        "pages": map(_page, ledger.pages()),
        "failed": map(_decision, ledger.decisions(State.FAILED)),
        "skipped": map(_decision, ledger.decisions(State.SKIPPED)),
        "duplicates": map(_decision, ledger.decisions(State.DUPLICATE)),
        "filtered_urls": (decision.url for decision in ledger.decisions(State.FILTERED)),
    }
    if settings.mirror.assets:
        lists["assets"] = map(_asset, assets.listed(mirror.database))
    mirror.files.write_pieces(MANIFEST_FILE, manifest_chunks(heads, lists))
    mirror.files.write_pieces(INDEX_FILE, _index(ledger, kept))
    failures = "".join(f"{each.url}\t{each.reason}\t{each.detail}\n" for each in ledger.decisions(State.FAILED))
    if failures or mirror.files.stat(FAILED_LOG):
        mirror.files.write(FAILED_LOG, failures.encode())
    if settings.mirror.report:
        survey = Survey(mirror.database, MOST_PAGES, MOST_OTHERS)
        mirror.files.write_pieces(REPORT_FILE, report_pieces(heads, survey))
    else:
        # One that an earlier crawl wrote would tell of that crawl.
        mirror.files.remove(REPORT_FILE)


def _heads(ledger: Ledger, kept: Settings, finished: CrawlFinished, changes: Changes) -> dict[str, object]:
    """What the manifest says of the crawl as a whole, which the report shows too."""
    return {
        "generator": f"quire {VERSION}",
        "crawl": {
            "number": ledger.crawl,
            "start": kept.start,
            "bases": (ledger.note("bases") or "").split("\n"),
            "started_at": ledger.note("started_at"),
            "finished_at": ledger.note("finished_at"),
            "complete": finished.complete,
            "stopped_by": finished.stopped_by,
        },
        "statistics": _statistics(ledger),
        "filters_applied": filters_applied(kept),
        "traps": ledger.traps(),
        **({"changes": changes} if ledger.crawl > 1 else {}),
        "equal_content": ledger.equal_content(),
    }


def _statistics(ledger: Ledger) -> dict[str, object]:
    counts = ledger.holds()
    return {
        "total_urls": sum(counts.values()),
        "total_urls_in_sitemap": ledger.listed(),
        "filtered_count": counts[State.FILTERED],
        "processed_count": counts[State.SAVED] + counts[State.UNCHANGED],
        "failed_count": counts[State.FAILED],
        "skipped_count": counts[State.SKIPPED],
        "duplicate_count": counts[State.DUPLICATE],
        "external_count": counts[State.EXTERNAL],
        "invalid_count": counts[State.INVALID],
        "pending_count": counts[State.PENDING],
        "filtered_by": ledger.reasons(State.FILTERED),
        "skipped_by": ledger.reasons(State.SKIPPED),
        "failed_by": ledger.reasons(State.FAILED),
        "links_left_out": int(ledger.note("links_left_out") or 0),
    }


def _page(row: PageRow) -> dict[str, object]:
    return {
        "url": row.url,
        "path": row.path,
        "size": row.size,
        "hash": row.hash,
        "status": row.state.label,
        "title": row.facts.title,
        "description": row.facts.description,
        "language": row.facts.language,
        "author": row.facts.author,
        "published": row.facts.published,
        "modified": row.facts.modified,
        "word_count": row.facts.word_count,
        "content_type": row.content_type,
        "fetched_by": row.fetched_by,
        **({"remarks": row.remarks.split("\n")} if row.remarks else {}),
        "fetched_at": row.fetched_at,
        "lastmod": row.lastmod,
        "etag": row.etag,
        "last_modified": row.last_modified,
    }


def _asset(asset: Asset) -> dict[str, object]:
    return {
        "url": asset.url,
        "status": asset.state.label,
        "reason": asset.reason,
        "detail": asset.detail,
        "path": asset.path,
        "size": asset.size,
        "content_type": asset.content_type,
    }


def _decision(decision: Decision) -> dict[str, object]:
    return {"url": decision.url, "reason": decision.reason, "detail": decision.detail}


def _index(ledger: Ledger, settings: Settings) -> Iterator[bytes]:
    title = ", ".join(settings.start) if settings.scope.discover else "Single pages"
    yield f"# {title}\n".encode()
    for line in index_lines(ledger.titles()):
        yield line.encode()
