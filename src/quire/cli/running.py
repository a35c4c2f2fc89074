"""Running a crawl from the command line: signals, errors, exit status (C9, C10)."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from quire.errors import QuireError

if TYPE_CHECKING:
    import asyncio

    from quire.events import CrawlFinished

INTERRUPTED = 130
_SAVED = "the state is saved, the same command goes on from here"


def run_command(command: Callable[[], int]) -> int:
    """Run a command; what it raises on purpose becomes one line and a status."""
    try:
        return command()
    except QuireError as error:
        sys.stderr.write(f"quire: {error}\n")
        return getattr(error, "exit_status", 1)
    except BrokenPipeError:
        # Whoever read our output has had enough.
        sys.stdout = None
        return 0


def run_crawl(crawl: Coroutine[Any, Any, CrawlFinished], interrupted: str = _SAVED) -> int:
    """Run a crawl to its end or until it is interrupted, and say what that means; returns the exit status."""
    import asyncio

    gc.freeze()
    gc.enable()
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        try:
            finished = runner.run(_interruptible(crawl, interrupted))
        except asyncio.CancelledError:
            return INTERRUPTED
    if finished.problem:
        sys.stderr.write(f"quire: {finished.problem}\n")
    return 0 if finished.clean else 1


async def _interruptible(crawl: Coroutine[Any, Any, CrawlFinished], interrupted: str) -> CrawlFinished:
    """Let SIGINT and SIGTERM stop the crawl cleanly; a second one stops it at once."""
    import asyncio

    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(crawl)

    def stop() -> None:
        sys.stderr.write(f"Stopping: {interrupted}\n")
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
        task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    return await task


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
