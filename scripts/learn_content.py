"""Learn what tells content from frame: `python scripts/learn_content.py DATA [--write]`.

DATA holds `content-wcxb` and `content-aeb`: pages and the text that people took for their content. A block of a page
is content if most of its runs of four words are in that text. One logistic regression over the blocks' traits gives
the weights in `quire.extract.weights`. Needs numpy, which Quire itself does not.

Prints the scores of pages that were not learnt from: those of a fifth of the sites, by what the others teach.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.util
import json
import re
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import numpy as np
from turbohtml import Element, Node, Text

from quire.extract import content, weights
from quire.extract.blocks import _INLINE
from quire.extract.decode import decode
from quire.extract.frame_words import MARKS
from quire.extract.legible import make_legible
from quire.extract.names import names_in
from quire.extract.traits import PAGE, SHIFTING, TRAITS, Reading
from quire.extract.unseen import drop_unseen

WEIGHTS = Path(weights.__file__)
WORD = re.compile(r"\w+")
INLINE = _INLINE - {"br"}
FOLDS = 5
PENALTY = 250.0
DECLARED_PENALTY = 30 * PENALTY  # of what pages that declare themselves articles have apart
LEAST = 0.02  # of a weight for one standard deviation; less is left out
CLOSE = 1e-4
APART = 1 + len(TRAITS) + len(MARKS)
SHIFTED = [TRAITS.index(trait) for trait in SHIFTING]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true", help=f"write {WEIGHTS.name}")
    given = parser.parse_args()
    cases = [
        json.loads(line) | {"folder": str(given.data / name)}
        for name in ("content-wcxb", "content-aeb")
        for line in (given.data / name / "cases.jsonl").open(encoding="utf-8")
    ]
    with ProcessPoolExecutor(2) as pool:
        pages = [page for page in pool.map(read, cases, chunksize=8) if page]
    scorer = load(given.data / "score" / "content.py")
    scores = []
    for fold in range(FOLDS):
        model = learn([page for page in pages if page.fold != fold])
        scores += [(page, score(page, model, scorer)) for page in pages if page.fold == fold]
    report(scores)
    if given.write:
        write(learn(pages))


def read(case: dict) -> SimpleNamespace | None:
    html = gzip.decompress((Path(case["folder"]) / case["html_gz"]).read_bytes())
    document = decode(html, "text/html")[0]
    declared = content._declares_article(document)
    body = document.find("body")
    if body is None:
        return None
    make_legible(body)
    drop_unseen(body, names_in(document))
    layout = content._layout(body)
    if not layout.blocks:
        return None
    title = document.find("title")
    reading = Reading(layout, title.text if title else "", declared=declared)
    rows = list(reading.rows())
    plain = np.array([traits for traits, _ in rows], dtype=float)
    marks = np.array([[mark >> place & 1 for place in range(len(MARKS))] for _, mark in rows], dtype=float)
    shifted = [plain[:, SHIFTED] * own for own in reading.page()]
    apart = np.hstack([np.ones((len(rows), 1)), plain, marks]) * reading.declared
    site = ".".join((urlsplit(case["url"]).hostname or case["id"]).split(".")[-2:])
    return SimpleNamespace(
        set=Path(case["folder"]).name,
        kind=case.get("page_type", "article"),
        half="tuning" if hashlib.sha1(case["url"].encode()).digest()[0] % 2 == 0 else "validation",
        fold=hashlib.sha1(site.encode()).digest()[1] % FOLDS,
        html=html,
        truth=case["expected_text"],
        traits=np.hstack([plain, *shifted, marks, apart]),
        is_content=labels(["".join(map(shown, block.nodes)) for block in layout.blocks], case["expected_text"]),
        words=np.array([block.words for block in layout.blocks], dtype=float),
    )


def shown(node: Node) -> str:
    """Return the text of a node, with a break wherever a reader sees one: words around it are not one word."""
    if isinstance(node, Text):
        return node.data
    if not isinstance(node, Element):
        return ""
    inner = "".join(map(shown, node.children))
    return inner if node.tag in INLINE else f"\n{inner}\n"


def labels(blocks: list[str], truth: str) -> np.ndarray:
    """Return 1 for each block that is in the truth, 0 for the others."""
    wanted = WORD.findall(truth.lower())
    runs = set(zip(wanted, wanted[1:], wanted[2:], wanted[3:], strict=False))
    lines = {" ".join(WORD.findall(line.lower())) for line in truth.splitlines()}
    words = [WORD.findall(block.lower()) for block in blocks]
    stream = [word for block in words for word in block]
    hits = np.zeros(len(stream))
    for place in range(len(stream) - 3):
        if tuple(stream[place : place + 4]) in runs:
            hits[place : place + 4] = 1
    found, place = [], 0
    for block in words:
        share = hits[place : place + len(block)].mean() if block else 0.0
        found.append(share >= 0.5 or (len(block) < 8 and " ".join(block) in lines and bool(block)))
        place += len(block)
    return np.array(found, dtype=float)


def learn(pages: list[SimpleNamespace]) -> SimpleNamespace:
    """Return the weights by which the pages' blocks are told apart best; every page counts the same."""
    traits = np.vstack([page.traits for page in pages])
    is_content = np.concatenate([page.is_content for page in pages])
    weight = np.concatenate([(page.words + 0.5) / (page.words.sum() + 20) for page in pages])
    weight *= len(weight) / weight.sum()
    middle, spread = traits.mean(0), traits.std(0)
    used = spread > 1e-6
    penalty = np.full(len(used), PENALTY)
    penalty[-APART:] = DECLARED_PENALTY
    found = fit((traits[:, used] - middle[used]) / spread[used], is_content, weight, penalty[used])
    used[used] = np.abs(found[1:]) >= LEAST
    found = fit((traits[:, used] - middle[used]) / spread[used], is_content, weight, penalty[used])
    factors = np.zeros(traits.shape[1])
    factors[used] = found[1:] / spread[used]
    return SimpleNamespace(bias=found[0] - factors @ middle, factors=factors)


