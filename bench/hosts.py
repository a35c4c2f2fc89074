"""Two hosts side by side: a crawl of both at the default polite rate takes the time of one.

python bench/hosts.py [--pages N] [--rounds N] [--write]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median

import report
from installing import install_packages
from loopback import Nginx
from measure import cost_of

PROGRAM = str(Path(sys.executable).with_name("quire"))


def build(root: Path, pages: int) -> None:
    """A front page that leads to all others."""
    root.mkdir()
    links = "".join(f'<li><a href="/page-{number}.html">Page {number}</a>' for number in range(1, pages))
    (root / "index.html").write_text(f"<!doctype html><title>Start</title><h1>Start</h1><ul>{links}</ul>")
    for number in range(1, pages):
        text = f"<!doctype html><title>Page {number}</title><h1>Page {number}</h1><p>The text of page {number}.</p>"
        (root / f"page-{number}.html").write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--note", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    about = report.setting(given.note)
    install_packages()
    runs: dict[str, list[tuple[float, int]]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="quire-hosts-") as name:
        root = Path(name) / "site"
        build(root, given.pages)
        with Nginx(root, Path(name)) as server:
            crawls = {
                "one host": [server.url],
                "the other host": [server.second_url],
                "both hosts in one crawl": [server.url, server.second_url],
            }
            for number in range(given.rounds):
                for what, urls in crawls.items():
                    folder = Path(name) / f"{number} {what}"
                    folder.mkdir()
                    cost = cost_of([PROGRAM, "mirror", *urls, "-o", "output", "-q"], folder)
                    pages = sum(1 for _ in folder.glob("output/127*/**/*.md"))
                    if cost.status or pages != len(urls) * given.pages:
                        raise SystemExit(f"{what}: {pages} pages, status {cost.status}; nothing to compare")
                    runs[what].append((cost.seconds, pages))
    one = median(seconds for seconds, _ in runs["one host"])
    rows = []
    for what, found in runs.items():
        seconds = median(each for each, _ in found)
        rows.append([what, f"{seconds:.2f}", f"{seconds / one:.2f}", str(min(pages for _, pages in found))])
    text = (
        f"{given.pages} pages a host, one request a second and host (the default), medians of {given.rounds}.\n\n"
        + report.table(["", "seconds", "× one host's time", "pages"], rows)
    )
    report.publish("hosts", text, runs, about, write=given.write)


if __name__ == "__main__":
    main()
