"""Start-up: `quire --help` against `python -c pass`, and the time from the command to the first page.

python bench/startup.py [--times N] [--write]
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median

import report
from contestants import QUIRE
from installing import install_packages
from loopback import Nginx
from sites import PYTHON

PROGRAM = str(Path(sys.executable).with_name("quire"))
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "quire --help": [PROGRAM, "--help"],
    "quire mirror --help": [PROGRAM, "mirror", "--help"],
}
FIRST_REQUEST, FIRST_FILE = "quire mirror: first request at the server", "quire mirror: first page on disk"
_PATIENCE = 30.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=25)
    parser.add_argument("--note", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    about = report.setting(given.note)
    install_packages()
    times: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="quire-startup-") as name, Nginx(PYTHON.root, Path(name)) as server:
        for number in range(given.times):
            for what, command in COMMANDS.items():
                times[what].append(_seconds(command))
            request, file = _first_page(server, Path(name) / str(number))
            times[FIRST_REQUEST].append(request)
            times[FIRST_FILE].append(file)
    least = median(times["python -c pass"])
    rows = [
        [f"`{what}`" if what in COMMANDS else what, f"{1000 * median(found):.0f}", f"{median(found) / least:.1f}"]
        for what, found in times.items()
    ]
    text = f"Medians of {given.times}.\n\n{report.table(['', 'ms', '× python -c pass'], rows)}"
    report.publish("startup", text, times, about, write=given.write)


def _seconds(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def _first_page(server: Nginx, output: Path) -> tuple[float, float]:
    """Start a crawl and stop it as soon as its first page is there; seconds to the first request and to the file."""
    size = server.log.stat().st_size
    page = output / server.url.split("/")[2].replace(":", "_") / "index.md"
    begun = time.perf_counter()
    process = subprocess.Popen([PROGRAM, "mirror", server.url, "-o", str(output), *QUIRE], start_new_session=True)
    try:
        request = _wait(lambda: server.log.stat().st_size > size, begun)
        return request, _wait(page.exists, begun)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait(happened: Callable[[], bool], begun: float) -> float:
    """Seconds since `begun` until something is so."""
    while not happened():
        if time.perf_counter() - begun > _PATIENCE:
            raise SystemExit(f"no page within {_PATIENCE:g} s")
        time.sleep(0.001)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