def fit(traits: np.ndarray, wanted: np.ndarray, weight: np.ndarray, penalties: np.ndarray) -> np.ndarray:
    """Return the bias and weights of a logistic regression, by Newton's method."""
    columns = np.hstack([np.ones((len(traits), 1)), traits])
    penalty = np.concatenate([[0], penalties])
    found = np.zeros(columns.shape[1])
    for _ in range(12):
        chance = 1 / (1 + np.exp(-columns @ found))
        slope = columns.T @ (weight * (chance - wanted)) + penalty * found
        scaled = columns * np.sqrt(weight * chance * (1 - chance))[:, None]
        step = np.linalg.solve(scaled.T @ scaled + np.diag(penalty), slope)
        found -= step
        if np.abs(step).max() < CLOSE:
            break
    return found


def score(page: SimpleNamespace, model: SimpleNamespace, scorer: SimpleNamespace) -> object:
    use(model)
    from quire.extract.text import text_of

    text = text_of(kept(page.html))
    return (scorer.shingle_shares if page.set == "content-aeb" else scorer.word_f1)(text, page.truth)


def kept(html: bytes) -> list:
    elements = content.content_of(decode(html, "text/html")[0], "main")
    for element in elements:
        element.remove("script,style,noscript,template,iframe,svg")
    return elements


def use(model: SimpleNamespace) -> None:
    bias, traits, marks = tables(model)
    content.BIAS = bias
    content._WEIGHTS = tuple(traits.get(trait, (0.0,) * (len(PAGE) + 2)) for trait in TRAITS)
    content._MARKED = tuple((1 << place, *marks[mark]) for place, mark in enumerate(MARKS) if mark in marks)


def tables(model: SimpleNamespace) -> tuple[tuple[float, ...], dict[str, tuple[float, ...]], dict[str, tuple]]:
    """Return the weights by name; the last of each is what a declared article adds."""
    parts = np.split(model.factors, np.cumsum([len(TRAITS), len(PAGE) * len(SHIFTING), len(MARKS), 1, len(TRAITS)]))
    plain, shifted, marked, bias_apart, plain_apart, marked_apart = parts
    shifts = np.zeros((len(TRAITS), len(PAGE)))
    shifts[SHIFTED] = shifted.reshape(len(PAGE), len(SHIFTING)).T
    traits = dict(zip(TRAITS, rounded(np.column_stack([plain, shifts, plain_apart])), strict=True))
    marks = dict(zip(MARKS, rounded(np.column_stack([marked, marked_apart])), strict=True))
    return rounded(np.array([[model.bias, bias_apart[0]]]))[0], *(
        {k: v for k, v in t.items() if any(v)} for t in (traits, marks)
    )


def rounded(rows: np.ndarray) -> list[tuple[float, ...]]:
    return [tuple(round(float(value), 3) for value in row) for row in rows]


def report(scores: list) -> None:
    by_kind = defaultdict(list)
    for page, value in scores:
        for half in (page.half, "all"):
            for kind in (page.kind, "all kinds"):
                by_kind[page.set, kind, half].append(value)
    for (name, kind, half), values in sorted(by_kind.items()):
        if name == "content-wcxb":
            sys.stdout.write(f"{name} {kind:14} {half:10} {np.mean(values):.3f}  {len(values)} pages\n")
        elif kind == "all kinds":
            hit, extra, missed = np.sum(values, axis=0)
            precision, recall = hit / (hit + extra), hit / (hit + missed)
            f1 = 2 * precision * recall / (precision + recall)
            sys.stdout.write(
                f"{name} {half:10} {f1:.3f} precision {precision:.3f} recall {recall:.3f}  {len(values)} pages\n"
            )


def write(model: SimpleNamespace) -> None:
    bias, traits, marks = tables(model)
    lines = ['"""What each trait and mark says for content; written by `scripts/learn_content.py`."""', ""]
    lines += ["from typing import Final", "", f"BIAS: Final[tuple[float, ...]] = {bias}"]
    lines += [
        "# By itself, times each of the page's own traits, and what it adds on a page that declares itself an article."
    ]
    lines += ["TRAIT_WEIGHTS: Final = {", *(f'    "{name}": {value},' for name, value in traits.items()), "}"]
    lines += ["MARK_WEIGHTS: Final = {", *(f'    "{name}": {value},' for name, value in marks.items()), "}", ""]
    WEIGHTS.write_text("\n".join(lines), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", str(WEIGHTS)], check=False)  # noqa: S603 - fixed words


def load(path: Path) -> SimpleNamespace:
    spec = importlib.util.spec_from_file_location("score_content", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
