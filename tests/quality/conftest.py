"""The scorers that come with the shared test data."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCORERS = Path(__file__).resolve().parents[3] / "shared" / "data" / "score"


@pytest.fixture(scope="module")
def score(request: pytest.FixtureRequest) -> ModuleType:
    """The scorer that the test's module names in SCORER."""
    name = request.module.SCORER
    spec = importlib.util.spec_from_file_location(f"score_{name}", SCORERS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
