"""Messages between the crawl and its page workers: a length of four bytes, then MessagePack."""

from __future__ import annotations

import socket
from typing import Literal

from msgspec import Struct, msgpack, structs

from quire.orders import Order
from quire.records import Made

_HEAD = 4


class Job(Struct, frozen=True, array_like=True):
    """What a worker needs to know once, before its first page."""

    output: str | None
    part: str
    front_matter: bool
    links_only: bool
    query: str
    ignore_case: bool
    noise: tuple[str, ...]
    remove: tuple[str, ...] = ()
    max_markdown: int = 20_000_000
    max_links: int = 10_000
    memory: int = 0
    text: bool = False
    drops_heading: bool = False


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
_decode_order = msgpack.Decoder(Order).decode


def pack(message: object) -> tuple[bytes, bytes]:
    body = encode(message)
    return len(body).to_bytes(_HEAD, "little"), body


def pack_order(order: Order) -> tuple[bytes, bytes, bytes, bytes]:
    """Two frames: the order, and its body as it is, which is large and need not be copied."""
    head, slip = pack(structs.replace(order, body=b""))
    return head, slip, len(order.body).to_bytes(_HEAD, "little"), order.body


class Frames:
    """Puts together what arrives in pieces."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the frames that are whole now."""
        buffer, found, start = self._buffer, [], 0
        buffer += data
        while len(buffer) >= start + _HEAD:
            end = start + _HEAD + int.from_bytes(buffer[start : start + _HEAD], "little")
            if end > len(buffer):
                break
            found.append(bytes(buffer[start + _HEAD : end]))
            start = end
        del buffer[:start]
        return found


def receive(connection: socket.socket) -> bytes | None:
    """Read one frame, blocking; None when the other side is gone."""
    head = _receive_exactly(connection, _HEAD)
    return None if head is None else _receive_exactly(connection, int.from_bytes(head, "little"))


def receive_order(connection: socket.socket) -> Order | None:
    """Read an order and its body."""
    slip = receive(connection)
    body = None if slip is None else receive(connection)
    if slip is None or body is None:
        return None
    return structs.replace(_decode_order(slip), body=body)


def _receive_exactly(connection: socket.socket, size: int) -> bytes | None:
    received = connection.recv(size, socket.MSG_WAITALL)
    while len(received) < size:
        piece = connection.recv(size - len(received), socket.MSG_WAITALL)
        if not piece:
            return None
        received += piece
    return received
