"""A frontier of the service, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from quire_test_site.frontiers import ServiceFrontiers


@pytest.fixture
def service_frontiers(database_url: str, tmp_path: Path) -> Iterator[ServiceFrontiers]:
    frontiers = ServiceFrontiers(database_url, tmp_path)
    yield frontiers
    frontiers.close()
