"""`_report.html`, opened from disk in Chromium (A8)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from quire_test_site import Quire, Site

if TYPE_CHECKING:
    from tests.dashboard.conftest import Screen

VIEWS = ("overview", "pages", "pages?state=all", "tree", "graph", "problems", "charts", "page/1")
INJECTIONS = (
    "<script>window.hurt = 1</script>",
    "</script><script>window.hurt = 2</script>",
    "<img src=x onerror='window.hurt = 3'>",
    "<!--<script>",
    "]]><svg onload=window.hurt=4>",
    "{{7*7}} ${7*7}",
)


def mirror(site: Site, folder: Path, *options: str) -> str:
    """Mirror the site and return the report's address."""
    command = Quire(folder)
    command("mirror", f"{site.url}/", "-o", folder / "m", "--delay", "0", "--workers", "1", "-q", *options)
    command.close()
    return (folder / "m" / "_report.html").as_uri()


def build(site: Site) -> None:
    words = "word " * 80
    site.page("/", words, title="Home", links=["/docs/", "/docs/a", "/docs/b", "/broken", "/missing", "/old", "/bare"])
    site.page("/docs/", words, title="Docs", links=["/docs/a", "/docs/b", "/missing"])
    site.page("/docs/a", f"<p>The same {words}</p>", title="Alpha", links=["/"])
    site.page("/docs/b", f"<p>The same {words}</p>", title="Beta", links=["/"])
    site.page("/bare", "<p>Few words</p>", title="")
    site.page("/broken", status=500)
    site.redirect("/old", "/docs/a")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The report of a small site with one of everything."""
    with Site() as site:
        build(site)
        yield mirror(site, tmp_path_factory.mktemp("report"))


def test_it_opens_from_disk_and_asks_for_nothing(report: str, screen: Screen) -> None:
    """A8: one file, no request to any host, and nothing to complain about in any view"""
    screen.open(report)
    for view in VIEWS:
        screen.view(view)
    assert {url.partition("#")[0] for url in screen.requests} == {report}
    assert screen.complaints == []


def test_the_policy_lets_only_its_own_script_run(report: str, screen: Screen) -> None:
    """A9: no unsafe-inline, no eval, no other host; what is added to the page does not run"""
    screen.open(report)
    policy = screen.page.get_attribute("meta[http-equiv]", "content") or ""
    assert re.fullmatch(r"default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; .*", policy)
    assert "unsafe" not in policy
    screen.page.evaluate(
        """() => { const added = document.createElement("script"); added.textContent = "window.hurt = 1";
                   document.body.append(added); }"""
    )
    assert screen.page.evaluate("window.hurt") is None
    assert any("Content Security Policy" in each for each in screen.complaints)


def test_what_a_site_says_is_shown_as_text(site: Site, tmp_path: Path, screen: Screen) -> None:
    """A9: scripts in titles, descriptions, URLs and content do nothing and can be read"""
    paths = [f"/p{number}?q={text}" for number, text in enumerate(INJECTIONS)]
    site.page("/", "<p>Home</p>", title="Home", links=paths)
    for number, text in enumerate(INJECTIONS):
        head = f'<meta name="description" content="{html.escape(text)}">'
        site.page(f"/p{number}", f"<p>{html.escape(text)}</p>", title=text, head=head)
    screen.open(mirror(site, tmp_path, "--query", "all"))
    screen.view("pages")
    shown = screen.text()
    assert [text for text in INJECTIONS if text not in shown] == []
    for view in (*VIEWS, *(f"page/{number}" for number in range(len(INJECTIONS) + 1))):
        screen.view(view)
        assert screen.page.locator("main script, main img, main iframe").count() == 0
    assert screen.page.evaluate("window.hurt") is None
    assert screen.complaints == []
    assert all(url.startswith("file:") for url in screen.requests)


@pytest.mark.parametrize("device", ["screen", "phone"])
def test_everybody_can_use_it(report: str, device: str, request: pytest.FixtureRequest) -> None:
    """A8: axe-core finds nothing, light on a desktop and dark on a phone, and nothing is wider than the screen"""
    seen: Screen = request.getfixturevalue(device)
    seen.open(report)
    for view in VIEWS:
        seen.view(view)
        assert seen.violations() == []
        assert not seen.overflows
    assert seen.shifted < 0.1


def test_the_overview_counts_what_the_manifest_counts(report: str, screen: Screen) -> None:
    """F7, A8"""
    screen.open(report)
    text = screen.text()
    assert "8 URLs seen" in text
    assert re.search(r"Pages\s+5\s+saved", text)
    assert re.search(r"Failed 1\b", text)
    assert "1 URL failed." in text
    # The crawl's times are whole seconds.
    assert re.search(r"Duration\s+(< 1|\d+) s\b", text)


def test_the_table_is_searched_filtered_and_sorted(report: str, screen: Screen) -> None:
    """A8"""
    screen.open(f"{report}#/pages")
    titles = screen.page.locator("tbody .title")
    assert titles.all_inner_texts() == ["Home", "/bare", "Docs", "Alpha", "Beta"]
    screen.page.get_by_role("button", name="Words").click()
    screen.settle()
    assert titles.all_inner_texts()[-1] == "/bare"
    assert screen.page.locator("th[aria-sort=descending]").inner_text().startswith("Words")
    screen.page.get_by_label("Search").fill("alp")
    expect(titles).to_have_text(["Alpha"])
    screen.page.get_by_label("Search").fill("nothing like this")
    screen.page.get_by_text("No page matches").wait_for()
    screen.page.get_by_label("Search").fill("")
    screen.page.get_by_label("Show").select_option("failed")
    expect(screen.page.locator("tbody")).to_contain_text("http-500")
    assert "state=failed" in screen.page.url


def test_it_is_used_without_a_mouse(report: str, screen: Screen) -> None:
    """A8: `/` searches, arrows go from row to row, Enter opens; the tree has the keys that trees have"""
    screen.open(f"{report}#/overview")
    keys = screen.page.keyboard
    keys.press("/")
    screen.page.wait_for_selector("#search:focus")
    screen.page.wait_for_selector("tbody a")
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("Enter")
    screen.page.get_by_text("About this page").wait_for()
    assert "/bare" in screen.text()
    screen.view("tree")
    screen.page.locator("[role=treeitem]").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        keys.press(key)
    focused = screen.page.locator("[role=treeitem]:focus .name")
    assert focused.inner_text() == "a"
    keys.press("ArrowLeft")
    assert focused.inner_text() == "docs"
    keys.press("Enter")
    screen.page.get_by_text("About this page").wait_for()
    assert "Docs" in screen.text("h2:not(.sr)")


def test_a_page_tells_its_links_and_how_it_was_found(report: str, screen: Screen) -> None:
    """A8, C5"""
    screen.open(f"{report}#/pages")
    screen.page.get_by_role("link", name="Alpha").click()
    screen.page.get_by_text("Linked from").wait_for()
    text = screen.text()
    for words in ("Links to 1", "Linked from 2", "Same content as 1", "How it was found", "docs/a/index.md"):
        assert words in text


def test_names_in_any_alphabet_can_be_read(site: Site, tmp_path: Path, screen: Screen) -> None:
    """A8: those of the tree, unless something in them would not be seen"""
    paths = ["/%E6%97%A5%E6%9C%AC/a", "/%C3%BCber/a", "/zero%E2%80%8Dwidth/a", "/a%2Fb/a"]
    site.page("/", "<p>Home</p>", links=paths)
    for path in paths:
        site.page(path, f"<p>{path}</p>")
    screen.open(mirror(site, tmp_path))
    screen.view("tree")
    names = screen.page.locator(".tree .name").all_inner_texts()
    assert {"日本", "über", "zero%E2%80%8Dwidth", "a%2Fb"} <= {name.strip() for name in names}


@pytest.mark.parametrize("device", ["screen", "phone"])
def test_no_label_of_a_chart_lies_on_another(
    site: Site, tmp_path: Path, device: str, request: pytest.FixtureRequest
) -> None:
    """A8: where there are pages of all sizes"""
    site.page("/", f"<p>{'longer words ' * 100_000}</p>", links=["/small"])
    site.page("/small", "<p>Small</p>")
    seen: Screen = request.getfixturevalue(device)
    seen.open(f"{mirror(site, tmp_path)}#/charts")
    seen.settle()
    for figure in seen.page.locator("figure").all():
        boxes = [box for tick in figure.locator("text.tick[text-anchor=middle]").all() if (box := tick.bounding_box())]
        for left, right in pairwise(sorted(boxes, key=lambda box: box["x"])):
            assert left["x"] + left["width"] <= right["x"]


def test_charts_count_the_pages(report: str, screen: Screen) -> None:
    """A8: each with its numbers as a table"""
    screen.open(f"{report}#/charts")
    screen.check_charts()
    for title in ("Links from the start page", "Words on a page", "Size of the Markdown", "Response times"):
        figure = screen.page.locator("figure", has_text=title)
        figure.get_by_text("As a table").click()
        assert figure.locator("tfoot td").inner_text() == "5"


def test_problems_name_the_pages_that_have_them(report: str, screen: Screen) -> None:
    """A8: broken links with the pages that hold them, redirects with their targets, equal content, thin pages"""
    screen.open(f"{report}#/problems/broken")
    text = screen.text()
    assert "/broken" in text
    assert "/missing" in text
    held = screen.page.locator("li", has=screen.page.get_by_text("/missing", exact=True)).last
    held.locator("summary").click()
    assert "on 2 pages" in held.inner_text()
    assert "Docs" in held.inner_text()
    screen.view("problems/redirects")
    assert "/old" in screen.text()
    assert "Alpha" in screen.text()
    screen.view("problems/equal")
    assert screen.page.locator(".problem-list > li").count() == 2
    for kind in ("untitled", "thin"):
        screen.view(f"problems/{kind}")
        assert screen.page.locator(".problem-list .url").all_inner_texts() == ["/bare"]
    screen.view("problems/failed")
    assert "http-500" in screen.text()
    screen.view("problems/undescribed")
    assert screen.page.locator(".problem-list > li").count() == 5


def test_the_graph_zooms_and_opens(report: str, screen: Screen) -> None:
    """A8"""
    screen.open(f"{report}#/graph")
    before = screen.page.get_attribute(".stage svg", "viewBox")
    screen.page.get_by_role("button", name="Zoom in").click()
    assert screen.page.get_attribute(".stage svg", "viewBox") != before
    screen.page.get_by_label("Colour").select_option("depth")
    assert screen.page.locator(".node.depth1").count() > 0
    screen.page.locator(".node[data-path$='/docs/a']").focus()
    screen.page.keyboard.press("Enter")
    screen.page.get_by_text("About this page").wait_for()


def test_the_theme_follows_the_system_until_it_is_chosen(report: str, phone: Screen) -> None:
    """A8"""
    phone.open(report)
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = phone.page.evaluate(colour)
    phone.page.get_by_role("button", name="Theme: system").click()
    assert phone.page.evaluate(colour) != dark
    phone.page.get_by_role("button", name="Theme: light").click()
    assert phone.page.evaluate(colour) == dark
