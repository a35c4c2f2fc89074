"""Joining a Ray cluster, or starting one on this machine alone."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from quire.errors import CrawlError, UsageError
from quire.scratch import Scratch, delete_left

# Ray reads it when it is loaded: nothing is told to its makers.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import ray
from ray.exceptions import RayError

_REACHED_WITHIN = 10.0
# When it cannot reach its head for 60 s, Ray ends the process without a word.
_MISSED_FOR = 30.0
# Only orders and reports pass through it; the least that Ray accepts is 75 MiB.
_OBJECT_STORE = 80 * 2**20
# What a client of HTTP/2 says first, and the kind of frame that a server of gRPC, which Ray's head is, answers with.
_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS_FRAME = 4
_FILES = "quire-ray-"
_QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}


class Session:
    """A connection to a cluster's head."""

    def __init__(self, address: str | None) -> None:
        """Connect to the cluster at this address, or start one; raise UsageError where that cannot be."""
        self._files: Scratch | None = None
        if address and address != "auto":
            _check_reachable(address)
        try:
            with _silent():
                ray.init(address=address, **_QUIET) if address else self._start()
        except (RuntimeError, ValueError, OSError, RayError) as error:
            self.close()
            raise UsageError(_not_there(address, error)) from error
        except SystemExit:
            # What Ray makes of SIGTERM; there is nothing to save yet.
            self.close()
            raise KeyboardInterrupt from None
        except BaseException:
            self.close()
            raise
        self._head: str = ray.get_runtime_context().gcs_address
        self._seen_at = time.monotonic()

    def _start(self) -> None:
        delete_left(_FILES)
        self._files = Scratch(_FILES)
        # Ray listens on every network of the machine, and does what it is told: by this run alone.
        # Where nobody says otherwise, it asks for the token.
        os.environ.pop("RAY_AUTH_MODE", None)
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
        ray.init(
            address="local",
            include_dashboard=False,
            object_store_memory=_OBJECT_STORE,
            _node_ip_address="127.0.0.1",
            _temp_dir=self._files.path,
            **_QUIET,
        )

    def has_head(self) -> bool:
        """Whether the head can be reached; raises CrawlError when it could not for long."""
        if _answers(self._head):
            self._seen_at = time.monotonic()
            return True
        if time.monotonic() - self._seen_at > _MISSED_FOR:
            raise CrawlError(
                f"the head of the Ray cluster at {self._head} is gone; start it, and the same command goes on from here"
            )
        return False

    def close(self) -> None:
        with _silent():
            ray.shutdown()
        if self._files:
            self._files.delete()


@contextmanager
def _silent() -> Iterator[None]:
    """Keep what Ray's own libraries print from people, as long as it has no file for it."""
    kept = os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def _check_reachable(address: str) -> None:
    """Raise UsageError for what is no address of a cluster, or where nobody answers."""
    _, colon, port = address.rpartition(":")
    if "://" in address or not colon or not port.isdigit():
        raise UsageError(
            f"--address: {address!r} is neither `auto` nor HOST:PORT; run quire on a machine of the cluster,"
            " and give the address that `ray start` told"
        )
    if not _answers(address):
        raise UsageError(f"--address: nobody answers at {address}; start Ray there with `ray start --head`")
    # Ray would try for a quarter of an hour. With TLS it has to find out itself.
    if not os.environ.get("RAY_USE_TLS") and not _is_grpc(address):
        raise UsageError(f"--address: what answers at {address} is not Ray; give the address that `ray start` told")


def _connected(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    return socket.create_connection((host.strip("[]"), int(port)), _REACHED_WITHIN)


def _answers(address: str) -> bool:
    try:
        with _connected(address):
            return True
    except (OSError, OverflowError):
        return False


def _is_grpc(address: str) -> bool:
    try:
        with _connected(address) as connection:
            connection.sendall(_HELLO)
            answer = connection.recv(9, socket.MSG_WAITALL)
            return len(answer) == 9 and answer[3] == _SETTINGS_FRAME
    except OSError:
        return False


def _not_there(address: str | None, error: BaseException) -> str:
    reason = (str(error) or type(error).__name__).partition("\n")[0]
    if not address:
        return f"Ray could not be started on this machine ({reason})"
    return (
        f"--address: there is no Ray cluster at {address} to be joined from here ({reason});"
        " start it with `ray start`, and give its token, if it has one, in RAY_AUTH_TOKEN"
    )
