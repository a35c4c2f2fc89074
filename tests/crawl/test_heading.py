"""`--heading drop`: the page's heading is the title of its front matter, for programs that show that above the page."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Quire, Site

from quire.convert.front_matter import split
from quire.errors import UsageError

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

GUIDE = "<main><h1>How to <em>brew</em></h1><p>Boil water.</p><h2>Green tea</h2><p>At 80 degrees.</p></main>"


def front(mirror: Mirror, path: str) -> dict[str, str]:
    return split(mirror.text(path))[0]


def test_the_heading_is_the_title_in_place_of_a_line(site: Site, mirror: Mirror, quire: Quire) -> None:
    """M1, M5, R7: its words are in the front matter, also where the page's title is another; nothing else changes"""
    site.page("/", GUIDE, title="Brewing | The Tea House", links=["/list", "/bare"])
    site.page("/list", "<main><h1>A cat</h1><p>Meows</p><h1>A dog</h1><p>Barks</p></main>", title="Animals")
    site.page("/bare", "<main><p>No heading.</p></main>", title="Bare")
    mirror.crawl(heading="drop")
    assert mirror.body("/").startswith("Boil water.\n\n## Green tea\n\nAt 80 degrees.\n")
    assert front(mirror, "/")["title"] == "How to brew"
    assert front(mirror, "/")["content_hash"] == mirror.pages["/"]["hash"]
    assert mirror.pages["/"]["title"] == "Brewing | The Tea House"
    assert mirror.body("/list").startswith("# A cat\n\nMeows\n\n# A dog\n")
    assert front(mirror, "/list")["title"] == "Animals"
    assert front(mirror, "/bare")["title"] == "Bare"
    whole = quire("export", mirror.folder, "--format", "markdown").out
    assert whole.startswith(f"# How to brew\n\nSource: <{site.url}/>\n\nBoil water.\n")


def test_a_changed_heading_is_a_changed_page(site: Site, mirror: Mirror) -> None:
    """S13, R7: though the Markdown below it is what it was"""
    site.page("/", "<main><h1>Tea</h1><p>Leaves.</p></main>", links=["/same", "/gone"])
    site.page("/same", "<main><h1>Same</h1><p>Text.</p></main>")
    site.page("/gone", "<main><h1>Gone</h1><p>Text.</p></main>", title="Was here")
    mirror.crawl(heading="drop")
    before = mirror.states()
    mirror.crawl(heading="drop", update=True)
    assert mirror.states() == before
    site.page("/", "<main><h1>Green tea</h1><p>Leaves.</p></main>", links=["/same", "/gone"])
    site.page("/gone", "<main><p>Text.</p></main>", title="Was here")
    mirror.crawl(heading="drop", update=True)
    assert mirror.manifest["changes"]["changed"] == [f"{site.url}/", f"{site.url}/gone"]
    assert front(mirror, "/")["title"] == "Green tea"
    assert front(mirror, "/gone")["title"] == "Was here"
    assert mirror.pages["/same"]["status"] == "unchanged"


def test_pages_that_differ_in_their_heading_are_not_one(site: Site, mirror: Mirror) -> None:
    """S9: under one path, where the Markdown below is the same to the letter"""
    site.page("/", links=["/word?id=1", "/word?id=2", "/word?id=2&sort=new"])
    for query, word in (("id=1", "Cat"), ("id=2", "Dog"), ("id=2&sort=new", "Dog")):
        site.page(f"/word?{query}", f"<main><h1>{word}</h1><p>No meaning yet.</p></main>", title="Words")
    mirror.crawl(heading="drop")
    assert set(mirror.pages) == {"/", "/word?id=1", "/word?id=2"}
    assert mirror.listed("duplicates") == {"/word?id=2&sort=new": "same-content"}


def test_a_mirror_has_headings_or_has_none(site: Site, mirror: Mirror) -> None:
    """S5, C10: one setting for all of it, also where it was made before there was the setting"""
    site.page("/", GUIDE)
    mirror.crawl()
    for _ in range(2):
        with pytest.raises(UsageError, match="made with --heading keep, not with --heading drop"):
            mirror.crawl(heading="drop", update=True)
        with sqlite3.connect(mirror.folder / "_frontier.sqlite") as database:
            (kept,) = database.execute("SELECT value FROM meta WHERE name = 'identity'").fetchone()
            old = {name: value for name, value in json.loads(kept).items() if name != "--heading"}
            database.execute("UPDATE meta SET value = ? WHERE name = 'identity'", (json.dumps(old),))
    mirror.crawl(update=True)
    mirror.crawl(heading="drop", fresh=True)
    assert mirror.body("/").startswith("Boil water.")
