import json
from pathlib import Path
from types import ModuleType

import pytest

from quire.convert.markdown import to_markdown
from quire.extract.content import content_of
from quire.extract.decode import decode

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SCORER = "markdown"
pytestmark = pytest.mark.skipif(not (DATA / "score").exists(), reason="the shared test data is not here")

# Cases that render back to the same page. Only ever raised; turbohtml alone has 600, 617 and 133.
FLOORS = {"md-commonmark": 606, "md-gfm": 623, "md-turndown": 141}


@pytest.mark.parametrize("name", FLOORS)
def test_markdown_renders_back_to_the_page(name: str, score: ModuleType) -> None:
    """M1"""
    same = 0
    for line in (DATA / name / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        wanted = score.normalise(case["html"] if "markdown" in case else score.RENDER(case["expected"]))
        got = score.normalise(score.RENDER(_markdown(case["html"])))
        same += got == wanted
        assert not score.bag(wanted) - score.bag(got), f"words are lost: {case['html']!r}"
    assert same >= FLOORS[name]


def _markdown(html: str) -> str:
    # Without a base URL: the cases' links are relative, and are compared as they are.
    document, _ = decode(html.encode(), "text/html; charset=utf-8")
    return to_markdown(content_of(document, "full"), "")
