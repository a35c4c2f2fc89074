"""The site's frame: what no single page gives away is known from all of them, and cut (M3)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Quire, Site
from quire_test_site.crashes import kill_when, lasting, settled
from quire_test_site.growth import paragraphs

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

PAGES = 24
HEAD = "Village Almanac, kept by the parish clerk since the great flood"
FOOT = "Printed by the parish press. Send corrections to the clerk at the town hall before harvest."


def almanac_page(number: int, *, pages: int = PAGES, extra: str = "") -> str:
    """A page without a landmark or a telling name: only its neighbours show what belongs to all of them."""
    before, after = (number - 1) % pages, (number + 1) % pages
    bar = f'<a href="/a/{before}">Earlier</a> | <a href="/">Overview</a> | <a href="/a/{after}">Later</a>'
    prose = "".join(f"<p>{text}</p>" for text in paragraphs(number, 6))
    return f"<p>{HEAD}</p><p>{bar}</p><h1>Leaf {number}</h1>{extra}{prose}<p>{bar}</p><p>{FOOT}</p>"


def unmarked(body: str) -> str:
    return f"<!doctype html><title>Almanac</title><body>{body}</body>"


def publish(site: Site, pages: int = PAGES, *, etag: bool = True, extra: str = "") -> None:
    """Serve an almanac; in `extra` stands {} for the number of a page."""
    site.page("/", "<h1>Overview</h1>", links=[f"/a/{number}" for number in range(pages)], etag=etag)
    for number in range(pages):
        page = almanac_page(number, pages=pages, extra=extra.format(number, number))
        site.page(f"/a/{number}", unmarked(page), etag=etag, raw=True)


def assert_is_bare(mirror: Mirror, number: int) -> None:
    """The file holds the page's own text, and all records agree with it."""
    url = f"/a/{number}"
    body = mirror.body(url)
    assert body == f"# Leaf {number}\n\n" + "\n\n".join(paragraphs(number, 6)) + "\n"
    page = mirror.pages[url]
    hash = "sha256:" + hashlib.sha256(body.encode()).hexdigest()
    assert page["hash"] == hash
    assert f'content_hash: "{hash}"' in mirror.text(url)
    assert page["size"] == len(mirror.text(url).encode())
    assert page["word_count"] == len(body.split()) - 1


def test_what_all_pages_repeat_is_cut(site: Site, mirror: Mirror) -> None:
    """M3, S11: head, foot and the bars of links are gone from every page, also from the first that were written"""
    publish(site)
    mirror.crawl()
    for number in range(PAGES):
        assert_is_bare(mirror, number)


def test_also_where_pages_mark_their_content(site: Site, mirror: Mirror) -> None:
    """M3: the landmark holds head and foot, too"""
    publish(site)
    for number in range(PAGES):
        site.page(f"/a/{number}", f"<main>{almanac_page(number)}</main>")
    mirror.crawl()
    for number in range(PAGES):
        assert_is_bare(mirror, number)


def test_what_most_pages_drop_by_themselves_goes_from_the_others(site: Site, mirror: Mirror) -> None:
    """M3: a page's own judgement depends on how much text is around a bar of links; the site's does not"""
    publish(site)
    bar = "".join(f'<li><a href="/topic/{name}">{name}</a></li>' for name in ("Rivers", "Barns", "Wells", "Lanes"))
    for number in range(PAGES):
        prose = "".join(f"<p>{text}</p>" for text in paragraphs(number, 6))
        name = ' class="menu"' if number % 3 else ""
        page = f"<h1>Leaf {number}</h1>{prose}<div{name}><ul>{bar}</ul></div>"
        site.page(f"/a/{number}", unmarked(page), raw=True)
    mirror.crawl()
    for number in range(PAGES):
        assert_is_bare(mirror, number)


def test_a_few_pages_are_left_as_they_are(site: Site, mirror: Mirror) -> None:
    """M3: what nine pages repeat may be content"""
    publish(site, 9)
    mirror.crawl()
    for number in range(9):
        assert mirror.body(f"/a/{number}").startswith(HEAD)
        assert mirror.body(f"/a/{number}").rstrip().endswith("harvest.")


def test_all_of_the_page_is_kept_where_it_was_asked_for(site: Site, mirror: Mirror) -> None:
    """M3: `--content full`"""
    publish(site)
    mirror.crawl(content="full")
    assert HEAD in mirror.body("/a/1")


def test_headings_labels_and_code_above_different_text_stay(site: Site, mirror: Mirror) -> None:
    """M3: every page has them, and they belong to what follows"""
    summary = "<h2>Summary</h2><p>Method {} does this.</p><p><b>Note:</b></p><p>Only leaf {}.</p>"
    licence = "<pre>Licensed to the parish.\n\nAll rights are with the clerk.</pre>"
    publish(site, extra=summary + licence)
    mirror.crawl()
    for number in range(PAGES):
        body = mirror.body(f"/a/{number}")
        assert body.startswith(f"# Leaf {number}\n\n## Summary\n\nMethod {number} does this.\n\n**Note:**\n\nOnly leaf")
        assert "Licensed to the parish.\n\nAll rights are with the clerk.\n" in body
        assert FOOT not in body


