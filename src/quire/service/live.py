"""Events to WebSocket clients: read from the database once a project, handed to all who listen (A6)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.exc import DBAPIError

from quire.service.data import events
from quire.service.data.database import Database
from quire.service.schemas import Event

if TYPE_CHECKING:
    from collections.abc import Iterator

log = logging.getLogger("quire.service.live")

CHUNK = 500
_LOOK_EVERY = 0.5
"""Seconds after which events of other instances are looked for."""
_WAITING = 2000
"""Events that may wait for a slow client before it is dropped."""

Message = tuple[int, str]
"""An event's number, and its text as it is sent."""


class Listener:
    """One client's queue; `dropped` when it could not keep up."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Sequence[Message]] = asyncio.Queue()
        self._waiting = 0
        self._taken = 0
        self.dropped = asyncio.Event()

    def give(self, messages: Sequence[Message]) -> None:
        if self.dropped.is_set():
            return
        self._waiting += len(messages)
        if self._waiting > _WAITING:
            self.dropped.set()
        else:
            self._queue.put_nowait(messages)

    async def take(self) -> Sequence[Message]:
        """The next events; they count as waiting until the next call."""
        self._waiting -= self._taken
        self._taken = 0
        messages = await self._queue.get()
        self._taken = len(messages)
        return messages


class _Channel:
    """Those who listen to one project, and the last event they were given."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.listeners: set[Listener] = set()


class Live:
    """The channels of this instance."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._channels: dict[UUID, _Channel] = {}
        self._marked: set[UUID] = set()
        self._wake = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self.dropped = 0

    @property
    def clients(self) -> int:
        return sum(len(channel.listeners) for channel in self._channels.values())

    def changed(self, project_id: UUID) -> None:
        """There are new events of the project; may be called from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            self._loop.call_soon_threadsafe(self._mark, project_id)

    def _mark(self, project_id: UUID) -> None:
        if project_id in self._channels:
            self._marked.add(project_id)
            self._wake.set()

    @contextmanager
    def listening(self, project_id: UUID, last: int) -> Iterator[Listener]:
        """Hear of new events, when `last` was the last; earlier ones may come again, and none is left out."""
        channel = self._channels.setdefault(project_id, _Channel(last))
        listener = Listener()
        channel.listeners.add(listener)
        try:
            yield listener
        finally:
            channel.listeners.discard(listener)
            self.dropped += listener.dropped.is_set()
            if not channel.listeners:
                self._channels.pop(project_id, None)

    async def serve(self) -> None:
        """Pass events on until cancelled."""
        while True:
            waited = False
            try:
                async with asyncio.timeout(_LOOK_EVERY):
                    await self._wake.wait()
            except TimeoutError:
                waited = True
            self._wake.clear()
            try:
                await self._pass_on(waited=waited)
            except DBAPIError as problem:
                log.warning("events cannot be read: %s", str(problem.orig).partition("\n")[0])

    async def _pass_on(self, *, waited: bool) -> None:
        marked, self._marked = self._marked, set()
        if waited and self._channels:
            numbers = await asyncio.to_thread(self._last_numbers, list(self._channels))
            marked = {id for id, number in numbers.items() if (c := self._channels.get(id)) and number > c.last}
        for project_id in marked:
            await self._deliver(project_id)

    async def _deliver(self, project_id: UUID) -> None:
        while (channel := self._channels.get(project_id)) is not None:
            last = channel.last
            messages = await asyncio.to_thread(self.read, project_id, last)
            if channel.last == last and messages:
                channel.last = messages[-1][0]
                for listener in list(channel.listeners):
                    listener.give(messages)
            if len(messages) < CHUNK:
                return

    def read(self, project_id: UUID, after: int) -> list[Message]:
        """The next events after a number, as they are sent."""
        with self._database.reading() as connection:
            return [(row.number, message(row)) for row in events.after(connection, project_id, after, CHUNK)]

    def _last_numbers(self, project_ids: Iterable[UUID]) -> Any:
        with self._database.reading() as connection:
            return events.last_numbers(connection, project_ids)


def message(row: Row[Any]) -> str:
    """An event as text."""
    return Event.model_validate(row).model_dump_json()
