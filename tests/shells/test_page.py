"""`quire page`: the given pages and nothing else (C3, C10)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from quire_test_site import Quire, Site, files_in

QUICK = ("--delay", "0", "--workers", "1")


def test_page_prints_markdown_only(site: Site, quire: Quire) -> None:
    """C3, C10: no front matter, no links followed, no sitemap asked for; progress goes to stderr"""
    site.page("/a", "<h1>Title</h1><p>Text with a <a href='/b'>link</a></p>")
    site.page("/b", "<p>B</p>")
    site.sitemap("/sitemap.xml", ["/b"])
    finished = quire("page", f"{site.url}/a", *QUICK)
    assert finished.status == 0
    assert finished.out == f"# Title\n\nText with a [link]({site.url}/b)\n"
    assert finished.err.splitlines() == [f"[1/1] Processing: {site.url}/a"]
    assert site.paths() == ["/robots.txt", "/a"]
    assert list(quire.folder.iterdir()) == []


def test_a_page_is_printed_as_its_file_has_it(site: Site, quire: Quire) -> None:
    """C3, C8: without the heading too, if that is what the settings say"""
    site.page("/a", "<h1>Title</h1><p>Text</p>", title="Title")
    assert quire("page", f"{site.url}/a", *QUICK, "--heading", "drop", "-q").out == "Text\n"


def test_a_route_behind_a_hash_can_be_asked_for(site: Site, quire: Quire) -> None:
    """C3, D7: in the browser; without one, the document that it is shown in"""
    script = (
        "document.getElementById('root').innerHTML = '<h1>Route ' + (location.hash || 'none') + '</h1><p>Words.</p>'"
    )
    site.page("/app", f"<div id=root></div><script>{script}</script>", raw=True)
    shown = quire("page", f"{site.url}/app#/about", *QUICK, "-q")
    assert (shown.status, "Route #/about" in shown.out) == (0, True), shown
    site.clear()
    quire("page", f"{site.url}/app#/about", "--render", "never", *QUICK, "-q")
    assert site.paths() == ["/robots.txt", "/app"]


def test_what_is_printed_is_utf_8_in_every_locale(site: Site, quire: Quire) -> None:
    """C3, C10"""
    site.page("/a", "<p>Grüße → 世界</p>")
    ascii_only = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    finished = quire("page", f"{site.url}/a", *QUICK, "-q", env=ascii_only)
    assert (finished.status, finished.out) == (0, "Grüße → 世界\n"), finished


def test_pages_come_in_the_order_given(site: Site, quire: Quire) -> None:
    """C3: also when the first is the slowest; pages are told apart"""
    site.page("/slow", "<p>The slow one</p>")
    site.page("/fast", "<p>The fast one</p>")
    site.page("/other", "<p>Another</p>")
    site.delay("/slow", 0.4)
    finished = quire("page", *(f"{site.url}{path}" for path in ("/slow", "/fast", "/other")), *QUICK, "-q")
    lines = [line for line in finished.out.splitlines() if line.startswith(("The", "Another"))]
    assert lines == ["The slow one", "The fast one", "Another"]
    # Two pages in a row must not become one paragraph.
    assert "The slow one\nThe fast one" not in finished.out


@pytest.mark.parametrize(
    ("asked", "printed"),
    [
        (("/a", "/a", "/b"), "A\n\nB\n"),
        (("/b", "/a?utm_source=x", "/a#top"), "B\n\nA\n"),
        (("/old", "/a", "/b"), "A\n\nB\n"),
        (("/a", "/old", "/b"), "A\n\nB\n"),
        (("/b", "/older", "/old"), "B\n\nA\n"),
        (("/a?_escaped_fragment_=%2Fx", "/b"), "A\n\nB\n"),
    ],
)
def test_a_page_that_is_asked_for_twice_is_printed_once(
    site: Site, quire: Quire, asked: tuple[str, ...], printed: str
) -> None:
    """C3, S9: under the same URL, another spelling or by way of a redirect; and those behind it are printed"""
    site.page("/a", "<p>A</p>")
    site.page("/b", "<p>B</p>")
    site.redirect("/old", "/a")
    site.redirect("/older", "/old")
    site.redirect("/a?_escaped_fragment_=%2Fx", "/a")
    finished = quire("page", *(site.url + path for path in asked), *QUICK, "-q")
    assert (finished.status, finished.out) == (0, printed)


def test_page_follows_redirects_and_tells_failures(site: Site, quire: Quire) -> None:
    """C3, C9: a page that failed is status 1, and the others are printed"""
    site.redirect("/old", f"{site.url_on('127.0.0.2')}/new")
    site.page("/new", "<p>New</p>")
    site.page("/broken", status=500)
    pages = [f"{site.url}/old", f"{site.url}/broken", f"{site.url}/missing"]
    finished = quire("page", *pages, "--allow-network", "127.0.0.2", *QUICK)
    assert finished.status == 1
    assert finished.out == "New\n"
    assert f"{site.url}/broken" in finished.err
    assert "404" in finished.err


def test_a_page_that_is_missing_is_status_1(site: Site, quire: Quire) -> None:
    """C9, C10: nothing was had, and it is said, also with -q"""
    finished = quire("page", f"{site.url}/missing", *QUICK, "-q")
    assert (finished.status, finished.out) == (1, "")
    assert "404" in finished.err


def test_a_page_that_is_no_page_leaves_no_note_where_there_is_no_mirror(site: Site, quire: Quire) -> None:
    """C3, C10, M6"""
    site.raw("/a", b"words", "text/plain")
    finished = quire("page", f"{site.url}/a", *QUICK)
    assert finished.status == 1
    assert "it is text/plain, not HTML; check the address" in finished.err
    assert "_skipped" not in finished.err


def test_page_into_a_mirror(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C3: with -o the pages are saved as `quire mirror` would, and nothing is printed"""
    site.page("/docs/a", "<h1>A</h1>", links=["/docs/b"])
    site.page("/docs/c", "<h1>C</h1>")
    finished = quire("page", f"{site.url}/docs/a", f"{site.url}/docs/c", "-o", mirror_dir, *QUICK)
    assert (finished.status, finished.out) == (0, "")
    folder = f"127.0.0.1_{site.port}"
    assert {f"{folder}/docs/a/index.md", f"{folder}/docs/c/index.md"} <= files_in(mirror_dir).keys()
    manifest = json.loads((mirror_dir / "_manifest.json").read_bytes())
    assert [page["url"] for page in manifest["pages"]] == [f"{site.url}/docs/a", f"{site.url}/docs/c"]
    assert site.count("/docs/b") == site.count("/sitemap.xml") == 0
    assert quire("page", f"{site.url}/docs/c", f"{site.url}/docs/b", "-o", mirror_dir, *QUICK).status == 0
    manifest = json.loads((mirror_dir / "_manifest.json").read_bytes())
    assert manifest["crawl"]["start"] == [f"{site.url}/docs/{name}" for name in "acb"]
    assert "single pages" in quire("status", mirror_dir).out


