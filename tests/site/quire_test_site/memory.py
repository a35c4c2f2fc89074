"""The memory of a crawl while it runs, as figures and as a picture."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]

_WIDTH, _HEIGHT, _LEFT, _TOP, _FOOT = 720, 260, 60, 36, 40
_COLOURS = {"main process": "#b5341f", "page workers together": "#7a8ca3"}


@dataclass(frozen=True, slots=True)
class Sample:
    """Resident bytes at one moment."""

    seconds: float
    main: int
    workers: int


def watch(process: subprocess.Popen[str], gap: float = 1.0) -> list[Sample]:
    """Look at the process and its children until it ends."""
    begun, samples = time.monotonic(), []
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        with suppress(psutil.Error):
            main = watched.memory_info().rss
            workers = sum(child.memory_info().rss for child in watched.children())
            samples.append(Sample(time.monotonic() - begun, main, workers))
        time.sleep(gap)
    return samples


def peak(pid: int) -> tuple[int, int, float]:
    """Wait for a child process; its exit status, the most bytes it had resident, and its seconds of computing.

    `ru_maxrss` would not do: it begins with the memory of the process that started this one.
    """
    status_file, most = Path(f"/proc/{pid}/status"), 0
    while True:
        lines = status_file.read_text().splitlines()
        most = max([most, *(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))])
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), most, usage.ru_utime
        time.sleep(0.01)


def draw(samples: Sequence[Sample], title: str, file: Path) -> None:
    """Draw both lines over time, as SVG."""
    lines = {
        "main process": [(each.seconds, each.main / 1e6) for each in samples],
        "page workers together": [(each.seconds, each.workers / 1e6) for each in samples],
    }
    longest = samples[-1].seconds
    highest = 50 * (int(max(high for points in lines.values() for _, high in points)) // 50 + 1)
    parts = [f'<text x="12" y="22" font-size="15" font-weight="bold">{title}</text>']
    for mark in range(0, highest + 1, 50):
        y = _TOP + _HEIGHT * (1 - mark / highest)
        parts.append(f'<line x1="{_LEFT}" x2="{_LEFT + _WIDTH}" y1="{y:.0f}" y2="{y:.0f}" stroke="#ccc"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.0f}" text-anchor="end" fill="#555">{mark} MB</text>')
    for number, (name, points) in enumerate(lines.items()):
        path = " ".join(
            f"{_LEFT + _WIDTH * seconds / longest:.1f},{_TOP + _HEIGHT * (1 - high / highest):.1f}"
            for seconds, high in points
        )
        parts.append(f'<polyline points="{path}" fill="none" stroke="{_COLOURS[name]}" stroke-width="2"/>')
        place = f'x="{_LEFT + 230 * number}" y="{_TOP + _HEIGHT + 32}"'
        parts.append(f'<text {place} fill="{_COLOURS[name]}">{name}</text>')
    end = f'<text x="{_LEFT + _WIDTH}" y="{_TOP + _HEIGHT + 18}" text-anchor="end" fill="#555">{longest:.0f} s</text>'
    width, height = _LEFT + _WIDTH + 20, _TOP + _HEIGHT + _FOOT
    file.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="sans-serif" font-size="13">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join([*parts, end])
        + "\n</svg>\n"
    )
