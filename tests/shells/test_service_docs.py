"""docs/service.md: its examples work, its tables are complete; the container files fit together."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]
from quire_test_site import Site, environment
from quire_test_site.service import Project, Serve, Service, until

from quire.service.options import Options, options_from
from quire.service.schemas import CrawlSettings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/service.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(sh|json|python)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FLAGS = sorted(set(re.findall(r'add\("(--[a-z-]+)"', (ROOT / "src/quire/cli/serve.py").read_text("utf-8"))))


def run_example(script: str, folder: Path, **variables: str) -> str:
    """Run an example's commands; a refused request is a failure."""
    careful = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }\n'
    process = subprocess.run(
        ["bash", "-euc", careful + script],
        cwd=folder,
        env=environment(variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert process.returncode == 0, f"{script}\n{process.stdout}{process.stderr}"
    return process.stdout


def wait_for(service: Service, project_id: str, script: str) -> None:
    """Let the service come to where the next example expects it."""
    project = Project(service, project_id)
    if "/run" in script and "max_pages" not in script:
        until(lambda: project.status["status"] == "in_progress", 30)
    elif "/crawl/" in script and "/status" not in script:
        project.wait()


def test_the_examples_of_the_documentation_work(serve: Serve, site: Site, tmp_path: Path) -> None:
    """A1, A2, A6: each curl command as it stands, against a service and a site on loopback"""
    site.grow(60)
    site.page("/", "<h1>Start</h1>", links=["/broken", "/p/0"])
    site.page("/broken", status=500)
    service = serve().start()
    variables: dict[str, str] = {}
    answer: Any = None
    ran = 0
    for kind, text in BLOCKS:
        script = text.replace("http://127.0.0.1:8321", service.root).replace("https://example.com/", site.url + "/")
        script = script.replace("ws://127.0.0.1:8321", f"ws://127.0.0.1:{service.port}")
        if kind == "sh" and "curl" in script:
            out = run_example(script, tmp_path, **variables)
            ran += 1
            answer = json.loads(out) if out else None
            if not variables:
                variables["PROJECT"] = answer["id"]
            elif answer and answer.get("items") and "status=success" in script:
                variables["PAGE"] = answer["items"][0]["id"]
            wait_for(service, variables["PROJECT"], script)
        elif kind == "json" and "about:blank" not in text:
            assert json.loads(text).keys() <= answer.keys()
        elif kind == "python":
            program = f'PROJECT = "{variables["PROJECT"]}"\n{script}'
            heard = subprocess.run(
                [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
            )
            assert "/broken" in heard.stdout
    assert ran == 14
    lines = (tmp_path / "pages.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == len(Project(service, variables["PROJECT"]).pages())
    problem = json.loads(next(text for kind, text in BLOCKS if "about:blank" in text))
    wrong = {"name": "x", "website_url": "https://example.com/", "settings": {"max_pages": 1001}}
    assert service.http.post("/projects", json=wrong).json() == problem


@pytest.mark.parametrize("name", CrawlSettings.model_fields)
def test_every_setting_of_a_project_is_documented(name: str) -> None:
    """A3"""
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("flag", FLAGS)
def test_every_option_of_serve_is_documented(flag: str) -> None:
    """C4"""
    assert re.search(rf"^\| `{flag}` \|", PAGE, re.MULTILINE)


def test_every_endpoint_is_documented(serve: Serve) -> None:
    """A10"""
    document = httpx.get(serve().start().root + "/api/v1/openapi.json").json()
    for path, operations in document["paths"].items():
        for method in operations:
            assert f"`{method.upper()} {path.removeprefix('/api/v1')}`" in PAGE


def test_the_container_files_fit_together() -> None:
    """C4: what they name exists, and their variables are options"""
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    copied = [name for line in re.findall(r"^COPY (.+)$", dockerfile, re.MULTILINE) for name in line.split()[:-1]]
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for name in copied:
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    given = dict(re.findall(r"(QUIRE_[A-Z_]+)=(\S+)", dockerfile)) | compose["services"]["quire"]["environment"]
    options, log_format = options_from({}, given)
    assert isinstance(options, Options)
    assert (options.host, options.data_dir, log_format) == ("0.0.0.0", Path("/data"), "json")
    assert options.database
    assert options.database.startswith("postgresql://")
    assert compose["services"]["quire"]["depends_on"].keys() <= compose["services"].keys()
    assert "8321" in dockerfile
    assert compose["services"]["quire"]["ports"] == ["127.0.0.1:8321:8321"]
