"""The pages of `quire serve`, in Chromium (A8, A9)."""

from __future__ import annotations

import html
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from playwright.sync_api import Route, expect
from quire_test_site import Site
from quire_test_site.service import Project, Service

if TYPE_CHECKING:
    from tests.dashboard.conftest import Screen

Start = Callable[..., Service]

VIEWS = ("overview", "pages", "tree", "graph", "problems", "charts", "filters", "crawls", "settings", "page/1")
INJECTION = "<img src=x onerror='window.hurt = 1'><script>window.hurt = 2</script>"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(None, tmp_path_factory.mktemp("service")).start()
    yield running
    assert running.stop() == 0, running.log()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """Start a service for one test."""
    started: list[Service] = []

    def start(*args: str, **options: Any) -> Service:
        started.append(Service(None, tmp_path, *args, **options).start())
        return started[-1]

    yield start
    for each in started:
        each.stop()


def build(site: Site, *more: str) -> None:
    words = "<p>" + "word " * 60 + "</p>"
    site.page("/", words, title="Home", links=["/docs/", "/docs/a", "/docs/b", "/broken", "/missing", "/old", *more])
    site.page("/docs/", words, title="Docs", links=["/docs/a", "/missing"])
    site.page("/docs/a", "<p>The same text</p>", title="Alpha", links=["/"])
    site.page("/docs/b", "<p>The same text</p>", title="Beta", links=["/"])
    site.page("/broken", status=500)
    site.redirect("/old", "/docs/a")


@pytest.fixture(scope="module")
def crawled(service: Service) -> Iterator[Project]:
    """A project that was crawled twice, the second time with one page more and another one gone."""
    with Site() as site:
        build(site, "/former")
        site.page("/former", "<p>Former</p>", title="Former")
        project = service.project(f"{site.url}/")
        project.crawl()
        build(site, "/new")
        site.page("/new", "<p>New</p>", title="New")
        project.crawl()
        yield project


def address(service: Service, project: Project, view: str = "") -> str:
    return f"{service.root}/projects/{project.id}#/{view}"


def test_a_service_without_projects_says_so(start: Start, screen: Screen) -> None:
    """A8: the empty state, and the one without a service"""
    running = start()
    screen.page.goto(running.root)
    expect(screen.page.get_by_text("No projects yet")).to_be_visible()
    running.stop()
    screen.page.get_by_label("Name").fill("A name")
    screen.page.get_by_role("button", name="Create").click()
    expect(screen.page.get_by_text("The service does not answer")).to_be_visible()


def test_a_project_is_made_started_watched_and_stopped(service: Service, site: Site, screen: Screen) -> None:
    """A1, A2, A6, A8: with the API's own words for what is wrong"""
    site.page("/", title="Home", links=["/a", "/bad", "/slow", "/later"])
    site.page("/bad", status=500)
    for path in ("/a", "/slow", "/later"):
        site.page(path, f"<p>{path}</p>", title=f"Page {path}")
    site.hang("/slow")
    site.hang("/later")
    page = screen.page
    page.goto(service.root)
    page.get_by_label("Name").fill("My site")
    page.get_by_label("Website").fill("not-an-address")
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".setting", has=page.get_by_label("Website")).locator(".wrong")).not_to_be_empty()
    page.get_by_label("Website").fill(f"{site.url}/")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_text("Not crawled yet").first).to_be_visible()
    screen.view("settings")
    page.get_by_label("Most pages").fill("5000")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("less than or equal to 1000")).to_be_visible()
    page.get_by_label("Most pages").fill("50")
    page.get_by_label("Requests at once").fill("1")
    page.get_by_label("Seconds between requests").fill("0")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. The next crawl uses it.")).to_be_visible()
    screen.view("overview")
    page.get_by_role("button", name="Start crawl").click()
    expect(page.locator(".latest")).to_contain_text("Page /a")
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.locator(".connection")).to_have_text("Live")
    tiles = page.locator(".live .tile")
    expect(tiles).to_contain_text(["Pages", "Rate", "Queue", re.compile(r"Errors\s*1"), re.compile(r"Left.*estimated")])
    assert screen.shifted < 0.1
    assert screen.violations() == []
    screen.view("charts")
    saved = page.locator("figure", has_text="What became of the URLs").locator("li", has_text="Saved").locator(".value")
    expect(saved).to_have_text("2")
    site.release("/slow")
    expect(saved).to_have_text("3")
    screen.view("overview")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("header .badge")).to_have_text("Cancelled", timeout=15_000)
    expect(page.get_by_text("URLs seen")).to_be_visible()
    site.release("/later")
    assert [each for each in screen.complaints if "422" not in each] == []


