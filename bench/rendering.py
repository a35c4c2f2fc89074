"""Rendering: pages a second in Quire's browser, in plain Playwright and in crawl4ai, all with the same Chromium.

python bench/rendering.py [--pages N] [--rounds N] [--chromium COMMAND] [--write]
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import psutil
import report
from installing import install_environment, install_packages, python_of
from loopback import Nginx
from sites import PYTHON, reachable

from quire.fetch.chromium import find_chromium

PEERS = Path(__file__).parent / "peers"
QUIRE, PLAIN, FRESH, CRAWL4AI, EVERYTHING = (
    "Quire", "Playwright, pages kept", "Playwright, a page a URL", "crawl4ai", "Quire, with scrolling and clicks",
)  # fmt: skip
TARGETS = {FRESH: 1.5, CRAWL4AI: 3.0}
_EVERY = 0.1


@dataclass(frozen=True, slots=True)
class Run:
    """What one run took: of rendering, of the processor in all, of memory at the peak."""

    seconds: float
    cpu: float
    memory: float
    pages: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--chromium", default="")
    parser.add_argument("--note", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    about = report.setting(given.note)
    install_packages()
    chromium = find_chromium(given.chromium)
    if chromium is None:
        raise SystemExit("bench: there is no Chromium: apt-get install chromium")
    if trouble := install_environment("crawl4ai"):
        raise SystemExit(f"bench: crawl4ai cannot be had: {trouble}")
    paths = sorted(reachable(PYTHON))
    random.Random(7).shuffle(paths)
    runs: dict[str, list[Run]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="quire-rendering-") as name, Nginx(PYTHON.root, Path(name)) as server:
        urls = Path(name) / "urls.txt"
        urls.write_text("\n".join(server.url + path[1:] for path in paths[: given.pages]))
        commands = list(_commands(chromium, urls).items())
        for number in range(given.rounds):
            for what, command in commands[number:] + commands[:number]:
                runs[what].append(_run(command))
    report.publish("rendering", _text(runs, given, chromium), _plain(runs), about, write=given.write)


def _commands(chromium: str, urls: Path) -> dict[str, list[str]]:
    ours, theirs = sys.executable, str(python_of("crawl4ai"))
    of = lambda peer: str(PEERS / f"render_{peer}.py")  # noqa: E731
    return {
        QUIRE: [ours, of("quire"), chromium, str(urls)],
        PLAIN: [theirs, of("playwright"), chromium, str(urls)],
        FRESH: [theirs, of("playwright"), chromium, str(urls), "fresh"],
        CRAWL4AI: [theirs, of("crawl4ai"), chromium, str(urls)],
        EVERYTHING: [ours, of("quire"), chromium, str(urls), "50"],
    }


def _run(command: list[str]) -> Run:
    """Run a renderer to its end; its processes are looked at all the while."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    peak, spent, ended = [0.0], dict[int, float](), threading.Event()
    watcher = threading.Thread(target=_watch, args=(process.pid, peak, spent, ended))
    watcher.start()
    assert process.stdout
    printed = process.stdout.read()
    process.wait()
    ended.set()
    watcher.join()
    if process.returncode or not printed.strip():
        raise SystemExit(f"bench: {' '.join(command)} ended with {process.returncode}")
    told = json.loads(printed.strip().splitlines()[-1])
    return Run(told["seconds"], sum(spent.values()), peak[0], told["pages"])


def _watch(pid: int, peak: list[float], spent: dict[int, float], ended: threading.Event) -> None:
    """Look at the processes again and again: nobody waits for a browser's children, so the kernel adds nothing up."""
    with suppress(psutil.Error):
        root = psutil.Process(pid)
        while not ended.wait(_EVERY):
            total = 0
            for process in [root, *root.children(recursive=True)]:
                with suppress(psutil.Error):
                    times = process.cpu_times()
                    spent[process.pid] = times.user + times.system
                    total += process.memory_full_info().uss
            peak[0] = max(peak[0], total / 1e6)


def _text(runs: dict[str, list[Run]], given: argparse.Namespace, chromium: str) -> str:
    rate = {what: median(run.pages / run.seconds for run in found) for what, found in runs.items()}
    cpu = {what: median(run.cpu / run.pages for run in found) for what, found in runs.items()}
    rows = [
        [what, f"{rate[what]:.1f}", f"{rate[QUIRE] / rate[what]:.2f}", f"{1000 * cpu[what]:.0f}",
         f"{cpu[what] / cpu[QUIRE]:.2f}", f"{max(run.memory for run in found):.0f}"]
        for what, found in runs.items()
    ]  # fmt: skip
    head = ["", "pages/s", "Quire is × as fast", "CPU ms a page", "× Quire's CPU", "peak MB"]
    goals = "; ".join(
        f"{goal:g} × {what}: {'reached' if rate[QUIRE] >= goal * rate[what] else 'missed'}"
        for what, goal in TARGETS.items()
    )
    about = (
        f"{given.pages} pages of the Python documentation, four at once, {Path(chromium).name}, medians of"
        f" {given.rounds}. CPU is that of all processes from start to end; memory is what they hold for themselves."
        f" Goals: {goals}."
    )
    return f"{about}\n\n{report.table(head, rows)}"


def _plain(runs: dict[str, list[Run]]) -> dict[str, list[dict[str, float]]]:
    return {what: [asdict(run) for run in found] for what, found in runs.items()}


if __name__ == "__main__":
    main()
