"""`--assets`: the images that pages show are in the mirror, and shown from there (M7)."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import jsonschema  # type: ignore[import-untyped]
import pytest
from quire_test_site import Answer, Hit, Quire, Site, files_in
from quire_test_site.crashes import lasting

from quire import urls
from quire.config import build
from quire.crawling import crawl_mirror
from quire.report.manifest import schema
from quire.store.paths import asset_path

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
IMAGES = 200


def album(*images: str) -> str:
    shown = "".join(f'<p>Here is what it looks like: <img src="{image}" alt="a view"></p>' for image in images)
    return f"<main><h1>Album</h1><p>There is a lot to see here.</p>{shown}</main>"


def sources(mirror: Mirror, url: str) -> list[str]:
    return re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", mirror.body(url))


def assets(mirror: Mirror) -> dict[str, tuple[str, str]]:
    """Status and reason of each image, by its short URL."""
    manifest = mirror.manifest
    jsonschema.validate(manifest, schema())
    return {mirror.short(each["url"]): (each["status"], each["reason"]) for each in manifest["assets"]}


def file_of(mirror: Mirror, page: str, source: str) -> Path:
    path: str = mirror.pages[page]["path"]
    return (mirror.folder / path).parent / unquote(source)


def test_images_are_downloaded_and_shown_from_there(site: Site, mirror: Mirror) -> None:
    """M7: once each, whatever page shows them, by the name that their URL gives"""
    site.page("/", album("/img/a.png", "deep/b.jpeg?w=3") + '<a href="/x">x</a>', raw=True)
    site.page("/x", album("/img/a.png", "/img/A.png", "/render"), raw=True)
    for number, path in enumerate(("/img/a.png", "/deep/b.jpeg?w=3", "/img/A.png", "/render")):
        site.raw(path, PNG + bytes([number]), "image/jpeg" if "jpeg" in path else "image/png")
    done = mirror.crawl(assets=True)
    first, query = sources(mirror, "/")
    assert first == f"../_assets/{mirror.host}/img/a.png"
    assert re.fullmatch(rf"\.\./_assets/{mirror.host}/deep/b_[0-9a-f]{{8}}\.jpeg", query)
    again, upper, bare = sources(mirror, "/x")
    assert again == f"../../_assets/{mirror.host}/img/a.png"
    assert re.fullmatch(rf"\.\./\.\./_assets/{mirror.host}/img/A_[0-9a-f]{{8}}\.png", upper)
    assert re.fullmatch(rf"\.\./\.\./_assets/{mirror.host}/render_[0-9a-f]{{8}}\.png", bare)
    contents = [file_of(mirror, page, each).read_bytes()[-1] for page in ("/", "/x") for each in sources(mirror, page)]
    assert contents == [0, 1, 0, 2, 3]
    assert site.paths().count("/img/a.png") == 1
    assert done.finished.images == 4
    assert done.finished.clean


def test_without_it_no_image_is_asked_for(site: Site, mirror: Mirror) -> None:
    """M7"""
    site.page("/", album("/a.png"), raw=True)
    site.raw("/a.png", PNG, "image/png")
    mirror.crawl()
    assert sources(mirror, "/") == [f"{site.url}/a.png"]
    assert "/a.png" not in site.paths()
    assert "assets" not in mirror.manifest


def test_what_cannot_be_had_is_counted_and_shown_from_the_site(site: Site, mirror: Mirror, quire: Quire) -> None:
    """M7, F8, P6: no page is missing, so the status is 0"""
    images = (
        "/gone.png",
        "/broken.png",
        "/page.png",
        "/secret/a.png",
        "/loop.png",
        "/moved.png",
        "data:image/png;base64,AA",
    )
    site.page("/", album(*images), raw=True)
    site.page("/broken.png", status=500)
    site.page("/page.png", "<p>This is no image.</p>")
    site.raw("/secret/a.png", PNG, "image/png")
    site.robots("User-agent: *\nDisallow: /secret/\n")
    site.redirect("/loop.png", "/loop.png")
    site.redirect("/moved.png", "/new.png")
    site.raw("/new.png", PNG, "image/png")
    done = mirror("--assets", "--max-redirects", "3")
    assert done.status == 0
    assert "1 page and 1 image in" in done.err
    assert "2 images could not be fetched" in done.err
    assert assets(mirror) == {
        "/gone.png": ("skipped", "not-found"),
        "/broken.png": ("failed", "http-500"),
        "/page.png": ("skipped", "content-type"),
        "/secret/a.png": ("skipped", "robots"),
        "/loop.png": ("failed", "redirects"),
        "/moved.png": ("saved", ""),
    }
    assert sources(mirror, "/")[0] == f"{site.url}/gone.png"
    assert "/secret/a.png" not in site.paths()
    told = quire("why", f"{site.url}/secret/a.png", "-o", mirror.folder)
    assert told.out == f"{site.url}/secret/a.png\n  as an image: skipped (robots: disallowed by robots.txt)\n"
    told = quire("why", f"{site.url}/moved.png", "-o", mirror.folder)
    assert f"  as an image: saved\n  file: _assets/{mirror.host}/moved.png\n" in told.out


def test_failed_images_have_another_turn(site: Site, mirror: Mirror) -> None:
    """M7, S7"""
    site.page("/", album("/a.png"), raw=True)
    site.page("/a.png", status=503)
    mirror.crawl(assets=True)
    assert assets(mirror) == {"/a.png": ("failed", "http-503")}
    site.raw("/a.png", PNG, "image/png")
    mirror.crawl(assets=True)
    assert assets(mirror) == {"/a.png": ("saved", "")}
    assert file_of(mirror, "/", sources(mirror, "/")[0]).read_bytes() == PNG


def test_other_hosts_are_asked_at_their_own_pace_and_private_ones_not(site: Site, mirror: Mirror) -> None:
    """M7, P3, A9"""
    elsewhere = site.url_on("127.0.0.2")
    site.page("/", album("/a.png", f"{elsewhere}/b.png", "http://10.1.2.3/c.png"), raw=True)
    site.raw("/a.png", PNG, "image/png")
    site.raw(f"{elsewhere}/b.png", PNG, "image/png")
    mirror.crawl(assets=True, allow_network=["127.0.0.2/32"])
    assert assets(mirror) == {
        "/a.png": ("saved", ""),
        f"{elsewhere}/b.png": ("saved", ""),
        "http://10.1.2.3/c.png": ("failed", "private-address"),
    }


def test_a_busy_host_is_left_alone_for_a_while(site: Site, mirror: Mirror) -> None:
    """M7, P4"""
    site.page("/", album("/a.png"), raw=True)
    asked = 0

    async def busy_once(hit: Hit) -> Answer:
        nonlocal asked
        asked += 1
        if asked == 1:
            return Answer(429, headers={"Retry-After": "1"})
        return Answer(200, PNG, {"Content-Type": "image/png"})

    site.handler("/a.png", busy_once)
    mirror.crawl(assets=True)
    assert assets(mirror) == {"/a.png": ("saved", "")}
    assert asked == 2


def test_updates_ask_for_what_changed_and_prune_what_is_gone(site: Site, mirror: Mirror) -> None:
    """M7, S13"""
    site.page("/", album("/same.png", "/new.png", "/old.png") + '<a href="/x">x</a>', raw=True)
    site.page("/x", album("/of-x.png"), raw=True)
    for name in ("same", "new", "old", "of-x"):
        site.raw(f"/{name}.png", PNG, "image/png", etag=True)
    mirror.crawl(assets=True)
    names = {name.removeprefix("_assets/") for name in files_in(mirror.folder) if name.startswith("_assets/")}
    assert names == {f"{mirror.host}/{name}.png" for name in ("same", "new", "old", "of-x")}
    same = mirror.folder / "_assets" / mirror.host / "same.png"
    written = same.stat().st_mtime_ns
    site.page("/", album("/same.png", "/new.png"), raw=True)
    site.remove("/x")
    site.change("/new.png", PNG + b"more")
    mirror.crawl(assets=True, update=True, prune=True)
    assert assets(mirror) == {"/same.png": ("unchanged", ""), "/new.png": ("saved", "")}
    assert same.stat().st_mtime_ns == written
    names = {name.removeprefix("_assets/") for name in files_in(mirror.folder) if name.startswith("_assets/")}
    assert names == {f"{mirror.host}/same.png", f"{mirror.host}/new.png"}
    assert (mirror.folder / "_assets" / mirror.host / "new.png").read_bytes() == PNG + b"more"


def test_fresh_starts_without_the_old_images(site: Site, mirror: Mirror) -> None:
    """M7"""
    site.page("/", album("/a.png"), raw=True)
    site.raw("/a.png", PNG, "image/png")
    mirror.crawl(assets=True)
    mirror.crawl(fresh=True)
    assert not (mirror.folder / "_assets").exists()


def test_local_links_and_images_together(site: Site, mirror: Mirror) -> None:
    """M7: an image that is a link leads to a page, a link to an image to its file"""
    page = (
        '<main><h1>Both</h1><p>See <a href="/x"><img src="/a.png" alt="it"></a> or <a href="/a.png">it</a>.</p></main>'
    )
    site.page("/", page, raw=True)
    site.page("/x", album(), raw=True)
    site.raw("/a.png", PNG, "image/png")
    mirror.crawl(assets=True, links="local")
    image = f"../_assets/{mirror.host}/a.png"
    assert f"See [![it]({image})](x/index.md) or [it]({image})." in mirror.body("/")


def test_an_image_is_no_page(site: Site, mirror: Mirror) -> None:
    """M7: one that has the address of a page is shown from there"""
    site.page("/", album("/x", "/") + '<a href="/x">x</a>', raw=True)
    site.page("/x", album(), raw=True)
    mirror.crawl(assets=True, links="local")
    assert sources(mirror, "/") == [f"{site.url}/x", f"{site.url}/"]


def test_what_a_changed_file_shows_is_not_pruned(site: Site, mirror: Mirror) -> None:
    """M7, S13: somebody wrote something into it"""
    site.page("/", album("/a.png"), raw=True, etag=True)
    site.raw("/a.png", PNG, "image/png")
    mirror.crawl(assets=True)
    path = mirror.folder / mirror.pages["/"]["path"]
    path.write_text(path.read_text().replace("a lot", "very much"))
    mirror.crawl(assets=True, update=True, prune=True)
    assert file_of(mirror, "/", sources(mirror, "/")[0]).read_bytes() == PNG
    assert assets(mirror) == {"/a.png": ("unchanged", "")}


def test_without_assets_prune_deletes_what_pages_show_from_the_site_again(site: Site, mirror: Mirror) -> None:
    """M7, S13: nothing without that, nor what somebody shows by hand; a crawl with `--assets` has them again"""
    site.page("/", album("/a.png", "/b.png") + '<a href="/x">x</a>', raw=True, etag=True)
    site.page("/x", album("/c.png"), raw=True, etag=True)
    for name in ("/a.png", "/b.png", "/c.png"):
        site.raw(name, PNG, "image/png")
    mirror.crawl(assets=True)
    path = mirror.folder / mirror.pages["/x"]["path"]
    path.write_text(path.read_text().replace("a lot", "very much"))
    mirror.crawl(update=True)
    assert sources(mirror, "/") == [f"{site.url}/a.png", f"{site.url}/b.png"]
    assert len(list((mirror.folder / "_assets" / mirror.host).iterdir())) == 3
    mirror.crawl(update=True, prune=True)
    assert [file.name for file in (mirror.folder / "_assets" / mirror.host).iterdir()] == ["c.png"]
    assert file_of(mirror, "/x", sources(mirror, "/x")[0]).read_bytes() == PNG
    mirror.crawl(assets=True, update=True, prune=True)
    assert file_of(mirror, "/", sources(mirror, "/")[0]).read_bytes() == PNG


def test_an_image_of_another_type_has_another_name(site: Site, mirror: Mirror) -> None:
    """M7: and the old file is gone"""
    site.page("/", album("/pic"), raw=True)
    site.raw("/pic", PNG, "image/png")
    mirror.crawl(assets=True)
    site.raw("/pic", PNG + b"2", "image/webp")
    mirror.crawl(assets=True, update=True)
    (name,) = (name for name in files_in(mirror.folder) if name.startswith("_assets/"))
    assert re.fullmatch(rf"_assets/{mirror.host}/pic_[0-9a-f]{{8}}\.webp", name)
    assert sources(mirror, "/") == [f"../{name}"]


def test_an_image_that_is_gone_keeps_the_file_it_had(site: Site, mirror: Mirror) -> None:
    """M7, S13"""
    site.page("/", album("/a.png"), raw=True)
    site.raw("/a.png", PNG, "image/png")
    mirror.crawl(assets=True)
    site.remove("/a.png")
    mirror.crawl(assets=True, update=True)
    assert assets(mirror) == {"/a.png": ("skipped", "not-found")}
    assert file_of(mirror, "/", sources(mirror, "/")[0]).read_bytes() == PNG


def test_a_host_that_does_not_answer_is_given_up(site: Site, mirror: Mirror) -> None:
    """M7, P5: as for pages, after five images that could not be had in all their tries"""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        dead = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        site.page("/", album("/a.png", *(f"{dead}/{number}.png" for number in range(40))), raw=True)
        site.raw("/a.png", PNG, "image/png")
        mirror.crawl(assets=True, retry_delay=0.01, retries=1, allow_private=True, ignore_robots=True)
    found = Counter(assets(mirror).values())
    assert found[("failed", "host-given-up")] > 30
    assert found[("saved", "")] == 1
    assert found.total() == 41


def test_the_pace_holds_where_redirects_lead(site: Site, mirror: Mirror) -> None:
    """M7, R15: however many hosts lead there"""
    cdn, under_way, most = site.url_on("127.0.0.4"), 0, 0

    async def slow(hit: Hit) -> Answer:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.05)
        under_way -= 1
        return Answer(200, PNG, {"Content-Type": "image/png"})

    images = [f"{site.url_on(f'127.0.0.{host}')}/{host}_{number}.png" for host in (1, 2, 3) for number in range(6)]
    for image in images:
        target = f"{cdn}/{image.rpartition('/')[2]}"
        site.redirect(image, target)
        site.handler(target, slow)
    site.page("/", album(*images), raw=True)
    mirror.crawl(assets=True, allow_network=["127.0.0.0/8"], per_host=2)
    assert set(assets(mirror).values()) == {("saved", "")}
    assert most == 2


@pytest.mark.parametrize("field", ["ETag", "Last-Modified", "Content-Type"])
def test_header_fields_that_are_no_text(site: Site, mirror: Mirror, field: str) -> None:
    """M7, E1: of an image or of a page, they cost nothing else"""
    fields = {"Content-Type": "text/html; x=\udcff"} if field == "Content-Type" else {field: '"\udcff"'}
    site.page("/", album("/a.png"), raw=True, headers=fields)
    site.raw("/a.png", PNG, "image/png", headers={field: "image/\udcff" if field == "Content-Type" else '"\udcff"'})
    for update in (False, True):
        mirror.crawl(assets=True, update=update)
        assert assets(mirror)["/a.png"][0] in ("saved", "unchanged")


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.15])
def test_killed_while_images_come_in(site: Site, quire: Quire, tmp_path: Path, delay: float) -> None:
    """S5, M7: none that is on disk is asked for again, and the mirror is that of a crawl that was left in peace"""
    site.page("/", album(*(f"/i/{number}.png" for number in range(IMAGES))), raw=True)
    for number in range(IMAGES):
        site.raw(f"/i/{number}.png", PNG + number.to_bytes(2, "big"), "image/png")
    fast = ("--delay", "0", "--concurrency", "8", "--per-host", "8", "--assets", "-q")
    process = quire.start("mirror", f"{site.url}/", "-o", tmp_path / "killed", *fast)
    site.wait(10)
    time.sleep(delay)
    process.kill()
    process.wait()
    done = {f"/i/{path.name}" for path in (tmp_path / "killed").rglob("*.png")}
    site.clear()
    assert quire("mirror", f"{site.url}/", "-o", tmp_path / "killed", *fast).status == 0
    # The last of them may have been written and not yet noted.
    assert len(done.intersection(site.paths())) <= 1
    assert quire("mirror", f"{site.url}/", "-o", tmp_path / "whole", *fast).status == 0
    assert lasting(tmp_path / "killed") == lasting(tmp_path / "whole")


def test_an_image_that_is_missing_on_disk_is_fetched_again(site: Site, mirror: Mirror) -> None:
    """M7, S5: when the last end was not clean"""
    site.page("/", album("/a.png"), raw=True)
    site.raw("/a.png", PNG, "image/png")
    mirror.crawl(assets=True)
    (mirror.folder / "_assets" / mirror.host / "a.png").unlink()
    mirror.crawl(assets=True, update=True)
    assert file_of(mirror, "/", sources(mirror, "/")[0]).read_bytes() == PNG


@pytest.mark.parametrize(
    ("url", "content_type", "path"),
    [
        ("http://h/a.png", "image/png", "_assets/h/a.png"),
        ("http://h:81/b/a.JPG", "image/jpeg; q=1", r"_assets/h_81/b/a_[0-9a-f]{8}\.JPG"),
        ("http://h/pic", "image/webp", r"_assets/h/pic_[0-9a-f]{8}\.webp"),
        ("http://h/pic.php", "image/gif", r"_assets/h/pic\.php_[0-9a-f]{8}\.gif"),
        ("http://h/x.jpg/v1/x.jpg", "image/jpeg", r"_assets/h/x%2ejpg/v1/x.jpg"),
        ("http://h/bare", "image/x-strange", r"_assets/h/bare_[0-9a-f]{8}\.image"),
        ("http://h/pic.php?id=3", "image/gif", r"_assets/h/pic.php_[0-9a-f]{8}\.gif"),
        ("http://h/", "image/svg+xml", r"_assets/h/index_[0-9a-f]{8}\.svg"),
        ("http://h/%2e%2e%2fx.png", "image/png", r"_assets/h/%2e\.%2Fx_[0-9a-f]{8}\.png"),
        ("http://h/a.xyz", "image/x-strange", "_assets/h/a.xyz"),
        ("http://h/" + "a" * 300 + ".png", "image/png", r"_assets/h/a{187}_[0-9a-f]{8}\.png"),
        ("http://h/" + "d/" * 100 + "a.png", "image/png", r"_assets/h/a_[0-9a-f]{8}\.png"),
    ],
)
def test_names(url: str, content_type: str, path: str) -> None:
    """M7, S2, S3"""
    assert re.fullmatch(path.replace("_assets/h/a.", r"_assets/h/a\."), asset_path(url, content_type))


def test_no_image_is_asked_for_before_its_host_is_ours(site: Site, mirror: Mirror) -> None:
    """X2, P3: of several that wait for one host, none goes ahead of the claim, also without robots.txt"""
    other = site.url_on("127.0.0.2")
    paths = [f"/img/{number}.png" for number in range(4)]
    for path in paths:
        site.raw(path, PNG, "image/png")
    site.page("/", album(*(other + path for path in paths)), raw=True)
    claims: list[list[str]] = []

    def claim(host: str) -> bool:
        if host == urls.host(other):
            claims.append(site.paths("127.0.0.2"))
        return host != urls.host(other) or len(claims) > 1

    options = {"output": str(mirror.folder), "workers": 1, "delay": 0, "assets": True, "ignore_robots": True}
    settings = build([f"{site.url}/"], {**options, "allow_private": True, "render": "never"})
    finished = asyncio.run(crawl_mirror(settings, lambda _: None, (), claim))
    assert claims == [[], []]
    assert finished.images == 4
    assert sorted(site.paths("127.0.0.2")) == paths
