"""The WebSocket of a project: every event once, in order, from wherever the client left off (A6)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from quire.service.context import Service
from quire.service.data import crawls, events
from quire.service.live import CHUNK, Listener, Message

router = APIRouter()

NOT_FOUND = 4404
BAD_REQUEST = 4422
TOO_SLOW = 1013
_SEND_SECONDS = 20.0


@router.websocket("/projects/{project_id}/ws")
async def watch_project(socket: WebSocket, project_id: str, after: str | None = None) -> None:
    service: Service = socket.app.state.service
    await socket.accept()
    try:
        id, number = UUID(project_id), None if after is None else int(after)
    except ValueError:
        await socket.close(BAD_REQUEST, "the project's id, or the number in `after`, is none")
        return
    span = await asyncio.to_thread(_span, service, id, number)
    if span is None:
        await socket.close(NOT_FOUND, f"there is no project {id}")
        return
    begin, oldest, last = span
    with service.live.listening(id, last) as listener:
        hello = {"type": "hello", "project_id": str(id), "oldest_event": oldest, "last_event": last}
        sending = asyncio.ensure_future(
            _Sender(socket, service, id, max(begin, oldest - 1)).run(json.dumps(hello), listener)
        )
        waits = [sending, asyncio.ensure_future(_gone(socket)), asyncio.ensure_future(listener.dropped.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
    if not waits[1].done() or waits[1].cancelled():
        with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
            async with asyncio.timeout(1):
                await socket.close(TOO_SLOW, "too slow; connect again with `after`")


def _span(service: Service, id: UUID, after: int | None) -> tuple[int, int, int] | None:
    """Where to begin, the oldest event there is, and the last."""
    with service.database.reading() as connection:
        found = events.span(connection, id)
        if found is None:
            return None
        if after is not None:
            return after, *found
        latest = crawls.latest(connection, id)
        return (events.before_crawl(connection, id, latest.id) if latest else 0), *found


async def _gone(socket: WebSocket) -> None:
    """Return when the client is gone; what it says is not listened to."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass


class _Sender:
    """Sends what a client has missed, then what comes; ends when the client takes too long."""

    def __init__(self, socket: WebSocket, service: Service, project_id: UUID, sent: int) -> None:
        self._socket = socket
        self._service = service
        self._project_id = project_id
        self._sent = sent

    async def run(self, hello: str, listener: Listener) -> None:
        with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
            await self._send(hello)
            while True:
                missed = await asyncio.to_thread(self._service.live.read, self._project_id, self._sent)
                await self._send_new(missed)
                if len(missed) < CHUNK:
                    break
            while True:
                await self._send_new(await listener.take())

    async def _send_new(self, messages: Sequence[Message]) -> None:
        for number, text in messages:
            if number > self._sent:
                await self._send(text)
                self._sent = number

    async def _send(self, text: str) -> None:
        async with asyncio.timeout(_SEND_SECONDS):
            await self._socket.send_text(text)
