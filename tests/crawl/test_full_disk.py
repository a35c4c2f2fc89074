"""A disk that fills up for real: a small tmpfs under the mirror (S8, S5)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from quire_test_site import Answer, Hit, Page, Quire, Site, files_in
from quire_test_site.disks import mounted

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

PAGES = 60
WORDS = " ".join(f"word{number}" for number in range(40_000))


@pytest.fixture
def small_disk(mirror_dir: Path) -> Iterator[Path]:
    """The mirror's folder on a disk of 8 MB."""
    with mounted(mirror_dir, "8m") as disk:
        yield disk


def make_room(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)


def build(site: Site) -> None:
    """Pages of some 370 KB each, 22 MB in all."""

    async def big(hit: Hit) -> Answer:
        number = int(hit.path.removeprefix("/big/"))
        return Page(f"<h1>Page {number}</h1><p>{WORDS}</p>", title=f"Page {number}").answer()

    site.on("/big/", big)
    site.page("/", links=[f"/big/{number}" for number in range(PAGES)])


def check_the_stop(finished_err: str) -> None:
    assert "Traceback" not in finished_err
    last = finished_err.splitlines()[-1]
    assert last.startswith("quire: ")
    assert "free" in last
    assert sum(line.startswith("quire: ") for line in finished_err.splitlines()) == 1


def check_the_end(site: Site, mirror: Mirror) -> None:
    assert set(mirror.pages) == {"/", *(f"/big/{number}" for number in range(PAGES))}
    for number in range(PAGES):
        text = mirror.body(f"/big/{number}")
        assert text.startswith(f"# Page {number}\n")
        assert text.endswith("word39999\n")
    assert mirror.manifest["crawl"]["complete"] is True


@pytest.mark.parametrize("concurrency", ["1", "8"])
def test_a_full_disk_stops_the_crawl_and_loses_nothing(
    site: Site, mirror: Mirror, small_disk: Path, concurrency: str
) -> None:
    """S8, S5, C9, C10: status 3 and a clear message; with room again, the same command completes everything"""
    build(site)
    options = ("--min-free-disk", "0", "--concurrency", concurrency, "--per-host", concurrency)
    finished = mirror(*options)
    assert finished.status == 3, finished.err
    check_the_stop(finished.err)
    assert not list(small_disk.rglob(".quire-*.tmp"))
    asked = {path for path in site.paths() if path.startswith("/big/")}
    assert 10 < len(asked) < 40
    make_room(small_disk)
    site.clear()
    finished = mirror(*options)
    assert finished.status == 0, finished.err
    again = asked & set(site.paths())
    assert len(again) <= 2 * int(concurrency), again
    assert len(site.paths()) == len(set(site.paths()))
    check_the_end(site, mirror)


def test_the_guard_stops_before_the_disk_is_full(site: Site, mirror: Mirror, small_disk: Path) -> None:
    """S8: with reports that are whole, and a state that says what is there"""
    build(site)
    finished = mirror("--min-free-disk", "4000000")
    assert finished.status == 3
    check_the_stop(finished.err)
    assert "--min-free-disk" in finished.err
    saved = set(mirror.pages)
    assert 3 < len(saved) < 20
    assert mirror.manifest["crawl"]["complete"] is False
    assert os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize > 1_000_000
    make_room(small_disk)
    site.clear()
    assert mirror("--min-free-disk", "4000000").status == 0
    assert saved.isdisjoint(site.paths())
    check_the_end(site, mirror)


def test_the_default_guard_wants_a_hundred_megabytes(site: Site, mirror: Mirror, small_disk: Path) -> None:
    """S8"""
    build(site)
    finished = mirror()
    assert finished.status == 3
    assert site.hits == []
    assert "100 MB" in finished.err


def test_a_full_disk_during_an_update_keeps_the_mirror(site: Site, mirror: Mirror, small_disk: Path) -> None:
    """S8, S13: old pages stay as they were where the new ones did not fit"""
    site.page("/", links=["/a", "/b"])
    site.page("/a", "<p>Old A</p>")
    site.page("/b", "<p>Old B</p>")
    assert mirror("--min-free-disk", "0").status == 0
    (small_disk / "ballast").write_bytes(bytes(7_300_000))
    site.change("/a", f"<p>New A {WORDS * 3}</p>")
    finished = mirror("--update", "--min-free-disk", "0")
    assert finished.status == 3, finished.err
    check_the_stop(finished.err)
    assert "Old A" in (small_disk / mirror.host / "a" / "index.md").read_text()
    make_room(small_disk)
    assert mirror("--update", "--min-free-disk", "0").status == 0
    assert "New A" in mirror.body("/a")
    assert set(mirror.pages) == {"/", "/a", "/b"}


@pytest.mark.parametrize("room", [40_000, 150_000, 400_000])
def test_a_frontier_that_does_not_fit_stops_the_crawl(site: Site, mirror: Mirror, small_disk: Path, room: int) -> None:
    """S8, S5: small pages with many links fill the checkpoint first; nothing is lost"""

    async def many_links(hit: Hit) -> Answer:
        number = hit.path.removeprefix("/many/")
        return Page(f"<h1>{number}</h1>", links=[f"http://127.0.0.9/{number}/{each}" for each in range(500)]).answer()

    site.on("/many/", many_links)
    site.page("/", links=[f"/many/{number}" for number in range(20)])
    (small_disk / "ballast").write_bytes(bytes(8 * 1024 * 1024 - room))
    finished = mirror("--min-free-disk", "0")
    assert finished.status == 3, finished.err
    check_the_stop(finished.err)
    make_room(small_disk)
    finished = mirror("--min-free-disk", "0")
    assert finished.status == 0, finished.err
    assert len(mirror.pages) == 21
    assert mirror.statistics["external_count"] == 10_000


def test_a_full_disk_is_told_by_who_only_reads_the_mirror(
    site: Site, quire: Quire, mirror: Mirror, small_disk: Path
) -> None:
    """C6, C9, C10: an index of words and an export take room as well; no half of an export stays"""
    site.page("/", f"<p>{WORDS}</p>")
    mirror.crawl(min_free_disk=0)
    free = os.statvfs(small_disk)
    (small_disk / "filler").write_bytes(bytes(free.f_bavail * free.f_frsize - 100_000))
    for command in (("search", small_disk, "word7"), ("export", small_disk, "-o", small_disk / "all.jsonl")):
        finished = quire(*map(str, command))
        assert finished.status == 3, finished
        assert "free some space" in finished.err
    assert not [name for name in files_in(small_disk) if "all.jsonl" in name]
