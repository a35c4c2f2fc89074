"""A mirror whose command changes from run to run: what one run left out, a later one has, or says how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from quire_test_site import Site

from quire.errors import UsageError
from quire.events import Notice

if TYPE_CHECKING:
    from tests.crawl.conftest import Crawled, Mirror


def notices(crawled: Crawled) -> list[str]:
    return [event.text for event in crawled.events if isinstance(event, Notice)]


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        ({"query": "all"}, {}, "with --query all, not with --query meaningful"),
        ({"content": "main p"}, {}, "with --content 'main p', not with --content main"),
        ({"heading": "drop"}, {}, "with --heading drop, not with --heading keep"),
        ({"ignore_case": True}, {}, "with --ignore-case, not without --ignore-case"),
        ({}, {"ignore_case": True}, "without --ignore-case, not with --ignore-case"),
        ({"front_matter": False}, {}, "with --no-front-matter, not without --no-front-matter"),
        ({}, {"front_matter": False}, "without --no-front-matter, not with --no-front-matter"),
        ({}, {"remove": ("nav", ".ad")}, "without --remove, not with --remove .ad --remove nav"),
        ({"noise_params": ("ref",)}, {}, "with --noise-params ref, not without --noise-params"),
        ({}, {"start": "/docs"}, "with the start URLs SITE/, not with the start URLs SITE/docs"),
    ],
)
def test_what_is_another_mirror_is_said_as_one_types_it(
    site: Site, mirror: Mirror, before: dict[str, Any], now: dict[str, Any], words: str
) -> None:
    """C10, S5: the settings that one folder has for good, each by its flag"""
    site.page("/", "<p>Home</p>")
    mirror.crawl(**before)
    with pytest.raises(UsageError) as refused:
        mirror.crawl(**now)
    assert str(refused.value) == (
        f"{mirror.folder} holds a mirror made {words.replace('SITE', site.url)};"
        " choose another --output, or --fresh to start over"
    )


def listed_and_linked(site: Site) -> None:
    """A site of which one page is listed, and another only linked to; none changes."""
    site.page("/", "<p>Home</p>", etag=True)
    site.page("/listed", "<p>Listed</p>", links=["/linked"], etag=True)
    site.page("/linked", "<p>Linked</p>", etag=True)
    site.sitemap("/sitemap.xml", [{"loc": "/listed", "lastmod": "2020-01-01"}])


def test_an_update_follows_links_that_the_crawl_before_did_not(site: Site, mirror: Mirror) -> None:
    """D1, S13: pages that nobody looked through for links are read, although they did not change; then no more"""
    listed_and_linked(site)
    mirror.crawl(discover="sitemap")
    assert set(mirror.pages) == {"/", "/listed"}
    mirror.crawl(discover="sitemap", update=True)
    assert set(mirror.pages) == {"/", "/listed"}
    before = mirror.states()
    mirror.crawl(update=True, prune=True)
    assert set(mirror.pages) == {"/", "/listed", "/linked"}
    after = mirror.states()
    assert {path: after[path] for path in before} == before
    site.clear()
    mirror.crawl(update=True, prune=True)
    assert site.count("/listed") == 0
    assert set(mirror.pages) == {"/", "/listed", "/linked"}


def test_a_run_that_looks_for_links_later_than_its_crawl_says_what_is_missing(site: Site, mirror: Mirror) -> None:
    """C10, D1: pages that are saved are not asked for again; the message names the command that does"""
    listed_and_linked(site)
    assert not notices(mirror.crawl(discover="sitemap"))
    site.clear()
    for _ in range(2):
        assert notices(mirror.crawl()) == [
            "the crawl so far has not followed the links of the pages that are saved; --update follows them"
        ]
    assert not site.hits
    assert not notices(mirror.crawl(update=True))
    assert not notices(mirror.crawl())


def test_a_run_that_looks_for_sitemaps_later_than_its_crawl_says_what_is_missing(site: Site, mirror: Mirror) -> None:
    """C10, D1"""
    listed_and_linked(site)
    mirror.crawl(discover="links")
    assert notices(mirror.crawl()) == ["the crawl so far has not read the site's sitemaps; --update reads them"]
    assert not notices(mirror.crawl(update=True))
    assert set(mirror.pages) == {"/", "/listed", "/linked"}


def test_a_sitemap_that_a_later_run_names_is_read(site: Site, mirror: Mirror) -> None:
    """D2: also when the run before has named another, which is not read again"""
    site.page("/", "<p>Home</p>")
    for name in ("one", "two"):
        site.page(f"/{name}", f"<p>{name}</p>")
        site.sitemap(f"/{name}.xml", [f"/{name}"])
    one, two = (f"{site.url}/{name}.xml" for name in ("one", "two"))
    mirror.crawl(sitemap=[one])
    site.clear()
    mirror.crawl(sitemap=[one, two])
    assert set(mirror.pages) == {"/", "/one", "/two"}
    assert sorted(site.paths()) == ["/robots.txt", "/two", "/two.xml"]


def test_urls_that_robots_txt_forbids_have_a_turn_once_it_is_not_asked(site: Site, mirror: Mirror) -> None:
    """F8, F7: the same command with --ignore-robots is enough"""
    site.robots("User-agent: *\nDisallow: /private\n")
    site.page("/", "<p>Home</p>", links=["/private"])
    site.page("/private", "<p>Private</p>", links=["/below"])
    site.page("/below", "<p>Below</p>")
    mirror.crawl()
    assert mirror.listed("skipped") == {"/private": "robots"}
    site.clear()
    mirror.crawl(ignore_robots=True)
    assert set(mirror.pages) == {"/", "/private", "/below"}
    assert sorted(site.paths()) == ["/below", "/private"]


def test_what_an_unchanged_page_links_to_is_not_listed_by_a_sitemap(site: Site, mirror: Mirror) -> None:
    """S11, S13: a URL that a sitemap named before, and does not name now, counts as found by the link"""
    site.page("/", "<p>Home</p>", links=["/once"], etag=True)
    site.page("/once", "<p>Listed once</p>", etag=True)
    site.sitemap("/sitemap.xml", ["/", "/once"])
    mirror.crawl()
    assert mirror.statistics["total_urls_in_sitemap"] == 2
    site.sitemap("/sitemap.xml", ["/"])
    mirror.crawl(update=True)
    assert mirror.pages["/once"]["status"] == "unchanged"
    assert mirror.statistics["total_urls_in_sitemap"] == 1


def test_a_crawl_that_saved_nothing_leaves_no_note_once_it_does(site: Site, mirror: Mirror) -> None:
    """S7: the note of a start page that failed goes when the crawl starts over"""
    site.page("/", "<p>Home</p>")
    site.fail("/", status=500)
    mirror.crawl()
    assert mirror.files() == {f"_failed/{mirror.host}/index.md"}
    site.heal("/")
    mirror.crawl()
    assert mirror.files() == {"index.md"}
