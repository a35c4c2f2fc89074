"""`--render`: the browser where it is needed and only there, and what happens when it dies or is not there."""

from __future__ import annotations

import os
import re
import signal
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]
import pytest
from quire_test_site import Answer, Hit, Page, Quire, Site, files_in
from quire_test_site.applications import ROUTES, serve
from quire_test_site.processes import living

import quire as library
from quire.events import Event, PageRetried, PageSaved
from quire.fetch.chromium import find_chromium

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

WORDS = "These are enough words to be a page of their own, whatever a script may say or do to it afterwards."
STATIC = {
    f"/docs/{number}": f"<h1>Page {number}</h1><p>{WORDS}</p><script>window.seen = 1</script>" for number in range(8)
}


def mixed_site(site: Site) -> None:
    """An application whose front page is one of its routes, beside pages that need no browser."""
    serve(site, "vue")
    for path, body in STATIC.items():
        site.page(path, body)
    site.page("/docs", f"<h1>Documents</h1><p>{WORDS}</p>", links=[*STATIC, "/about", "/docs/tiny"])
    site.sitemap("/sitemap.xml", ["/docs"])
    site.page("/docs/tiny", "<p>Short.</p><script src='/seen.js'></script>")


def content(folder: Path) -> dict[str, bytes]:
    pages = {name: data for name, data in files_in(folder).items() if name.endswith(".md") and name != "_index.md"}
    return {name: re.sub(rb"^fetched_at: .*$", b"", data, flags=re.MULTILINE) for name, data in pages.items()}


def kill_children(option: str) -> list[int]:
    """Kill this process's children that were started with an option; others may end meanwhile."""
    killed = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if option in process.cmdline():
                process.kill()
                killed.append(process.pid)
    return killed


def test_the_browser_is_used_where_it_is_needed_and_the_mirror_is_the_same(
    site: Site, mirror: Mirror, tmp_path: Path
) -> None:
    """D9: `auto` gives what `always` gives"""
    mixed_site(site)
    always = tmp_path / "always"
    library.crawl_sync(f"{site.url}/", output=str(always), render="always", delay=0, workers=1)
    mirror.crawl()
    assert content(mirror.folder) == content(always)
    how = {path: page["fetched_by"] for path, page in mirror.pages.items()}
    assert how.keys() == ROUTES | STATIC.keys() | {"/docs", "/docs/tiny"}
    assert {path for path, by in how.items() if by == "browser"} - {"/docs/tiny"} == ROUTES


def test_a_hundred_shells_do_not_cost_a_hundred_guesses(site: Site, mirror: Mirror) -> None:
    """D9: after a few pages the section is known, and HTTP asks for one in ten"""
    shell = "<div id=root></div><script>root.innerHTML = `<h1>${location.pathname}</h1>`</script>"

    async def answer(_: Hit) -> Answer:
        return Page(shell, raw=True).answer()

    site.page("/", f"<h1>All</h1><p>{WORDS}</p>", links=[f"/app/{number}" for number in range(40)])
    site.on("/app/", answer)
    mirror.crawl(concurrency=4)
    assert len(mirror.pages) == 41
    asked_twice = sum(site.count(f"/app/{number}") == 2 for number in range(40))
    assert asked_twice <= 15


def test_pages_that_only_look_like_shells_are_found_out(site: Site, mirror: Mirror) -> None:
    """D9: three renderings that bring nothing are enough"""
    paths = [f"/tiny/{number}" for number in range(20)]
    site.page("/", f"<h1>All</h1><p>{WORDS}</p>", links=paths)
    for path in paths:
        site.page(path, "<p>Short.</p><script src='/seen.js'></script>")
    mirror.crawl(concurrency=1)
    assert sum(page["fetched_by"] == "browser" for page in mirror.pages.values()) == 3


def test_a_page_that_lacks_a_part_is_shown_whole(site: Site, mirror: Mirror) -> None:
    """D9: a part that comes later, an application in a frame that is there, a splash screen"""
    late = "<script src=/late.js></script>"
    site.raw("/late.js", b"setTimeout(() => place.outerHTML = '<p>Told by a script.</p>', 300)", "text/javascript")
    menu = "".join(f"<a href=/m/{number}>Entry {number}</a>" for number in range(20))
    pages = {
        "/part": f"<h1>Part</h1><p>{WORDS}</p><div id=place aria-busy=true>Wait</div>{late}",
        "/framed": f"<nav>{menu}</nav><main><p id=place>Wait</p></main><footer>{WORDS}</footer>{late}",
        "/splash": f"<div id=app><p id=place>{WORDS}</p></div>{late}",
        "/whole": f"<h1>Whole</h1><p>{WORDS}</p>{late}",
    }
    site.page("/", f"<h1>All</h1><p>{WORDS}</p>", links=list(pages))
    for path, body in pages.items():
        site.raw(path, f"<title>{path}</title><body>{body}".encode(), "text/html")
    mirror.crawl(exclude_pattern=("/m/",))
    by = {path: page["fetched_by"] for path, page in mirror.pages.items()}
    assert by == {"/": "http", "/part": "browser", "/framed": "browser", "/splash": "browser", "/whole": "http"}
    for path in ("/part", "/framed", "/splash"):
        assert mirror.body(path).count("Told by a script.") == 1, path
        assert "Wait" not in mirror.body(path), path


