"""Started again: the checkpoint scenarios of content-mirroring, whole and damaged (S4-S6)."""

from __future__ import annotations

import random
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Quire, Site, files_in

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

PAGES = 40


def killed_after(requests: int, site: Site, quire: Quire, mirror: Mirror) -> None:
    """A crawl that was killed with so many requests behind it."""
    site.pause_after(requests)
    process = quire.start("mirror", *mirror.command("--concurrency", "1"))
    site.wait(requests)
    process.kill()
    process.wait()
    site.go_on()


def stop_after(site: Site, quire: Quire, mirror: Mirror, hits: int, *args: str) -> None:
    """Interrupt a crawl once the site saw so many requests."""
    site.pause_after(hits)
    process = quire.start("mirror", *mirror.command(*args))
    site.wait(hits)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    site.go_on()


def test_checkpoint_creation(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S4: each URL stands in `_processed.txt` right after its page is safe on disk"""
    site.page("/", links=["/a", "/missing", "/paper", "/b"])
    site.page("/a", "<p>A</p>")
    site.raw("/paper", b"%PDF", "application/pdf")
    site.page("/b", "<p>B</p>")
    site.hang("/b")
    process = quire.start("mirror", *mirror.command("--concurrency", "1"))
    site.wait(path="/b")
    # One at a time, so what came before has been settled.
    processed = (mirror.folder / "_processed.txt").read_text().splitlines()
    assert processed == [f"{site.url}/", f"{site.url}/a"]
    assert (mirror.folder / mirror.host / "a" / "index.md").is_file()
    site.release("/b")
    assert process.wait(30) == 0
    processed = (mirror.folder / "_processed.txt").read_text().splitlines()
    assert processed == [f"{site.url}/", f"{site.url}/a", f"{site.url}/b"]


def test_resume_from_checkpoint(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S4, S5, C9: what was saved is not asked for again, and nothing is missing in the end"""
    site.grow(PAGES, 4)
    stop_after(site, quire, mirror, 20, "--concurrency", "2")
    saved = set(mirror.pages)
    assert 5 < len(saved) < PAGES
    site.clear()
    finished = mirror()
    assert finished.status == 0, finished.err
    assert saved.isdisjoint(site.asked())
    assert len(site.asked()) == len(set(site.asked())) == PAGES + 1 - len(saved)
    assert set(mirror.pages) == {"/", *(f"/p/{number}" for number in range(PAGES))}
    processed = (mirror.folder / "_processed.txt").read_text().splitlines()
    assert sorted(processed) == sorted(page["url"] for page in mirror.manifest["pages"])


def test_a_url_that_never_has_its_turn_is_an_error(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S6, C9: a checkpoint may be sound and still be wrong; a crawl that leaves URLs waiting is not a finished one"""
    site.grow(PAGES, 4)
    stop_after(site, quire, mirror, 20, "--concurrency", "2")
    with sqlite3.connect(mirror.folder / "_frontier.sqlite") as database:
        database.execute("UPDATE urls SET rank = -9 WHERE id = (SELECT max(id) FROM urls WHERE state = 0)")
    finished = mirror()
    assert finished.status == 1
    assert "1 of the known URLs never had a turn" in finished.err
    assert mirror.manifest["crawl"]["complete"] is False
    assert mirror("--fresh").status == 0
    assert len(mirror.pages) == PAGES + 1


@pytest.mark.parametrize("hits", [12, 21, 30])
def test_an_interrupted_crawl_leaves_records_that_agree(site: Site, quire: Quire, mirror: Mirror, hits: int) -> None:
    """S4, S11, C9: `_processed.txt`, the manifest and the files say the same when Quire was stopped"""
    site.grow(PAGES, 4)
    stop_after(site, quire, mirror, hits, "--concurrency", "8", "--per-host", "8")
    processed = (mirror.folder / "_processed.txt").read_text().splitlines()
    assert sorted(processed) == sorted(page["url"] for page in mirror.manifest["pages"])
    assert {page["path"] for page in mirror.manifest["pages"]} <= files_in(mirror.folder).keys()
    assert mirror.manifest["crawl"]["complete"] is False
    assert mirror.statistics["pending_count"] > 0


def test_a_finished_mirror_costs_no_request(site: Site, mirror: Mirror) -> None:
    """S4: the same command once more"""
    site.grow(5)
    mirror.crawl()
    before = mirror.states()
    site.clear()
    again = mirror.crawl()
    assert again.finished.clean
    assert site.hits == []
    assert mirror.states() == before


def test_processed_pages_are_skipped_without_a_frontier(site: Site, mirror: Mirror) -> None:
    """S4: `_processed.txt` alone keeps pages from being fetched again; start URLs are asked for their links"""
    site.page("/", links=["/a", "/b"])
    site.page("/a", "<p>A</p>", links=["/below-a"])
    site.page("/b", "<p>B</p>")
    site.page("/below-a", "<p>Below</p>")
    mirror.crawl()
    before = mirror.states()
    (mirror.folder / "_frontier.sqlite").unlink()
    site.page("/", links=["/a", "/b", "/new"])
    site.page("/new", "<p>New</p>")
    site.clear()
    finished = mirror()
    assert finished.status == 0
    assert sorted(site.asked()) == ["/", "/new"]
    assert set(mirror.pages) == {"/", "/a", "/b", "/below-a", "/new"}
    kept = {path: state for path, state in mirror.states().items() if path in before and "/index.md" not in path[-9:]}
    assert kept.items() <= before.items()
    assert sorted((mirror.folder / "_processed.txt").read_text().splitlines()) == sorted(
        page["url"] for page in mirror.manifest["pages"]
    )
    site.clear()
    mirror.crawl()
    assert site.hits == []


def test_a_page_unknown_to_the_frontier_is_found_through_a_processed_one(site: Site, mirror: Mirror) -> None:
    """S4, S5: a link on a page that is not fetched again is still followed"""
    site.page("/", links=["/a"])
    site.page("/a", "<p>A</p>", links=["/deep"])
    site.page("/deep", "<p>Deep</p>")
    site.fail("/deep")
    mirror.crawl()
    (mirror.folder / "_frontier.sqlite").unlink()
    site.heal("/deep")
    site.clear()
    mirror.crawl()
    assert sorted(site.asked()) == ["/", "/deep"]
    assert set(mirror.pages) == {"/", "/a", "/deep"}


def test_processed_pages_are_skipped_without_a_frontier_also_where_distance_counts(site: Site, mirror: Mirror) -> None:
    """S4, P7: links lead to pages that are known by their files only"""
    site.page("/", links=["/a", "/b"])
    site.page("/a", "<p>A</p>", links=["/b"])
    site.page("/b", "<p>B</p>", links=["/a"])
    mirror.crawl(max_depth=1)
    (mirror.folder / "_frontier.sqlite").unlink()
    site.clear()
    mirror.crawl(max_depth=1)
    assert site.asked() == ["/"]
    assert set(mirror.pages) == {"/", "/a", "/b"}


def damage(path: Path, kind: str) -> None:
    data = path.read_bytes()
    match kind:
        case "garbage":
            path.write_bytes(random.Random(7).randbytes(len(data)))
        case "text":
            path.write_bytes(b"{ not json, not a database")
        case "a tenth":
            path.write_bytes(data[: len(data) // 10])
        case "half":
            path.write_bytes(data[: len(data) // 2])
        case "most":
            path.write_bytes(data[: -len(data) // 10])
        case "zeroed middle":
            third = len(data) // 3
            path.write_bytes(data[:third] + bytes(third) + data[2 * third :])
        case "scribbled middle":
            third = len(data) // 3
            path.write_bytes(data[:third] + random.Random(7).randbytes(third) + data[2 * third :])
        case "scribbled header":
            path.write_bytes(data[:100] + random.Random(7).randbytes(2000) + data[2100:])


@pytest.mark.parametrize(
    "kind",
    [
        "garbage",
        "text",
        "a tenth",
        "half",
        "most",
        "zeroed middle",
        "scribbled middle",
        "scribbled header",
    ],
)
@pytest.mark.parametrize("ending", ["finished", "interrupted"])
def test_corrupt_checkpoint_recovery(site: Site, quire: Quire, mirror: Mirror, kind: str, ending: str) -> None:
    """S6, C10: the file is renamed `.corrupt`, a warning says so, and the mirror completes"""
    site.grow(PAGES, 4)
    if ending == "finished":
        mirror.crawl()
    else:
        stop_after(site, quire, mirror, 20)
    damage(mirror.folder / "_frontier.sqlite", kind)
    finished = mirror()
    assert "Traceback" not in finished.err
    assert finished.status == 0, finished.err
    warnings = [line for line in finished.err.splitlines() if line.startswith("Warning")]
    assert any("_frontier.sqlite.corrupt" in line for line in warnings), finished.err
    assert (mirror.folder / "_frontier.sqlite.corrupt").is_file()
    assert set(mirror.pages) == {"/", *(f"/p/{number}" for number in range(PAGES))}
    for number in range(PAGES):
        assert f"# Page {number}\n" in mirror.body(f"/p/{number}")
    counts = {name: value for name, value in mirror.statistics.items() if isinstance(value, int)}
    assert counts["processed_count"] == PAGES + 1
    assert counts.pop("total_urls") == sum(counts.values()) - counts["total_urls_in_sitemap"]


def test_damage_that_shows_when_a_row_is_changed(site: Site, mirror: Mirror) -> None:
    """S6: an index that has lost its rows passes SQLite's quick check, and forbids to delete one"""
    site.grow(PAGES, 4)
    mirror.crawl()
    with closing(sqlite3.connect(mirror.folder / "_frontier.sqlite")) as database:
        roots = "SELECT name, rootpage FROM sqlite_schema WHERE name IN (?, ?)"
        names = ("sqlite_autoindex_pages_1", "sqlite_autoindex_hosts_1")
        found = dict(database.execute(roots, names).fetchall())
        database.execute("PRAGMA writable_schema = ON")
        for name, other in (names, names[::-1]):
            database.execute("UPDATE sqlite_schema SET rootpage = ? WHERE name = ?", (found[other], name))
        database.commit()
    (mirror.folder / mirror.pages["/p/3"]["path"]).write_text("changed by hand")
    finished = mirror("--update")
    assert finished.status == 0, finished.err
    assert (mirror.folder / "_frontier.sqlite.corrupt").is_file()
    assert len(mirror.pages) == PAGES + 1
    assert "# Page 3\n" in mirror.body("/p/3")


def test_an_update_of_a_corrupt_checkpoint_completes(site: Site, mirror: Mirror) -> None:
    """S6, S13"""
    site.grow(PAGES, 4)
    mirror.crawl()
    damage(mirror.folder / "_frontier.sqlite", "half")
    finished = mirror("--update")
    assert "Traceback" not in finished.err
    assert finished.status == 0, finished.err
    assert (mirror.folder / "_frontier.sqlite.corrupt").is_file()
    assert len(mirror.pages) == PAGES + 1


@pytest.mark.parametrize("data", [b"\xff\xfe\x00garbage\n", b"not a url\n", b"http://x/\x00\n\n\n{}\n"])
def test_a_damaged_processed_list_is_set_aside(site: Site, mirror: Mirror, data: bytes) -> None:
    """S6: `_processed.txt.corrupt`, a warning, and a list that is right again"""
    site.grow(5)
    mirror.crawl()
    (mirror.folder / "_processed.txt").write_bytes(data)
    site.clear()
    finished = mirror()
    assert finished.status == 0
    assert "_processed.txt.corrupt" in finished.err
    assert (mirror.folder / "_processed.txt.corrupt").read_bytes() == data
    processed = (mirror.folder / "_processed.txt").read_text().splitlines()
    assert sorted(processed) == sorted(page["url"] for page in mirror.manifest["pages"])
    assert site.asked() == []


def test_garbage_in_both_records_starts_fresh(site: Site, mirror: Mirror) -> None:
    """S6"""
    site.grow(5)
    mirror.crawl()
    damage(mirror.folder / "_frontier.sqlite", "garbage")
    damage(mirror.folder / "_processed.txt", "garbage")
    site.clear()
    finished = mirror()
    assert finished.status == 0
    assert finished.err.count(".corrupt") == 2
    assert len(site.asked()) == len(mirror.pages) == 6


def test_a_last_line_cut_short_is_no_damage(site: Site, mirror: Mirror) -> None:
    """S4, S6: a crash in the middle of a line costs that line only"""
    site.grow(5)
    mirror.crawl()
    (mirror.folder / "_frontier.sqlite").unlink()
    path = mirror.folder / "_processed.txt"
    path.write_bytes(path.read_bytes()[:-3])
    site.clear()
    finished = mirror()
    assert ".corrupt" not in finished.err
    assert len(mirror.pages) == 6
    assert set(mirror.pages) == {"/", *(f"/p/{number}" for number in range(5))}


def test_page_files_damaged_by_a_crash_are_fetched_again(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S5: after a kill, a file that is missing or not what was written is not trusted"""
    site.grow(PAGES, 4)
    killed_after(25, site, quire, mirror)
    (mirror.folder / mirror.host / "p" / "1" / "index.md").unlink()
    (mirror.folder / mirror.host / "p" / "2" / "index.md").write_bytes(b"")
    site.clear()
    finished = mirror()
    assert finished.status == 0, finished.err
    assert site.count("/p/1") == site.count("/p/2") == 1
    assert site.count("/p/0") == 0
    for number in range(PAGES):
        assert f"# Page {number}\n" in mirror.body(f"/p/{number}")


@pytest.mark.parametrize("kind", ["removed", "garbage", "half"])
def test_a_damaged_write_ahead_log_costs_nothing(site: Site, quire: Quire, mirror: Mirror, kind: str) -> None:
    """S5, S6: after a kill, the log beside the frontier is gone or broken"""
    site.grow(PAGES, 4)
    killed_after(25, site, quire, mirror)
    log = mirror.folder / "_frontier.sqlite-wal"
    assert log.exists()
    if kind == "removed":
        log.unlink()
    else:
        damage(log, kind)
    finished = mirror()
    assert "Traceback" not in finished.err
    assert finished.status == 0, finished.err
    assert set(mirror.pages) == {"/", *(f"/p/{number}" for number in range(PAGES))}
    for number in range(PAGES):
        assert f"# Page {number}\n" in mirror.body(f"/p/{number}")


def test_fresh_forgets_the_earlier_crawl(site: Site, mirror: Mirror) -> None:
    """S4: with --fresh everything is asked for again, what is gone is gone, and foreign files stay"""
    site.page("/", links=["/a", "/b"])
    site.page("/a", "<p>A</p>")
    site.page("/b", "<p>B</p>")
    site.page("/bad", status=500)
    site.page("/", links=["/a", "/b", "/bad"])
    mirror.crawl()
    (mirror.folder / "mine.txt").write_text("mine")
    site.page("/", links=["/a"])
    site.clear()
    mirror.crawl(fresh=True)
    assert sorted(site.asked()) == ["/", "/a"]
    assert mirror.files() == {"index.md", "a/index.md", "mine.txt"}
    assert mirror.manifest["failed"] == []


def of_another_format(frontier: Path) -> None:
    with closing(sqlite3.connect(frontier)) as database:
        database.execute("PRAGMA user_version = 4")
        database.execute("DROP TABLE chores")


def damaged(frontier: Path) -> None:
    damage(frontier, "scribbled middle")


def lost(frontier: Path) -> None:
    frontier.unlink()


@pytest.mark.parametrize("harm", [of_another_format, damaged, lost])
def test_fresh_leaves_no_page_of_a_frontier_that_cannot_be_used(
    site: Site, mirror: Mirror, harm: Callable[[Path], None]
) -> None:
    """S4: the manifest and what can be read of the frontier tell what the earlier crawl left; foreign files stay"""
    site.page("/", '<p><img src="/image.png"></p>', links=["/a", "/b"])
    site.page("/a", "<p>A</p>")
    site.page("/b", "<p>B</p>")
    site.raw("/image.png", b"PNG", "image/png")
    mirror.crawl(assets=True)
    (mirror.folder / mirror.host / "mine.md").write_text("mine")
    harm(mirror.folder / "_frontier.sqlite")
    site.page("/", "<p>Start</p>", links=["/a"])
    finished = mirror("--fresh")
    assert finished.status == 0, finished.err
    assert mirror.files() == {"index.md", "a/index.md", "mine.md"}


def test_the_frontier_keeps_its_records_consistent(site: Site, mirror: Mirror) -> None:
    """S5, F7: every page has its URL, and every saved URL its page"""
    site.grow(20)
    site.page("/", links=["/p/0", "/p/1", "/old", "/nowhere"])
    site.redirect("/old", "/p/3")
    mirror.crawl()
    database = sqlite3.connect(mirror.folder / "_frontier.sqlite")
    try:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM pages WHERE id NOT IN (SELECT id FROM urls)").fetchone() == (0,)
        saved = "SELECT count(*) FROM urls WHERE state IN (1, 2) AND id NOT IN (SELECT id FROM pages)"
        assert database.execute(saved).fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM chores").fetchone() == (0,)
    finally:
        database.close()
    assert not [name for name in files_in(mirror.folder) if name.endswith((".tmp", "-wal", "-shm"))]
