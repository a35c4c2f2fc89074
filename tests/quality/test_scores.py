"""The short form of `make quality`: scores over public examples do not fall below their baseline, which only rises."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not (DATA / "score").exists(), reason="the shared test data is not here")


@pytest.fixture(scope="module")
def quality() -> ModuleType:
    """The command behind `make quality`."""
    spec = importlib.util.spec_from_file_location("quality", ROOT / "scripts" / "quality.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["md-commonmark", "md-gfm", "md-turndown"])
def test_markdown_renders_back_to_the_page(name: str, quality: ModuleType) -> None:
    """M1"""
    assert quality.fallen(name, quality.scores(name)) == {}


@pytest.mark.parametrize("name", ["content-wcxb", "content-aeb"])
def test_main_content_is_what_people_took_for_it(name: str, quality: ModuleType) -> None:
    """M3"""
    assert quality.fallen(name, quality.scores(name, quality.SHORT_STEP), short=True) == {}
