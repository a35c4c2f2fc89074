"""Pages whose URL the site comes to write in another way: the mirror knows them by the name that it has (S13, U3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from quire_test_site import Site

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

OLD, NEW = "/x?utm_source=a", "/x"


def mirrored_as_old(site: Site, mirror: Mirror, *, etag: bool = False) -> str:
    """A mirror that knows a page by its old spelling, on a site that writes the new one now; returns the file."""
    site.page("/", links=[OLD])
    for spelling in (OLD, NEW):
        site.page(spelling, "<p>First</p>", etag=etag)
    mirror.crawl()
    assert set(mirror.pages) == {"/", OLD}
    site.page("/", links=[NEW])
    site.clear()
    path: str = mirror.pages[OLD]["path"]
    return path


@pytest.mark.parametrize("etag", [True, False])
def test_a_page_that_is_spelt_otherwise_is_the_same_page(site: Site, mirror: Mirror, etag: bool) -> None:
    """S13, U3, U5: asked for as the site writes it now, and in the mirror under the name and the path that it has"""
    path = mirrored_as_old(site, mirror, etag=etag)
    before = mirror.states()[path]
    mirror.crawl(update=True)
    assert site.count(NEW) == 1
    assert site.count(OLD) == 0
    assert mirror.changes == {"added": [], "changed": ["/"], "removed": []}
    assert mirror.pages[OLD]["path"] == path
    assert mirror.states()[path] == before


def test_a_change_of_a_page_that_is_spelt_otherwise_has_its_name(site: Site, mirror: Mirror) -> None:
    """S13, M5: in `changes`, in the manifest, in what is processed and in the page's front matter"""
    path = mirrored_as_old(site, mirror)
    site.change(NEW, "<p>Second</p>")
    mirror.crawl(update=True)
    assert mirror.changes == {"added": [], "changed": ["/", OLD], "removed": []}
    assert mirror.pages[OLD]["path"] == path
    assert mirror.body(OLD) == "Second\n"
    assert f'url: "{site.url}{OLD}"' in mirror.text(OLD)
    assert f"{site.url}{OLD}" in (mirror.folder / "_processed.txt").read_text().splitlines()


def test_a_page_that_is_gone_in_another_spelling_is_removed_by_its_name(site: Site, mirror: Mirror) -> None:
    """S13: who keeps books by `changes` finds what to strike out"""
    mirrored_as_old(site, mirror)
    site.remove(NEW)
    mirror.crawl(update=True)
    assert mirror.changes == {"added": [], "changed": ["/"], "removed": [OLD]}


def test_a_page_that_is_not_read_again_leads_to_the_spelling_that_works(site: Site, mirror: Mirror) -> None:
    """S13, R14, U5: the old one may be gone from the site by now"""
    mirrored_as_old(site, mirror)
    site.page("/", links=[NEW], etag=True)
    mirror.crawl(update=True)
    site.remove(OLD)
    site.clear()
    mirror.crawl(update=True)
    assert site.count(OLD) == 0
    assert mirror.changes == {"added": [], "changed": [], "removed": []}
    assert set(mirror.pages) == {"/", OLD}


def test_a_failure_in_another_spelling_leaves_no_note_behind(site: Site, mirror: Mirror) -> None:
    """S7, S13: the note of a page that failed goes when the page is there again, whatever it was asked for as"""
    mirrored_as_old(site, mirror)
    site.fail(NEW, times=1, status=500)
    mirror.crawl(update=True)
    assert any(name.startswith("_failed/") for name in mirror.files())
    assert mirror.listed("failed") == {OLD: "http-500"}
    mirror.crawl()
    assert not any(name.startswith("_failed/") for name in mirror.files())
    assert set(mirror.pages) == {"/", OLD}


def test_a_redirect_to_another_spelling_renames_no_page(site: Site, mirror: Mirror) -> None:
    """S13, S9: also where the site has come to redirect what it used to answer"""
    path = mirrored_as_old(site, mirror)
    site.page("/", links=[OLD])
    site.redirect(OLD, NEW)
    mirror.crawl(update=True)
    assert site.count(NEW) == 1
    assert mirror.changes == {"added": [], "changed": [], "removed": []}
    assert mirror.pages[OLD]["path"] == path
