"""The API over HTTP: projects, lists, problems, safety, operations (A1–A3, A9, A10)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from fastapi import FastAPI
from quire_test_site import Quire, Site
from quire_test_site.service import Serve, Service, heard, until
from starlette.responses import PlainTextResponse
from starlette.types import Message
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from quire.service.guard import Guard
from quire.service.metrics import Metrics
from quire.service.options import Options
from quire.service.problems import handle

NAMED = {"name": "Shop", "website_url": "https://shop.test/"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(None, tmp_path_factory.mktemp("service")).start()
    yield running
    assert running.stop() == 0, running.log()
    assert not [line for line in running.lines() if line["level"] == "error"]


def problem(answer: httpx.Response, status: int) -> Any:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found = answer.json()
    assert found["status"] == status
    assert found["title"]
    return found


def test_projects_are_created_listed_changed_and_deleted(service: Service) -> None:
    """A1"""
    created = service.http.post("/projects", json=NAMED | {"settings": {"max_pages": 20}})
    assert created.status_code == 201
    project = created.json()
    path = created.headers["location"].removeprefix("/api/v1")
    assert path == f"/projects/{project['id']}"
    assert (project["name"], project["website_url"], project["crawl_status"]) == (*NAMED.values(), "pending")
    assert project["settings"]["max_pages"] == 20
    changed = service.http.patch(path, json={"name": "Market", "settings": {"max_pages": 30}}).json()
    assert (changed["name"], changed["website_url"]) == ("Market", NAMED["website_url"])
    assert changed["settings"]["max_pages"] == 30
    assert service.http.get(path).json() == changed
    assert service.http.delete(path).status_code == 204
    problem(service.http.get(path), 404)
    problem(service.http.delete(path), 404)
    problem(service.http.patch(path, json={"name": "x"}), 404)


def test_the_list_of_projects_has_parts(service: Service) -> None:
    """A1"""
    made = [service.http.post("/projects", json=NAMED).json()["id"] for _ in range(5)]
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        part = service.http.get("/projects", params={"limit": 2, **cursor}).json()
        assert len(part["items"]) <= 2
        found += [each["id"] for each in part["items"]]
        if part["next_cursor"] is None:
            break
        cursor = {"cursor": part["next_cursor"]}
    assert [id for id in found if id in made] == made
    assert len(set(found)) == len(found)
    newest = service.http.get("/projects", params={"order": "desc", "limit": 2}).json()
    assert [each["id"] for each in newest["items"]] == made[:-3:-1]
    assert newest["items"][0] == service.http.get(f"/projects/{made[-1]}").json()
    problem(service.http.get("/projects", params={"cursor": newest["next_cursor"]}), 422)


def test_an_address_or_a_body_that_is_none_is_told_in_words(service: Service) -> None:
    """A9"""
    refused = service.http.post("/projects", json=NAMED | {"website_url": "example.com"}).json()
    assert refused["errors"] == [
        {"field": "website_url", "message": "not a web address; give one like https://example.com/docs/"}
    ]
    refused = service.http.post("/projects", content="{'name'", headers={"Content-Type": "application/json"}).json()
    assert [error["field"] for error in refused["errors"]] == ["body"]
    assert refused["detail"].startswith("body: not JSON (")
    assert service.http.post("/projects", json=[]).json()["detail"] == "body: not a JSON object"
    as_a_form = {"Content-Type": "application/x-www-form-urlencoded"}
    refused = service.http.post("/projects", content=json.dumps(NAMED), headers=as_a_form).json()
    assert refused["detail"] == "body: send it with the header Content-Type: application/json"


def test_settings_have_the_defaults_and_bounds_of_the_source(service: Service) -> None:
    """A3, P7"""
    settings = service.http.post("/projects", json=NAMED).json()["settings"]
    source = {
        "max_pages": 200,
        "include_patterns": "",
        "exclude_patterns": "",
        "max_concurrent": 5,
        "delay_seconds": 0.5,
        "fetch_only_urls": None,
        "respect_robots_txt": True,
    }
    assert {name: settings[name] for name in source} == source
    assert service.http.post("/projects", json=NAMED | {"settings": {"max_pages": 1000}}).status_code == 201


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("name", {"website_url": "https://shop.test/"}),
        ("name", NAMED | {"name": " "}),
        ("name", NAMED | {"name": "a\0b"}),
        ("name", NAMED | {"name": "\ud800"}),
        ("website_url", NAMED | {"website_url": "ftp://shop.test/"}),
        ("website_url", NAMED | {"website_url": "https://user:secret@shop.test/"}),
        ("website_url", NAMED | {"website_url": "file:///etc/passwd"}),
        ("colour", NAMED | {"colour": "red"}),
        ("settings.max_pages", NAMED | {"settings": {"max_pages": 1001}}),
        ("settings.max_pages", NAMED | {"settings": {"max_pages": 0}}),
        ("settings.max_pages", NAMED | {"settings": {"max_pages": "many"}}),
        ("settings.delay_seconds", NAMED | {"settings": {"delay_seconds": -1}}),
        ("settings.include_patterns", NAMED | {"settings": {"include_patterns": "fine,[a"}}),
        ("settings.exclude_patterns", NAMED | {"settings": {"exclude_patterns": r"(?=x)"}}),
        ("settings.fetch_only_urls.1", NAMED | {"settings": {"fetch_only_urls": ["http://a.test/", "nowhere"]}}),
        ("settings.content", NAMED | {"settings": {"content": "div["}}),
        ("settings.changefreq", NAMED | {"settings": {"changefreq": "sometimes"}}),
        ("settings.output", NAMED | {"settings": {"output": "/etc"}}),
        ("settings.proxy", NAMED | {"settings": {"proxy": "http://10.0.0.1/"}}),
    ],
)
def test_a_wrong_field_is_named(service: Service, field: str, body: dict[str, Any]) -> None:
    """A3, F6: also patterns that are no regular expressions, or not linear; no paths, no proxies"""
    answer = service.http.post("/projects", content=json.dumps(body), headers={"Content-Type": "application/json"})
    found = problem(answer, 422)
    assert field in [each["field"] for each in found["errors"]]


def test_run_settings_override_those_of_the_project(service: Service, site: Site) -> None:
    """A3, R12: flat, or as `settings`"""
    site.grow(20)
    project = service.project(site.url + "/", max_pages=9)
    assert project.crawl(max_pages=3)["pages_crawled"] == 3
    assert project.crawl(settings={"max_pages": 4})["pages_crawled"] == 4
    state = project.crawl()
    assert (state["pages_crawled"], state["crawl"]["settings"]["max_pages"]) == (9, 9)
    found = problem(service.http.post(f"/projects/{project.id}/phases/crawl/run", json={"max_pages": 2000}), 422)
    assert found["errors"][0]["field"] == "max_pages"
    crawls = project.get("/crawls", limit=2)
    assert [each["number"] for each in crawls["items"]] == [3, 2]
    rest = project.get("/crawls", cursor=crawls["next_cursor"])
    assert [each["number"] for each in rest["items"]] == [1]
    assert project.get(f"/crawls/{state['crawl']['id']}")["status"] == "completed"


def test_the_filters_that_decided_would_change_nothing(service: Service, site: Site) -> None:
    """F6, A8: what is no web address is none by any filters"""
    site.page("/", links=["/a", "http://[bad", "http://elsewhere.test/"])
    site.page("/a", "<p>A</p>")
    project = service.project(site.url + "/")
    project.crawl()
    previewed = project.post("/preview", 200, settings={})
    assert (previewed["total"], previewed["kept"], previewed["changed"]) == (4, 2, 0)
    assert project.post("/preview", 200, settings={"exclude_paths": "/a"})["changed"] == 1


def test_pages_are_listed_sorted_filtered_searched_and_exported(service: Service, site: Site) -> None:
    """A2"""
    site.page("/", links=["/apple", "/pear", "/gone"])
    site.page("/apple", "<main><h1>Apple</h1><p>A fruit that keeps through winter.</p></main>", title="Apple")
    site.page("/pear", "<main><h1>Pear</h1><p>A fruit for autumn.</p></main>", title="Pear")
    project = service.project(site.url + "/")
    project.crawl()
    assert list(project.pages(sort="title", order="desc", status="success"))[:2] == ["/pear", "/apple"]
    assert list(project.pages(sort="url")) == ["/", "/apple", "/gone", "/pear"]
    assert list(project.pages(search="fruit winter")) == ["/apple"]
    assert list(project.pages(search="fru", sort="url")) == ["/apple", "/pear"]
    assert list(project.pages(status="skipped")) == ["/gone"]
    assert len(project.pages(status=["skipped", "success"])) == 4
    part = project.get("/pages", limit=1, sort="url")
    assert len(project.get("/pages", limit=3, sort="url", cursor=part["next_cursor"])["items"]) == 3
    assert "content_text" not in part["items"][0]
    exported = service.http.get(f"/projects/{project.id}/pages/export", params={"status": "success"})
    assert exported.headers["content-type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in exported.text.splitlines()]
    assert [line["title"] for line in lines] == ["/", "Apple", "Pear"]
    assert lines[1]["markdown"].startswith("# Apple")
    assert project.get()["pages"] == {"success": 3, "failed": 0, "skipped": 1}


def test_a_page_tells_how_it_was_answered_and_what_each_crawl_made_of_it(service: Service, site: Site) -> None:
    """A2, A8: new, changed, the same, failed; found by whatever spelling of its address"""
    site.page("/", links=["/a"])
    site.page("/a", "<p>One two</p>")
    site.delay("/a", 0.1)
    project = service.project(site.url + "/", retries=0)
    project.crawl()
    site.page("/a", "<p>One two three</p>")
    project.crawl()
    project.crawl()
    site.page("/a", status=500)
    project.crawl()
    (page,) = project.get("/pages", url=f"{site.url}/A/?utm_source=x#part")["items"]
    assert (page["content_type"], page["fetched_by"]) == ("text/html; charset=utf-8", "http")
    assert page["response_ms"] >= 100
    visits = project.get(f"/pages/{page['id']}/history")["items"]
    assert [(each["number"], each["decision"], each["text"], each["word_count"]) for each in visits] == [
        (4, "failed", None, None),
        (3, "saved", "same", 3),
        (2, "saved", "changed", 3),
        (1, "saved", "new", 2),
    ]
    assert visits[0]["reason"] == "http-500"
    assert visits[3]["response_ms"] >= 100
    times = [each["crawled_at"] for each in visits]
    assert times == sorted(times, reverse=True)
    assert [each["crawl_id"] for each in visits] == [each["id"] for each in project.get("/crawls")["items"]]
    for _ in range(3):
        project.crawl()
    visits = project.get(f"/pages/{page['id']}/history")["items"]
    assert (visits[-1]["number"], visits[-1]["text"]) == (3, None)
    first, *_, last = (each["id"] for each in project.get("/crawls")["items"][::-1])
    for path in (f"/survey?crawl_id={first}", f"/compare?old={first}&new={last}"):
        found = problem(service.http.get(f"/projects/{project.id}{path}"), 404)
        assert found["detail"] == "what crawl 1 decided is no longer kept, only that of the last 5"
    problem(service.http.get(f"/projects/{project.id}/pages/{project.id}/history"), 404)


@pytest.mark.parametrize("cursor", ["x", "WzFd", "bm90IGpzb24", "W10", "é", "WyJ1cmwiLCJhc2MiLCJ4IiwieSJd", "e30"])
def test_a_made_up_cursor_is_named(service: Service, cursor: str) -> None:
    """A2"""
    project = service.project("https://shop.test/")
    for path, more in (("/pages", {}), ("/crawls", {}), ("/decisions", {}), ("/pages", {"sort": "url"})):
        answer = service.http.get(f"/projects/{project.id}{path}", params={"cursor": cursor, **more})
        if answer.status_code != 200 or path == "/pages":
            assert problem(answer, 422)["errors"][0]["field"] == "cursor"


def test_decisions_tell_where_every_url_was_found(service: Service, site: Site) -> None:
    """F7"""
    site.page("/", links=["/a", "/b.pdf", "mailto:x@y.test", "https://elsewhere.test/"])
    site.page("/a")
    site.sitemap("/sitemap.xml", ["/listed"])
    site.page("/listed")
    project = service.project(site.url + "/", exclude_patterns="/a$")
    state = project.crawl()
    found = {each["url"].removeprefix(site.url): each for each in project.decisions()}
    assert {url: each["decision"] for url, each in found.items()} == {
        "/": "saved",
        "/a": "filtered",
        "/b.pdf": "skipped",
        "/listed": "saved",
        "https://elsewhere.test/": "external",
    }
    assert found["/a"]["found_on"] == site.url + "/"
    assert found["/listed"]["found_on"] == site.url + "/sitemap.xml"
    assert sum(state["crawl"]["counts"].values()) == len(found)
    assert [each["url"] for each in project.decisions(decision="filtered")] == [site.url + "/a"]


def test_a_running_project_is_not_deleted(service: Service, site: Site) -> None:
    """A1"""
    site.page("/")
    site.hang("/")
    project = service.project(site.url + "/")
    project.run()
    problem(service.http.delete(f"/projects/{project.id}"), 409)
    project.post("/phases/crawl/cancel")
    project.wait()
    assert service.http.delete(f"/projects/{project.id}").status_code == 204
    site.release("/")


def test_crawls_beyond_the_bound_wait_their_turn(serve: Serve, site: Site) -> None:
    """A7"""
    site.page("/")
    site.hang("/")
    service = serve("--max-crawls", "2").start()
    projects = [service.project(site.url + "/") for _ in range(4)]
    for project in projects:
        project.run()
    site.wait(2, "/")
    until(lambda: [project.status["status"] for project in projects] == ["in_progress"] * 2 + ["pending"] * 2, 10)
    assert projects[3].post("/phases/crawl/cancel")["status"] == "cancelled"
    metrics = httpx.get(service.root + "/metrics").text
    assert 'quire_crawls{status="pending"} 1' in metrics
    site.release("/")
    assert [project.wait()["status"] for project in projects] == ["completed"] * 3 + ["cancelled"]


def test_errors_are_problem_documents_without_traces(service: Service) -> None:
    """A9"""
    problem(httpx.get(service.root + "/nowhere"), 404)
    problem(service.http.put("/projects"), 405)
    problem(service.http.get("/projects/not-a-uuid"), 422)
    problem(service.http.get(f"/projects/{uuid4()}/pages"), 404)
    problem(service.http.post("/projects", content=b"{", headers={"Content-Type": "application/json"}), 422)
    assert "Traceback" not in service.log()


def test_large_bodies_and_long_addresses_are_refused(service: Service) -> None:
    """A9"""
    problem(service.http.post("/projects", content=b"x" * 1_000_001), 413)

    def endless() -> Iterator[bytes]:
        for _ in range(200):
            yield b"x" * 10_000

    problem(service.http.post("/projects", content=endless()), 413)
    problem(service.http.get("/projects", params={"cursor": "x" * 9000}), 414)


async def test_a_body_that_never_ends_is_given_up() -> None:
    """A9: whoever sends half a body keeps no connection for ever"""

    app = FastAPI()
    handle(app)

    @app.post("/")
    def take(given: dict[str, str]) -> dict[str, str]:
        return given

    coming: list[Message] = [{"type": "http.request", "body": b"half", "more_body": True}]
    sent: list[Message] = []

    async def receive() -> Message:
        if not coming:
            await asyncio.Future()
        return coming.pop()

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"host", b"127.0.0.1")], "query_string": b""}
    await Guard(app, Options(max_request_seconds=0.05), Metrics())(scope, receive, send)
    assert sent[0]["status"] == 408
    assert b"did not come within 0.05 seconds" in sent[1]["body"]


def test_too_many_requests_are_refused(serve: Serve) -> None:
    """A9"""
    service = serve("--rate-limit", "5").start()
    answers = [service.http.get("/projects") for _ in range(40)]
    assert answers[0].status_code == 200
    refused = [answer for answer in answers if answer.status_code != 200]
    assert problem(refused[0], 429)
    assert int(refused[0].headers["retry-after"]) >= 1
    assert httpx.get(service.root + "/healthz").status_code == 200


def test_pages_of_other_sites_cannot_use_the_service(service: Service) -> None:
    """A9: neither by a form, nor by a name that leads here, nor by WebSocket"""
    problem(service.http.post("/projects", json=NAMED, headers={"Origin": "https://evil.test"}), 403)
    problem(service.http.get("/projects", headers={"Host": "evil.test"}), 403)
    assert service.http.post("/projects", json=NAMED, headers={"Origin": service.root}).status_code == 201
    project = service.project("https://shop.test/")
    with pytest.raises(InvalidStatus):
        connect(
            f"ws://127.0.0.1:{service.port}/api/v1/projects/{project.id}/ws",
            origin=Origin("https://evil.test"),
            proxy=None,
        )


def test_answers_carry_safety_headers(service: Service) -> None:
    """A9"""
    headers = service.http.get("/projects").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "server" not in headers


def test_bound_elsewhere_a_token_is_demanded(quire: Quire) -> None:
    """A9"""
    refused = quire("serve", "--host", "0.0.0.0", "--port", "0")
    assert refused.status == 2
    assert "set a token" in refused.err


def test_with_a_token_nothing_is_told_without_it(serve: Serve) -> None:
    """A9"""
    service = serve(env={"QUIRE_TOKEN": "a secret"}).start()
    assert httpx.get(service.root + "/healthz").status_code == 200
    assert httpx.get(service.root + "/readyz").status_code == 200
    for path in ("/api/v1/projects", "/metrics", "/api/v1/openapi.json", "/nowhere"):
        found = httpx.get(service.root + path)
        assert problem(found, 401)
        assert found.headers["www-authenticate"] == "Bearer"
    assert service.http.get("/projects", headers={"Authorization": "Bearer wrong"}).status_code == 401
    service.http.headers["Authorization"] = "Bearer a secret"
    project = service.project("https://shop.test/")
    with pytest.raises(InvalidStatus):
        project.socket()
    with project.socket(token="a%20secret") as socket:
        assert json.loads(socket.recv(10))["type"] == "hello"


def test_a_token_is_not_guessed_faster_than_anything_is_asked(serve: Serve) -> None:
    """A9: refusals take their turns too"""
    service = serve("--rate-limit", "5", env={"QUIRE_TOKEN": "a secret"}).start()
    guesses = [service.http.get("/projects", headers={"Authorization": f"Bearer {n}"}).status_code for n in range(60)]
    assert {*guesses} == {401, 429}
    assert guesses.count(401) < 40


def test_a_token_file_comes_before_the_environment(serve: Serve, quire: Quire, tmp_path: Path) -> None:
    """A9: and a token that is empty is none"""
    file = tmp_path / "token"
    file.write_text("from the file\n")
    for inherited in ("", "another"):
        service = serve("--token-file", str(file), env={"QUIRE_TOKEN": inherited}).start()
        assert service.http.get("/projects").status_code == 401
        assert service.http.get("/projects", headers={"Authorization": "Bearer from the file"}).status_code == 200
    refused = quire("serve", "--port", "0", env={"QUIRE_TOKEN": " "})
    assert (refused.status, "QUIRE_TOKEN" in refused.err) == (2, True)


def test_hosts_and_origins_that_are_none(service: Service) -> None:
    """A9, U10"""
    problem(service.http.post("/projects", json=NAMED, headers={"Origin": "http://["}), 403)
    problem(service.http.get("/projects", headers={"Host": "["}), 403)


def test_methods_that_are_made_up_are_counted_as_one() -> None:
    """A9: whoever asks cannot make the metrics grow; not every HTTP parser refuses such methods"""
    metrics = Metrics()

    async def ask(method: str) -> None:
        async def receive() -> Message:
            return {"type": "http.request"}

        async def send(message: Message) -> None:
            assert message["type"].startswith("http.response")

        scope = {"type": "http", "method": method, "path": "/nowhere", "headers": []}
        await Guard(PlainTextResponse("here"), Options(token="x"), metrics)(scope, receive, send)

    for number in range(20):
        asyncio.run(ask(f"MADEUP{number}"))
    assert "MADEUP" not in metrics.text({})
    assert 'method="other"' in metrics.text({})


def test_private_addresses_are_not_crawled_unless_the_operator_says_so(serve: Serve, site: Site) -> None:
    """A9: not as a start, and not by a redirect"""
    site.page("/")
    service = serve("--no-private").start()
    project = service.project(site.url + "/", retries=0)
    state = project.crawl()
    assert state["status"] == "failed"
    assert "loopback" in state["error"]
    assert site.hits == []


def test_one_network_can_be_allowed(serve: Serve, site: Site) -> None:
    """A9"""
    site.page("/", links=[site.url_on("127.0.0.2") + "/"])
    site.page("/")
    service = serve("--no-private", "--allow-network", "127.0.0.1/31").start()
    project = service.project(site.url + "/", follow_external=True, retries=0)
    state = project.crawl()
    assert (state["status"], state["pages_crawled"]) == ("completed", 1)
    assert {hit.host for hit in site.hits} == {"127.0.0.1"}


def test_operations(service: Service) -> None:
    """A10"""
    assert httpx.get(service.root + "/healthz").json() == {"status": "ok"}
    assert httpx.get(service.root + "/readyz").json() == {"status": "ready"}
    metrics = httpx.get(service.root + "/metrics")
    assert metrics.headers["content-type"].startswith("text/plain")
    for name in ("quire_http_requests_total", "quire_http_request_seconds_bucket", "quire_websocket_clients"):
        assert name in metrics.text
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in service.lines())
    assert len(service.lines()) == len(service.log().splitlines())


def test_a_client_that_reconnects_catches_up_by_number(service: Service, site: Site) -> None:
    """A6"""
    site.grow(20)
    project = service.project(site.url + "/")
    with project.socket() as socket:
        assert json.loads(socket.recv(10))["last_event"] == 0
        project.run()
        first = [json.loads(socket.recv(30)) for _ in range(6)]
    with project.socket(after=first[-1]["number"]) as socket:
        rest = [each for each in heard(socket) if each["type"] != "hello"]
    told = first + rest
    assert [each["number"] for each in told] == list(range(1, len(told) + 1))
    assert project.events() == told
    with project.socket() as socket:
        again = [each for each in heard(socket) if each["type"] != "hello"]
    assert again == told


def test_a_slow_client_is_dropped_and_the_others_hear_everything(service: Service, tmp_path: Path) -> None:
    """A6"""
    from quire.service.data import events
    from quire.service.data.database import open_database
    from quire.service.data.values import EventWrite

    project = service.project("https://shop.test/")
    folder = Path(next(line["message"] for line in service.lines() if "port" in line).partition(" from ")[2])
    database = open_database(f"sqlite:///{folder}", tmp_path)
    large = {"text": "x" * 4000}
    with project.socket(after=0) as slow, project.socket(after=0) as quick:
        assert slow.recv(10)
        assert quick.recv(10)
        # It reads nothing more; its library stops reading from the network once its own queue is full.
        told = 0
        for _ in range(6):
            with database.writing() as connection:
                events.add(connection, UUID(project.id), uuid4(), [EventWrite("notice", large)] * 1000)
            for _ in range(1000):
                told += 1
                assert json.loads(quick.recv(30))["number"] == told
        until(lambda: "quire_websocket_clients_dropped 1" in httpx.get(service.root + "/metrics").text, 30)
    database.close()


def test_the_socket_of_no_project_is_closed(service: Service) -> None:
    """A6"""
    for id, code in ((uuid4(), 4404), ("x", 4422)):
        with connect(f"ws://127.0.0.1:{service.port}/api/v1/projects/{id}/ws", proxy=None) as socket:
            with pytest.raises(ConnectionClosedError) as closed:
                socket.recv(10)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == code


def test_the_extra_is_named_when_it_is_not_installed(quire: Quire, tmp_path: Path) -> None:
    """C4, C10"""
    (tmp_path / "fastapi").mkdir()
    (tmp_path / "fastapi" / "__init__.py").write_text("raise ModuleNotFoundError('No fastapi', name='fastapi')")
    finished = quire("serve", env={"PYTHONPATH": str(tmp_path)})
    assert finished.status == 2
    assert "pip install 'quire[service]'" in finished.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "x"], "--port"),
        (["--port", "99999"], "--port"),
        (["--database", "mysql://x/y"], "--database"),
        (["--database", "postgresql://127.0.0.1:1/x"], "cannot be used"),
        (["--allow-network", "10.0.0.0/99"], "--allow-network"),
        (["--token-file", "missing"], "--token-file"),
        (["--max-crawls", "0"], "--max-crawls"),
    ],
)
def test_bad_options_are_named(quire: Quire, arguments: list[str], said: str) -> None:
    """C10"""
    finished = quire("serve", *arguments)
    assert finished.status in (1, 2)
    assert said in finished.err
    assert "Traceback" not in finished.err
