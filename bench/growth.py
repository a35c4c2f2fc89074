"""How the main process grows with the number of URLs: a synthetic site of 200,000 pages, crawled for its links only.

    python bench/growth.py [pages]

Serves the site with nginx on loopback, runs `quire map`, and reads the main process's memory from /proc while the
server's log tells how far the crawl is. Prints a table.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from loopback import Nginx

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


def memory(process: int) -> int:
    """Resident bytes of one process."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


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
    pages = parser.parse_args().pages
    with tempfile.TemporaryDirectory(prefix="quire-growth-") as folder:
        root = Path(folder) / "site"
        root.mkdir()
        build(root, pages)
        with Nginx(root, Path(folder)) as server, (Path(folder) / "found").open("wb") as found:
            command = [
                sys.executable, "-m", "quire", "map", server.url, "--discover", "links", "-q",
                "--delay", "0", "--concurrency", "32", "--per-host", "32", "--trap-budget", "0",
            ]  # fmt: skip
            begun = time.monotonic()
            process = subprocess.Popen(command, stdout=found, cwd=folder)
            report(process, server.log, begun, pages)
            count = (Path(folder) / "found").read_bytes().count(b"\n")
            print(f"\n{count} URLs found of {pages}, status {process.returncode}")


def report(process: subprocess.Popen[bytes], log: Path, begun: float, pages: int) -> None:
    marks = [mark for mark in MARKS if mark <= pages]
    read, first = [0, 0], (0, 0)
    print("| pages asked | seconds | main process MB | bytes a URL since the first mark |")
    print("|---|---|---|---|")
    while process.poll() is None:
        asked = lines_in(log, read)
        if marks and asked >= marks[0] * 0.999:
            marks.pop(0)
            size = memory(process.pid)
            grown = "" if not first[0] else f"{(size - first[1]) / (asked - first[0]):.0f}"
            first = first if first[0] else (asked, size)
            print(f"| {asked} | {time.monotonic() - begun:.0f} | {size / 1e6:.1f} | {grown} |", flush=True)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
