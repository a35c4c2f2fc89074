"""One command under measurement: wall seconds, CPU seconds and memory, of all its processes together."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_EVERY = 0.02
_LOOK_EVERY = 0.1
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took; `status` is negative when it was ended by a signal, as after a timeout."""

    seconds: float
    cpu: float
    memory: int
    status: int


def cost_of(
    command: Sequence[str], folder: Path, *, timeout: float = 900.0, environment: Mapping[str, str] | None = None
) -> Cost:
    """Run a command in a folder; what it prints goes to `printed.txt` there."""
    ended = threading.Event()
    peak = [0]
    with (folder / "printed.txt").open("wb") as printed:
        begun = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed, cwd=folder,
            env=None if environment is None else {**os.environ, **environment}, start_new_session=True,
        )  # fmt: skip
        watcher = threading.Thread(target=_watch, args=(process.pid, ended, peak, begun + timeout))
        watcher.start()
        # The kernel adds up the CPU time of a process and of all descendants that were waited for.
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
    ended.set()
    watcher.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return Cost(seconds, usage.ru_utime + usage.ru_stime, peak[0], process.returncode)


def _watch(session: int, ended: threading.Event, peak: list[int], deadline: float) -> None:
    """Sample the memory of the session's processes; end them when the time is over."""
    processes, looked = [session], 0.0
    while not ended.wait(_EVERY):
        now = time.perf_counter()
        if now - looked > _LOOK_EVERY:
            processes, looked = members(session), now
        peak[0] = max(peak[0], sum(map(memory, processes)))
        if now > deadline:
            with suppress(ProcessLookupError):
                os.killpg(session, signal.SIGKILL)
            return


def members(session: int) -> list[int]:
    """The processes of a session: the one that began it, and its descendants."""
    found = []
    for home in Path("/proc").iterdir():
        # A process may end while it is looked at.
        with suppress(OSError, ValueError):
            process = int(home.name)
            if int((home / "stat").read_text().rpartition(")")[2].split()[3]) == session:
                found.append(process)
    return found


def memory(process: int) -> int:
    """Resident bytes of one process, 0 when it is gone; pages shared between processes count for each."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    except OSError:
        return 0
