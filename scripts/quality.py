"""Score Markdown and main content over public examples beside the repository: `python scripts/quality.py [--raise]`.

Prints every score beside its baseline, `tests/quality/baseline.json`, and fails if one is lower; --raise writes those
that are higher, and none that is lower. One kind of page may lose up to 0.01 where all of them together gain. `make
test` compares a quarter of the pages with a baseline of their own.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from turbohtml import Element

import quire
from quire.convert.markdown import to_markdown
from quire.convert.prepare import NOISE
from quire.convert.titles import drop_heading
from quire.extract.content import content_of
from quire.extract.decode import decode
from quire.extract.headline import headline_of
from quire.extract.page import facts
from quire.extract.text import text_of

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
BASELINE = ROOT / "tests" / "quality" / "baseline.json"
MARKDOWN_SETS = ("md-commonmark", "md-gfm", "md-turndown")
CONTENT_SETS = ("content-wcxb", "content-aeb")
SETS = (*MARKDOWN_SETS, *CONTENT_SETS)
SHORT_STEP = 4
DIGITS = 4
OF_A_PART = 0.01
CONVERTED = "all, as converted"

Scores = dict[str, float]


def scores(name: str, step: int = 1) -> Scores:
    """Return the scores of a set by what they are about, over every case or (of content) each step-th page."""
    if name in MARKDOWN_SETS:
        return _markdown_scores(name)
    return _kinds(name, step) if name == "content-wcxb" else _articles(name, step)


def baseline() -> dict[str, dict[str, Scores]]:
    """Return the scores to reach, of "all" and of the "short" form, by set."""
    stored: dict[str, dict[str, Scores]] = json.loads(BASELINE.read_text("utf-8"))
    return stored


def fallen(name: str, found: Scores, *, short: bool = False) -> Scores:
    """Return the scores that are lower than the baseline allows."""
    least = baseline()["short" if short else "all"].get(name, {})
    is_sample = {what: short or (name == "content-wcxb" and not what.startswith("all")) for what in found}
    return {what: score for what, score in found.items() if score < least.get(what, 0) - OF_A_PART * is_sample[what]}


def _markdown_scores(name: str) -> Scores:
    scorer = _scorer("markdown")
    cases = list(_cases(name))
    same = kept = 0
    for case in cases:
        wanted = scorer.normalise(case["html"] if "markdown" in case else scorer.RENDER(case["expected"]))
        # Without a base URL: the cases' links are relative, and are compared as they are.
        document, _ = decode(case["html"].encode(), "text/html; charset=utf-8")
        got = scorer.normalise(scorer.RENDER(to_markdown(content_of(document, "full"), "")))
        same += got == wanted
        kept += not scorer.bag(wanted) - scorer.bag(got)
    return _rounded({"rendered the same": same / len(cases), "all words kept": kept / len(cases)})


def _kinds(name: str, step: int) -> Scores:
    """Return the mean F1 of the words of a page, by kind of page, and over all pages of what is written of them."""
    by_kind: dict[str, list[float]] = defaultdict(list)
    score = _scorer("content").word_f1
    for case, html in _pages(name, step):
        content, _ = _content(html)
        for kind in ("all", case["page_type"]):
            by_kind[kind].append(score(text_of(content), case["expected_text"]))
        by_kind[CONVERTED].append(score(_converted(html, case), case["expected_text"]))
    return _rounded({kind: sum(values) / len(values) for kind, values in by_kind.items()})


def _articles(name: str, step: int) -> Scores:
    """Return the F1 of runs of four words, over all pages: as they are by default, and with `--heading drop`.

    The truths are bodies without their headings, and so is what other extractors return.
    """
    found: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for case, html in _pages(name, step):
        content, title = _content(html)
        shares = partial(_scorer("content").shingle_shares, truth=case["expected_text"])
        found["article bodies"].append(shares(text_of(content)))
        found["article bodies, headings left out"].append(shares(text_of(_headless(content, title))))
        found[CONVERTED].append(shares(_converted(html, case)))
    return _rounded({what: _f1(*map(sum, zip(*shares, strict=True))) for what, shares in found.items()})


def _f1(hit: float, extra: float, missed: float) -> float:
    return 2 * hit / (2 * hit + extra + missed)


def _pages(name: str, step: int) -> Iterator[tuple[dict[str, Any], bytes]]:
    for case in list(_cases(name))[::step]:
        yield case, gzip.decompress((DATA / name / case["html_gz"]).read_bytes())


def _content(html: bytes) -> tuple[list[Element], str]:
    """Return the content of a page as it is chosen, and the page's title."""
    document, _ = decode(html, "text/html")
    content = list(content_of(document, "main"))
    for element in content:
        element.remove(",".join(NOISE))
    return content, facts(document, "").title or ""


def _converted(html: bytes, case: dict[str, Any]) -> str:
    """Return the text that a user gets: names of links and images that were to be seen, and so on, are in it."""
    return quire.convert_page(html, case["url"] or "http://localhost/").text


def _headless(content: list[Element], title: str) -> list[Element]:
    heading = headline_of(content, title)
    if heading is not None:
        drop_heading(heading)
    return [element for element in content if element is not heading]


def _cases(name: str) -> Iterator[dict[str, Any]]:
    with (DATA / name / "cases.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _scorer(name: str) -> ModuleType:
    """Return the scorer of that name, which comes with the examples."""
    if f"score_{name}" not in sys.modules:
        spec = importlib.util.spec_from_file_location(f"score_{name}", DATA / "score" / f"{name}.py")
        if spec is None or spec.loader is None:
            raise FileNotFoundError(DATA / "score" / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[f"score_{name}"] = module
    return sys.modules[f"score_{name}"]


def _rounded(values: Scores) -> Scores:
    return {name: round(value, DIGITS) for name, value in values.items()}


def _raised(old: dict[str, Scores], new: dict[str, Scores]) -> dict[str, Scores]:
    return {
        name: {what: max(score, old.get(name, {}).get(what, 0)) for what, score in measured.items()}
        for name, measured in new.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raise", dest="raises", action="store_true", help="write the scores that are higher")
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.stderr.write(f"quality: {DATA} is not there: the examples to score with lie beside the repository\n")
        return 2
    stored = baseline() if BASELINE.exists() else {"all": {}, "short": {}}
    measured = {name: scores(name) for name in SETS}
    for name, found in measured.items():
        for what, score in found.items():
            least = stored["all"].get(name, {}).get(what, 0)
            mark = "lower" if score < least else "higher" if score > least else ""
            sys.stdout.write(f"{name:14} {what:18} {score:.4f}  baseline {least:.4f}  {mark}".rstrip() + "\n")
    if options.raises:
        short = {name: dict(list(scores(name, SHORT_STEP).items())[:1]) for name in CONTENT_SETS}
        raised = {"all": _raised(stored["all"], measured), "short": _raised(stored["short"], short)}
        BASELINE.write_text(json.dumps(raised, indent=2) + "\n", "utf-8")
    return 1 if any(fallen(name, found) for name, found in measured.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
