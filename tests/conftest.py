"""Fixtures for every test: the test site, the command line, a folder for the mirror."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

# Test modules cannot import each other; the site is a package beside them.
sys.path.insert(0, str(Path(__file__).parent / "site"))

from quire_test_site import Names, Quire, Site, isolation
from quire_test_site.postgres import Cluster, programs
from quire_test_site.service import Serve, Service

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


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL cluster of this run, with a database `migrated` to copy from."""
    bin = programs()
    if bin is None:
        assert not os.environ.get("CI"), "PostgreSQL is not installed"
        pytest.skip("PostgreSQL is not installed")
    from quire.service.data.database import open_database

    with Cluster(bin) as cluster:
        database = open_database(cluster.create(name="migrated"), Path())
        database.migrate()
        database.close()
        yield cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of the test's own, with the schema in it; each test runs on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        from quire.service.data.database import open_database

        url = f"sqlite:///{tmp_path / 'quire.sqlite'}"
        database = open_database(url, tmp_path)
        database.migrate()
        database.close()
        return url
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.create(template="migrated")


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Make services over one data folder; they are started by `start`, and ended whatever happens."""
    made: list[Service] = []

    def make(*args: str, database: str | None = None, env: dict[str, str] | None = None) -> Service:
        made.append(Service(database, tmp_path, *args, env=env))
        return made[-1]

    yield make
    for service in made:
        service.end()
