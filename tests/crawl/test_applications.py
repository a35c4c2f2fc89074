"""Applications of three frameworks, found and read in a real browser: every route, no false page, no harm done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from quire_test_site import Site
from quire_test_site.applications import NAMES, ROUTES, serve

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror


@pytest.mark.parametrize("name", NAMES)
def test_every_route_of_an_application_is_found_and_nothing_is_done(site: Site, mirror: Mirror, name: str) -> None:
    """D7, D8, D9, R16, E2: links, clicks, menus, tabs, load more, lazy and hash routes; and no trap was sprung"""
    serve(site, name)
    crawled = mirror.crawl(render="auto")
    assert set(mirror.pages) == ROUTES
    assert mirror.listed("duplicates") == {"/home": "redirect"}
    assert mirror.listed("failed") == {}
    assert {hit.method for hit in site.hits} <= {"GET", "HEAD"}
    assert crawled.finished.clean
    assert {page["fetched_by"] for page in mirror.pages.values()} == {"browser"}
    for path in ROUTES:
        assert len(mirror.body(path)) > 30, path
    assert "to the millimetre" in mirror.body("/products/3/specs")