def test_a_page_that_says_more_without_a_browser_is_kept(site: Site, mirror: Mirror) -> None:
    """D9: some servers send browsers elsewhere, and some pages do not bear them"""
    text = f"<h1>Long</h1>{f'<p>{WORDS}</p>' * 4}<div class=skeleton></div>"
    ends = {
        "/blocked": "document.body.innerHTML = '<p>Are you a robot?</p>'",
        "/sent": "location.href = '/robots'",
        "/hangs": "addEventListener('load', () => setTimeout(() => { for (;;); }))",
    }
    site.page("/", f"<h1>All</h1><p>{WORDS}</p>", links=list(ends))
    for path, script in ends.items():
        site.page(path, f"{text}<script>{script}</script>")
    mirror.crawl()
    assert {path: page["fetched_by"] for path, page in mirror.pages.items()} == dict.fromkeys(["/", *ends], "http")
    for path in ends:
        assert mirror.body(path).count(WORDS) == 4, path


def test_an_update_keeps_the_page_that_says_more(site: Site, mirror: Mirror) -> None:
    """D9, S13: what the browser shows instead does not take its place on the way, and nothing has changed"""
    text = f"<h1>Long</h1>{f'<p>{WORDS}</p>' * 4}<div class=skeleton></div>"
    site.page("/", f"{text}<script>document.body.innerHTML = '<p>Are you a robot?</p>'</script>")
    mirror.crawl()
    before = mirror.states()
    assert mirror.body("/").count(WORDS) == 4
    updated = mirror.crawl(update=True)
    assert updated.finished.counts["unchanged"] == 1
    assert mirror.body("/").count(WORDS) == 4
    page = mirror.pages["/"]["path"]
    assert mirror.states()[page] == before[page]


def test_never_means_never(site: Site, mirror: Mirror) -> None:
    """D9"""
    mixed_site(site)
    mirror.crawl(start="/about", render="never")
    assert {page["fetched_by"] for page in mirror.pages.values()} == {"http"}


def test_without_a_browser_auto_says_so_and_always_does_not_begin(site: Site, mirror: Mirror, quire: Quire) -> None:
    """C10, E2"""
    mixed_site(site)
    finished = quire("mirror", f"{site.url}/about", "--chromium", "no-such-browser", "--render", "always")
    assert finished.status == 2
    assert "no-such-browser" in finished.err
    assert site.hits == []


def browsers(pid: int) -> list[psutil.Process]:
    """The main processes of the browsers that a process runs."""
    return living(psutil.Process(pid).children(), "chrom")


def test_a_browser_that_is_killed_loses_nothing(site: Site, mirror: Mirror) -> None:
    """E2, S5: it is replaced, and the pages that were in it are asked for again"""
    site.grow(60)
    killed: list[int] = []

    def strike(event: Event) -> None:
        if isinstance(event, PageSaved) and len(killed) < 3 and event.url.endswith(("/10", "/25", "/40")):
            for browser in browsers(os.getpid()):
                killed.append(browser.pid)
                browser.send_signal(signal.SIGKILL)

    finished = library.crawl_sync(
        f"{site.url}/", output=str(mirror.folder), render="always", delay=0, workers=1, on_event=strike
    )
    assert len(killed) == 3
    assert finished.clean
    assert len(mirror.pages) == 61


def test_a_browser_that_is_killed_leaves_no_dead_processes(site: Site, quire: Quire) -> None:
    """E2: a command adopts what it had started, and waits for them"""
    site.grow(400)
    process = quire.start("mirror", f"{site.url}/", "-o", "out", "--delay", "0.1", "--render", "always")
    site.wait(15)
    (browser,) = browsers(process.pid)
    family = browser.children(recursive=True)
    browser.kill()
    _, left = psutil.wait_procs(family, timeout=10)
    assert left == []
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 130


