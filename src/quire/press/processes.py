"""Starting page workers: cheap to import, so that they can start before the rest of Quire is loaded."""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import NoReturn

from quire.errors import CrawlError

_MAIN = "import sys; from quire.worker import main; main(int(sys.argv[-1]))"
_SENT_AHEAD = 2**20
_PR_SET_CHILD_SUBREAPER = 36  # of Linux's prctl.h

_Lines = Sequence[tuple[socket.socket, socket.socket]]


class WorkerProcess:
    """A page worker that was started, and our side of the socket it reads; `pid` tells 0 if it never came to be."""

    def __init__(self, pid: Callable[[], int], connection: socket.socket) -> None:
        self._pid = pid
        self._is_ours = True
        self.connection = connection

    def end(self) -> None:
        """Kill it, and wait until it is gone; a second call does nothing that matters."""
        self.connection.close()
        if self._is_ours and (pid := self._pid()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            self._is_ours = not _was_awaited(pid)


def start_worker() -> WorkerProcess:
    """Start a process that waits for its job; it ends by itself when our side of the socket is closed."""
    try:
        return _started_worker()
    except OSError as error:
        raise _not_started(error) from error


def _started_worker() -> WorkerProcess:
    ours, theirs = _line()
    with theirs:
        os.set_inheritable(theirs.fileno(), True)
        # -P: a file called quire.py in the user's folder must not be taken for us.
        command = [sys.executable, "-P", "-c", _MAIN, str(theirs.fileno())]
        silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        try:
            pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=silent)
        except OSError:
            ours.close()
            raise
    return WorkerProcess(lambda: pid, ours)


def start_workers(number: int, load: Callable[[], Callable[[int], None]] | None = None) -> list[WorkerProcess]:
    """Start so many processes, or one for each core.

    A command that has loaded little yet names what loads their work, which is given the number of their socket. Then
    one copy of its process loads that and makes the others as copies of itself, ready in no time; unless there may be
    threads, whose locks nobody would open in a copy.
    """
    number = number or os.cpu_count() or 1
    if load and "threading" not in sys.modules and _adopts_orphans():
        try:
            return _copied_workers(number, load)
        except OSError as error:
            raise _not_started(error) from error
    return [start_worker() for _ in range(number)]


def _copied_workers(number: int, load: Callable[[], Callable[[int], None]]) -> list[WorkerProcess]:
    lines = [_line() for _ in range(number)]
    told, tell = os.pipe()
    first = os.fork()
    if not first:
        os.close(told)
        _work_in_copies(load, lines, tell)
    os.close(tell)
    for _, theirs in lines:
        theirs.close()

    @cache
    def others() -> list[int]:
        """Those that the first has made, once it has, or has died."""
        with os.fdopen(told, "rb") as file:
            return [int(line) for line in file]

    def pid_of(place: int) -> int:
        return next(iter(others()[place - 1 :]), 0) if place else first

    return [WorkerProcess(partial(pid_of, place), ours) for place, (ours, _) in enumerate(lines)]


def _work_in_copies(load: Callable[[], Callable[[int], None]], lines: _Lines, tell: int) -> NoReturn:
    try:
        # By the end of the command's sides of the lines the copies learn of the command's.
        for ours, _ in lines:
            ours.close()
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        os.close(nothing)
        work = load()
        # What is loaded stays, and is memory that the copies share as long as nobody looks for garbage in it.
        gc.freeze()
        mine = lines[0][1]
        for _, theirs in lines[1:]:
            pid = os.fork()
            if not pid:
                mine = theirs
                break
            os.write(tell, b"%d\n" % pid)
        os.close(tell)
        for _, theirs in lines:
            if theirs is not mine:
                theirs.close()
        gc.enable()
        work(mine.fileno())
    finally:
        os._exit(1)


def _adopts_orphans() -> bool:
    """Have the system give us the children of a child that ends, so that they can be waited for; False if it cannot."""
    import ctypes

    with suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    return False


def _was_awaited(pid: int) -> bool:
    """Wait until a process is gone; False if its place is kept, as the first worker, which lives, has made it."""
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:
        with suppress(OSError):
            handle = os.pidfd_open(pid)
            end = select.poll()
            end.register(handle, select.POLLIN)
            end.poll()
            os.close(handle)
        return False
    return True


def _not_started(error: OSError) -> CrawlError:
    return CrawlError(
        f"a page worker cannot be started ({error.strerror});"
        " make sure that memory, processes and open files are left, then start again"
    )


def _line() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair()
    # Several pages fit: a worker that takes one need not wait for us before the next.
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SENT_AHEAD)
    return ours, theirs
