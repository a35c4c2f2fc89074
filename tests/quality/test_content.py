import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from quire.convert.prepare import NOISE
from quire.extract.content import content_of
from quire.extract.decode import decode
from quire.extract.text import text_of

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SCORER = "content"
pytestmark = pytest.mark.skipif(not (DATA / "score").exists(), reason="the shared test data is not here")

# Mean F1 of the words of a page. Only ever raised; trafilatura has 0.818 over all.
FLOORS = {
    "all": 0.874,
    "article": 0.957,
    "documentation": 0.936,
    "service": 0.844,
    "forum": 0.822,
    "listing": 0.783,
    "collection": 0.766,
    "product": 0.666,
}
ARTICLE_FLOOR = 0.948


def test_main_content_of_seven_kinds_of_pages(score: ModuleType) -> None:
    """M3"""
    by_kind = defaultdict(list)
    for case, text in _extracted("content-wcxb"):
        for kind in (case["page_type"], "all"):
            by_kind[kind].append(score.word_f1(text, case["expected_text"]))
    means = {kind: sum(values) / len(values) for kind, values in by_kind.items()}
    assert {kind: mean for kind, mean in means.items() if mean < FLOORS[kind]} == {}


def test_article_bodies(score: ModuleType) -> None:
    """M3"""
    shares = [score.shingle_shares(text, case["expected_text"]) for case, text in _extracted("content-aeb")]
    hit, extra, missed = (sum(column) for column in zip(*shares, strict=True))
    assert 2 * hit / (2 * hit + extra + missed) >= ARTICLE_FLOOR


def _extracted(name: str) -> Iterator[tuple[dict[str, Any], str]]:
    with (DATA / name / "cases.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            html = gzip.decompress((DATA / name / case["html_gz"]).read_bytes())
            content = content_of(decode(html, "text/html")[0], "main")
            for element in content:
                element.remove(",".join(NOISE))
            yield case, text_of(content)
