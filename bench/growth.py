"""How the main process grows with the number of URLs: a synthetic site of 200,000 pages, crawled for its links only.

    python bench/growth.py [PAGES] [--write]

Serves the site with nginx on loopback, runs `quire map`, and reads the main process's memory from /proc while the
server's log tells how far the crawl is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import report
from loopback import Nginx
from measure import memory

MARKS = (10_000, 50_000, 100_000, 150_000, 200_000)
LINKS = 10


def build(root: Path, pages: int) -> None:
    """A tree of pages: each leads to the next ten in breadth, so that all are reached and the queue grows long."""
    (root / "index.html").write_text('<!doctype html><title>Start</title><a href="/0/page-0.html">Begin</a>')
    for number in range(pages - 1):
        page = root / f"{number // 1000}" / f"page-{number}.html"
        page.parent.mkdir(exist_ok=True)
        below = range(number * LINKS + 1, min(number * LINKS + 1 + LINKS, pages - 1))
        links = "".join(f'<li><a href="/{each // 1000}/page-{each}.html">Page {each}</a>' for each in below)
        page.write_text(f"<!doctype html><title>Page {number}</title><h1>Page {number}</h1><ul>{links}</ul>")


def lines_in(log: Path, read: list[int]) -> int:
    """Count the log's lines, reading only what is new; `read` holds the offset and the count so far."""
    with log.open("rb") as file:
        file.seek(read[0])
        new = file.read()
    read[0] += len(new)
    read[1] += new.count(b"\n")
    return read[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="?", type=int, default=200_000)
    parser.add_argument("--note", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    about = report.setting(given.note)
    with tempfile.TemporaryDirectory(prefix="quire-growth-") as folder:
        root = Path(folder) / "site"
        root.mkdir()
        build(root, given.pages)
        with Nginx(root, Path(folder)) as server, (Path(folder) / "found").open("wb") as found:
            command = [
                sys.executable, "-m", "quire", "map", server.url, "--discover", "links", "-q",
                "--delay", "0", "--concurrency", "32", "--per-host", "32", "--trap-budget", "0",
            ]  # fmt: skip
            begun = time.monotonic()
            process = subprocess.Popen(command, stdout=found, cwd=folder)
            samples = watch(process, server.log, begun, given.pages)
            count = (Path(folder) / "found").read_bytes().count(b"\n")
    if count != given.pages:
        raise SystemExit(f"{count} URLs were found of {given.pages}, status {process.returncode}; nothing to compare")
    text = f"{table(samples)}\n\n{count} URLs found of {given.pages}, status {process.returncode}."
    report.publish("growth", text, samples, about, write=given.write)


def watch(process: subprocess.Popen[bytes], log: Path, begun: float, pages: int) -> list[tuple[int, float, int]]:
    """Pages asked, seconds and bytes of the main process, when the crawl passes each mark."""
    marks = [mark for mark in MARKS if mark <= pages]
    read, samples = [0, 0], []
    while process.poll() is None:
        asked = lines_in(log, read)
        if marks and asked >= marks[0] * 0.999:
            marks.pop(0)
            samples.append((asked, time.monotonic() - begun, memory(process.pid)))
            print(samples[-1], file=sys.stderr, flush=True)
        time.sleep(0.05)
    return samples


def table(samples: list[tuple[int, float, int]]) -> str:
    rows = []
    for asked, seconds, size in samples:
        first, _, least = samples[0]
        grown = f"{(size - least) / (asked - first):.0f}" if asked > first else ""
        rows.append([f"{asked:,}", f"{seconds:.0f}", f"{size / 1e6:.1f}", grown])
    return report.table(["pages asked", "seconds", "main process MB", "bytes a URL since the first mark"], rows)


if __name__ == "__main__":
    main()
