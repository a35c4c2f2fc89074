"""Where pages stand on disk: the path mapping and path safety scenarios of content-mirroring, as whole crawls."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from quire_test_site import Answer, Hit, Page, Site, files_in

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror


def hash8(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:8]


def test_urls_become_paths(site: Site, mirror: Mirror) -> None:
    """S1, S2, R6: standard path mapping, query strings, fragments, and long names"""
    long_name = "long-" * 60
    links = [
        "/api/users/create",
        "/search?q=test&page=2",
        "/search?page=2&q=other",
        "/search",
        "/docs#installation",
        "/docs#usage",
        f"/{long_name}",
        "/caf%C3%A9/men%FC",
        "/guide.html",
        "/with%20space",
        "/con/aux.txt.html",
    ]
    site.page("/", links=links)
    for link in links:
        site.page(link.partition("#")[0], f"<h1>{link[:40]}</h1>")
    assert mirror().status == 0
    (long_file,) = (name for name in mirror.files() if name.startswith("long-"))
    assert mirror.files() - {long_file} == {
        "index.md",
        "api/users/create/index.md",
        f"search__q_{hash8('q=test&page=2')}.md",
        f"search__q_{hash8('page=2&q=other')}.md",
        "search/index.md",
        "docs/index.md",
        "café/men%FC/index.md",
        "guide.html/index.md",
        "with%20space/index.md",
        "%63on/%61ux.txt.html/index.md",
    }
    assert max(map(len, long_file.split("/"))) <= 200
    assert long_file.endswith(f"_{hash8(f'{site.url}/{long_name}')}.md")
    assert site.count("/docs") == 1
    assert {page["path"].removeprefix(f"{mirror.host}/") for page in mirror.manifest["pages"]} == mirror.files()


def test_two_urls_never_share_a_file(site: Site, mirror: Mirror) -> None:
    """S2: names that a case-insensitive disk would fold together, and names that are cut alike"""
    ending = "x" * 250
    links = ["/About", "/about", "/ABOUT", f"/{ending}1", f"/{ending}2", "/a/index.md", "/a"]
    site.page("/", links=links)
    for link in links:
        site.page(link, f"<p>The page {link}</p>")
    assert mirror.crawl().finished.clean
    assert set(mirror.pages) == {"/", *links}
    paths = [page["path"] for page in mirror.manifest["pages"]]
    assert len({path.lower() for path in paths}) == len(links) + 1
    for link in links:
        assert f"The page {link}" in mirror.text(link)
    assert mirror.pages["/ABOUT"]["path"] == f"{mirror.host}/ABOUT/index.md"


def test_a_page_that_takes_anothers_name_leaves_no_empty_folder(site: Site, mirror: Mirror) -> None:
    """S2, S13: the one that was there gives way to the first in the alphabet, and is gone in the end"""
    site.page("/", links=["/guide"])
    site.page("/guide", "<p>A guide</p>")
    mirror.crawl()
    site.page("/", links=["/GUIDE"])
    site.page("/GUIDE", "<p>A guide in capitals</p>")
    for prune in (False, True):
        mirror.crawl(update=True, prune=prune)
        assert not [path for path in mirror.folder.rglob("*") if path.is_dir() and not any(path.iterdir())]
    assert mirror.pages["/GUIDE"]["path"] == f"{mirror.host}/GUIDE/index.md"


def test_parent_directory_traversal(site: Site, mirror: Mirror, tmp_path: Path) -> None:
    """S3, U1: `../` in any spelling stays inside the mirror"""
    hostile = [
        "/../../../../escape",
        "/a/%2e%2e/%2E%2E/%2e%2e/escape2",
        "/..%2f..%2f..%2fescape3",
        "/..%5c..%5cescape4",
        "/.%00./escape5",
        "/x/..;/..;/escape6",
        "//etc/escape7",
        "/_processed.txt",
        "/.quire.lock",
        "/index.md",
        "/~root/.ssh/authorized_keys",
    ]
    site.page("/", links=[link if not link.startswith("//") else site.url + link for link in hostile])

    async def anything(hit: Hit) -> Answer:
        return Page(f"<p>Inside, at {hit.path}</p>").answer()

    site.on("/", anything)
    site.robots("")
    before = {path for path in tmp_path.rglob("*") if mirror.folder not in (path, *path.parents)}
    assert mirror.crawl().finished.complete
    assert {path for path in tmp_path.rglob("*") if mirror.folder not in (path, *path.parents)} == before
    assert site.count("/escape") == site.count("/escape2") == 1
    assert len(mirror.pages) == len(hostile) + 1
    inside = [name for name in files_in(mirror.folder) if name.startswith(f"{mirror.host}/")]
    assert len(inside) == len(hostile) + 1
    assert mirror.manifest["version"] == "1.0"


def test_symlink_escape_prevention(site: Site, mirror: Mirror, tmp_path: Path) -> None:
    """S3, S7: a link in the mirror is not followed; the page behind it fails and the others are saved"""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file.md").write_text("untouched")
    home = mirror.folder / mirror.host
    (home / "file").mkdir(parents=True)
    (home / "folder").symlink_to(outside)
    (home / "file" / "index.md").symlink_to(outside / "file.md")
    (home / "nowhere").symlink_to(tmp_path / "nothing")
    site.page("/", links=["/folder/page", "/file", "/nowhere", "/good"])
    for path in ("/folder/page", "/file", "/nowhere", "/good"):
        site.page(path, "<p>Text</p>")
    finished = mirror()
    assert finished.status == 1
    assert "Traceback" not in finished.err
    assert set(mirror.pages) == {"/", "/good"}
    assert mirror.listed("failed") == dict.fromkeys(["/folder/page", "/file", "/nowhere"], "unsafe_path")
    assert files_in(outside) == {"file.md": b"untouched"}
    assert not (tmp_path / "nothing").exists()


def test_a_link_in_place_of_a_page_costs_an_update_that_page(site: Site, mirror: Mirror, tmp_path: Path) -> None:
    """S3, S7, S13: in place of its file, or of a folder above it, and whatever the sitemap's date says"""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "index.md").write_text("untouched")
    pages = ["/file", "/folder", "/dated", "/good"]
    site.page("/", links=pages[:-1], etag=True)
    for path in pages:
        site.page(path, "<p>Text</p>", etag=True)
    site.sitemap("/sitemap.xml", [{"loc": "/dated", "lastmod": "2020-01-01"}, "/good"])
    mirror.crawl()
    for path in ("file/index.md", "dated/index.md", "folder"):
        theirs = mirror.folder / mirror.host / path
        if theirs.is_dir():
            shutil.rmtree(theirs)
        theirs.unlink(missing_ok=True)
        theirs.symlink_to(outside / "index.md" if path.endswith(".md") else outside)
    finished = mirror("--update")
    assert finished.status == 1
    assert "Traceback" not in finished.err
    assert mirror.listed("failed") == dict.fromkeys(pages[:-1], "unsafe_path")
    assert set(mirror.pages) == {"/", "/good"}
    assert files_in(outside) == {"index.md": b"untouched"}


