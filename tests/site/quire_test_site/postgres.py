"""A PostgreSQL cluster of its own for one test run, and fresh databases in it."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from typing import Self

import psycopg

# A crash of the machine is not what these tests are about.
_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200")

_MEMORY = Path("/dev/shm")
_ROOM = 1_000_000_000


def _has_room() -> bool:
    """Whether the cluster fits into memory: making and deleting databases is far faster there."""
    return _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM


def programs() -> Path | None:
    """The folder of the newest PostgreSQL server on this machine."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = folders[-1] if folders else shutil.which("initdb")
    return Path(found).parent if found else None


class Cluster:
    """Started on a free port of loopback; its folder goes when it ends.

    Unless it is `durable`, as PostgreSQL comes, it is in memory where there is room, and forgets in a crash.
    """

    def __init__(self, bin: Path, *, durable: bool = False) -> None:
        self._bin = bin
        self._settings = ("max_connections=200",) if durable else _QUICK
        in_memory = not durable and _has_room()
        self._folder = Path(tempfile.mkdtemp(prefix="quire-postgres-", dir=_MEMORY if in_memory else None))
        self._names = count(1)
        self._user: str | None = None
        if os.geteuid() == 0:
            # initdb refuses root.
            self._user = "postgres"
            owner = pwd.getpwnam(self._user)
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]

    def __enter__(self) -> Self:
        try:
            self._run(
                "initdb", "-D", self._data, "-U", "quire", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"
            )
            options = " ".join(
                f"-c {each}" for each in (*self._settings, "unix_socket_directories=", "listen_addresses=127.0.0.1")
            )
            self._run(
                "pg_ctl",
                "-D",
                self._data,
                "-w",
                "-s",
                "-l",
                self._folder / "log",
                "-o",
                f"-p {self.port} {options}",
                "start",
            )
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._run("pg_ctl", "-D", self._data, "-s", "-m", "immediate", "stop")
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _run(self, program: str, *args: str | Path) -> None:
        command = [str(self._bin / program), *map(str, args)]
        if self._user:
            command = ["setpriv", f"--reuid={self._user}", f"--regid={self._user}", "--init-groups", *command]
        subprocess.run(command, check=True, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=120)

    def url(self, name: str) -> str:
        return f"postgresql://quire@127.0.0.1:{self.port}/{name}"

    def create(self, template: str = "template1", name: str | None = None) -> str:
        """Make a database and return its URL; a copy of another one if that is named."""
        name = name or f"test{next(self._names)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
        return self.url(name)