def test_a_page_of_nothing_but_frame_is_kept_whole(site: Site, mirror: Mirror) -> None:
    """M3: no file is left empty"""
    publish(site)
    site.page("/a/5", unmarked(f"<p>{HEAD}</p><h1>Leaf 5</h1><p>{FOOT}</p>"), raw=True)
    mirror.crawl()
    assert FOOT in mirror.body("/a/5")
    assert_is_bare(mirror, 6)


def test_a_part_of_the_site_has_a_frame_of_its_own(site: Site, mirror: Mirror) -> None:
    """M3: by the first folder of the path"""
    publish(site)
    links = [*(f"/a/{number}" for number in range(PAGES)), *(f"/b/{number}" for number in range(60))]
    site.page("/", "<h1>Overview</h1>", links=links)
    for number in range(60):
        text = "".join(f"<p>{text}</p>" for text in paragraphs(number + 50, 6))
        site.page(f"/b/{number}", unmarked(f"<h1>Essay {number}</h1>{text}"), raw=True)
    mirror.crawl()
    assert_is_bare(mirror, 3)


def test_what_more_pages_show_to_be_content_comes_back(site: Site, mirror: Mirror) -> None:
    """M3: the frame is known from the whole site; a crawl that goes on after --max-pages puts back what it had cut"""
    publish(site, 12)
    rest = [f"/a/{number}" for number in range(12, 80)]
    site.page("/", "<h1>Overview</h1>", links=[*(f"/a/{number}" for number in range(12)), *rest])
    for number in range(12, 80):
        text = "".join(f"<p>{text}</p>" for text in paragraphs(number, 6))
        site.page(f"/a/{number}", unmarked(f"<h1>Leaf {number}</h1>{text}"), raw=True)
    mirror.crawl(max_pages=13, concurrency=1)
    assert_is_bare(mirror, 3)
    mirror.crawl()
    assert mirror.body("/a/3").startswith(HEAD)
    assert mirror.body("/a/3").rstrip().endswith("harvest.")
    page = mirror.pages["/a/3"]
    assert page["hash"] == "sha256:" + hashlib.sha256(mirror.body("/a/3").encode()).hexdigest()


def test_the_order_of_answers_does_not_show(site: Site, quire: Quire, tmp_path: Path) -> None:
    """M3, S5: pages asked for one by one or eight at a time, the mirror is the same"""
    publish(site)
    for folder, pace in (("one", "1"), ("many", "8")):
        command = ("mirror", f"{site.url}/", "-o", tmp_path / folder, "--delay", "0", "-q")
        assert quire(*command, "--concurrency", pace, "--per-host", pace).status == 0
    assert lasting(tmp_path / "one") == lasting(tmp_path / "many")


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.06])
def test_killed_while_the_frame_is_cut(site: Site, quire: Quire, tmp_path: Path, delay: float) -> None:
    """S5, M3: no page is asked for again, and the mirror is that of a crawl that was left in peace"""
    publish(site, 300)
    fast = ("--delay", "0", "--concurrency", "8", "--per-host", "8", "-q")
    process = quire.start("mirror", f"{site.url}/", "-o", tmp_path / "killed", *fast)
    site.wait(300)
    kill_when(process, tmp_path / "killed", "framing", "yes", delay)
    done = settled(tmp_path / "killed")
    site.clear()
    assert quire("mirror", f"{site.url}/", "-o", tmp_path / "killed", *fast).status == 0
    assert done.isdisjoint(site.paths())
    assert quire("mirror", f"{site.url}/", "-o", tmp_path / "whole", *fast).status == 0
    assert lasting(tmp_path / "killed") == lasting(tmp_path / "whole")


@pytest.mark.parametrize("etag", [True, False])
def test_an_update_touches_no_page_that_did_not_change(site: Site, mirror: Mirror, etag: bool) -> None:
    """S13, M3: whether the server says so or the page itself does"""
    publish(site, etag=etag)
    mirror.crawl()
    before, pages = mirror.states(), mirror.pages
    mirror.crawl(update=True)
    assert mirror.states() == before
    assert mirror.manifest["changes"] == {"added": [], "changed": [], "removed": []}
    for url, page in mirror.pages.items():
        assert {name: page[name] for name in ("hash", "size", "word_count", "path")} == {
            name: pages[url][name] for name in ("hash", "size", "word_count", "path")
        }


def test_a_page_that_changed_is_cut_again(site: Site, mirror: Mirror) -> None:
    """S13, M3"""
    publish(site)
    mirror.crawl()
    before = mirror.states()
    site.page("/a/7", unmarked(almanac_page(7, extra="<p>A leaf was added in the margin.</p>")), raw=True)
    mirror.crawl(update=True)
    assert mirror.manifest["changes"]["changed"] == [f"{site.url}/a/7"]
    body = mirror.body("/a/7")
    assert body.startswith("# Leaf 7\n\nA leaf was added in the margin.\n\n")
    assert FOOT not in body
    changed = mirror.pages["/a/7"]["path"]
    assert {path: state for path, state in mirror.states().items() if path != changed} == {
        path: state for path, state in before.items() if path != changed
    }


def test_why_tells_what_was_cut(site: Site, quire: Quire, mirror: Mirror) -> None:
    """C5, M3"""
    publish(site)
    mirror.crawl()
    told = quire("why", f"{site.url}/a/3", "-o", mirror.folder).out
    assert "  content: judged block by block; " in told
    assert "  cut as frame, because it is on most pages of the site: 33 words\n" in told
    for text in (HEAD, "Earlier Overview Later", FOOT):
        assert f"    {text}\n" in told
