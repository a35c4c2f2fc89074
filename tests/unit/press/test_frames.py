"""The messages between the crawl and its page workers."""

from __future__ import annotations

import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack, structs

from quire.orders import Order
from quire.press.frames import Frames, Problem, Reply, Result, decode_reply, pack, pack_order, receive, receive_order
from quire.records import Facts, FoundLinks, Made


def frame(message: object) -> bytes:
    return b"".join(pack(message))


@given(st.lists(st.binary(max_size=2000), max_size=5), st.integers(1, 500))
def test_frames_arrive_whole_however_they_are_cut(bodies: list[bytes], size: int) -> None:
    """S5"""
    data = b"".join(frame(body) for body in bodies)

    frames = Frames()
    pieces = (data[start : start + size] for start in range(0, len(data), size))
    assert [msgpack.decode(whole) for piece in pieces for whole in frames.feed(piece)] == bodies


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


@pytest.mark.parametrize("cut", [2, 9, -5, -1])
def test_an_order_cut_short_is_the_end(cut: int) -> None:
    """S5: in its head, in itself, before its body, in its body"""
    ours, theirs = socket.socketpair()
    with theirs:
        ours.sendall(b"".join(pack_order(Order("http://h/", "text/html", b"body", None, "")))[:cut])
        ours.close()
        assert receive_order(theirs) is None


def test_orders_and_replies_survive_the_way() -> None:
    """M4"""
    order = Order("http://h/", "text/html", b"\x00\xff<p>", None, "2024-01-01T00:00:00Z", None, "sha256:0")
    empty = structs.replace(order, body=b"")
    ours, theirs = socket.socketpair()
    with theirs:
        ours.sendall(b"".join([*pack_order(order), *pack_order(empty)]))
        ours.close()
        assert [receive_order(theirs) for _ in range(3)] == [order, empty, None]
    replies: list[Reply] = [
        Result(
            Made(Facts(title="T", headings=((1, "H"),)), FoundLinks(["u"], b"12345678", ["a"], [("x", "a")]), "h", 3)
        ),
        Problem("page", "unreadable", "why"),
        Problem("guard", "", "full"),
    ]
    for reply in replies:
        assert decode_reply.decode(pack(reply)[1]) == reply
