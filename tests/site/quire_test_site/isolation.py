"""Tests in a network of their own: nothing can leave it, and any address can be this machine's.

A test marked `isolated` runs once more in a process of its own, in new network and mount namespaces. Where these cannot
be had it fails; it never runs outside.
"""

from __future__ import annotations

import fcntl
import ipaddress
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

_INSIDE = "QUIRE_TEST_ISOLATED"
_SECONDS = 600
_SET_FLAGS, _SET_ADDRESS, _SET_MASK = 0x8914, 0x8916, 0x891C
_UP = 1
_FILES = {
    "/etc/resolv.conf": "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
    "/etc/nsswitch.conf": "hosts: files dns\n",
    "/etc/hosts": "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n",
}


def is_inside() -> bool:
    return _INSIDE in os.environ


def run_inside(test: str, folder: Path) -> None:
    """Run one test in a network of its own; raise AssertionError with all it said unless it passes."""
    unshare = shutil.which("unshare")
    assert unshare, "unshare is missing: install util-linux"
    rights = [] if os.geteuid() == 0 else ["--map-root-user"]
    pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "", test]
    ended = subprocess.run(
        [unshare, "--net", "--mount", *rights, "--", *pytest],
        cwd=folder,
        env=os.environ | {_INSIDE: "1"},
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert ended.returncode == 0, f"in a network of its own (status {ended.returncode}):\n{ended.stdout}{ended.stderr}"


def prepare() -> None:
    """Bring the loopback interface up, and let names be looked up there."""
    interfaces = [name for _, name in socket.if_nameindex()]
    if interfaces != ["lo"]:
        raise RuntimeError(f"this is not a network of its own: {interfaces}")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
    for place, text in _FILES.items():
        # What is mounted stays when its name goes.
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(text)
            file.flush()
            Path(file.name).chmod(0o644)
            subprocess.run(["mount", "--bind", file.name, place], check=True)


def own(networks: Sequence[str]) -> None:
    """Make every address of these IPv4 networks one of this machine's."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for number, text in enumerate(networks):
            network = ipaddress.IPv4Network(text)
            name = f"lo:{number + 1}".encode()
            address = network.network_address + (network.num_addresses > 1)
            for request, value in ((_SET_ADDRESS, address), (_SET_MASK, network.netmask)):
                packed = struct.pack("16sHH4s8x", name, socket.AF_INET, 0, value.packed)
                fcntl.ioctl(control, request, packed)


class Canary:
    """Listens at every address of this machine, and tells whether anybody came."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._sockets = [socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True)
                         for port in ports]  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        for each in self._sockets:
            each.close()

    def visited(self) -> list[int]:
        """The ports that were connected to."""
        return [each.getsockname()[1] for each in select.select(self._sockets, [], [], 0)[0]]
