"""`quire map`: the URLs of a site, and nothing else on stdout (C2, C10)."""

from __future__ import annotations

import json

from quire_test_site import Quire, Site


def build(site: Site) -> None:
    site.page("/", links=["/a", "/old", "/missing", "/x.pdf", "http://127.0.0.9/", "mailto:a@b.example"])
    site.page("/a", links=["/b", "/paper"])
    site.page("/b", "<p>B</p>")
    site.page("/broken", status=500)
    site.redirect("/old", "/b")
    site.raw("/paper", b"%PDF", "application/pdf")
    site.sitemap(
        "/sitemap.xml",
        [{"loc": "/listed", "lastmod": "2024-05-06", "priority": 0.4, "changefreq": "weekly"}, "/blog/x", "/broken"],
    )
    site.page("/listed", "<p>Listed</p>")
    site.page("/blog/x", "<p>Blog</p>")


def test_map_prints_each_url_once(site: Site, quire: Quire) -> None:
    """C2, C9, C10: one a line, no page is kept, messages go to stderr"""
    build(site)
    finished = quire("map", f"{site.url}/", "--delay", "0", "--exclude-paths", "/blog")
    lines = finished.out.splitlines()
    assert sorted(lines) == sorted(f"{site.url}{path}" for path in ("/", "/a", "/b", "/listed"))
    assert "Processing" in finished.err
    assert finished.status == 1
    assert list(quire.folder.iterdir()) == []


def test_map_as_json_tells_every_decision(site: Site, quire: Quire) -> None:
    """C2, F7: one object a line, with source, lastmod, priority, changefreq and decision"""
    build(site)
    finished = quire("map", f"{site.url}/", "--delay", "0", "--exclude-paths", "/blog", "--json", "-q")
    found = {entry["url"].removeprefix(site.url): entry for entry in map(json.loads, finished.out.splitlines())}
    for entry in found.values():
        assert {"url", "source", "lastmod", "priority", "changefreq", "decision"} <= entry.keys()
    decisions = {url: entry["decision"] for url, entry in found.items()}
    assert decisions == {
        "/": "saved",
        "/a": "saved",
        "/b": "saved",
        "/listed": "saved",
        "/old": "duplicate",
        "/missing": "skipped",
        "/x.pdf": "skipped",
        "/paper": "skipped",
        "/broken": "failed",
        "/blog/x": "filtered",
        "http://127.0.0.9/": "external",
    }
    listed = found["/listed"]
    assert (listed["source"], listed["lastmod"], listed["priority"], listed["changefreq"]) == (
        "sitemap",
        "2024-05-06",
        0.4,
        "weekly",
    )
    assert found["/"]["source"] == "start"
    assert found["/a"]["source"] == "a"


def test_map_of_sitemaps_reads_no_pages(site: Site, quire: Quire) -> None:
    """C2, D1: with --discover sitemap the pages themselves are not needed"""
    site.page("/", "<p>Home</p>", links=["/linked"])
    site.sitemap("/sitemap.xml", [f"/{number}" for number in range(200)])
    finished = quire("map", f"{site.url}/", "--delay", "0", "--discover", "sitemap", "-q")
    assert finished.status == 0
    assert finished.out.splitlines() == [f"{site.url}/", *(f"{site.url}/{number}" for number in range(200))]
    assert len(site.hits) <= 4


def test_map_of_a_sitemap(site: Site, quire: Quire) -> None:
    """C1, C2: the sitemap itself is given"""
    site.sitemap("/maps/one.xml", ["/a", "/b"])
    finished = quire("map", f"{site.url}/maps/one.xml", "--delay", "0", "--discover", "sitemap", "-q")
    assert finished.out.splitlines() == [f"{site.url}/a", f"{site.url}/b"]
    assert finished.status == 0
    assert site.count("/a") == 0


def test_map_stops_at_max_pages(site: Site, quire: Quire) -> None:
    """P7: so many pages are read; what they name is printed"""
    site.grow(100, 6)
    finished = quire("map", f"{site.url}/", "--delay", "0", "--max-pages", "3", "-q")
    assert finished.status == 0
    assert sum(path == "/" or path.startswith("/p/") for path in site.paths()) == 3
    assert len(finished.out.splitlines()) > 5


def test_map_of_a_dead_site_fails(site: Site, quire: Quire) -> None:
    """C9, C10"""
    site.page("/", status=500)
    finished = quire("map", f"{site.url}/", "--delay", "0")
    assert (finished.status, finished.out) == (1, "")
    assert "500" in finished.err