@pytest.mark.parametrize("name", ["/list.txt", "/map.xml", "/feed"])
def test_page_discovers_nothing_whatever_it_is_given(site: Site, quire: Quire, name: str) -> None:
    """C3: a list of URLs is a page that was asked for, not a place to crawl from"""
    site.page("/a", "<p>A</p>")
    if name == "/list.txt":
        site.raw(name, f"{site.url}/a\n".encode(), "text/plain")
    else:
        site.sitemap(name, ["/a"])
    finished = quire("page", f"{site.url}{name}", *QUICK)
    assert site.count("/a") == 0
    assert site.count(name) == 1
    assert finished.status == 1
    assert "Traceback" not in finished.err


def test_page_respects_robots_txt(site: Site, quire: Quire) -> None:
    """F8, C3"""
    site.page("/private", "<p>Private</p>")
    site.robots("User-agent: *\nDisallow: /private")
    finished = quire("page", f"{site.url}/private", *QUICK)
    assert (finished.status, finished.out) == (1, "")
    assert "robots.txt" in finished.err
    finished = quire("page", f"{site.url}/private", *QUICK, "--ignore-robots")
    assert (finished.status, finished.out) == (0, "Private\n")


def test_the_part_of_a_page_can_be_chosen(site: Site, quire: Quire) -> None:
    """C3, M3"""
    site.page("/", "<main><h1>Main</h1><p class=lead>Lead</p></main><footer>Foot</footer>", raw=True)
    assert quire("page", f"{site.url}/", *QUICK, "-q", "--content", ".lead").out == "Lead\n"
    assert "Foot" in quire("page", f"{site.url}/", *QUICK, "-q", "--content", "full").out