def test_the_table_goes_on_by_keyset(service: Service, site: Site, screen: Screen) -> None:
    """A2, A8: forwards, back, searched, sorted, by decision"""
    site.page("/", title="Home", links=[f"/p/{number:03}" for number in range(70)])
    for number in range(70):
        site.page(f"/p/{number:03}", f"<p>{'word ' * (number + 1)}</p>", title=f"Page {number:03}")
    project = service.project(f"{site.url}/")
    project.crawl()
    screen.open(address(service, project, "pages"))
    titles = screen.page.locator("tbody .title")
    expect(titles).to_have_count(50)
    for key in ("/", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Enter"):
        screen.page.keyboard.press(key)
    expect(screen.page.get_by_role("heading", name="Page 000").first).to_be_visible()
    screen.page.go_back()
    expect(titles).to_have_count(50)
    first = titles.first.inner_text()
    screen.page.get_by_role("button", name="Next").click()
    expect(titles).to_have_count(21)
    screen.page.get_by_role("button", name="Previous").click()
    expect(titles).to_have_count(50)
    assert titles.first.inner_text() == first
    screen.page.get_by_role("button", name="Words").click()
    expect(titles.nth(1)).to_have_text("Page 069")
    screen.page.get_by_label("Search").fill("Page 042")
    expect(titles).to_have_text(["Home", "Page 042"])
    screen.page.get_by_label("Search").fill("")
    screen.page.get_by_label("Show").select_option("failed")
    expect(screen.page.get_by_text("No page matches")).to_be_visible()


def test_what_a_site_says_is_shown_as_text(service: Service, site: Site, screen: Screen) -> None:
    """A9: in titles, in Markdown, in links, and in what failed"""
    head = f'<meta name="description" content="{html.escape(INJECTION)}">'
    code = f"<pre><code>{html.escape(INJECTION)}</code></pre>"
    links = '<a href="javascript:window.hurt = 3">do not</a> <a href="/next">next</a>'
    table = f"<table><tr><th>{html.escape(INJECTION)}</th></tr><tr><td>cell</td></tr></table>"
    body = f"<h1>{html.escape(INJECTION)}</h1><p>{html.escape(INJECTION)} {links}</p>{code}{table}"
    site.page("/", body, title=INJECTION, head=head, links=[f"/broken?{INJECTION}"])
    site.page("/broken", status=500)
    site.page("/next", "<p>Next</p>")
    project = service.project(f"{site.url}/")
    service.http.patch(f"/projects/{project.id}", json={"name": INJECTION})
    project.crawl()
    screen.open(address(service, project, "page/0"))
    shown = screen.text()
    assert shown.count("<script>window.hurt = 2</script>") >= 4
    for view in VIEWS[:-1]:
        screen.view(view)
        screen.page.wait_for_selector("main > :nth-child(2)")
    assert screen.page.locator("a[href^=javascript]").count() == 0
    assert screen.page.locator("main img, main script").count() == 0
    assert screen.page.evaluate("window.hurt") is None
    screen.page.goto(service.root)
    expect(screen.page.get_by_text(INJECTION).first).to_be_visible()
    assert screen.page.evaluate("window.hurt") is None
    assert screen.complaints == []


def test_what_failed_is_told_retried_and_deleted(service: Service, site: Site, screen: Screen) -> None:
    """A2, A8: with the reason; a view that takes its time says so"""
    site.page("/", title="Home", links=["/broken"])
    site.page("/broken", status=500)
    project = service.project(f"{site.url}/")
    project.crawl()
    held: list[Route] = []
    screen.page.route("**/survey", lambda route: held.append(route))  # noqa: PLW0108 - given attributes
    screen.open(address(service, project, "pages?state=failed"))
    screen.page.get_by_role("link", name="/broken").click()
    expect(screen.page.locator(".facts")).to_contain_text("http-500")
    expect(screen.page.get_by_text("Loading…")).to_be_visible()
    held[0].continue_()
    expect(screen.page.get_by_role("heading", name="Linked from 1")).to_be_visible()
    screen.page.unroute("**/survey")
    site.page("/broken", "<p>Mended</p>", title="Mended")
    retry = screen.page.get_by_role("button", name="Retry failed")
    retry.click()
    expect(retry).to_be_hidden()
    assert project.wait()["status"] == "completed"
    expect(screen.page.locator("header.top .badge")).to_have_text("Completed")
    assert [hit.path for hit in site.hits].count("/") == 1
    screen.view("pages")
    expect(screen.page.locator("tbody")).to_contain_text("Mended")
    screen.view("overview")
    expect(screen.page.get_by_role("heading", name="2 URLs seen")).to_be_visible()
    expect(screen.page.get_by_text("Nothing failed.")).to_be_visible()
    screen.view("crawls")
    expect(screen.page.locator("tbody tr").first).to_contain_text("1 URL only")
    screen.view("settings")
    screen.page.get_by_role("button", name="Delete this project").click()
    screen.page.get_by_role("button", name="Yes, delete everything").click()
    expect(screen.page.get_by_role("heading", name="New project")).to_be_visible()
    assert service.http.get(f"/projects/{project.id}").status_code == 404


@pytest.mark.parametrize("device", ["screen", "phone"])
def test_everybody_can_use_it(service: Service, crawled: Project, device: str, request: pytest.FixtureRequest) -> None:
    """A8: axe-core finds nothing, light on a desktop and dark on a phone, and nothing is wider than the screen"""
    seen: Screen = request.getfixturevalue(device)
    seen.open(address(service, crawled))
    for view in VIEWS:
        seen.view(view)
        assert seen.violations() == []
        assert not seen.overflows
    assert seen.shifted < 0.1
    assert seen.complaints == []
    assert all(url.startswith((service.root, "data:")) for url in seen.requests)


def test_nothing_moves_on_a_slow_phone(service: Service, crawled: Project, phone: Screen) -> None:
    """A8: the events of a crawl that is over come again with every new line, and change nothing"""
    tools = phone.page.context.new_cdp_session(phone.page)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    phone.open(address(service, crawled))
    for view in VIEWS:
        phone.view(view)
    assert phone.shifted == 0


def test_the_list_of_projects_is_usable_too(service: Service, crawled: Project, phone: Screen) -> None:
    """A8"""
    phone.page.goto(service.root)
    expect(phone.page.get_by_role("heading", name="New project")).to_be_visible()
    assert phone.violations() == []
    assert not phone.overflows
    phone.page.locator(f"a[href='/projects/{crawled.id}']").click()
    expect(phone.page.get_by_role("navigation", name="Views")).to_be_visible()


def test_views_show_the_last_crawl(service: Service, crawled: Project, screen: Screen) -> None:
    """A8: the same views as the report's, with the service's data"""
    screen.open(address(service, crawled))
    assert "8 URLs seen" in screen.text()
    screen.view("tree")
    assert re.search(r"docs\s+page\s+3\s+pages", screen.text())
    screen.view("problems/broken")
    assert "/missing" in screen.text()
    screen.view("problems/equal")
    assert "Alpha" in screen.text()
    screen.view("problems/redirects")
    assert "/old" in screen.text()
    screen.view("graph")
    assert screen.page.locator(".node").count() >= 5
    screen.view("charts")
    screen.check_charts()
    screen.view("pages")
    screen.page.get_by_role("link", name="Alpha").click()
    expect(screen.page.get_by_role("heading", name="Content", exact=True)).to_be_visible()
    text = screen.text()
    for words in ("The same text", "Linked from 2", "Same content as 1", "How it was found"):
        assert words in text
    assert re.search(r"Fetched by\s+http\s+Answered in\s+\d+ ms", text)
    visits = screen.page.get_by_role("region", name="History").locator("tbody tr")
    expect(visits).to_contain_text(["the same", "new"])
    screen.page.get_by_role("button", name="Show the Markdown itself").click()
    expect(screen.page.locator("pre[aria-label='Markdown source']")).to_be_visible()


def test_filters_are_previewed_as_they_are_typed(service: Service, crawled: Project, screen: Screen) -> None:
    """F1, F6, A8"""
    screen.open(address(service, crawled, "filters"))
    preview = screen.page.get_by_role("region", name="Preview")
    expect(preview).to_contain_text("8 of 8 URLs")
    screen.page.get_by_label("Exclude paths").fill("/docs")
    expect(preview).to_contain_text("left out by exclude-paths")
    expect(preview).to_contain_text("5 of 8 URLs")
    screen.page.get_by_label("Exclude paths").fill("")
    screen.page.get_by_label("Include patterns").fill("[a")
    expect(screen.page.locator(".setting .wrong", has_text="not a regular expression")).to_be_visible()
    assert screen.page.get_by_label("Include patterns").get_attribute("aria-invalid") == "true"
    screen.page.get_by_label("Include patterns").fill("docs")
    screen.page.get_by_role("button", name="Save for the next crawl").click()
    expect(screen.page.get_by_text("Saved.")).to_be_visible()
    assert crawled.get()["settings"]["include_patterns"] == "docs"


def test_a_crawl_that_saved_nothing_is_not_praised(service: Service, site: Site, screen: Screen) -> None:
    """A8: what went wrong is said once, and there is no page to judge"""
    site.page("/robots.txt", status=503)
    project = service.project(f"{site.url}/", retries=0)
    project.crawl()
    screen.open(address(service, project))
    text = screen.text()
    assert text.count("nothing was saved:") == 1
    assert "it was stopped by an error. Nothing was saved." in text
    assert "There is no page to judge." in text
    assert "Nothing failed" not in text


def test_all_crawls_are_listed(service: Service, site: Site, screen: Screen) -> None:
    """A8: fifty at a time"""
    site.page("/", title="Home")
    project = service.project(f"{site.url}/", delay_seconds=0, discover="links", respect_robots_txt=False)
    for _ in range(52):
        project.crawl()
    screen.open(address(service, project, "crawls"))
    rows = screen.page.locator("table.crawls tbody tr")
    expect(rows).to_have_count(50)
    screen.page.get_by_role("button", name="Show older crawls").click()
    expect(rows).to_have_count(52)
    expect(screen.page.get_by_role("button", name="Show older crawls")).to_be_hidden()


def test_many_projects_are_listed_newest_first_with_one_request(start: Start, screen: Screen) -> None:
    """A1, A8"""
    running = start()
    for number in range(60):
        running.http.post("/projects", json={"name": f"Site {number}", "website_url": "https://example.com/"})
    screen.page.goto(running.root)
    cards = screen.page.locator(".project h2")
    expect(cards).to_have_count(50)
    expect(cards.first).to_have_text("Site 59")
    screen.page.get_by_role("button", name="Show more").click()
    expect(cards).to_have_count(60)
    assert len([url for url in screen.requests if "/api/v1/projects" in url]) == 2


def test_two_crawls_are_compared(service: Service, crawled: Project, screen: Screen) -> None:
    """A8: also from what a page's history says has changed"""
    screen.open(address(service, crawled, "pages"))
    screen.page.get_by_role("link", name="Home").click()
    screen.page.get_by_role("region", name="History").get_by_role("link", name="changed").click()
    expect(screen.page.locator(".diff ins")).to_contain_text(["new"])
    screen.view("crawls")
    screen.page.get_by_role("button", name="Compare").click()
    expect(screen.page.get_by_role("heading", name="Added 1")).to_be_visible()
    expect(screen.page.get_by_role("heading", name="Removed 1")).to_be_visible()
    assert "/new" in screen.text()
    assert "/former" in screen.text()
    expect(screen.page.get_by_role("heading", name="Changed 1")).to_be_visible()
    screen.page.locator(".change summary").click()
    expect(screen.page.locator(".diff ins")).to_contain_text(["new"])
    assert screen.violations() == []


def test_an_earlier_crawl_can_be_looked_at(service: Service, crawled: Project, phone: Screen) -> None:
    """A8: its own pages, decisions, links and texts, in all views that show a crawl as a whole"""
    phone.open(address(service, crawled, "crawls"))
    phone.page.get_by_role("link", name="Look at crawl 1").click()
    expect(phone.page.get_by_text("This is crawl 1 of")).to_be_visible()
    phone.settle()
    assert "8 URLs seen" in phone.text()
    phone.view("pages")
    assert phone.page.locator("tbody .title").all_inner_texts() == ["Home", "Docs", "Alpha", "Beta", "Former"]
    phone.page.get_by_role("link", name="Home").click()
    expect(phone.page.get_by_role("heading", name="Links to 7")).to_be_visible()
    content = phone.page.locator(".markdown")
    expect(content).to_contain_text("word")
    expect(content).not_to_contain_text("/new")
    phone.view("graph")
    assert phone.page.locator(".edge").count() >= 4
    phone.view("charts")
    phone.check_charts()
    phone.view("problems/broken")
    assert "/missing" in phone.text()
    assert phone.violations() == []
    assert not phone.overflows
    assert phone.complaints == []
    phone.page.get_by_role("link", name="Back to the project").click()
    expect(phone.page.get_by_role("button", name="Start crawl")).to_be_visible()


def test_a_lost_line_is_shown_and_found_again(site: Site, start: Start, screen: Screen) -> None:
    """A6, A7, A8: the service is killed and started again while a crawl runs"""
    site.page("/", title="Home", links=["/slow"])
    site.page("/slow", "<p>Slow</p>", title="Slow page")
    site.hang("/slow")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    running = start("--port", port, "--lease-seconds", "1")
    project = running.project(f"{site.url}/")
    project.run()
    screen.open(address(running, project))
    line = screen.page.locator(".connection")
    expect(line).to_have_text("Live")
    expect(screen.page.locator(".latest")).to_contain_text("Home")
    running.kill()
    running.http.close()
    expect(line).to_have_text("Disconnected: trying again…")
    screen.view("pages")
    expect(screen.page.get_by_role("button", name="Try again")).to_be_visible()
    running.start()
    site.release("/slow")
    screen.page.get_by_role("button", name="Try again").click()
    expect(screen.page.locator("tbody")).to_contain_text("Home")
    screen.view("overview")
    state = project.on(running).wait()
    assert state["status"] == "completed", state["error"]
    expect(screen.page.locator("header .badge")).to_have_text("Completed", timeout=30_000)


def test_a_service_with_a_token_asks_for_it(start: Start, screen: Screen) -> None:
    """A9: nothing of a project is in the page before; the API stays closed"""
    running = start(env={"QUIRE_TOKEN": "a secret"})
    screen.page.goto(running.root)
    dialog = screen.page.get_by_role("dialog")
    for token in ("wrong", "a secret"):
        dialog.get_by_label("Token").fill(token)
        dialog.get_by_role("button", name="Go on").click()
    expect(screen.page.get_by_text("No projects yet")).to_be_visible()
    assert running.http.get("/projects").status_code == 401


def test_scripts_and_styles_are_kept_by_browsers(service: Service) -> None:
    """A8: one of each, which is asked for again but not sent again"""
    for name in ("service.js", "service.css"):
        first = httpx.get(f"{service.root}/static/{name}")
        again = httpx.get(f"{service.root}/static/{name}", headers={"If-None-Match": first.headers["etag"]})
        assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_the_policy_lets_no_other_script_run(service: Service, screen: Screen) -> None:
    """A9"""
    answer = screen.page.goto(service.root)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    screen.page.evaluate(
        """() => { const added = document.createElement("script"); added.textContent = "window.hurt = 1";
                   document.body.append(added); }"""
    )
    assert screen.page.evaluate("window.hurt") is None
