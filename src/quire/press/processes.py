"""Starting page workers: cheap to import, so that they can start before the rest of Quire is loaded."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NoReturn

_MAIN = "import sys; from quire.worker import main; main(int(sys.argv[-1]))"
_SENT_AHEAD = 2**20


class WorkerProcess:
    """A page worker that was started, and our side of the socket it reads."""

    def __init__(self, pid: int, connection: socket.socket) -> None:
        self._pid = pid
        self.connection = connection

    def end(self) -> None:
        """Kill it, and wait until it is gone; a second call does nothing."""
        pid, self._pid = self._pid, 0
        self.connection.close()
        if pid:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def start_worker() -> WorkerProcess:
    """Start a process that waits for its job; it ends by itself when our side of the socket is closed."""
    ours, theirs = _line()
    with theirs:
        os.set_inheritable(theirs.fileno(), True)
        # -P: a file called quire.py in the user's folder must not be taken for us.
        command = [sys.executable, "-P", "-c", _MAIN, str(theirs.fileno())]
        silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=silent)
    return WorkerProcess(pid, ours)


def start_workers(number: int, work: Callable[[int], None] | None = None) -> list[WorkerProcess]:
    """Start so many processes, or one for each core.

    A command that has loaded little yet names what they do, given the number of their socket. Then they are copies
    of its process, ready in half the time; unless there may be threads, whose locks nobody would open in a copy.
    """
    workers: list[WorkerProcess] = []
    for _ in range(number or os.cpu_count() or 1):
        if work and "threading" not in sys.modules:
            workers.append(_copied_worker(work, workers))
        else:
            workers.append(start_worker())
    return workers


def _copied_worker(work: Callable[[int], None], others: Iterable[WorkerProcess]) -> WorkerProcess:
    ours, theirs = _line()
    with theirs:
        pid = os.fork()
        if not pid:
            # A copy must not hold the command's sides of the lines: by their end the others learn of the command's.
            _work_alone(work, theirs, [ours, *(other.connection for other in others)])
    return WorkerProcess(pid, ours)


def _work_alone(work: Callable[[int], None], line: socket.socket, not_ours: Iterable[socket.socket]) -> NoReturn:
    try:
        for each in not_ours:
            each.close()
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        os.close(nothing)
        work(line.fileno())
    finally:
        os._exit(1)


def _line() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair()
    # Several pages fit: a worker that takes one need not wait for us before the next.
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SENT_AHEAD)
    return ours, theirs