def test_a_page_can_be_added_to_a_mirror(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C3, S5: the mirror's other pages stay, in its records too, and `quire mirror` goes on as before"""
    site.page("/docs/", links=["/docs/a"])
    site.page("/docs/a", "<p>A</p>")
    site.page("/extra", "<p>Extra</p>", links=["/extra/below"])
    command = ("mirror", f"{site.url}/docs/", "-o", str(mirror_dir), "--exclude-paths", "/docs/no", *QUICK)
    assert quire(*command).status == 0
    site.clear()
    finished = quire("page", f"{site.url}/extra", "-o", mirror_dir, *QUICK)
    assert finished.status == 0, finished.err
    assert site.paths() == ["/robots.txt", "/extra"]
    manifest = json.loads((mirror_dir / "_manifest.json").read_bytes())
    paths = {page["url"].removeprefix(site.url) for page in manifest["pages"]}
    assert paths == {"/docs", "/docs/a", "/extra"}
    assert (manifest["crawl"]["start"], manifest["crawl"]["bases"]) == ([f"{site.url}/docs/"], [f"{site.url}/docs"])
    assert manifest["filters_applied"] == {"exclude_paths": "/docs/no"}
    assert (mirror_dir / "_index.md").read_text().startswith(f"# {site.url}/docs/\n")
    site.clear()
    assert quire(*command).status == 0
    assert quire(*command, "--update").status == 0
    assert site.count("/extra/below") == 0
    assert f"127.0.0.1_{site.port}/docs/a/index.md" in files_in(mirror_dir)


def test_a_page_in_a_mirror_can_be_fetched_again(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C3: asked for by name, it is brought up to date"""
    site.page("/a", "<p>First</p>")
    command = ("page", f"{site.url}/a", "-o", str(mirror_dir), *QUICK)
    assert quire(*command).status == 0
    site.change("/a", "<p>Second</p>")
    assert quire(*command).status == 0
    text = (mirror_dir / f"127.0.0.1_{site.port}" / "a" / "index.md").read_text()
    assert text.endswith("Second\n")


@pytest.mark.parametrize("known_by", ["etag", "lastmod"])
def test_an_update_follows_the_links_of_a_page_that_was_fetched_by_name(
    site: Site, quire: Quire, mirror_dir: Path, known_by: str
) -> None:
    """C3, S13, R14, S9: it has not changed since, and what it names is not known"""
    etag = known_by == "etag"
    site.sitemap("/sitemap.xml", [{"loc": "/a", "lastmod": "2001-01-01"}] if known_by == "lastmod" else [])
    site.page("/", links=["/a"], etag=etag)
    site.page("/a", "<p>First</p>", etag=etag)
    site.page("/real", "<p>Second</p>", links=["/new"], etag=etag)
    site.page("/new", "<p>New</p>")
    command = ("mirror", f"{site.url}/", "-o", str(mirror_dir), *QUICK)
    assert quire(*command).status == 0
    site.page("/a", "<p>Second</p>", links=["/new"], head='<link rel="canonical" href="/real">', etag=etag)
    assert quire("page", f"{site.url}/a", "-o", mirror_dir, *QUICK).status == 0
    assert quire(*command, "--update").status == 0
    manifest = json.loads((mirror_dir / "_manifest.json").read_bytes())
    assert {page["url"].removeprefix(site.url) for page in manifest["pages"]} == {"/", "/real", "/new"}


def test_page_asks_for_nothing_that_waits_in_the_mirror(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C3: a mirror that ended by --max-pages keeps its queue; only the page that is named is fetched"""
    site.page("/", links=[f"/{number}" for number in range(5)])
    for number in range(5):
        site.page(f"/{number}", f"<p>{number}</p>")
    assert quire("mirror", f"{site.url}/", "-o", mirror_dir, *QUICK, "--max-pages", "2", "-q").status == 0
    site.clear()
    assert quire("page", f"{site.url}/4", "-o", mirror_dir, *QUICK, "-q").status == 0
    assert site.paths() == ["/robots.txt", "/4"]
    assert quire("mirror", f"{site.url}/", "-o", mirror_dir, *QUICK, "-q").status == 0
    pages = json.loads((mirror_dir / "_manifest.json").read_bytes())["pages"]
    assert len(pages) == 6
