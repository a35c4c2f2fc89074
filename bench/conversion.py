"""Conversion alone: pages of the Python documentation a second, on one core, by Quire and by other converters.

python bench/conversion.py [--rounds N] [--slow-rounds N] [--every N] [--folder DIR] [--write]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

import report
from installing import install_environment, install_packages, python_of, versions
from sites import PYTHON, reachable

QUIRE, PEERS = Path(sys.executable), python_of("converters")
NAMES = {
    "quire": ("Quire: parse, main content, Markdown", QUIRE),
    "quire_full": ("Quire: parse, whole page, Markdown", QUIRE),
    "quire_worker": ("Quire: all of a page worker's job (also links, facts, hash, file)", QUIRE),
    "turbohtml": ("turbohtml alone, whole page", QUIRE),
    "html_to_markdown": ("html-to-markdown, whole page", PEERS),
    "html2text": ("html2text, whole page", PEERS),
    "trafilatura": ("trafilatura, main content", PEERS),
    "markdownify": ("markdownify, whole page", PEERS),
}
SLOW = ("html2text", "trafilatura", "markdownify")
# Other pages than those of the Python documentation are not all UTF-8, which the others take for granted.
ANY_PAGES = ("quire", "quire_full", "quire_worker", "turbohtml")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=3, help=f"rounds for {', '.join(SLOW)}")
    parser.add_argument("--every", type=int, default=1, help="take only every so many-th page")
    parser.add_argument("--folder", type=Path, help="take the pages in this folder (*.html, *.html.gz)")
    parser.add_argument("--note", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    about = report.setting(given.note)
    install_packages()
    if problem := install_environment("converters"):
        raise SystemExit(f"the converters cannot be installed: {problem}")
    root: Path = given.folder or PYTHON.root
    listed = (page.name for page in root.glob("*.html*")) if given.folder else reachable(PYTHON)
    pages = sorted(listed)[:: given.every]
    names = {name: NAMES[name] for name in (ANY_PAGES if given.folder else NAMES)}
    rates: dict[str, list[float]] = defaultdict(list)
    sizes: dict[str, int] = {}
    for number in range(max(given.rounds, given.slow_rounds)):
        for name, (_, python) in names.items():
            if number < (given.slow_rounds if name in SLOW else given.rounds):
                rate, sizes[name] = _rate(name, python, root, pages)
                rates[name].append(rate)
    fastest = median(rates["quire"])
    rows = [
        [NAMES[name][0], str(len(found)), f"{median(found):.1f}", f"{1000 / median(found):.2f}",
         f"{fastest / median(found):.1f}", f"{sizes[name] / 1e6:.1f}"]
        for name, found in rates.items()
    ]  # fmt: skip
    head = ["", "rounds", "pages/s", "ms a page", "× Quire's time", "M characters made"]
    about["versions"] = versions()
    text = f"{len(pages)} pages, one process, medians.\n\n{report.table(head, rows)}"
    part = "conversion-of-a-folder" if given.folder else "conversion"
    report.publish(part, text, {"rates": rates, "sizes": sizes}, about, write=given.write)


def _rate(name: str, python: Path, root: Path, pages: list[str]) -> tuple[float, int]:
    """Pages a second and characters made, in a process of its own."""
    script = Path(__file__).parent / "peers" / "convert.py"
    command = [str(python), str(script), name, str(root)]
    names = "\n".join(page.lstrip("/") for page in pages)
    done = subprocess.run(command, input=names, capture_output=True, text=True, check=True)
    rate, size = done.stdout.split()[-2:]
    print(f"{name}: {float(rate):.1f} pages/s", file=sys.stderr)
    return float(rate), int(size)


if __name__ == "__main__":
    main()
