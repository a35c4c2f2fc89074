"""Wikis and forums, which hold every page many times: each page once, and what was left out is told (P7, S9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from quire_test_site import Quire, Site

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

HIDDEN = '<meta name="robots" content="noindex,nofollow">'
TITLES = tuple(f"/wiki/{name}" for name in ("Apple", "Birch", "Cedar", "Dahlia", "Elder", "Fern", "Gorse"))
VIEWS = ("do=edit", "do=history")


def build_wiki(site: Site, *, head: str = "") -> None:
    """Pages that are linked with their views; a history leads to old versions, an old version to differences."""
    site.page("/", "<h1>Start</h1>", head=head, links=TITLES)
    for title in TITLES:
        site.page(title, f"<h1>{title}</h1>", head=head, links=["/", *(f"{title}?{view}" for view in VIEWS)])
        site.page(f"{title}?do=edit", f"<h1>Edit {title}</h1>", head=HIDDEN)
        olds = [f"{title}?rev={number}" for number in range(3)]
        site.page(f"{title}?do=history", f"<h1>History of {title}</h1>", head=HIDDEN, links=[*olds, f"{title}/notes"])
        for number, old in enumerate(olds):
            site.page(old, f"<h1>{title} {number}</h1>", head=HIDDEN, links=[f"{title}?do=diff&rev={number}"])
        site.page(f"{title}/notes", f"<h1>Notes on {title}</h1>", head=head)


def check_counts(mirror: Mirror) -> None:
    statistics = mirror.statistics
    counts = [number for name, number in statistics.items() if name.endswith("_count")]
    assert sum(counts) == statistics["total_urls"]
    assert statistics["pending_count"] == 0


def test_queries_behind_hidden_pages_are_not_asked_for(site: Site, mirror: Mirror, quire: Quire) -> None:
    """P7, F7, C5: a page without a query is, also when only a hidden page leads to it"""
    build_wiki(site)
    mirror.crawl()
    assert {"/", *TITLES, *(f"{title}/notes" for title in TITLES)} <= set(mirror.pages)
    assert not [path for path in site.paths() if "rev=" in path]
    assert mirror.statistics["filtered_by"] == {"nofollow": 3 * len(TITLES)}
    assert mirror.manifest["traps"] == {"every page that leads to it says noindex, nofollow": 3 * len(TITLES)}
    check_counts(mirror)
    told = quire("why", f"{site.url}{TITLES[0]}?rev=1", "-o", mirror.folder).out
    assert "left out: every page that leads to it says noindex, nofollow; --allow-trap lets it in" in told


def test_what_another_page_leads_to_is_asked_for_whichever_comes_first(site: Site, mirror: Mirror) -> None:
    """P7, S5: a URL that a hidden page was the first to name is still one of the site"""
    site.page("/", links=["/hidden", "/way/1"])
    site.page("/hidden", head=HIDDEN, links=["/list?id=1", "/list?id=2", "/list?utm_source=x"])
    site.page("/way/1", links=["/way/2"])
    site.page("/way/2", links=["/list?id=2"])
    for query in ("", "?id=1", "?id=2", "?utm_source=x"):
        site.page(f"/list{query}", f"<p>List {query}</p>")
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/hidden", "/way/1", "/way/2", "/list?id=2", "/list?utm_source=x"}
    assert mirror.statistics["filtered_by"] == {"nofollow": 1}
    check_counts(mirror)


def test_a_site_that_begins_with_a_hidden_page_is_followed(site: Site, mirror: Mirror) -> None:
    """P7: a staging site says noindex everywhere"""
    build_wiki(site, head=HIDDEN)
    mirror.crawl()
    assert {f"{title}?do=diff&rev=1" for title in TITLES} <= set(mirror.pages)
    assert mirror.statistics["filtered_count"] == 0


@pytest.mark.parametrize(
    "options", [{"allow_trap": ("rev=",)}, {"trap_budget": 0}], ids=lambda options: next(iter(options))
)
def test_what_hidden_pages_lead_to_can_be_let_in(site: Site, mirror: Mirror, options: dict[str, Any]) -> None:
    """P7, F7: by the same command, which goes on from there"""
    build_wiki(site)
    mirror.crawl()
    asked = len(site.paths())
    mirror.crawl(**options)
    assert {f"{title}?rev={number}" for title in TITLES for number in range(3)} <= set(mirror.pages)
    assert len(site.paths()) < 2 * asked + 3 * len(TITLES)
    check_counts(mirror)


def test_an_update_leaves_out_what_the_first_crawl_left_out(site: Site, mirror: Mirror) -> None:
    """P7, S13: also behind pages that have not changed, whose links are known from before"""
    site.page("/", etag=True, links=["/hidden"])
    site.page("/hidden", head=HIDDEN, etag=True, links=["/list?id=1", "/plain"])
    site.page("/list?id=1", "<p>List</p>")
    site.page("/plain", "<p>Plain</p>", etag=True)
    mirror.crawl()
    mirror.crawl(update=True)
    assert set(mirror.pages) == {"/", "/hidden", "/plain"}
    assert {page["status"] for page in mirror.pages.values()} == {"unchanged"}
    assert mirror.statistics["filtered_by"] == {"nofollow": 1}
    assert site.count("/list?id=1") == 0


def test_other_filters_alone_let_nothing_in(site: Site, mirror: Mirror) -> None:
    """P7, F7"""
    build_wiki(site)
    mirror.crawl()
    mirror.crawl(exclude_pattern=("never",))
    assert mirror.statistics["filtered_by"] == {"nofollow": 3 * len(TITLES)}


def test_the_head_of_an_answer_may_hide_a_page_too(site: Site, mirror: Mirror) -> None:
    """P7"""
    site.page("/", links=["/hidden", "/open"])
    site.page("/hidden", headers={"X-Robots-Tag": "noindex, nofollow"}, links=["/list?id=1"])
    site.page("/open", headers={"X-Robots-Tag": "noindex"}, links=["/list?id=2"])
    site.page("/list?id=2", "<p>List</p>")
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/hidden", "/open", "/list?id=2"}