def test_a_page_process_that_is_killed_costs_one_more_try(site: Site, mirror: Mirror) -> None:
    """E2: its page is rendered in a new tab"""
    site.page("/", f"<p>{WORDS}</p>", links=["/slow"])
    site.page("/slow", f"<h1>Slow</h1><p>{WORDS}</p><script src='/late.js'></script>")
    site.raw("/late.js", b"1", "text/javascript")
    site.hang("/late.js", times=1)

    def strike() -> None:
        site.wait(1, "/late.js")
        kill_children("--type=renderer")

    thread = threading.Thread(target=strike)
    thread.start()
    crawled = mirror.crawl(render="always")
    thread.join()
    assert crawled.finished.clean
    assert set(mirror.pages) == {"/", "/slow"}
    assert site.count("/slow") == 2


@pytest.mark.parametrize("hanging", ["/slow", "/late.js"])
def test_a_network_process_that_is_killed_costs_one_more_try(site: Site, mirror: Mirror, hanging: str) -> None:
    """E2: the server is not blamed for it, and no page is taken without what was under way"""
    site.page("/", f"<p>{WORDS}</p>", links=["/slow"])
    site.page("/slow", f"<h1>Slow</h1><p>{WORDS}</p><p id=late></p><script src='/late.js'></script>")
    site.raw("/late.js", b"late.textContent = 'And this came late.'", "text/javascript")
    site.hang(hanging, times=1)

    def strike() -> None:
        site.wait(1, hanging)
        kill_children("--utility-sub-type=network.mojom.NetworkService")

    thread = threading.Thread(target=strike)
    thread.start()
    crawled = mirror.crawl(render="always")
    thread.join()
    assert not any(isinstance(event, PageRetried) for event in crawled.events)
    assert "And this came late." in mirror.body("/slow")
    assert site.count("/slow") == 2


def test_a_browser_that_can_start_no_process_is_replaced(site: Site, mirror: Mirror) -> None:
    """E2: no page fails for it"""
    site.grow(60)
    killed: list[int] = []

    def strike(event: Event) -> None:
        if isinstance(event, PageSaved) and not killed:
            killed.extend(kill_children("--type=zygote"))

    finished = library.crawl_sync(
        f"{site.url}/", output=str(mirror.folder), render="always", delay=0, workers=1, on_event=strike
    )
    assert killed
    assert finished.clean
    assert len(mirror.pages) == 61


def test_a_browser_that_is_killed_as_it_starts_is_started_again(site: Site, mirror: Mirror, tmp_path: Path) -> None:
    """E2, S5"""
    site.page("/", f"<p>{WORDS}</p>")
    dies_once = tmp_path / "chromium"
    dies_once.write_text(f'#!/bin/sh\nmkdir {tmp_path}/started && kill -9 $$\nexec {find_chromium()} "$@"\n')
    dies_once.chmod(0o755)
    assert mirror.crawl(render="always", chromium=str(dies_once)).finished.clean
    assert (tmp_path / "started").exists()
    assert set(mirror.pages) == {"/"}


def test_a_killed_crawl_leaves_no_browser_behind(site: Site, mirror: Mirror, quire: Quire) -> None:
    """E2, S5: the browser ends with whoever started it"""
    site.grow(200)
    process = quire.start("mirror", *mirror.command("--render", "always"))
    site.wait(30)
    family = psutil.Process(process.pid).children(recursive=True)
    assert living(family, "chrom")
    process.kill()
    _, alive = psutil.wait_procs(family, timeout=20)
    assert living(alive) == []


def test_the_profile_of_a_killed_crawl_is_deleted_by_the_next(
    site: Site, mirror: Mirror, quire: Quire, tmp_path: Path
) -> None:
    """E2: and that of one which runs is not"""
    profiles = tmp_path / "profiles"
    profiles.mkdir()
    site.grow(200)
    env = {"TMPDIR": str(profiles)}
    killed, runs = (
        quire.start("mirror", f"{site.url}/", "-o", tmp_path / name, "--delay", "0", "--render", "always", env=env)
        for name in ("killed", "runs")
    )
    while len(list(profiles.glob("*/quire.lock"))) < 2 or not (tmp_path / "runs/_processed.txt").exists():
        site.wait(len(site.hits) + 1)
    family = psutil.Process(killed.pid).children(recursive=True)
    killed.kill()
    psutil.wait_procs(family, timeout=20)
    assert len(list(profiles.iterdir())) == 2
    page = quire("page", f"{site.url}/", "--render", "always", env=env)
    assert page.status == 0
    assert len(list(profiles.iterdir())) == 1
    runs.send_signal(signal.SIGTERM)
    runs.communicate(timeout=60)
    assert list(profiles.iterdir()) == []


def test_a_plain_mirror_starts_no_browser(site: Site, mirror: Mirror) -> None:
    """D9"""
    site.grow(10)
    seen: list[int] = []
    library.crawl_sync(
        f"{site.url}/", output=str(mirror.folder), delay=0, workers=1,
        on_event=lambda _: seen.extend(each.pid for each in browsers(os.getpid())),
    )  # fmt: skip
    assert seen == []
