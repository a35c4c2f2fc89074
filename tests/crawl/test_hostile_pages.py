"""Pages that want to keep a browser for themselves: bounded, counted, explained, and nothing left behind."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]
import pytest
from quire_test_site import Answer, Hit, Page, Site
from quire_test_site.processes import living

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

GOOD = "<h1>Good</h1><p>A page that says something, and does nothing else.</p>"
SCRIPTS = {
    "never settles": "setInterval(() => document.body.append('.'), 5)",
    "opens windows": (
        "for (let n = 0; n < 100; n++) { open('/popup/' + n);"
        "const a = document.createElement('a'); a.href = '/tab/' + n; a.target = '_blank'; a.click() }"
    ),
    "allocates": (
        "const all = [];setInterval(() => { document.body.append('.'); all.push(new Uint8Array(1e8).fill(7)) }, 5)"
    ),
    "hangs": "setTimeout(() => { for (;;); }, 20)",
    "takes both": "const all = []; setTimeout(() => { for (;;) all.push(new Array(1e5).fill('x' + all.length)) }, 50)",
    "reloads": "location.reload()",
    "asks": "alert(1); confirm(2); prompt(3); addEventListener('beforeunload', (event) => event.preventDefault())",
}


def hostile(site: Site, script: str) -> None:
    site.page("/", GOOD, links=["/hostile", "/good/1", "/good/2"])
    site.page("/hostile", f"<h1>Hostile</h1><p>What it says before it begins.</p><script>{script}</script>")
    for number in (1, 2):
        site.page(f"/good/{number}", GOOD)


def chromiums() -> set[int]:
    """The processes of browsers that this test started, those that wait for their parent aside."""
    return {each.pid for each in living(psutil.Process().children(recursive=True), "chrom")}


@pytest.mark.parametrize(
    ("name", "remark"),
    [
        ("never settles", "not quiet after 1.5 s"),
        ("opens windows", "popups were blocked"),
        ("allocates", "not quiet after 1.5 s"),
        ("reloads", "to leave the page"),
        ("asks", "1 dialog was blocked"),
    ],
)
def test_a_page_that_does_not_behave_is_read_all_the_same(site: Site, mirror: Mirror, name: str, remark: str) -> None:
    """D7, D8, P7"""
    hostile(site, SCRIPTS[name])
    mirror.crawl(render="always", render_timeout=1.5)
    assert set(mirror.pages) == {"/", "/hostile", "/good/1", "/good/2"}
    assert "What it says before it begins." in mirror.body("/hostile")
    assert any(remark in each for each in mirror.pages["/hostile"]["remarks"])
    assert "remarks" not in mirror.pages["/good/1"]
    assert [hit.path for hit in site.hits if hit.path.startswith(("/popup", "/tab"))] == []
    assert chromiums() == set()


@pytest.mark.parametrize("name", ["takes both", "hangs"])
def test_a_page_that_takes_all_it_can_get_costs_itself_only(site: Site, mirror: Mirror, name: str) -> None:
    """D7, P7: memory without end, the processor without end"""
    hostile(site, SCRIPTS[name])
    begun = time.monotonic()
    mirror.crawl(render="always", render_timeout=1.5)
    assert set(mirror.pages) == {"/", "/good/1", "/good/2"}
    # Where memory ends first the page's process crashes; else it is busy until it is given up.
    assert mirror.listed("failed")["/hostile"] in ("page-hangs", "page-crashed")
    assert "the browser" in mirror.manifest["failed"][0]["detail"]
    assert time.monotonic() - begun < 60
    assert chromiums() == set()


def test_a_page_that_hangs_once_is_asked_for_again(site: Site, mirror: Mirror) -> None:
    """E2: on a machine with too much to do, any page may seem to"""
    site.page("/", "<h1>Slow</h1><p>A page that comes to its senses.</p><script src=/busy.js></script>")

    async def busy(_: Hit) -> Answer:
        first = site.count("/busy.js") == 1
        script = b"addEventListener('load', () => setTimeout(() => { for (;;); }))" if first else b""
        return Answer(200, script, {"Content-Type": "text/javascript"})

    site.on("/busy.js", busy)
    assert mirror.crawl(render="always", render_timeout=1).finished.clean
    assert "comes to its senses" in mirror.body("/")


BREAKING = {
    "a field called matches": "<form><input name=matches></form>",
    "an image called querySelectorAll": "<img name=querySelectorAll>",
    "no some": "<script>Array.prototype.some = null</script>",
    "no startsWith": "<script>String.prototype.startsWith = null</script>",
    "no max": "<script>Math.max = null</script>",
    "no promises": "<script>Promise = null; setTimeout = null</script>",
    "nothing to hold on to": "<script>Function.prototype.call = Function.prototype.apply = null</script>",
    "no styles": "<div style='height: 3000px; overflow: auto'></div><script>window.getComputedStyle = null</script>",
    "no size": (
        "<div style='height: 3000px'></div>"
        "<script>Document.prototype.getElementsByTagName = () => ({length: 'x'})</script>"
    ),
    "frozen": "<script>Object.freeze(window); Object.freeze(Array.prototype)</script>",
    "half a character": "<script>document.body.append('\\ud83d \\\\ud83d'); document.body.title = '\\udc00'</script>",
    "half a route": "<script>history.pushState(0, '', '/hostile?\\ud83d')</script>",
    "half a name": "<div role=button></div><script>document.querySelector('div').append('go \\ud83d')</script>",
}


@pytest.mark.parametrize("part", BREAKING.values(), ids=BREAKING)
def test_a_page_that_breaks_what_reads_it_is_read_all_the_same(site: Site, mirror: Mirror, part: str) -> None:
    """D7, U10: names that take the place of methods, methods that are gone, characters cut in half"""
    hostile(site, "")
    site.page("/hostile", f"<h1>Hostile</h1><p>What it says before it begins.</p><button>Go</button>{part}")
    mirror.crawl(render="always", render_timeout=1.5)
    assert set(mirror.pages) == {"/", "/hostile", "/good/1", "/good/2"}
    assert "What it says before it begins." in mirror.body("/hostile")
    assert chromiums() == set()


def test_a_page_that_goes_elsewhere_is_a_redirect(site: Site, mirror: Mirror) -> None:
    """D7, R8: where it goes is the next URL, and an endless chain of them ends"""
    site.page("/", GOOD, links=["/old", "/hop/0"])
    site.page("/old", "<script>location.replace('/new')</script>")
    site.page("/new", GOOD)

    async def hop(hit: Hit) -> Answer:
        number = int(hit.path.rpartition("/")[2])
        return Page(f"<script>location.href = '/hop/{number + 1}'</script>").answer()

    site.on("/hop/", hop)
    mirror.crawl(render="always")
    assert set(mirror.pages) == {"/", "/new"}
    assert mirror.listed("duplicates")["/old"] == "redirect"
    assert mirror.listed("failed") == {"/hop/10": "redirects"}
