"""`--links local`: in the finished mirror, links between its pages lead to files that are there (M7)."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from quire_test_site import Quire, Site
from quire_test_site.crashes import kill_when, lasting, settled

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

PAGES = 300


def article(*links: str) -> str:
    """A page's content with these links, each in a sentence of its own."""
    sentences = "".join(
        f'<p>The next thing to read about is <a href="{link}">told over there</a>.</p>' for link in links
    )
    return f"<main><h1>Reading</h1><p>There is a lot to read here.</p>{sentences}</main>"


def targets(mirror: Mirror, url: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", mirror.body(url))


def assert_agrees(mirror: Mirror) -> None:
    """Every record of a page agrees with its file, and every local link leads to one."""
    for url, page in mirror.pages.items():
        body = mirror.body(url)
        hash = "sha256:" + hashlib.sha256(body.encode()).hexdigest()
        assert page["hash"] == hash
        assert f'content_hash: "{hash}"' in mirror.text(url)
        assert page["size"] == len(mirror.text(url).encode())
        folder = (mirror.folder / page["path"]).parent
        for target in targets(mirror, url):
            if not target.startswith(("http:", "https:", "mailto:", "#")):
                assert (folder / unquote(target.partition("#")[0])).is_file(), (url, target)


def test_links_between_pages_lead_to_their_files(site: Site, mirror: Mirror) -> None:
    """M7: up, down and beside, with their fragments; everything else stays absolute"""
    site.page("/", article("/docs/", "/docs/deep/er#part"), raw=True)
    site.page("/docs/", article("/", "deep/er", "#here", "/docs/#there", "/picture.png"), raw=True)
    site.page(
        "/docs/deep/er", article("../", "/docs/?q=1", "mailto:clerk@parish.test", "http://elsewhere.test/x"), raw=True
    )
    site.page("/docs/?q=1", article("/docs/deep/er#part"), raw=True)
    mirror.crawl(links="local")
    assert targets(mirror, "/") == ["docs/index.md", "docs/deep/er/index.md#part"]
    assert targets(mirror, "/docs")[:4] == ["../index.md", "deep/er/index.md", "#here", "#there"]
    assert targets(mirror, "/docs")[4] == f"{site.url}/picture.png"
    up, query, *others = targets(mirror, "/docs/deep/er")
    assert up == "../../index.md"
    assert re.fullmatch(r"\.\./\.\./\.\./docs__q_[0-9a-f]{8}\.md", query)
    assert others == ["mailto:clerk@parish.test", "http://elsewhere.test/x"]
    assert targets(mirror, "/docs?q=1") == ["docs/deep/er/index.md#part"]
    assert_agrees(mirror)


def test_links_are_absolute_unless_asked_otherwise(site: Site, mirror: Mirror) -> None:
    """M7"""
    site.page("/", article("/a"), raw=True)
    site.page("/a", article("/"), raw=True)
    mirror.crawl()
    assert targets(mirror, "/") == [f"{site.url}/a"]


def test_redirects_and_copies_lead_to_the_page_that_is_kept(site: Site, mirror: Mirror) -> None:
    """M7, S9: a link goes where the frontier says that its URL ended"""
    site.page("/", article("/old", "/copy", "/a", "/a?utm_source=x#s", "/gone", "/loop"), raw=True)
    site.page("/a", article("/"), raw=True)
    site.page("/b", article("/"), raw=True)
    site.redirect("/old", "/older")
    site.redirect("/older", "/a")
    site.redirect("/loop", "/loop2")
    site.redirect("/loop2", "/loop")
    site.page("/copy", f'<link rel="canonical" href="{site.url}/b">' + article("/", "/b"), raw=True)
    mirror.crawl(links="local")
    kept = ["a/index.md", "b/index.md", "a/index.md", "a/index.md#s"]
    assert targets(mirror, "/") == [*kept, f"{site.url}/gone", f"{site.url}/loop"]
    assert_agrees(mirror)


def test_names_that_need_escapes(site: Site, mirror: Mirror) -> None:
    """M7, S2: a file's name may hold what a link may not"""
    site.page("/", article("/a%2Fb/", "/n%20n(1)/", "/%C3%A4/", "/x;y/?a=1&amp;b=2"), raw=True)
    for path in ("/a%2Fb/", "/n%20n(1)/", "/%C3%A4/", "/x;y/?a=1&b=2"):
        site.page(path, article("/"), raw=True)
    mirror.crawl(links="local")
    assert not any(target.startswith("http") for target in targets(mirror, "/"))
    assert_agrees(mirror)


def test_code_stays_as_it_is(site: Site, mirror: Mirror) -> None:
    """M7, M1: what looks like a link in code, or was escaped, is none; an address on its own becomes one"""
    url = f"{site.url}/a"
    page = (
        f"<main><h1>Code</h1><p>Write <code>[a]({url})</code> or [a]({url}) or &lt;{url}&gt;.</p>"
        f'<pre>[a]({url})\n\n&lt;{url}&gt;</pre><p>See <a href="{url}">{url}</a>.</p></main>'
    )
    site.page("/", page, raw=True)
    site.page("/a", article("/"), raw=True)
    mirror.crawl(links="local")
    body = mirror.body("/")
    assert f"Write `[a]({url})` or \\[a\\]({url}) or \\<{url}>." in body
    assert f"```\n[a]({url})\n\n<{url}>\n```" in body
    assert f"See [{url}](a/index.md)." in body


def test_links_in_a_table_that_is_html(site: Site, mirror: Mirror) -> None:
    """M7, M1"""
    rows = '<tr><th rowspan=2>A<td><ul><li><a href="/a?x=1&amp;y=2">one</a></ul></tr><tr><td><pre>[a](/a)</pre></tr>'
    site.page("/", f"<main><h1>Table</h1><p>There is a table.</p><table>{rows}</table></main>", raw=True)
    site.page("/a?x=1&y=2", article("/"), raw=True)
    mirror.crawl(links="local")
    assert re.search(r'<a href="a__q_[0-9a-f]{8}\.md">one</a>', mirror.body("/"))


def publish_changing(site: Site, *, has_b: bool) -> None:
    site.page("/", article("/a", "/b"), raw=True)
    site.page("/a", article("/", "/b"), raw=True)
    site.page("/b", article("/"), raw=True, status=200 if has_b else 404)


def test_an_update_follows_pages_that_come_and_go(site: Site, mirror: Mirror) -> None:
    """M7, S13: a page that did not change links to a new file, and to the site again when that is pruned"""
    publish_changing(site, has_b=False)
    mirror.crawl(links="local")
    assert targets(mirror, "/a") == ["../index.md", f"{site.url}/b"]
    publish_changing(site, has_b=True)
    mirror.crawl(links="local", update=True)
    assert targets(mirror, "/a") == ["../index.md", "../b/index.md"]
    assert mirror.manifest["changes"] == {"added": [f"{site.url}/b"], "changed": [], "removed": []}
    assert_agrees(mirror)
    publish_changing(site, has_b=False)
    mirror.crawl(links="local", update=True, prune=True)
    assert targets(mirror, "/a") == ["../index.md", f"{site.url}/b"]
    assert mirror.manifest["changes"]["changed"] == []
    assert_agrees(mirror)


def test_an_update_touches_no_page_that_did_not_change(site: Site, mirror: Mirror) -> None:
    """M7, S13"""
    publish_changing(site, has_b=True)
    mirror.crawl(links="local")
    before = mirror.states()
    mirror.crawl(links="local", update=True)
    assert mirror.states() == before
    site.page("/b", article("/", "/a"), raw=True)
    mirror.crawl(links="local", update=True)
    assert targets(mirror, "/b") == ["../index.md", "../a/index.md"]
    changed = mirror.pages["/b"]["path"]
    assert {path for path, state in mirror.states().items() if state != before[path]} == {changed}
    assert_agrees(mirror)


def test_equal_pages_are_reported_whatever_their_links(site: Site, mirror: Mirror) -> None:
    """M7, S9: of equal pages in different folders the local links differ"""
    site.page("/", article("/a", "/x/y/z"), raw=True)
    site.page("/a", article("/"), raw=True)
    site.page("/x/y/z", article("/"), raw=True)
    mirror.crawl(links="local")
    assert mirror.manifest["equal_content"] == [[f"{site.url}/a", f"{site.url}/x/y/z"]]


def test_a_mirror_changes_its_mind(site: Site, mirror: Mirror) -> None:
    """M7: started again with the other kind of links, no page is asked for"""
    publish_changing(site, has_b=True)
    mirror.crawl()
    absolute = {url: mirror.text(url) for url in mirror.pages}
    site.clear()
    mirror.crawl(links="local")
    assert targets(mirror, "/a") == ["../index.md", "../b/index.md"]
    assert_agrees(mirror)
    mirror.crawl()
    assert {url: mirror.text(url) for url in mirror.pages} == absolute
    assert not {"/", "/a", "/b"} & set(site.paths())


def test_a_file_that_somebody_changed_is_left_alone(site: Site, mirror: Mirror) -> None:
    """M7"""
    publish_changing(site, has_b=True)
    mirror.crawl()
    path = mirror.folder / mirror.pages["/a"]["path"]
    path.write_text(path.read_text() + "A note of my own.\n")
    mirror.crawl(links="local")
    assert path.read_text().endswith("A note of my own.\n")
    assert targets(mirror, "/a")[1] == f"{site.url}/b"


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.06])
def test_killed_while_links_are_made_local(site: Site, quire: Quire, tmp_path: Path, delay: float) -> None:
    """S5, M7: no page is asked for again, and the mirror is that of a crawl that was left in peace"""
    site.page("/", article(*(f"/a/{number}" for number in range(PAGES))), raw=True)
    for number in range(PAGES):
        around = (f"/a/{(number + step) % PAGES}" for step in (1, 2, 3, 150))
        site.page(f"/a/{number}", article("/", *around), raw=True)
    fast = ("--delay", "0", "--concurrency", "8", "--per-host", "8", "--links", "local", "-q")
    process = quire.start("mirror", f"{site.url}/", "-o", tmp_path / "killed", *fast)
    site.wait(PAGES)
    kill_when(process, tmp_path / "killed", "links", "under way", delay)
    done = settled(tmp_path / "killed")
    site.clear()
    assert quire("mirror", f"{site.url}/", "-o", tmp_path / "killed", *fast).status == 0
    assert done.isdisjoint(site.paths())
    assert quire("mirror", f"{site.url}/", "-o", tmp_path / "whole", *fast).status == 0
    assert lasting(tmp_path / "killed") == lasting(tmp_path / "whole")


