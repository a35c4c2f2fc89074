"""The mirror's folder as a stranger left it: odd names, links, disks that refuse, folders that vanish (S2, S3)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize
from urllib.parse import quote

import pytest
from quire_test_site import Answer, Hit, Page, Quire, Site, files_in
from quire_test_site.disks import mounted

from quire import urls

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

TRAVERSAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "sec-pathtraversal"
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
WINDOWS = (
    *("/CON", "/con", "/aux.txt", "/nul.tar.html", "/COM1", "/lpt9.html", "/PRN/page", "/conin$", "/CLOCK$"),
    *("/trailing.", "/trailing..", "/trailing%20", "/trailing", "/a:b", "/a%3Ab", "/file.txt::$DATA", "/x%3Cy%3E"),
    *("/q%22uote", "/pipe%7Cpipe", "/star*", "/back%5Cslash", "/tab%09tab", "/C:/Windows/win.ini", "/~1/progra~1"),
    *(f"/{'n' * 255}", f"/{'n' * 256}", f"/{'%C3%A9' * 200}", "/" + "/".join("d" * 100 for _ in range(15))),
)
ALIKE = (
    *("/Readme", "/README", "/readme", "/ReadMe/", "/readme?x=1", "/README?x=1"),
    *("/caf%C3%A9", "/cafe%CC%81", "/CAF%C3%89", "/stra%C3%9Fe", "/strasse", "/STRASSE"),
    *("/%E2%84%AAelvin", "/kelvin", "/%EF%AC%81sh", "/fish", "/%C7%86", "/%C7%85", "/a%E2%80%8Bb", "/ab"),
)


def answer_everything(site: Site, links: tuple[str, ...] | list[str]) -> None:
    async def anything(hit: Hit) -> Answer:
        return Page(f"<h1>One</h1><p>This is {hit.path.replace('&', '+').replace('<', '(')}</p>").answer()

    site.on("/", anything)
    site.page("/", links=list(links))
    site.robots("")
    for name in ("/sitemap.xml", "/sitemap_index.xml"):
        site.page(name, status=404)


def check_names(mirror: Mirror, pages: int) -> None:
    """Every page has a file of its own, whatever a disk thinks of case and Unicode, and safe names on all of them."""
    paths = [page["path"] for page in mirror.manifest["pages"]]
    assert len(paths) == pages
    assert {name for name in files_in(mirror.folder) if name.startswith(mirror.host)} == set(paths)
    folded = {normalize("NFKD", normalize("NFKD", path).casefold()) for path in paths}
    assert len(folded) == pages
    for name in {name for path in paths for name in path.split("/")}:
        assert not re.search(r'[\x00-\x1f<>:"|?*\\]', name), name
        assert name[-1] not in ". ", name
        assert not DEVICES.fullmatch(name), name
        assert len(name) <= 200, name
        assert len(name.encode()) <= 240, name


@pytest.mark.parametrize("names", [WINDOWS, ALIKE], ids=["windows", "alike"])
def test_names_that_some_disk_would_confuse_are_kept_apart(site: Site, mirror: Mirror, names: tuple[str, ...]) -> None:
    """S2"""
    answer_everything(site, names)
    finished = mirror("-q", "--query", "all", "--trap-budget", "0")
    assert finished.status == 0, finished.err
    different = {urls.normalise(f"{site.url}{name}") for name in names}
    check_names(mirror, len(different) + 1)
    for url, page in mirror.pages.items():
        assert (mirror.folder / page["path"]).read_text("utf-8").count("This is") == (url != "/")


def test_every_known_payload_as_a_link_stays_inside(site: Site, mirror: Mirror, tmp_path: Path) -> None:
    """S2, S3, U10"""
    if not TRAVERSAL.is_dir():
        pytest.skip(f"{TRAVERSAL} is not there")
    lines = [line for file in sorted(TRAVERSAL.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    payloads = [json.loads(line)["payload"] for line in lines]
    links = [f"/files/{payload}" for payload in payloads]
    links += [f"/get/{quote(payload, safe='', errors='surrogatepass')}" for payload in payloads]
    answer_everything(site, links)
    before = {path for path in tmp_path.rglob("*") if mirror.folder not in (path, *path.parents)}
    options = ("-q", "--trap-budget", "0", "--concurrency", "32", "--per-host", "32")
    finished = mirror(*options, timeout=300)
    assert "Traceback" not in finished.err
    assert finished.status == 0, finished.err
    assert {path for path in tmp_path.rglob("*") if mirror.folder not in (path, *path.parents)} == before
    check_names(mirror, len(mirror.pages))
    assert len(mirror.pages) > 4000


def test_no_link_in_the_folder_is_written_through(site: Site, mirror: Mirror, tmp_path: Path) -> None:
    """S3: hard links lose their other name, symlinks fail their page; what they led to stays as it was"""
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("page", "processed", "manifest", "index", "progress", "failed"):
        (outside / name).write_bytes(b"theirs\n")
    home = mirror.folder / mirror.host
    (home / "hard").mkdir(parents=True)
    (home / "hard" / "index.md").hardlink_to(outside / "page")
    (mirror.folder / "_failed.log").hardlink_to(outside / "failed")
    (mirror.folder / "_manifest.json").hardlink_to(outside / "manifest")
    (mirror.folder / "_index.md").hardlink_to(outside / "index")
    (mirror.folder / "_progress.json").hardlink_to(outside / "progress")
    (home / "soft").symlink_to(outside)
    site.page("/", links=["/hard", "/soft/page", "/broken"])
    site.page("/hard", "<p>Ours</p>")
    site.page("/soft/page", "<p>Ours</p>")
    site.page("/broken", status=500)
    finished = mirror("-q")
    assert finished.status == 1
    assert set(files_in(outside).values()) == {b"theirs\n"}
    assert set(mirror.pages) == {"/", "/hard"}
    assert mirror.listed("failed") == {"/soft/page": "unsafe_path", "/broken": "http-500"}


def test_a_list_of_pages_with_a_second_name_is_not_added_to(site: Site, mirror: Mirror, tmp_path: Path) -> None:
    """S3, S4"""
    (tmp_path / "theirs").write_text(f"{site.url}/old\n")
    mirror.folder.mkdir()
    (mirror.folder / "_processed.txt").hardlink_to(tmp_path / "theirs")
    site.page("/", links=["/new"])
    site.page("/new", "<p>New</p>")
    assert mirror("-q").status == 0
    assert (tmp_path / "theirs").read_text() == f"{site.url}/old\n"
    assert f"{site.url}/new\n" in (mirror.folder / "_processed.txt").read_text()


@pytest.mark.parametrize("kind", ["symlink", "hard link", "dangling"])
@pytest.mark.parametrize("name", ["_frontier.sqlite", "_frontier.sqlite-wal"])
def test_a_frontier_that_is_a_link_is_refused(site: Site, mirror: Mirror, tmp_path: Path, kind: str, name: str) -> None:
    """S3, C10"""
    theirs = tmp_path / "theirs"
    mirror.folder.mkdir()
    if kind != "dangling":
        theirs.write_bytes(b"")
    if kind == "hard link":
        (mirror.folder / name).hardlink_to(theirs)
    else:
        (mirror.folder / name).symlink_to(theirs)
    for options in ((), ("--fresh",)):
        finished = mirror(*options)
        assert finished.status == 2
        assert finished.err.startswith(f"quire: {mirror.folder / name} ")
        assert len(finished.err.splitlines()) == 1
    assert site.hits == []
    assert theirs.read_bytes() == b"" if kind != "dangling" else not theirs.exists()


@pytest.fixture
def disk(mirror_dir: Path) -> Iterator[Path]:
    """The mirror's folder as a disk of its own."""
    with mounted(mirror_dir, "64m") as disk:
        yield disk


