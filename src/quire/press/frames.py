"""Messages between the crawl and its page workers: a length of four bytes, then MessagePack."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, msgpack

from quire.records import Made

if TYPE_CHECKING:
    # A worker starts a fifth sooner without it.
    import asyncio


class Job(Struct, frozen=True, array_like=True):
    """What a worker needs to know once, before its first page."""

    output: str | None
    part: str
    front_matter: bool
    links_only: bool
    query: str
    ignore_case: bool
    noise: tuple[str, ...]


class Problem(Struct, frozen=True, array_like=True, tag="problem"):
    """Why there is no page; `kind` says how far the trouble goes."""

    kind: Literal["page", "crawl", "guard"]
    reason: str
    message: str


class Result(Struct, frozen=True, array_like=True, tag="result"):
    made: Made


Reply = Result | Problem

encode = msgpack.Encoder().encode
decode_reply: msgpack.Decoder[Reply] = msgpack.Decoder(Reply)


def pack(message: object) -> tuple[bytes, bytes]:
    body = encode(message)
    return len(body).to_bytes(4, "little"), body


async def read_frame(reader: asyncio.StreamReader) -> bytes:
    size = int.from_bytes(await reader.readexactly(4), "little")
    return await reader.readexactly(size)


def receive(connection: socket.socket) -> bytes | None:
    """Read one frame, blocking; None when the other side is gone."""
    header = _receive_exactly(connection, 4)
    return None if header is None else _receive_exactly(connection, int.from_bytes(header, "little"))


def _receive_exactly(connection: socket.socket, size: int) -> bytes | None:
    buffer = bytearray(size)
    view, filled = memoryview(buffer), 0
    while filled < size:
        count = connection.recv_into(view[filled:])
        if not count:
            return None
        filled += count
    return bytes(buffer)
