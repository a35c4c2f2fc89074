"""What the documentation promises: it is complete, its links lead somewhere, and every rule has a test."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, Field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quire.cli.main import COMMANDS
from quire.config import flag
from quire.records import State
from quire.settings import ENVIRONMENT_PREFIX, options
from quire.version import VERSION

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")])
OPTIONS = [each for _, each in options()]

RULES = {
    "U": range(1, 11),
    "D": range(1, 11),
    "F": range(1, 9),
    "P": range(1, 8),
    "M": range(1, 8),
    "S": range(1, 14),
    "C": range(1, 11),
    "R": range(1, 17),
    "E": (1, 2, 3),
    "A": range(1, 11),
    "X": (1, 2),
}
RULE_IDS = [f"{letter}{number}" for letter, numbers in RULES.items() for number in numbers]

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"\b([UDFPMSCREAX])(\d+)(?:[–-](?:\1)?(\d+))?")


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def settings_row(each: Field[Any]) -> str:
    """Return the row that docs/settings.md is to have for the option."""
    repeated = " *" if each.metadata.get("repeat") else ""
    variable = ENVIRONMENT_PREFIX + each.name.upper()
    return f"| `{_flag(each)}`{repeated} | `{variable}` | {_default(each)} | {each.metadata['help']} |"


def _flag(each: Field[Any]) -> str:
    negative = each.metadata.get("negative")
    return f"--{negative}" if negative else flag(each.name)


def _default(each: Field[Any]) -> str:
    assert each.default is not MISSING
    if each.default in (None, "", ()):
        return "none"
    return f"`{str(each.default).lower() if isinstance(each.default, bool) else each.default}`"


@pytest.mark.parametrize("each", OPTIONS, ids=lambda each: each.name)
def test_every_setting_is_documented(each: Field[Any]) -> None:
    assert settings_row(each) in read("docs/settings.md").splitlines()


def test_no_setting_is_documented_that_does_not_exist() -> None:
    documented = re.findall(r"^\| `(--[a-z-]+)`", read("docs/settings.md"), re.MULTILINE)
    own = ["--config", "--quiet", "--verbose", "--help"]
    assert sorted(set(documented) - set(own)) == sorted(map(_flag, OPTIONS))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    assert re.search(rf"^## `quire {command}\b", read("docs/command-line.md"), re.MULTILINE)


@pytest.mark.parametrize("status", ["0", "1", "2", "3", "130"])
def test_every_exit_status_is_documented(status: str) -> None:
    assert re.search(rf"^\| {status} \|", read("docs/command-line.md"), re.MULTILINE)


@pytest.mark.parametrize("state", State, ids=lambda state: state.label)
def test_every_decision_is_documented(state: State) -> None:
    assert f"`{state.label}`" in read("docs/why.md")


def test_every_member_of_the_manifest_is_documented() -> None:
    from quire.report.manifest import schema

    page = read("docs/manifest.md")
    assert "manifest.schema.json" in page
    assert [name for name in schema()["properties"] if f"`{name}`" not in page] == []


def test_every_public_name_is_documented() -> None:
    import quire

    page = read("docs/library.md")
    assert [name for name in quire.__all__ if name not in page] == []


def links() -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        for target in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
            if "://" not in target:
                yield page, target


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize(("page", "target"), list(links()), ids=lambda value: getattr(value, "name", value))
def test_every_relative_link_leads_somewhere(page: Path, target: str) -> None:
    path, _, anchor = target.partition("#")
    linked = (page.parent / path).resolve() if path else page
    assert linked.exists(), f"{page.name} links to {target}, which is not there"
    if anchor:
        assert anchor in map(_anchor, _HEADING.findall(linked.read_text("utf-8")))


def test_every_page_can_be_found_from_the_index() -> None:
    index = DOCS / "index.md"
    linked = {(DOCS / target.partition("#")[0]).resolve() for page, target in links() if page == index}
    lost = [page.name for page in DOCS.rglob("*.md") if page.resolve() not in linked | {index.resolve()}]
    assert not lost, f"docs/index.md does not link to {', '.join(lost)}"


def test_every_extra_is_told_where_quire_is_installed() -> None:
    extras = tomllib.loads(read("pyproject.toml"))["project"]["optional-dependencies"]
    rows = [line for line in read("docs/getting-started.md").splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])} == extras.keys()


def test_the_readme_is_short() -> None:
    assert len(read("README.md").splitlines()) <= 120


def test_the_changelog_has_this_version() -> None:
    assert f"## [{VERSION}]" in read("CHANGELOG.md")


def test_every_dependency_is_pinned_and_no_address_is() -> None:
    project = tomllib.loads(read("pyproject.toml"))
    for name, wanted in (
        ("requirements.lock", project["project"]["dependencies"]),
        ("requirements-dev.lock", project["dependency-groups"]["dev"]),
        ("requirements-dev.lock", project["project"]["optional-dependencies"]["service"]),
        ("requirements-dev.lock", project["project"]["optional-dependencies"]["cluster"]),
        ("requirements-crawl4ai.lock", project["project"]["optional-dependencies"]["crawl4ai"]),
    ):
        pinned = read("requirements.lock") + read(name)
        assert "://" not in pinned
        for requirement in wanted:
            package = re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0].lower().replace(".", "-")
            assert re.search(rf"^{package}==", pinned, re.MULTILINE), f"{package} is not in {name}; run `make lock`"


@cache
def proved() -> set[str]:
    """Return the ids that docstrings of tests name, ranges such as U1–U3 spelled out."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for letter, first, last in _RULE.findall(ast.get_docstring(node) or ""):
                    found |= {f"{letter}{number}" for number in range(int(first), int(last or first) + 1)}
    return found


@pytest.mark.parametrize("rule", RULE_IDS)
def test_every_rule_has_a_test_that_names_it(rule: str) -> None:
    assert rule in proved(), f"no test's docstring names {rule}"
