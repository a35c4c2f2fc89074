"""Sites without an end: the crawl ends by itself, keeps what is real, and says what it left out (P7)."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from quire_test_site import Answer, Hit, Page, Quire, Site

if TYPE_CHECKING:
    from tests.crawl.conftest import Mirror

PROSE = " ".join(f"Word{number} of a text that is long enough to be known again." for number in range(8))
OWN = ("/", "/robots.txt", "/sitemap.xml", "/sitemap_index.xml")
REAL = tuple(f"/real/{name}" for name in ("about", "team", "history", "contact", "imprint"))


def build_real_part(site: Site, *ways_in: str) -> None:
    """A few pages that must be there whatever else the site does, and the ways into the trap."""
    site.page("/", "<h1>Start</h1>", links=[*ways_in, *REAL])
    for path in REAL:
        site.page(path, f"<h1>{path}</h1><p>{PROSE}</p>", links=["/", *REAL])


def check_the_truth(site: Site, mirror: Mirror, *, most: int, template: str) -> dict[str, int]:
    """The real part is whole, the trap cost so many requests and no more, and the manifest tells about it."""
    assert {"/", *REAL} <= set(mirror.pages)
    asked = [path for path in site.paths() if path not in (*OWN, *REAL)]
    assert len(asked) == len(set(asked)) <= most
    statistics, traps = mirror.statistics, mirror.manifest["traps"]
    assert mirror.manifest["crawl"]["complete"] is True
    assert statistics["pending_count"] == 0
    refused = statistics["filtered_by"]
    assert refused.get("trap", 0) + refused.get("dead-end", 0) == sum(traps.values()) > 0
    assert any(template in name for name in traps), traps
    counts = [number for name, number in statistics.items() if name.endswith("_count") and name != "filtered_count"]
    assert sum(counts) + statistics["filtered_count"] == statistics["total_urls"]
    return dict(traps)


@pytest.mark.parametrize("shape", ["/cal/{y}/{m:02}", "/cal?year={y}&month={m}", "/cal/{y}-{m:02}.html"])
def test_a_calendar_ends(site: Site, mirror: Mirror, shape: str) -> None:
    """P7, F7"""

    async def month(hit: Hit) -> Answer:
        year, number = map(int, re.findall(r"\d+", hit.path)[:2])
        following = shape.format(y=year + number // 12, m=number % 12 + 1)
        return Page(f"<h1>{year}-{number}</h1><p>{PROSE} In {year}/{number}.</p>", links=[following, "/"]).answer()

    build_real_part(site, shape.format(y=1990, m=1))
    site.on("/cal", month)
    finished = mirror("--trap-budget", "60", "-q")
    assert finished.status == 0, finished.err
    check_the_truth(site, mirror, most=61, template="/cal")


def test_a_calendar_in_which_nothing_happens_ends_sooner(site: Site, mirror: Mirror) -> None:
    """P7: its pages say the same, so that the default budget need not be spent"""

    async def month(hit: Hit) -> Answer:
        number = int(hit.path.removeprefix("/cal?m="))
        return Page(f"<p>Nothing happens. {PROSE}</p>", title="Calendar").answer() if number < 0 else _empty(number)

    def _empty(number: int) -> Answer:
        body = f"<p>Nothing happens. {PROSE} <a href='/cal?m={number + 1}'>Next</a></p>"
        return Page(body, title="Calendar").answer()

    build_real_part(site, "/cal?m=1")
    site.on("/cal", month)
    assert mirror("-q").status == 0
    check_the_truth(site, mirror, most=20, template="the text of")


def test_facets_end(site: Site, mirror: Mirror) -> None:
    """P7: every combination of parameters is another URL; all of one path together have a bound"""
    names = [f"facet{letter}" for letter in "abcdefghij"]

    async def shelf(hit: Hit) -> Answer:
        chosen = dict(re.findall(r"(facet\w)=(\w)", hit.path))
        links = [
            "/shop?" + "&".join(f"{name}={value}" for name, value in sorted((chosen | {name: value}).items()))
            for name, value in itertools.product(names, "xy")
        ]
        return Page(f"<h1>Shelf</h1><p>{PROSE} {hit.path}</p>", links=links).answer()

    build_real_part(site, "/shop")
    site.on("/shop", shelf)
    assert mirror("--trap-budget", "20", "-q").status == 0
    check_the_truth(site, mirror, most=20 * 5 + 1, template="/shop?*")


def test_facets_in_folders_end(site: Site, mirror: Mirror) -> None:
    """P7: the same words in every order"""
    words = ["red", "large", "cotton", "cheap", "new"]

    async def shelf(hit: Hit) -> Answer:
        chosen = hit.path.split("/")[2:]
        links = [f"{hit.path}/{word}" for word in words if word not in chosen]
        return Page(f"<h1>{' '.join(chosen)}</h1><p>{PROSE}</p>", links=links).answer()

    build_real_part(site, "/wear")
    site.on("/wear", shelf)
    assert mirror("--trap-budget", "20", "-q").status == 0
    # 1 + 5 + 20 + 60 + 120 + 120 paths; 32 sets of words.
    check_the_truth(site, mirror, most=120, template="another order")


@pytest.mark.parametrize("shape", ["/S({id})/{page}", "/sid-{id}/{page}", "/{page};sid={id}", "/x/{page}?s={id}"])
def test_session_ids_end(site: Site, mirror: Mirror, shape: str) -> None:
    """P7: each answer gives new ids to all its links, so each page comes back under endless names"""

    def session(seed: str) -> str:
        return f"{crc32(seed.encode()):08x}a1b2c3{crc32(seed[::-1].encode()):08x}"

    async def page(hit: Hit) -> Answer:
        name = next(each for each in ("one", "two", "three") if each in hit.path)
        links = [shape.format(id=session(f"{hit.path}{other}"), page=other) for other in ("one", "two", "three")]
        return Page(
            f"<h1>{name}</h1><p>{PROSE} {name}</p>" + "".join(f"<a href='{each}'>x</a>" for each in links)
        ).answer()

    build_real_part(site, shape.format(id=session("first"), page="one"))
    for prefix in ("/S(", "/sid-", "/one", "/two", "/three", "/x/"):
        site.on(prefix, page)
    assert mirror("-q").status == 0
    check_the_truth(site, mirror, most=150, template="the text of")


def test_an_ever_growing_path_ends(site: Site, mirror: Mirror) -> None:
    """P7: relative links on a server that answers to everything"""

    async def anything(hit: Hit) -> Answer:
        return Page(f"<h1>{hit.path}</h1>", links=["deeper/", "left/", "right/"]).answer()

    build_real_part(site, "/maze/")
    site.on("/maze/", anything)
    finished = mirror("--trap-budget", "100", "-q", timeout=120)
    assert finished.status == 0, finished.err
    traps = check_the_truth(site, mirror, most=5_000, template="repeated")
    assert all("repeated" in name or "order" in name for name in traps)


def test_one_relative_link_too_many_costs_a_few_pages(site: Site, mirror: Mirror) -> None:
    """P7: the usual mistake, a link without its slash"""

    async def anything(hit: Hit) -> Answer:
        return Page(f"<h1>{hit.path}</h1>", links=["docs/guide/"]).answer()

    build_real_part(site, "/docs/")
    site.on("/docs/", anything)
    assert mirror("-q").status == 0
    check_the_truth(site, mirror, most=4, template="repeated: docs/guide/")


@pytest.mark.parametrize("echo", [False, True])
def test_soft_404s_end(site: Site, mirror: Mirror, echo: bool) -> None:
    """P7: pages that are not there answer 200, with links to more that are not; whether or not they name their URL"""

    async def not_found(hit: Hit) -> Answer:
        number = crc32(hit.path.encode())
        names = [re.sub(r"\d", lambda digit: "abcdefghij"[int(digit[0])], f"{number + each}") for each in range(3)]
        said = f"<p>There is no page {hit.path if echo else 'here'}. {PROSE}</p>"
        links = "".join(f"<a href='/lost/{name}'>Try this</a> " for name in names)
        return Page(f"<h1>Sorry</h1>{said}{links}", title="Not found").answer()

    build_real_part(site, "/lost/begin")
    site.on("/lost/", not_found)
    assert mirror("-q", "--trap-budget", "400").status == 0
    check_the_truth(site, mirror, most=1500 if echo else 120, template="titled 'Not found'" if echo else "the text of")


def test_a_site_that_holds_itself_ends(site: Site, mirror: Mirror) -> None:
    """P7: the whole site again below each of some prefixes, and below those again"""
    prefixes = ("en", "old", "copy")

    async def page(hit: Hit) -> Answer:
        *above, name = hit.path.strip("/").split("/")
        base = "".join(f"/{each}" for each in above)
        if name in prefixes:
            base, name = f"{base}/{name}", "home"
        links = [f"{base}/{each}" for each in ("alpha", "beta", "gamma")] + [f"{base}/{each}/" for each in prefixes]
        return Page(
            f"<h1>{name}</h1><p>{PROSE} {name}</p>" + "".join(f"<a href='{each}'>x</a>" for each in links)
        ).answer()

    build_real_part(site, "/alpha")
    for prefix in ("/alpha", "/beta", "/gamma", *(f"/{each}/" for each in prefixes)):
        site.on(prefix, page)
    assert mirror("-q").status == 0
    check_the_truth(site, mirror, most=400, template="the text of")


def test_pages_of_a_list_without_end_end(site: Site, mirror: Mirror) -> None:
    """P7: ?page=N for any N, with other contents each time, and the same in the path"""

    async def listing(hit: Hit) -> Answer:
        number = int(re.findall(r"\d+", hit.path)[0])
        following = hit.path.replace(str(number), str(number + 1))
        return Page(f"<h1>Items {number}</h1><p>{PROSE} {number * 7}</p>", links=[following]).answer()

    build_real_part(site, "/list?page=1", "/archive/page/1")
    site.on("/list", listing)
    site.on("/archive/", listing)
    assert mirror("--trap-budget", "10", "-q").status == 0
    traps = check_the_truth(site, mirror, most=10 + 250 + 2, template="/list?page")
    assert f"127.0.0.1:{site.port}/archive/page/{{n}}" in traps


def test_what_was_cut_is_told_and_can_be_let_in(site: Site, mirror: Mirror, quire: Quire) -> None:
    """P7, C5, F7: in the summary, by `quire why`, and by a second run with --allow-trap"""

    async def listing(hit: Hit) -> Answer:
        number = int(hit.path.removeprefix("/list?page="))
        links = [f"/list?page={number + 1}"] if number < 40 else []
        return Page(f"<h1>Items {number}</h1>", links=links).answer()

    build_real_part(site, "/list?page=1")
    site.on("/list", listing)
    finished = mirror("--trap-budget", "10")
    assert finished.status == 0
    assert "1 URL looks like a trap" in finished.err
    assert "--allow-trap" in finished.err
    told = quire("why", f"{site.url}/list?page=11", "-o", mirror.folder).out
    assert "left out as a trap" in told
    assert "/list?page" in told
    assert "--allow-trap" in told
    site.clear()
    finished = mirror("--trap-budget", "10", "--allow-trap", r"/list\?page=")
    assert finished.status == 0
    assert len([path for path in site.paths() if path.startswith("/list")]) == 30
    assert mirror.manifest["traps"] == {}
    assert len(mirror.pages) == 6 + 40


def test_a_resumed_crawl_remembers_what_it_had_counted(site: Site, mirror: Mirror) -> None:
    """P7, S5: traps stay in the manifest, and copies are counted on"""

    async def not_found(hit: Hit) -> Answer:
        name = re.sub(r"\d", lambda digit: "abcdefghij"[int(digit[0])], f"{crc32(hit.path.encode())}")
        return Page(f"<h1>Sorry</h1><p>{PROSE}</p><a href='/lost/{name}'>Try this</a>", title="Not found").answer()

    build_real_part(site, "/lost/begin", "/list?page=1")

    async def listing(hit: Hit) -> Answer:
        number = int(hit.path.removeprefix("/list?page="))
        return Page(f"<h1>Items {number}</h1>", links=[f"/list?page={number + 1}"]).answer()

    site.on("/lost/", not_found)
    site.on("/list", listing)
    for limit in range(10, 60, 10):
        assert mirror("--trap-budget", "12", "--max-pages", str(limit), "-q").status == 0
    assert mirror("--trap-budget", "12", "-q").status == 0
    traps = check_the_truth(site, mirror, most=12 + 12 + 2, template="/list?page")
    assert any("the text of" in name for name in traps)


def test_what_another_page_leads_to_is_asked_for_whichever_comes_first(
    site: Site, mirror: Mirror, quire: Quire
) -> None:
    """P7, S13: a URL that a page too many was the first to name is still one of the site, in an update as well"""
    site.page("/", links=["/day/1", "/way/1"], etag=True)
    for day in range(1, 10):
        links = f"<a href='/day/{day + 1}'>On</a> <a href='/found/{day}'>More</a>"
        site.page(f"/day/{day}", f"<p>{PROSE}</p>{links}", title="A day", etag=True)
        site.page(f"/found/{day}", f"<p>Found {day}</p>")
    for step in range(1, 30):
        site.page(f"/way/{step}", f"<p>Step {step}</p>", links=[f"/way/{step + 1}"], etag=True)
    site.page("/way/30", "<p>There</p>", links=["/found/7"])
    mirror.crawl()
    found = {path for path in mirror.pages if path.startswith("/found")}
    assert found == {f"/found/{day}" for day in (1, 2, 3, 4, 5, 6, 7)}
    assert "/day/8" not in mirror.pages
    told = quire("why", f"{site.url}/day/8", "-o", mirror.folder).out
    assert "every page that leads to it is one too many of a trap" in told
    site.page("/way/30", "<p>There</p>", links=["/found/7", "/day/8"])
    mirror.crawl(update=True)
    assert {"/found/7", "/day/8"} <= set(mirror.pages)
    assert "/found/8" not in mirror.pages


def test_an_update_goes_no_deeper(site: Site, mirror: Mirror) -> None:
    """P7, S13, F7: pages that have not changed are counted by what is known of them"""
    site.page("/", links=["/day/1"], etag=True)
    for day in range(1, 40):
        site.page(f"/day/{day}", f"<p>{PROSE}</p><a href='/day/{day + 1}'>On</a>", title="A day", etag=True)
    mirror.crawl()
    before = mirror.statistics
    assert before["filtered_by"] == {"dead-end": 1}
    for _ in range(2):
        mirror.crawl(update=True)
        assert mirror.statistics == before


def test_pages_that_only_look_alike_are_kept(site: Site, mirror: Mirror) -> None:
    """P7: an album whose pages say no more than Previous and Next, and placeholders that lead on"""
    site.page("/", links=["/album/photo1.html", "/soon/1"])
    for number in range(1, 60):
        site.page(f"/album/photo{number}.html", f"<a href='photo{number + 1}.html'>Next</a> <a href='/'>Index</a>")
        site.page(f"/soon/{number}", f"<p>This is still to be written.</p><a href='/soon/{number + 1}'>Next</a>")
    assert mirror("-q").status == 0
    assert len(mirror.pages) == 1 + 2 * 59
    assert mirror.manifest["traps"] == {}