def test_links_in_place_of_the_own_files_are_not_followed(site: Site, mirror: Mirror, tmp_path: Path) -> None:
    """S3, C10: `_failed` and `_skipped` that lead elsewhere cost their notes, not the crawl"""
    outside = tmp_path / "outside"
    outside.mkdir()
    mirror.folder.mkdir()
    (mirror.folder / "_failed").symlink_to(outside)
    (mirror.folder / "_skipped").symlink_to(outside)
    site.page("/", links=["/broken", "/paper", "/good"])
    site.page("/broken", status=500)
    site.raw("/paper", b"%PDF-1.7", "application/pdf")
    site.page("/good", "<p>Text</p>")
    finished = mirror("--concurrency", "1")
    assert "Traceback" not in finished.err
    assert finished.status == 1
    assert files_in(outside) == {}
    assert set(mirror.pages) == {"/", "/good"}


def test_the_mirrors_folder_may_be_reached_by_a_link(site: Site, mirror: Mirror, tmp_path: Path) -> None:
    """S3: what the user chose as the folder is the folder"""
    (tmp_path / "elsewhere").mkdir()
    mirror.folder.symlink_to(tmp_path / "elsewhere")
    site.page("/")
    assert mirror.crawl().finished.clean
    assert (tmp_path / "elsewhere" / mirror.host / "index.md").is_file()
