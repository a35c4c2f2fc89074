"""Starting page workers: cheap to import, so that they can start before the rest of Quire is loaded."""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import suppress

_MAIN = "from quire.worker import main; main()"
# For glibc: what one large page took goes back to the system, and is not kept for the next.
_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(2**20), "MALLOC_TRIM_THRESHOLD_": str(2**22)}
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
    ours, theirs = socket.socketpair()
    # Several pages fit: a worker that takes one need not wait for us before the next.
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SENT_AHEAD)
    with theirs:
        os.set_inheritable(theirs.fileno(), True)
        # -P: a file called quire.py in the user's folder must not be taken for us.
        command = [sys.executable, "-P", "-c", _MAIN, str(theirs.fileno())]
        silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        pid = os.posix_spawn(sys.executable, command, os.environ | _MEMORY, file_actions=silent)
    return WorkerProcess(pid, ours)


def start_workers(number: int) -> list[WorkerProcess]:
    """Start so many processes, or one for each core."""
    return [start_worker() for _ in range(number or os.cpu_count() or 1)]
