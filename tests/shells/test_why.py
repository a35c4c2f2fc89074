"""`quire why` and `quire status`: what was decided, by which rule, and how the URL was found (C5, C6)."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from quire_test_site import Finished, Quire, Site

QUICK = ("--delay", "0", "--workers", "1", "-q")
Why = Callable[[str], Finished]


@pytest.fixture
def why(site: Site, quire: Quire, mirror_dir: Path) -> Why:
    """Ask about a URL of a mirror that has a bit of everything."""
    site.robots("User-agent: *\nDisallow: /private")
    site.page(
        "/", links=["/docs/", "/private/x", "/old", "/paper", "/x.pdf", "http://127.0.0.9/out", "http://<host>/x"]
    )
    site.page("/docs/", "<p>Docs</p>", links=["/docs/deep", "/broken", "/blog/post", "/missing", "/gone", "/copy"])
    site.page("/docs/deep", "<p>Deep</p>")
    site.page("/broken", status=500)
    site.page("/gone", status=410)
    site.redirect("/old", "/docs/deep")
    site.page("/copy", "<p>Deep</p>", head='<link rel="canonical" href="/docs/deep">')
    site.raw("/paper", b"%PDF", "application/pdf")
    site.sitemap("/sitemap.xml", ["/listed"])
    site.page("/listed", "<p>Listed</p>")
    args = ("--exclude-pattern", "/blog/", "--exclude-paths", "/never")
    assert quire("mirror", f"{site.url}/", "-o", mirror_dir, *args, *QUICK).status == 1
    return lambda url: quire("why", site.url + url if url.startswith("/") else url, "-o", mirror_dir)


SEEN = {
    "/": ["saved", "start URL", "index.md"],
    "/docs/deep#top": ["saved", "docs/deep/index.md", "found on"],
    "/listed": ["saved", "sitemap"],
    "/blog/post": ["filtered", "--exclude-pattern", "/blog/", "found on", "/docs"],
    "/private/x": ["skipped", "robots.txt", "--ignore-robots"],
    "/broken": ["failed", "500", "found on", "/docs"],
    "/missing": ["skipped", "404"],
    "/gone": ["skipped", "410"],
    "/old": ["duplicate", "redirects to", "/docs/deep", "saved"],
    "/copy": ["duplicate", "canonical", "/docs/deep", "saved"],
    "/paper": ["skipped", "application/pdf", "_skipped/"],
    "/x.pdf": ["skipped", ".pdf"],
    "http://127.0.0.9/out": ["external", "127.0.0.9"],
    "http://<host>/x": ["not a valid web address", "found on"],
}
NEVER_SEEN = {
    "/nowhere": ["never seen", "would have been crawled"],
    "/never/x": ["never seen", "filtered", "/never"],
    "http://127.0.0.8/": ["never seen", "external"],
    "/blog/other": ["never seen", "filtered", "exclude-pattern"],
}


def test_why_tells_the_decision_and_its_cause(why: Why) -> None:
    """C5, F7, C10"""
    for url, words in SEEN.items():
        finished = why(url)
        assert (finished.status, finished.err) == (0, ""), url
        for word in words:
            assert word in finished.out, finished.out


def test_why_tells_about_a_url_that_was_never_seen(why: Why) -> None:
    """C5: and what would have become of it"""
    for url, words in NEVER_SEEN.items():
        finished = why(url)
        for word in words:
            assert word in finished.out, finished.out


def test_why_tells_the_way_to_a_page(why: Why, site: Site) -> None:
    """C5, D6: page by page back to a start URL"""
    lines = why("/broken").out.splitlines()
    found = [line for line in lines if "found on" in line]
    assert f"{site.url}/docs" in found[0]
    assert f"{site.url}/" in found[1]
    assert "start URL" in lines[-1]


def test_why_tells_that_a_page_is_gone(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C5, S13"""
    site.page("/", links=["/a"])
    site.page("/a", "<p>A</p>")
    command = ("mirror", f"{site.url}/", "-o", mirror_dir, *QUICK)
    quire(*command)
    site.page("/", links=[])
    quire(*command, "--update")
    finished = quire("why", f"{site.url}/a", "-o", mirror_dir)
    assert "gone" in finished.out


