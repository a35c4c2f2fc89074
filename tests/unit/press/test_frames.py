"""The messages between the crawl and its page workers."""

from __future__ import annotations

import asyncio
import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack

from quire.press.frames import Problem, Reply, Result, decode_reply, pack, read_frame, receive
from quire.records import Facts, FoundLinks, Made, Order


def frame(message: object) -> bytes:
    return b"".join(pack(message))


@given(st.lists(st.binary(max_size=2000), max_size=5), st.integers(1, 500))
def test_frames_arrive_whole_however_they_are_cut(bodies: list[bytes], size: int) -> None:
    """S5: both ways of reading give back what was packed"""
    data = b"".join(frame(body) for body in bodies)

    async def read() -> list[bytes]:
        reader = asyncio.StreamReader()
        for start in range(0, len(data), size):
            reader.feed_data(data[start : start + size])
        reader.feed_eof()
        return [msgpack.decode(await read_frame(reader)) for _ in bodies]

    assert asyncio.run(read()) == bodies


def test_a_worker_reads_frame_by_frame_until_the_end() -> None:
    """S5: large ones too; None when the other side is gone"""
    ours, theirs = socket.socketpair()
    bodies = [b"", b"x", b"y" * 3_000_000]

    def send() -> None:
        for body in bodies:
            ours.sendall(frame(body))
        ours.close()

    sender = threading.Thread(target=send)
    sender.start()
    with theirs:
        received = [receive(theirs) for _ in range(4)]
    sender.join()
    assert [None if each is None else msgpack.decode(each) for each in received] == [*bodies, None]


@pytest.mark.parametrize("cut", [1, 3, 4, 7])
def test_a_frame_cut_short_is_the_end(cut: int) -> None:
    """S5: half a message is none"""
    ours, theirs = socket.socketpair()
    with theirs:
        ours.sendall(frame("a message")[:cut])
        ours.close()
        assert receive(theirs) is None


def test_orders_and_replies_survive_the_way() -> None:
    """M4"""
    order = Order("http://h/", "text/html", b"\x00\xff<p>", None, "2024-01-01T00:00:00Z", None, "sha256:0")
    assert msgpack.decode(pack(order)[1], type=Order) == order
    replies: list[Reply] = [
        Result(
            Made(Facts(title="T", headings=((1, "H"),)), FoundLinks(["u"], b"12345678", ["a"], [("x", "a")]), "h", 3)
        ),
        Problem("page", "unreadable", "why"),
        Problem("guard", "", "full"),
    ]
    for reply in replies:
        assert decode_reply.decode(pack(reply)[1]) == reply