def test_a_link_in_the_place_of_a_file_is_not_followed(site: Site, mirror: Mirror, tmp_path: Path) -> None:
    """M7, S3: whoever put it there, what it leads to is neither read nor written"""
    publish_changing(site, has_b=True)
    mirror.crawl()
    path = mirror.folder / mirror.pages["/a"]["path"]
    other = tmp_path / "other.md"
    path.rename(other)
    path.symlink_to(other)
    before = other.read_bytes()
    mirror.crawl(links="local", assets=True)
    assert other.read_bytes() == before
    assert targets(mirror, "/") == ["a/index.md", "b/index.md"]


def test_killed_while_an_update_makes_links_local(site: Site, quire: Quire, mirror: Mirror) -> None:
    """S5, S13, M7: the same command finishes that update, and tells of all that it changed"""

    def publish(*numbers: int) -> None:
        site.page("/", article(*(f"/a/{number}" for number in numbers)), raw=True)
        for number in numbers:
            site.page(
                f"/a/{number}", article("/", "/a/0", "/a/1", "/a/2", *(f"/a/{each}" for each in numbers)), raw=True
            )

    publish(*range(1, 100))
    mirror.crawl(links="local")
    publish(0, *range(2, 100))
    site.remove("/a/1")
    command = mirror.command("--update", "--prune", "--links", "local", "-q")
    process = quire.start("mirror", *command)
    kill_when(process, mirror.folder, "links", "under way", 0.0)
    assert (mirror.folder / mirror.host / "a" / "1").exists()
    assert quire("mirror", *command).status == 0
    assert mirror.manifest["crawl"]["number"] == 2
    changes = mirror.manifest["changes"]
    assert changes["added"] == [f"{site.url}/a/0"]
    assert changes["removed"] == [f"{site.url}/a/1"]
    assert not (mirror.folder / mirror.host / "a" / "1").exists()
    assert_agrees(mirror)
    assert {"../0/index.md", f"{site.url}/a/1", "../3/index.md"} <= set(targets(mirror, "/a/2"))


def test_single_pages_have_links_like_the_mirror_they_go_into(site: Site, quire: Quire, mirror: Mirror) -> None:
    """M7, C3: whatever the command says"""
    publish_changing(site, has_b=True)
    site.page("/alone", article("/a"), raw=True)
    mirror.crawl(links="local")
    assert quire("page", f"{site.url}/alone", "-o", mirror.folder, "--delay", "0").status == 0
    assert targets(mirror, "/alone") == ["../a/index.md"]
    assert targets(mirror, "/a") == ["../index.md", "../b/index.md"]
    assert_agrees(mirror)