def test_why_tells_of_a_url_that_waits(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C5, P7"""
    site.page("/", links=["/a"])
    site.page("/a", "<p>A</p>")
    quire("mirror", f"{site.url}/", "-o", mirror_dir, "--max-pages", "1", *QUICK)
    assert "waiting" in quire("why", f"{site.url}/a", "-o", mirror_dir).out


def test_status_tells_the_state_and_the_next_step(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C6, C10: counts by decision, on stdout"""
    site.page("/", links=["/a", "/broken", "/x.pdf", "/blog/x"])
    site.page("/a", "<p>A</p>")
    site.page("/broken", status=500)
    command = ("mirror", f"{site.url}/", "-o", str(mirror_dir), "--exclude-paths", "/blog", *QUICK)
    quire(*command, "--max-pages", "1")
    finished = quire("status", mirror_dir)
    assert (finished.status, finished.err) == (0, "")
    assert "crawl 1: stopped by --max-pages 1" in finished.out
    assert "pending" in finished.out
    assert "goes on" in finished.out
    quire(*command)
    finished = quire("status", mirror_dir)
    for words in (f"mirror of {site.url}/", "2 pages", "5 URLs", "1 failed (http-500 1)", "1 filtered", "--update"):
        assert words in finished.out, finished.out


def test_status_and_why_can_be_asked_while_a_crawl_runs(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C5, C6: without waiting for it, and without disturbing it"""
    site.page("/", links=["/a", "/slow"])
    site.page("/a", "<p>A</p>")
    site.page("/slow", "<p>Slow</p>")
    site.hang("/slow")
    process = quire.start("mirror", f"{site.url}/", "-o", mirror_dir, "--concurrency", "1", *QUICK)
    site.wait(path="/slow")
    assert "running" in quire("status", mirror_dir).out
    assert "saved" in quire("why", f"{site.url}/a", "-o", mirror_dir).out
    assert "waiting" in quire("why", f"{site.url}/slow", "-o", mirror_dir).out
    site.release("/slow")
    assert process.wait(20) == 0


def test_status_tells_what_helps_where_robots_txt_cannot_be_read(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C6, C10, R10: the same command asks again; --update would not"""
    other = site.url_on("127.0.0.2")
    for host in (site.url, other):
        site.page(f"{host}/", "<p>A page</p>")
    site.fail(f"{other}/robots.txt")
    command = ("mirror", f"{other}/", "-o", mirror_dir, *QUICK)
    assert quire(*command).status == 1
    assert "` starts over, as nothing was saved" in quire("status", mirror_dir).out
    both = ("mirror", f"{site.url}/", f"{other}/", "-o", mirror_dir, *QUICK)
    assert quire(*both, "--fresh").status == 1
    assert "` tries what failed again" in quire("status", mirror_dir).out
    site.heal(f"{other}/robots.txt")
    assert quire(*both).status == 0
    assert "--update` looks for changes" in quire("status", mirror_dir).out


def test_status_tells_a_running_crawl_from_one_that_was_killed(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C6, C10, S5: as far as can be told from where it is asked; and what can be done then"""
    site.page("/", links=["/slow"])
    site.page("/slow", "<p>Slow</p>")
    site.hang("/slow")
    command = ("mirror", f"{site.url}/", "-o", mirror_dir, *QUICK)
    process = quire.start(*command)
    site.wait(path="/slow")
    told = quire("status", mirror_dir).out
    assert "crawl 1: running, begun" in told
    assert "next: wait until it ends, or interrupt it; then `quire mirror" in told
    process.kill()
    process.wait()
    told = quire("status", mirror_dir).out
    assert "crawl 1: was killed, begun" in told
    assert "next: `quire mirror" in told
    with closing(sqlite3.connect(mirror_dir / "_frontier.sqlite", isolation_level=None)) as database:
        database.execute("UPDATE meta SET value = 'another' WHERE name = 'machine'")
    assert "crawl 1: running on another, or was killed there" in quire("status", mirror_dir).out
    (mirror_dir / ".quire.lock").unlink()
    (mirror_dir / ".quire.lock").symlink_to("elsewhere")
    assert "crawl 1: running, or was killed (the lock" in quire("status", mirror_dir).out
    (mirror_dir / ".quire.lock").unlink()
    site.release("/slow")
    assert quire(*command).status == 0
    assert "crawl 1: finished" in quire("status", mirror_dir).out


@pytest.mark.parametrize("command", [("status",), ("why", "http://127.0.0.1/x", "-o")])
@pytest.mark.parametrize("kind", ["missing", "empty", "garbage", "file", "no name"])
def test_a_folder_without_a_mirror_is_told(quire: Quire, tmp_path: Path, command: tuple[str, ...], kind: str) -> None:
    """C9, C10: one line that names the folder and the next step"""
    folder = tmp_path / ("n" * 300 if kind == "no name" else "folder")
    if kind == "file":
        folder.write_text("x")
    elif kind not in ("missing", "no name"):
        folder.mkdir()
        if kind == "garbage":
            (folder / "_frontier.sqlite").write_bytes(b"garbage" * 1000)
    finished = quire(*command, folder)
    assert finished.status == 2
    assert finished.out == ""
    (line,) = finished.err.splitlines()
    assert line.startswith("quire: ")
    assert str(folder) in line


def test_status_names_a_command_that_does_what_it_says(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C6: with the settings that the mirror was made with, so that it is neither refused nor another mirror"""
    site.page("/", links=["/a?x=1", "/b", "/it's"])
    for path in ("/a?x=1", "/b", "/it's"):
        site.page(path, f"<p>{path}</p>")
    settings = ("--query", "all", "--no-front-matter", "--exclude-pattern", "it's", "--exclude-paths", "/b")
    assert quire("mirror", f"{site.url}/", "-o", mirror_dir, *settings, *QUICK).status == 0
    told = re.search("next: `quire (.*)` looks for changes", quire("status", mirror_dir).out)
    assert told
    assert quire(*shlex.split(told[1]), *QUICK).status == 0
    manifest = json.loads((mirror_dir / "_manifest.json").read_bytes())
    assert manifest["crawl"]["number"] == 2
    assert len(manifest["pages"]) == 2
    site.page("/a?x=1", status=500)
    assert quire(*shlex.split(told[1]), *QUICK).status == 1
    assert "` tries what failed again" in quire("status", mirror_dir).out


@pytest.mark.parametrize("command", [("status",), ("why", "http://127.0.0.1/x", "-o")])
def test_a_damaged_frontier_is_said(site: Site, quire: Quire, mirror_dir: Path, command: tuple[str, ...]) -> None:
    """C5, C6, C10: also where its beginning can be read; never a traceback"""
    site.grow(60, 4)
    assert quire("mirror", f"{site.url}/", "-o", mirror_dir, *QUICK).status == 0
    frontier = mirror_dir / "_frontier.sqlite"
    size = frontier.stat().st_size
    for start in range(4096, size, 4096):
        with frontier.open("r+b") as file:
            file.seek(start)
            file.write(b"\xa5" * 4096)
        finished = quire(*command, mirror_dir)
        assert "Traceback" not in finished.err
    assert finished.status == 2
    assert "`quire mirror` with the same URL repairs it" in finished.err