def test_a_disk_that_may_only_be_read_is_told(site: Site, mirror: Mirror, quire: Quire, disk: Path) -> None:
    """C9, C10, S5: before the first crawl and before it goes on; writable again, it completes"""
    site.grow(30, 4)
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    for options in ((), ("--max-pages", "10")):
        finished = mirror(*options, "--min-free-disk", "0")
        assert finished.status == 2
        assert "Traceback" not in finished.err
        assert len(finished.err.splitlines()) == 1
        assert "Read-only" in finished.err
        subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
        assert mirror("--max-pages", "10", "--min-free-disk", "0").status == 0
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    assert quire("why", f"{site.url}/p/0", "-o", disk).status == 0
    subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
    site.clear()
    assert mirror("--min-free-disk", "0").status == 0
    assert len(mirror.pages) == 31
    assert len(site.paths()) == len(set(site.paths()))


def test_a_folder_of_pages_removed_while_crawling_is_made_again(site: Site, mirror: Mirror, quire: Quire) -> None:
    """S3: what comes later is saved"""
    site.grow(40, 4)
    site.hang("/p/20")
    process = quire.start("mirror", *mirror.command("--concurrency", "1", "-q"))
    site.wait(path="/p/20")
    shutil.rmtree(mirror.folder / mirror.host)
    site.release("/p/20")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert (mirror.folder / mirror.host / "p" / "20" / "index.md").is_file()


def test_a_mirror_removed_while_crawling_stops_the_crawl(site: Site, mirror: Mirror, quire: Quire) -> None:
    """C9, C10: one line that names the folder, no traceback; the same command begins anew"""
    site.grow(40, 4)
    site.hang("/p/20")
    process = quire.start("mirror", *mirror.command("--concurrency", "1", "-q"))
    site.wait(path="/p/20")
    shutil.rmtree(mirror.folder)
    site.release("/p/20")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1, err
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith(f"quire: {mirror.folder}")
    assert len(err.splitlines()) == 1
    assert mirror("-q").status == 0
    assert len(mirror.pages) == 41


def test_a_saved_page_replaced_by_a_link_is_asked_for_again_and_fails(
    site: Site, mirror: Mirror, quire: Quire, tmp_path: Path
) -> None:
    """S3, S5: after a crash every file is looked at, and one that leads elsewhere costs its page only"""
    (tmp_path / "theirs").write_text("theirs")
    site.grow(40, 4)
    site.hang("/p/20")
    process = quire.start("mirror", *mirror.command("--concurrency", "1", "-q"))
    site.wait(path="/p/20")
    process.kill()
    process.wait()
    page = mirror.folder / mirror.host / "p" / "3" / "index.md"
    page.unlink()
    page.symlink_to(tmp_path / "theirs")
    site.heal("/p/20")
    finished = mirror("-q")
    assert finished.status == 1
    assert "Traceback" not in finished.err
    assert mirror.listed("failed") == {"/p/3": "unsafe_path"}
    assert len(mirror.pages) == 40
    assert (tmp_path / "theirs").read_text() == "theirs"
