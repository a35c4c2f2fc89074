"""Quire's command line as a subprocess, and the files it leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str


class Quire:
    """Run `quire` with these arguments in a folder of its own; QUIRE_* of the caller's environment is not passed on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._started: list[subprocess.Popen[str]] = []

    def __call__(self, *args: str | Path, env: Mapping[str, str] | None = None, timeout: float = 120) -> Finished:
        process = self.start(*args, env=env)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as expired:
            process.kill()
            out, err = process.communicate()
            raise TimeoutError(f"quire {' '.join(map(str, args))} took over {timeout} s; it said:\n{err}") from expired
        return Finished(process.returncode, out, err)

    def start(self, *args: str | Path, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Start the command and return at once; the fixture ends what is left running."""
        process = subprocess.Popen(
            [sys.executable, "-m", "quire", *map(str, args)],
            cwd=self.folder,
            env=environment(env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._started.append(process)
        return process

    def close(self) -> None:
        for process in self._started:
            if process.poll() is None:
                process.kill()
            process.communicate()


def environment(own: Mapping[str, str]) -> dict[str, str]:
    """Return the caller's environment without its QUIRE_*, and with these."""
    return {name: value for name, value in os.environ.items() if not name.startswith("QUIRE_")} | dict(own)


def files_in(folder: Path) -> dict[str, bytes]:
    """Return every file below the folder by its relative path, with forward slashes."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: found[name].read_bytes() for name in sorted(found)}
