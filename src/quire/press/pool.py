"""The page workers as the crawl sees them: orders go out, pages come back, the dead are replaced."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence

from quire.errors import CrawlError, GuardStop, PageError, PageUnreadable
from quire.orders import Order
from quire.press.frames import Frames, Job, Problem, decode_reply, pack, pack_order
from quire.press.processes import WorkerProcess, start_worker
from quire.records import Made

_START_SECONDS = 60.0
_STARTS = 3
# The tree of a page takes ten times its bytes. Large ones all go to one worker, so that they are in memory one by one.
_LARGE = 1_000_000
# So many bytes are on their way to a worker: enough to keep it busy, and not every waiting page a second time.
_AHEAD = 500_000


class _Task:
    __slots__ = ("answer", "crashes", "order")

    def __init__(self, order: Order, answer: asyncio.Future[Made]) -> None:
        self.order = order
        self.answer = answer
        self.crashes = 0


class _Line(asyncio.Protocol):
    """The connection to one process; `gone` is done when it has ended."""

    def __init__(self, hear: Callable[[bytes], None]) -> None:
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._hear = hear
        self._frames = Frames()

    def data_received(self, data: bytes) -> None:
        if self.gone.done():
            # An answer that comes too late: its page was given up.
            return
        for frame in self._frames.feed(data):
            self._hear(frame)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.gone.done():
            self.gone.set_result(None)


class _Worker:
    """One process and the orders it was given; they are answered in order, so the first one is in its hands."""

    def __init__(self, job: Job, page_timeout: float, process: WorkerProcess | None) -> None:
        self._job = job
        self._page_timeout = page_timeout
        self._process = process
        self._line: _Line | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_ready = False
        self.tasks: deque[_Task] = deque()
        self.load = 0
        self._sent = 0
        self._sent_bytes = 0

    def give(self, task: _Task) -> None:
        self.tasks.append(task)
        self.load += len(task.order.body)
        if self._is_ready:
            self._send()
            if len(self.tasks) == 1:
                self._begin_page()

    async def serve(self) -> None:
        """Keep a process running, until cancelled; its answers are passed on as they come."""
        still_born = 0
        try:
            while True:
                line = await self._start()
                await line.gone
                # Somebody may have killed it before it was ready; one that cannot start does not start again either.
                still_born = 0 if self._is_ready else still_born + 1
                if still_born >= _STARTS:
                    raise CrawlError(
                        "a page worker does not start; give it more memory (ulimit -v), or reinstall quire"
                    )
                if self._is_ready:
                    self._blame()
                self._end()
        finally:
            self._end()

    async def _start(self) -> _Line:
        self._process = self._process or start_worker()
        loop = asyncio.get_running_loop()
        self._transport, line = await loop.create_connection(lambda: _Line(self._hear), sock=self._process.connection)
        self._line = line
        self._transport.writelines(pack(self._job))
        self._timer = loop.call_later(_START_SECONDS, self._hang_up)
        return line

    def _hear(self, frame: bytes) -> None:
        if self._is_ready:
            self._answer(frame)
        self._is_ready = True
        self._send()
        self._begin_page()

    def _answer(self, frame: bytes) -> None:
        reply = decode_reply.decode(frame)
        task = self._first()
        if task.answer.done():
            return
        if isinstance(reply, Problem):
            task.answer.set_exception(_error(reply))
        else:
            task.answer.set_result(reply.made)

    def _begin_page(self) -> None:
        """Give the page that is now in the worker's hands its time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.tasks:
            self._timer = asyncio.get_running_loop().call_later(self._page_timeout, self._give_up_page)

    def _give_up_page(self) -> None:
        self._fail(PageUnreadable(f"{self.tasks[0].order.url}: not converted within {self._page_timeout:g} s"))
        self._hang_up()

    def _blame(self) -> None:
        """The process died. Somebody may have killed it; a page that is to blame does it again."""
        if self._timer is None or not self.tasks:
            return
        task = self.tasks[0]
        task.crashes += 1
        if task.crashes > 1:
            self._fail(PageUnreadable(f"{task.order.url}: the page crashed its converter"))

    def _first(self) -> _Task:
        """Take the page that is in the worker's hands off the list."""
        task = self.tasks.popleft()
        self.load -= len(task.order.body)
        self._sent -= 1
        self._sent_bytes -= len(task.order.body)
        return task

    def _fail(self, error: PageError) -> None:
        task = self._first()
        if not task.answer.done():
            task.answer.set_exception(error)

    def _send(self) -> None:
        """Keep the worker busy."""
        assert self._transport
        if self._transport.is_closing():
            # It just died; the next one gets them all.
            return
        while self._sent < len(self.tasks) and (self._sent == 0 or self._sent_bytes < _AHEAD):
            order = self.tasks[self._sent].order
            self._transport.writelines(pack_order(order))
            self._sent += 1
            self._sent_bytes += len(order.body)

    def _hang_up(self) -> None:
        self._timer = None
        if self._line is not None and not self._line.gone.done():
            self._line.gone.set_result(None)

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            self._transport.abort()
        if self._process is not None:
            self._process.end()
        self._process = self._transport = self._line = self._timer = None
        self._is_ready = False
        self._sent = self._sent_bytes = 0


class PressPool:
    """ports.Press over several processes; `started` are taken over, one for each worker."""

    def __init__(self, job: Job, started: Sequence[WorkerProcess], page_timeout: float) -> None:
        self._workers = [_Worker(job, page_timeout, process) for process in started]
        self._servants: list[asyncio.Task[None]] = []
        self._broken: CrawlError | None = None

    async def start(self) -> None:
        self._servants = [asyncio.create_task(self._serve(worker)) for worker in self._workers]

    async def make(self, order: Order) -> Made:
        if self._broken:
            raise self._broken
        task = _Task(order, asyncio.get_running_loop().create_future())
        is_large = len(order.body) > _LARGE
        worker = self._workers[0] if is_large else min(self._workers, key=lambda worker: worker.load)
        worker.give(task)
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
