"""Exactly one request a call: who is dialled for it, which kept connection may carry it, and that it is sent once.

What libcurl would decide for itself, and must not (A9, P3, P5).
"""

from __future__ import annotations

import os
import select
import socket

import pycurl

from quire.fetch.egress import Egress, Refusal

_Name = tuple[str, int]


class Connections:
    """Knows the socket behind each of libcurl's connections by its own address and port."""

    def __init__(self) -> None:
        self._sockets: dict[_Name, int] = {}
        self._names: dict[int, _Name] = {}

    def add(self, descriptor: int, name: _Name) -> None:
        """Take in a connection; whichever had its socket's number before is closed."""
        previous = self._names.get(descriptor)
        if previous is not None and self._sockets.get(previous) == descriptor:
            del self._sockets[previous]
        self._names[descriptor] = name
        self._sockets[name] = descriptor

    def has_news(self, name: _Name) -> bool:
        """Whether the server sent or closed something while nothing was asked of it."""
        descriptor = self._sockets.get(name)
        return descriptor is not None and _readable(descriptor)


class Permit:
    """Lets one request through, after each `begin`.

    libcurl looks once a second for connections that the server has closed, and repeats by itself what it sent over one
    of them. Both are ours to do: a repetition would come without the host's pace. `stale` says that nothing was sent,
    because the connection was closed before. `refusal` is why nobody was dialled; where one of several addresses may be
    dialled, there is none. A kept connection is not judged again: it leads where it led when it was opened, for the
    same host.
    """

    def __init__(self, connections: Connections, egress: Egress) -> None:
        self._connections = connections
        self._egress = egress
        self._original: socket.socket | None = None
        self.begin("")

    def begin(self, host: str) -> None:
        """The next request is for this host."""
        self.stale = False
        self._host = host
        self._refusal: Refusal | None = None
        self._opened: list[int] = []
        self._asked = False

    @property
    def refusal(self) -> Refusal | None:
        return None if self._opened else self._refusal

    def dial(self, _purpose: int, address: tuple[int, int, int, tuple[str, int]]) -> socket.socket | int:
        """CURLOPT_OPENSOCKETFUNCTION: libcurl connects the socket to this address, and to no other."""
        family, kind, protocol, (ip, *_) = address
        self._refusal = self._egress.refuses(self._host, ip)
        if self._refusal:
            return pycurl.SOCKET_BAD
        try:
            self._original = socket.socket(family, kind, protocol)
        except OSError:
            return pycurl.SOCKET_BAD
        return self._original

    def opened(self, descriptor: int, _purpose: int) -> int:
        """CURLOPT_SOCKOPTFUNCTION: pycurl has made a copy of the socket, which page workers must not inherit."""
        os.set_inheritable(descriptor, False)
        if self._original is not None:
            self._original.close()
        self._opened.append(descriptor)
        return pycurl.SOCKOPT_OK

    def ask(self, _ip: str, local_ip: str, _port: int, local_port: int) -> int:
        """CURLOPT_PREREQFUNCTION: a connection is there, and the request goes out next."""
        if self._asked:
            return pycurl.PREREQFUNC_ABORT
        name = local_ip, local_port
        if self._opened:
            # Several addresses may have been tried; the sockets of the others are closed.
            connected = [descriptor for descriptor in self._opened if _name_of(descriptor) == name]
            if connected:
                self._connections.add(connected[-1], name)
        elif self._connections.has_news(name):
            self.stale = True
            return pycurl.PREREQFUNC_ABORT
        self._asked = True
        return pycurl.PREREQFUNC_OK


def _name_of(descriptor: int) -> _Name | None:
    try:
        opened = socket.socket(fileno=descriptor)
    except OSError:
        return None
    try:
        address, port, *_ = opened.getsockname()
        return address, port
    except (OSError, ValueError):
        return None
    finally:
        opened.detach()


def _readable(descriptor: int) -> bool:
    if not hasattr(select, "poll"):
        return bool(select.select([descriptor], [], [], 0)[0])
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
