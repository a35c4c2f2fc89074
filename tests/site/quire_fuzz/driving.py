"""One target, fed for so many megabytes in a process of its own: what it did, or the input that broke it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from .mutations import inputs
from .targets import TARGETS

SLOW = 1.0
"""Seconds of processor time that no input may take."""
_HANGING = 20.0
_TRIES = 3
_SITE = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Figures:
    """What a run came to."""

    target: str
    inputs: int
    megabytes: float
    seconds: float
    slowest: float
    slowest_bytes: int
    peak_megabytes: float


class Broken(Exception):
    """An input was too much; it is kept in a file."""


def fuzz(target: str, megabytes: float, number: int = 0, findings: Path | None = None) -> Figures:
    """Feed the target in a process of its own; raise Broken with the input's place and what became of it."""
    folder = findings or Path(tempfile.gettempdir())
    hand = folder / f"quire-fuzz-{target}-{os.getpid()}.input"
    command = [sys.executable, "-m", "quire_fuzz", target, str(megabytes), str(number), str(hand)]
    done = subprocess.run(command, cwd=_SITE, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Broken(f"{target}: status {done.returncode} over {hand}\n{done.stderr[-3000:]}")
    hand.unlink(missing_ok=True)
    return Figures(**json.loads(done.stdout.splitlines()[-1]))


def run(target: str, megabytes: float, number: int, hand: Path) -> Figures:
    """Feed the target here; the input in hand is in the file `hand` when this process dies."""
    seeds, words, opened, largest = TARGETS[target]
    # The default of this signal is to end the process, whatever C code it is in.
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    count, fed, slowest, slowest_bytes, begun = 0, 0, 0.0, 0, time.process_time()
    with tempfile.TemporaryDirectory(prefix="quire-fuzz-", dir=_memory_disk()) as folder, hand.open("wb+") as kept:
        feed = opened(Path(folder))
        for data in inputs(seeds(), words, number, largest):
            kept.seek(0)
            kept.write(data)
            kept.truncate()
            kept.flush()
            taken = timed(feed, data)
            if taken > SLOW:
                raise Broken(f"{len(data)} bytes took {taken:.2f} s")
            if taken > slowest:
                slowest, slowest_bytes = taken, len(data)
            count, fed = count + 1, fed + len(data)
            if fed >= megabytes * 1e6:
                break
    return Figures(target, count, fed / 1e6, time.process_time() - begun, slowest, slowest_bytes, _peak())


def _peak() -> float:
    """The most memory this process has held, in megabytes; what getrusage says begins with what its parent held."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1000


def timed(feed: Callable[[bytes], None], data: bytes, limit: float = SLOW) -> float:
    """Return the processor time that an input takes, the least of a few where it is over the limit.

    On a busy machine caches and cores are shared, which costs processor time too, but not each time as much.
    """
    taken = _taken(feed, data)
    for _ in range(_TRIES - 1):
        if taken <= limit:
            break
        taken = min(taken, _taken(feed, data))
    return taken


def _taken(feed: Callable[[bytes], None], data: bytes) -> float:
    signal.setitimer(signal.ITIMER_VIRTUAL, _HANGING)
    begun = time.process_time()
    feed(data)
    taken = time.process_time() - begun
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return taken


def _memory_disk() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def main() -> None:
    target, megabytes, number, hand = sys.argv[1:5]
    if megabytes == "once":
        data = Path(hand).read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            print(timed(TARGETS[target].open(Path(folder)), data))
        return
    print(json.dumps(asdict(run(target, float(megabytes), int(number), Path(hand)))))
