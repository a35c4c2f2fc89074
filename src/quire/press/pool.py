"""The page workers as the crawl sees them: orders go out, pages come back, the dead are replaced."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections import deque
from contextlib import suppress

from quire.errors import CrawlError, GuardStop, PageError, PageUnreadable
from quire.press.frames import Job, Problem, decode_reply, pack, read_frame
from quire.records import Made, Order

_START_SECONDS = 60.0
# For glibc: what one large page took goes back to the system, and is not kept for the next.
_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(2**20), "MALLOC_TRIM_THRESHOLD_": str(2**22)}


class _Task:
    __slots__ = ("answer", "crashes", "order")

    def __init__(self, order: Order, answer: asyncio.Future[Made]) -> None:
        self.order = order
        self.answer = answer
        self.crashes = 0


class _Worker:
    """One process and the orders it was given; they are answered in order, so the first one is in its hands."""

    def __init__(self, job: Job, page_timeout: float) -> None:
        self._job = job
        self._page_timeout = page_timeout
        self.tasks: deque[_Task] = deque()
        self._arrived = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.StreamWriter | None = None

    def give(self, task: _Task) -> None:
        self.tasks.append(task)
        self._arrived.set()
        self._send(task)

    async def serve(self) -> None:
        """Keep a process running and pass its answers on, until cancelled."""
        try:
            while True:
                reader = await self._start()
                for task in self.tasks:
                    self._send(task)
                await self._answers(reader)
                await self._end()
        finally:
            await self._end()

    async def _start(self) -> asyncio.StreamReader:
        ours, theirs = socket.socketpair()
        with theirs:
            # -P: a file called quire.py in the user's folder must not be taken for us.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "quire.worker", str(theirs.fileno()), pass_fds=[theirs.fileno()],
                env=os.environ | _MEMORY,
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
        reader, writer = await asyncio.open_connection(sock=ours, limit=2**26)
        writer.writelines(pack(self._job))
        try:
            async with asyncio.timeout(_START_SECONDS):
                greeting = await read_frame(reader)
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
            greeting = b"the process ended at once"
        if greeting != b"ready":
            raise CrawlError(f"a page worker does not start ({greeting.decode(errors='replace')}); reinstall quire")
        self._writer = writer
        return reader

    async def _answers(self, reader: asyncio.StreamReader) -> None:
        """Hand out answers until the process dies or takes too long."""
        while True:
            if not self.tasks:
                self._arrived.clear()
                await self._arrived.wait()
            task = self.tasks[0]
            try:
                async with asyncio.timeout(self._page_timeout):
                    reply = decode_reply.decode(await read_frame(reader))
            except TimeoutError:
                self._fail(PageUnreadable(f"{task.order.url}: not converted within {self._page_timeout:g} s"))
                return
            except (asyncio.IncompleteReadError, ConnectionError):
                # Somebody may have killed the process; a page that is to blame does it again.
                task.crashes += 1
                if task.crashes > 1:
                    self._fail(PageUnreadable(f"{task.order.url}: the page crashed its converter"))
                return
            self.tasks.popleft()
            if task.answer.done():
                continue
            if isinstance(reply, Problem):
                task.answer.set_exception(_error(reply))
            else:
                task.answer.set_result(reply.made)

    def _fail(self, error: PageError) -> None:
        task = self.tasks.popleft()
        if not task.answer.done():
            task.answer.set_exception(error)

    def _send(self, task: _Task) -> None:
        """Pass the order on, unless the process is just being replaced: the next one gets them all."""
        if self._writer is not None and not self._writer.is_closing():
            self._writer.writelines(pack(task.order))

    async def _end(self) -> None:
        process, writer = self._process, self._writer
        self._process = self._writer = None
        if writer is not None:
            writer.close()
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class PressPool:
    """ports.Press over several processes."""

    def __init__(self, job: Job, workers: int, page_timeout: float) -> None:
        self._workers = [_Worker(job, page_timeout) for _ in range(workers or os.cpu_count() or 1)]
        self._servants: list[asyncio.Task[None]] = []
        self._broken: CrawlError | None = None

    async def start(self) -> None:
        self._servants = [asyncio.create_task(self._serve(worker)) for worker in self._workers]

    async def make(self, order: Order) -> Made:
        if self._broken:
            raise self._broken
        task = _Task(order, asyncio.get_running_loop().create_future())
        min(self._workers, key=lambda worker: len(worker.tasks)).give(task)
        return await task.answer

    async def close(self) -> None:
        for servant in self._servants:
            servant.cancel()
        await asyncio.gather(*self._servants, return_exceptions=True)

    async def _serve(self, worker: _Worker) -> None:
        try:
            await worker.serve()
        except CrawlError as error:
            self._broken = error
            for task in worker.tasks:
                if not task.answer.done():
                    task.answer.set_exception(error)


def _error(problem: Problem) -> Exception:
    match problem.kind:
        case "guard":
            return GuardStop(problem.message)
        case "crawl":
            return CrawlError(problem.message)
        case _:
            error = PageUnreadable(problem.message)
            error.reason = problem.reason
            return error
