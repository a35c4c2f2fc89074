import base64
import json
from pathlib import Path

import pytest

from quire.extract.decode import decode

CASES = Path(__file__).resolve().parents[3] / "shared" / "data" / "charset-html5lib" / "cases.jsonl"
pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared test data is not here")


def test_the_character_set_is_that_of_the_html_standard() -> None:
    """M2, R9"""
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    wrong = [case for case in cases if _encoding(case["html_base64"]) != case["expected_encoding"].lower()]
    # The one that is left has its meta element written by a script.
    assert all(case["scripted"] for case in wrong), wrong
    assert len(cases) - len(wrong) >= 82


def _encoding(html: str) -> str:
    return decode(base64.b64decode(html), "text/html")[1].lower()
