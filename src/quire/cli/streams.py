"""What a command writes to: results to stdout, messages to stderr, and neither may end it with a traceback (C10)."""

from __future__ import annotations

import io
import os
import sys
from typing import Any, BinaryIO, TextIO, cast

from quire.errors import GuardStop


class _Said(io.FileIO):
    """Where messages go; when nobody hears them any more, the work goes on, and can still be stopped."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


class _Told(io.FileIO):
    """Where results go; a disk that is full is told once, and what comes after is lost like what came before."""

    _failed = False

    def write(self, data: Any, /) -> int:
        if self._failed:
            return len(data)
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            self._failed = True
            raise GuardStop(
                f"stdout cannot be written to ({error.strerror}); make room, or send it elsewhere"
            ) from None


def open_standard_files() -> None:
    """Have all three, whatever was closed before: a connection that got such a number would abort the event loop."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    # They stay open for as long as we run.
    sys.stdout = _opened(_Told(1, "w", closefd=False), sys.stdout)
    # Markdown and JSON are UTF-8, whatever the locale; names of files keep their bytes.
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    sys.stderr = _opened(_Said(2, "w", closefd=False), sys.stderr)


def _opened(file: io.FileIO, before: TextIO | None) -> io.TextIOWrapper:
    """A text file as Python had opened it; where it had not, nobody reads it, and no text may fail there."""
    unbuffered = getattr(before, "write_through", False)
    return io.TextIOWrapper(
        cast("BinaryIO", file if unbuffered else io.BufferedWriter(file)),
        encoding=before.encoding if before else None,
        errors=before.errors if before else "replace",
        line_buffering=getattr(before, "line_buffering", True),
        write_through=unbuffered,
    )
