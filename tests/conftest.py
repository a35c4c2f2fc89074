"""Fixtures for every test: the test site, the command line, a folder for the mirror."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

# Test modules cannot import each other; the site is a package beside them.
sys.path.insert(0, str(Path(__file__).parent / "site"))

from quire_test_site import Names, Quire, Site, isolation

# Time depends on what else the machine does, so no test is judged by it.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")


def pytest_configure() -> None:
    if isolation.is_inside():
        isolation.prepare()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Outside, a test of an isolated network has no use for its fixtures."""
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("isolated") and not isolation.is_inside():
            item.fixturenames.clear()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not pyfuncitem.get_closest_marker("isolated") or isolation.is_inside():
        return None
    isolation.run_inside(pyfuncitem.nodeid, pyfuncitem.config.rootpath)
    return True


@pytest.fixture
def site() -> Iterator[Site]:
    """A fresh web site on loopback, with knobs and a log of its requests."""
    with Site() as site:
        yield site


@pytest.fixture
def names() -> Iterator[Names]:
    """A DNS server that this machine asks, in an isolated test."""
    with Names() as names:
        yield names


@pytest.fixture
def quire(tmp_path: Path) -> Iterator[Quire]:
    """The command line: `quire("mirror", url)` runs it in `tmp_path` and returns status, out and err."""
    command = Quire(tmp_path)
    yield command
    command.close()


@pytest.fixture
def mirror_dir(tmp_path: Path) -> Path:
    """Where a test's mirror goes; it does not exist yet."""
    return tmp_path / "mirror"
