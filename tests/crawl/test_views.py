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
            change = f"{title}?do=diff&rev={number}"
            site.page(old, f"<h1>{title} {number}</h1>", head=HIDDEN, links=[change])
            site.page(change, f"<h1>Change {number} of {title}</h1>", head=HIDDEN)
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
    mirror.crawl(**options)
    assert {f"{title}?rev={number}" for title in TITLES for number in range(3)} <= set(mirror.pages)
    assert [site.count(title) for title in TITLES] == [1] * len(TITLES)
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


def test_views_are_duplicates_of_their_pages(site: Site, mirror: Mirror, quire: Quire) -> None:
    """S9, F7, C5: they are asked for, because of what they lead to, and not kept"""
    build_wiki(site)
    mirror.crawl(links="local")
    views = [f"{title}?{view}" for title in TITLES for view in VIEWS]
    assert set(mirror.pages) == {"/", *TITLES, *(f"{title}/notes" for title in TITLES)}
    assert mirror.listed("duplicates") == dict.fromkeys(views, "view")
    assert {site.count(view) for view in views} == {1}
    check_counts(mirror)
    page = mirror.pages[TITLES[0]]["path"]
    assert f"[{views[0]}](index.md)" in (mirror.folder / page).read_text()
    told = quire("why", site.url + views[0], "-o", mirror.folder).out
    assert f"duplicate: a view of {site.url}{TITLES[0]}, of a kind that says noindex, nofollow wherever it is" in told


def test_views_of_pages_whose_name_is_a_parameter_are_known_too(site: Site, mirror: Mirror) -> None:
    """S9: as those of MediaWiki"""
    names = [title.rpartition("/")[2] for title in TITLES]
    views = [f"/index.php?title={name}&action=history" for name in names]
    site.page("/", links=TITLES)
    for title, view in zip(TITLES, views, strict=True):
        site.page(title, f"<h1>{title}</h1>", links=[view])
        site.page(view, f"<h1>History of {title}</h1>", head=HIDDEN)
    mirror.crawl()
    assert set(mirror.pages) == {"/", *TITLES}
    assert mirror.listed("duplicates") == dict.fromkeys(views, "view")


@pytest.mark.parametrize(
    ("query", "language", "head"),
    [
        pytest.param("page=2", "en", HIDDEN, id="a number, which chooses the next page of a thread"),
        pytest.param("lang=de", "de", HIDDEN, id="a translation"),
        pytest.param("tab=more", "en", '<meta name="robots" content="noindex">', id="noindex alone"),
        pytest.param("tab=more", "en", "", id="nothing said"),
    ],
)
def test_what_may_be_a_page_of_its_own_is_kept(
    site: Site, mirror: Mirror, query: str, language: str, head: str
) -> None:
    """S9: a page too many does less harm than a page that is missing"""
    site.page("/", links=TITLES)
    for title in TITLES:
        site.page(title, f"<h1>{title}</h1>", links=[f"{title}?{query}"])
        more = f'<html lang="{language}"><head>{head}</head><body><h1>More of {title}</h1></body></html>'
        site.page(f"{title}?{query}", more, raw=True)
    mirror.crawl()
    assert set(mirror.pages) == {"/", *TITLES, *(f"{title}?{query}" for title in TITLES)}


def test_hidden_pages_of_one_page_are_kept(site: Site, mirror: Mirror) -> None:
    """S9: a site whose pages all have queries may hide some of them, and the front page be open"""
    names = ["imprint", "privacy", "terms", "contact", "press", "jobs"]
    pages = [f"/index.php?page={name}" for name in names]
    site.page("/", links=["/index.php", *pages])
    site.page("/index.php", "<h1>Front</h1>")
    for path in pages:
        site.page(path, f"<h1>{path}</h1>", head=HIDDEN)
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/index.php", *pages}


def test_a_kind_of_which_one_is_open_is_kept(site: Site, mirror: Mirror) -> None:
    """S9"""
    build_wiki(site)
    site.page(f"{TITLES[3]}?do=edit", "<h1>Open for all</h1>")
    mirror.crawl()
    assert {f"{title}?do=edit" for title in TITLES} <= set(mirror.pages)
    assert not [path for path in mirror.pages if "do=history" in path]


def test_views_can_be_kept(site: Site, mirror: Mirror) -> None:
    """S9, P7: by the first command, or by a later one, which asks for these once more and for no other page"""
    build_wiki(site)
    mirror.crawl()
    mirror.crawl(allow_trap=("do=edit",))
    assert [path for path in mirror.pages if "?" in path] == [f"{title}?do=edit" for title in TITLES]
    assert {site.count(f"{title}?do=edit") for title in TITLES} == {2}
    assert {site.count(f"{title}?do=history") for title in TITLES} == {1}
    check_counts(mirror)
    mirror.crawl(fresh=True, allow_trap=("do=edit",))
    assert [path for path in mirror.pages if "?" in path] == [f"{title}?do=edit" for title in TITLES]


def test_the_same_page_under_other_queries_is_one(site: Site, mirror: Mirror, quire: Quire) -> None:
    """S9, F7: links to single posts, sort orders, headings; the shortest query stays where there is no page without"""
    posts = [f"/thread?post={number}" for number in range(4)]
    site.page("/", links=["/thread", "/board?sort=new&by=day", "/board?sort=new"])
    site.page("/thread", "<h1>Thread</h1>", links=posts)
    for post in posts:
        site.page(post, "<h1>Thread</h1>", links=posts)
    for query in ("sort=new", "sort=new&by=day"):
        site.page(f"/board?{query}", "<h1>Board</h1>")
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/thread", "/board?sort=new"}
    assert mirror.listed("duplicates") == dict.fromkeys([*posts, "/board?sort=new&by=day"], "same-content")
    check_counts(mirror)
    told = quire("why", site.url + posts[0], "-o", mirror.folder).out
    assert f"duplicate: its content is that of {site.url}/thread, which differs in the query only" in told


def test_pictures_and_sitemaps_tell_pages_of_the_same_words_apart(site: Site, mirror: Mirror) -> None:
    """S9"""
    photos = [f"/album?photo={number}" for number in range(3)]
    listed = ["/board?sort=new", "/board?sort=old"]
    site.sitemap("/sitemap.xml", ["/board", *listed])
    site.page("/", links=["/board", *photos])
    for number, photo in enumerate(photos):
        site.page(photo, f'<h1>Photo</h1><img src="/{number}.jpg" alt="Photo">')
    for path in ("/board", *listed):
        site.page(path, "<h1>Board</h1>")
    mirror.crawl()
    assert set(mirror.pages) == {"/", "/board", *photos, *listed}
    assert mirror.manifest["equal_content"] == [[site.url + path for path in ("/board", *listed)]]
