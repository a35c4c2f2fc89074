"""The OpenAPI document holds: requests made from it get the answers it promises (A10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from quire_test_site import Site
from quire_test_site.service import Project, Service
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

QUICK = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project with some pages, to be found by requests that are made up."""
    database = request.getfixturevalue("postgres").create() if request.param == "postgresql" else None
    # Crawls that requests start fail at once: no private address may be dialled.
    service = Service(database, tmp_path_factory.mktemp("service"), "--no-private", "--allow-network", "127.0.0.1/32")
    service.start()
    with Site() as site:
        site.grow(5)
        made = service.project(site.url + "/")
        made.crawl()
        yield made
    assert service.stop() == 0
    assert not [line for line in service.lines() if line["level"] == "error" and line["logger"] == "quire.service"]


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_generated_requests_get_the_answers_that_the_document_promises(project: Project, mode: GenerationMode) -> None:
    """A10, A9: no 5xx, nothing that the schema does not name; half of the requests are about things that exist"""
    check_requests(project, mode, 10)


@pytest.mark.soak
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_many_generated_requests(project: Project, mode: GenerationMode) -> None:
    """A10"""
    check_requests(project, mode, 300)


def check_requests(project: Project, mode: GenerationMode, number: int) -> None:
    """Make so many requests of each operation."""
    schema = schemathesis.openapi.from_url(project.service.root + "/api/v1/openapi.json")
    there = {"project_id": project.id, "page_id": page_of(project), "crawl_id": crawl_of(project)}
    operations: list[Any] = [each.ok() for each in schema.get_all_operations()]  # type: ignore[union-attr]
    assert len(operations) == 17
    for operation in operations:

        @given(case=operation.as_strategy(generation_mode=mode), exists=st.booleans())
        @settings(QUICK, max_examples=number)
        def check(case: Any, exists: bool) -> None:
            if exists and case.method != "DELETE":
                for name in case.path_parameters.keys() & there.keys():
                    case.path_parameters[name] = there[name]
            case.call_and_validate(checks=CHECKS, timeout=30)

        check()


def page_of(project: Project) -> str:
    found: str = project.get("/pages", limit=1)["items"][0]["id"]
    return found


def crawl_of(project: Project) -> str:
    found: str = project.get("/crawls")["items"][-1]["id"]
    return found


def test_every_operation_is_described(project: Project) -> None:
    """A10"""
    document = httpx.get(project.service.root + "/api/v1/openapi.json").json()
    operations = [each for path in document["paths"].values() for each in path.values()]
    assert len(operations) == 17
    for operation in operations:
        assert operation["description"]
        assert operation["operationId"]
        assert "application/problem+json" in operation["responses"]["422"]["content"]
