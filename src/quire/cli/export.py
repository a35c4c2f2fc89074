"""`quire export DIR` (C6)."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

from quire.cli.options import Parser, default_output
from quire.cli.running import run_command
from quire.cli.why import open_ledger
from quire.errors import GuardStop, UsageError
from quire.export.formats import FORMATS, Format
from quire.version import VERSION
from quire.wording import counted

_STDOUT = "-"


def run(arguments: list[str]) -> int:
    parser = Parser("export", "Write the pages of a mirror into one file that other programs read.")
    parser.add_argument("mirror", nargs="?", metavar="DIR", help="folder of the mirror (default: output)")
    names = tuple(FORMATS)
    parser.add_argument("--format", choices=names, default=names[0], help="what to write (default: %(default)s)")
    parser.add_argument("-o", "--output", metavar="FILE", default=_STDOUT, help="where to (default: stdout)")
    parsed = parser.parse_args(arguments)
    return run_command(lambda: export(parsed.mirror or default_output(), parsed.format, parsed.output))


def export(mirror: str, name: str, target: str) -> int:
    from quire.explaining import settings_of
    from quire.export.pages import About
    from quire.exporting import MirroredPages
    from quire.schedule.ledger import Ledger
    from quire.store.files import MirrorFiles

    form = FORMATS[name]
    _check(name, form, target)
    with open_ledger(mirror) as database:
        about = About(settings_of(Ledger(database)).start, f"quire {VERSION}")
        pages = MirroredPages(database, MirrorFiles(mirror))
        with _opened(target) as file:
            form.write(pages, about, file)
    if pages.missing:
        sys.stderr.write(
            f"quire: left out {counted(pages.missing, 'page that has', 'pages that have')} no file in {mirror};"
            " `quire mirror --update` with the same URL fetches what is missing\n"
        )
    return 1 if pages.missing else 0


def _check(name: str, form: Format, target: str) -> None:
    if form.package and find_spec(form.package) is None:
        raise UsageError(f"--format {name} needs the package {form.package}: pip install 'quire[{form.extra}]'")
    if target == _STDOUT and not form.is_text and sys.stdout.isatty():
        raise UsageError(f"--format {name} is nothing to read on a terminal; name a file with -o")


@contextmanager
def _opened(target: str) -> Iterator[BinaryIO]:
    """Open what is written to; a file takes its name when it is whole."""
    if target == _STDOUT:
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    # A link stays one: the file that it leads to is written.
    path = Path(os.path.realpath(target))
    if path.is_dir():
        raise UsageError(f"{target} is a folder; name a file in it with -o")
    try:
        with Path(target).open("wb") if _is_device(target) else _drafted(path) as file:
            yield file
    except OSError as error:
        cause = f"{target} cannot be written ({os.strerror(error.errno or 0)})"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise GuardStop(f"{cause}; free some space, or name another file") from error
        raise UsageError(f"{cause}; name another file") from error


def _is_device(target: str) -> bool:
    """Say whether this is a pipe, `/dev/null` or the like, which no file may take the place of."""
    with suppress(OSError):
        return not stat.S_ISREG(Path(target).stat().st_mode)
    return False


@contextmanager
def _drafted(path: Path) -> Iterator[BinaryIO]:
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as file:
            yield file
        draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink()
