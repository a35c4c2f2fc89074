"""Every behaviour of the crawl-pipeline document, on SQLite and on PostgreSQL; tests name the WHEN line they prove."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from quire_test_site import Site
from quire_test_site.postgres import Cluster
from quire_test_site.service import Service, heard, until


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("service")
    database = None
    if request.param == "postgresql":
        cluster: Cluster = request.getfixturevalue("postgres")
        database = cluster.create()
    running = Service(database, folder).start()
    yield running
    assert running.stop() == 0, running.log()
    assert not [line for line in running.lines() if line["level"] == "error" and "by a bug" in line["message"]]


# WHEN starting a crawl


def test_when_starting_a_crawl_the_project_must_exist(service: Service) -> None:
    """A2"""
    answer = service.http.post(f"/projects/{uuid4()}/phases/crawl/run")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


def test_when_starting_a_crawl_its_status_is_in_progress_and_the_homepage_is_asked_first(
    service: Service, site: Site
) -> None:
    """A2, A4, P1"""
    site.page("/", links=["/a", "/b"])
    site.page("/a")
    site.page("/b")
    site.hang("/")
    project = service.project(site.url + "/")
    assert project.status["status"] == "pending"
    assert project.run()["status"] == "pending"
    site.wait(1, "/")
    state = project.status
    assert (state["status"], state["progress"], state["estimated_total"]) == ("in_progress", 0.0, 200)
    assert project.post("/phases/crawl/run", 409)["status"] == 409
    assert [each["rank"] for each in project.decisions()] == [0]
    site.release("/")
    assert project.wait()["status"] == "completed"
    assert site.asked()[0] == "/"


# WHEN processing URL queue


def test_when_processing_the_url_queue_each_page_is_fetched_once_and_read(service: Service, site: Site) -> None:
    """A5, M4, U3"""
    site.page(
        "/",
        "<main><h1>Welcome</h1><p>Some words to read here.</p></main>",
        title="Shop",
        head='<meta name="description" content="All about us">',
        links=["/a", "/a?utm_source=x", "/a#part", "/a/", "/A", "https://elsewhere.test/"],
    )
    site.page("/a", "<h1>A</h1>")
    project = service.project(site.url + "/")
    state = project.crawl()
    assert (state["status"], state["pages_crawled"]) == ("completed", 2)
    assert sorted(site.asked()) == ["/", "/a"]
    page = project.page("/")
    assert (page["title"], page["h1"], page["meta_description"]) == ("Shop", "Welcome", "All about us")
    assert "Some words to read here." in page["content_text"]
    assert page["markdown"].startswith("# Welcome")
    assert page["word_count"] >= 6
    assert (page["status"], page["error_message"], page["project_id"]) == ("success", None, project.id)
    assert f"{site.url}/a" in page["links_found"]
    assert "https://elsewhere.test/" in page["links_found"]
    assert {each["decision"] for each in project.decisions() if "elsewhere" in each["url"]} == {"external"}


def test_when_processing_the_url_queue_the_heading_may_be_left_to_its_field(service: Service, site: Site) -> None:
    """A3, M4"""
    site.page("/", "<main><h1>Welcome</h1><p>Some words to read here.</p></main>", title="Shop")
    project = service.project(site.url + "/", heading="drop")
    project.crawl()
    page = project.page("/")
    assert (page["title"], page["h1"]) == ("Shop", "Welcome")
    assert page["markdown"].startswith("Some words")
    assert page["content_text"].startswith("Some words")


def test_when_processing_the_url_queue_the_lowest_priority_number_comes_first(service: Service, site: Site) -> None:
    """P1"""
    site.page("/", links=["/other/1", "/wanted/1", "/other/2", "/wanted/2"])
    for path in ("/other/1", "/other/2", "/wanted/1", "/wanted/2"):
        site.page(path)
    project = service.project(site.url + "/", include_patterns="wanted", include_mode="prefer", max_concurrent=1)
    project.crawl()
    assert site.asked() == ["/", "/wanted/1", "/wanted/2", "/other/1", "/other/2"]
    ranks = {each["url"].removeprefix(site.url): each["rank"] for each in project.decisions()}
    assert ranks == {"/": 0, "/wanted/1": 1, "/wanted/2": 1, "/other/1": 2, "/other/2": 2}


# WHEN normalizing URLs


def test_when_normalizing_urls_the_records_are_folded_and_the_requests_are_as_written(
    service: Service, site: Site
) -> None:
    """U3–U5"""
    site.page("/", links=["/About/", "/about?utm_medium=x", "/ABOUT#team", "List?b=2&a=1&gclid=9"])
    site.page("/About/", "<h1>About</h1>")
    site.page("/List", "<h1>List</h1>")
    project = service.project(site.url + "/")
    project.crawl()
    assert sorted(site.asked()) == ["/", "/About/", "/List?b=2&a=1&gclid=9"]
    records = {page["normalized_url"].removeprefix(site.url) for page in project.pages().values()}
    assert records == {"/", "/about", "/list?a=1&b=2"}


# WHEN applying include/exclude patterns


def test_when_applying_include_and_exclude_patterns_exclude_takes_precedence(service: Service, site: Site) -> None:
    """F1, F2, F5, P2"""
    paths = ["/collections/all", "/collections/all/products/x", "/pages/about", "/cart/", "/blog", "/v{1,2}"]
    site.page("/", links=paths)
    for path in paths:
        site.page(path)
    project = service.project(
        site.url + "/", include_patterns="collections, /pages/, v{1,2}$", exclude_patterns="products,cart"
    )
    project.crawl()
    assert sorted(project.pages()) == ["/", "/collections/all", "/pages/about"]
    refused = {each["url"].removeprefix(site.url): each["reason"] for each in project.decisions(decision="filtered")}
    assert refused["/collections/all/products/x"] == "exclude-pattern"
    assert refused["/blog"] == "include-pattern"
    site.clear()
    shopify = service.project(site.url + "/", preset="shopify")
    shopify.crawl()
    assert sorted(shopify.pages()) == ["/", "/collections/all", "/pages/about"]


# WHEN assigning URL priority


def test_when_assigning_url_priority_equal_ones_are_taken_in_order_of_discovery(service: Service, site: Site) -> None:
    """P1"""
    paths = [f"/{name}" for name in ("zebra", "apple", "mango", "kiwi")]
    site.page("/", links=paths)
    for path in paths:
        site.page(path, links=[path + "/below"])
        site.page(path + "/below")
    project = service.project(site.url + "/", max_concurrent=1)
    project.crawl()
    assert site.asked() == ["/", *paths, *(path + "/below" for path in paths)]


# WHEN crawl completes


def test_when_a_crawl_completes_its_statistics_are_stored_and_it_is_broadcast(service: Service, site: Site) -> None:
    """A4, A6"""
    site.page("/", links=["/a", "/gone", "/broken", "/doc.pdf"])
    site.page("/a")
    site.page("/broken", status=500)
    project = service.project(site.url + "/")
    with project.socket(after=0) as socket:
        project.run()
        told = list(heard(socket))
    state = project.status
    assert (state["status"], state["progress"], state["pages_crawled"]) == ("completed", 100.0, 2)
    statistics = state["statistics"]
    assert statistics["pages"] == {"success": 2, "failed": 1, "skipped": 1}
    assert statistics["words"] > 0
    assert statistics["seconds"] > 0
    assert sum(statistics["decisions"].values()) == len(project.decisions())
    assert told[-1]["data"]["statistics"] == statistics
    pages = sorted(each["data"]["url"] for each in told if each["type"] == "page")
    assert pages == [site.url + path for path in ("/", "/a", "/broken", "/gone")]


# WHEN crawl fails


def test_when_a_crawl_fails_its_error_is_told_and_its_pages_are_preserved(service: Service, site: Site) -> None:
    """A4, R11"""
    site.page("/", links=["/a", "/broken"])
    site.page("/a", links=["/b"])
    site.page("/broken", status=500)
    project = service.project(site.url + "/", on_error="abort", max_concurrent=1)
    state = project.crawl()
    assert state["status"] == "failed"
    assert "/broken failed" in state["error"]
    assert project.pages()["/a"]["status"] == "success"
    assert project.events()[-1]["type"] == "failed"
    logged = [line for line in service.lines() if line.get("project") == project.id and line["level"] == "error"]
    assert "/broken failed" in logged[0]["message"]


def test_when_a_crawl_fails_because_the_homepage_cannot_be_reached(service: Service) -> None:
    """R11"""
    with Site() as site:
        url = site.url
    project = service.project(url + "/", retries=0)
    state = project.crawl()
    assert state["status"] == "failed"
    assert "nothing was saved" in state["error"]
    assert state["progress"] < 100


# WHEN running in fetch-only mode


def test_when_running_in_fetch_only_mode_only_the_given_urls_are_processed(service: Service, site: Site) -> None:
    """A3"""
    site.page("/", links=["/a", "/b"])
    site.page("/a", "<h1>Old</h1>", links=["/c"])
    site.page("/b")
    site.page("/c")
    project = service.project(site.url + "/")
    project.crawl()
    site.change("/a", "<h1>New</h1>")
    site.clear()
    state = project.crawl(fetch_only_urls=[site.url + "/a", site.url + "/missing"])
    assert state["status"] == "completed"
    assert sorted(site.asked()) == ["/a", "/missing"]
    assert project.page("/a")["h1"] == "New"
    assert f"{site.url}/c" in project.page("/a")["links_found"]
    assert project.pages()["/missing"]["status"] == "skipped"
    assert len(project.pages()) == 5


# Error handling


def test_connection_errors_are_tried_again_three_times(service: Service, site: Site) -> None:
    """P5"""
    site.page("/", links=["/flaky", "/dead"])
    site.page("/flaky")
    site.page("/dead")
    site.reset("/flaky", times=3)
    site.reset("/dead")
    project = service.project(site.url + "/", retry_delay=0.01)
    project.crawl()
    assert (site.count("/flaky"), site.count("/dead")) == (4, 4)
    pages = project.pages()
    assert (pages["/flaky"]["status"], pages["/dead"]["status"]) == ("success", "failed")
    assert pages["/dead"]["error_message"].startswith("unreachable")


def test_a_404_is_skipped_and_a_500_failed_and_the_crawl_goes_on(service: Service, site: Site) -> None:
    """P6"""
    site.page("/", links=["/gone", "/broken", "/fine"])
    site.page("/broken", status=500)
    site.page("/fine")
    project = service.project(site.url + "/")
    assert project.crawl()["status"] == "completed"
    pages = project.pages()
    assert [pages[path]["status"] for path in ("/gone", "/broken", "/fine")] == ["skipped", "failed", "success"]
    assert "404" in pages["/gone"]["error_message"]
    assert "500" in pages["/broken"]["error_message"]


def test_too_many_requests_pause_the_crawl_and_are_tried_again(service: Service, site: Site) -> None:
    """P4"""
    site.page("/", links=["/a"])
    site.page("/a")
    site.fail("/a", times=1, status=429, headers={"Retry-After": "1"})
    project = service.project(site.url + "/")
    assert project.crawl()["status"] == "completed"
    first, second = [hit.time for hit in site.hits if hit.path == "/a"]
    assert second - first >= 0.95
    assert project.pages()["/a"]["status"] == "success"


def test_urls_blocked_by_robots_are_skipped_unless_told_otherwise(service: Service, site: Site) -> None:
    """F8"""
    site.robots("User-agent: *\nDisallow: /private")
    site.page("/", links=["/private/x"])
    site.page("/private/x")
    project = service.project(site.url + "/")
    project.crawl()
    assert project.pages()["/private/x"]["status"] == "skipped"
    assert "robots" in project.pages()["/private/x"]["error_message"]
    project.crawl(respect_robots_txt=False)
    assert project.pages()["/private/x"]["status"] == "success"


# Configuration and progress


def test_at_most_max_pages_are_saved(service: Service, site: Site) -> None:
    """P7, A3"""
    site.grow(30)
    project = service.project(site.url + "/", max_pages=7)
    state = project.crawl()
    assert (state["status"], state["pages_crawled"], state["progress"]) == ("completed", 7, 100.0)
    assert len(project.pages(status="success")) == 7


def test_requests_are_apart_and_bounded_as_configured(service: Service, site: Site) -> None:
    """P3, A3: delay_seconds between two requests to a host, max_concurrent at once."""
    site.grow(6)
    project = service.project(site.url + "/", delay_seconds=0.1, max_pages=5)
    project.crawl()
    times = sorted(hit.time for hit in site.hits)
    # One request may be late at the server, not all of them.
    assert times[-1] - times[0] >= 0.09 * (len(times) - 1)
    site.clear()
    held = [f"/p/{number}" for number in range(1, 6)]
    for path in held:
        site.hang(path)
    project.run(delay_seconds=0, max_concurrent=2)
    until(lambda: len([path for path in site.paths() if path in held]) == 2, 60)
    for path in held:
        site.release(path)
    project.wait()
    assert site.peak() == 2


def test_progress_never_goes_backwards_and_ends_at_100(service: Service, site: Site) -> None:
    """A4"""
    site.grow(150)
    # Progress is told four times a second: the crawl takes longer than that.
    project = service.project(site.url + "/", max_pages=120, delay_seconds=0.02)
    with project.socket(after=0) as socket:
        project.run()
        told = [each["data"] for each in heard(socket) if "progress" in each.get("data", {})]
    progress = [each["progress"] for each in told]
    assert progress == sorted(progress)
    assert (progress[0], progress[-1]) == (0, 100)
    assert len(set(progress)) > 3
    assert all(each["pages_crawled"] <= each["estimated_total"] <= 120 for each in told if "estimated_total" in each)


def test_a_retry_hides_nothing_of_the_site(service: Service, site: Site) -> None:
    """A2, A8: the views, the filters and a comparison know the site by its last whole crawl"""
    site.page("/", links=["/a", "/shaky", "/worse", "/paper.pdf"])
    site.page("/a")
    site.page("/shaky", status=500)
    site.page("/worse", status=500)
    project = service.project(site.url + "/")
    project.crawl()
    assert project.post("/preview", 200)["changed"] == 0
    site.page("/shaky", "<h1>Well again</h1>")
    project.post("/phases/crawl/retry")
    assert project.wait()["status"] == "completed"
    head = project.get("/survey")["head"]
    assert (head["crawl"]["number"], head["statistics"]["processed_count"], head["statistics"]["failed_count"]) == (
        1,
        3,
        1,
    )
    assert head["statistics"]["total_urls"] == 5
    assert (project.post("/preview", 200)["total"], project.post("/preview", 200)["changed"]) == (5, 0)
    retried, first = project.get("/crawls")["items"]
    compared = project.get("/compare", old=first["id"], new=retried["id"])
    assert (compared["removed"], compared["added"]) == ([], [f"{site.url}/shaky"])
    assert project.get("/survey", crawl_id=retried["id"])["head"]["statistics"]["total_urls"] == 2


def test_failed_pages_are_retried_and_nothing_else(service: Service, site: Site) -> None:
    """A2"""
    site.page("/", links=["/a", "/shaky"])
    site.page("/a")
    site.page("/shaky", status=500)
    project = service.project(site.url + "/")
    project.crawl()
    site.page("/shaky", "<h1>Well again</h1>")
    site.clear()
    project.post("/phases/crawl/retry")
    assert project.wait()["status"] == "completed"
    assert site.asked() == ["/shaky"]
    assert project.page("/shaky")["h1"] == "Well again"
    assert "nothing to retry" in project.post("/phases/crawl/retry", 409)["detail"]


def test_a_cancelled_crawl_stops_and_keeps_its_pages(service: Service, site: Site) -> None:
    """A2, A4"""
    site.page("/", links=["/slow", "/a"])
    site.page("/a")
    site.page("/slow")
    site.hang("/slow")
    project = service.project(site.url + "/")
    project.run()
    until(lambda: "/a" in project.pages(), 30)
    assert project.post("/phases/crawl/cancel")["crawl"]["cancel_requested"]
    state = project.wait()
    assert (state["status"], state["pages_crawled"]) == ("cancelled", 2)
    assert project.events()[-1]["type"] == "cancelled"
    assert project.post("/phases/crawl/cancel", 409)["status"] == 409
    site.release("/slow")


def test_a_redirected_homepage_moves_the_site(service: Service, site: Site) -> None:
    """R1"""
    other = site.url_on("127.0.0.2")
    site.redirect(site.url + "/", other + "/")
    site.page(other + "/", links=["/a"])
    site.page(other + "/a")
    project = service.project(site.url + "/")
    assert project.crawl()["pages_crawled"] == 2
    assert [each["data"]["text"] for each in project.events() if each["type"] == "notice"]
