"""A cluster run from its settings to its summary: signals and exit status (C9, C10)."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, redirect_stdout
from pathlib import Path

from quire.cluster.console import Console, summary
from quire.cluster.driving import Run
from quire.cluster.folder import Leadership
from quire.cluster.joining import Session
from quire.cluster.machines import Machines
from quire.cluster.sites import gather
from quire.errors import UsageError
from quire.filter.judge import Judge
from quire.settings import Settings
from quire.wiring import completed

_INTERRUPTED = 130


def run_cluster(
    urls: Sequence[str],
    settings: Settings,
    *,
    urls_from: str | None,
    address: str | None,
    crawls_per_machine: int | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Mirror every host that the URLs name; returns the exit status."""
    _check(settings, crawls_per_machine)
    sites = gather(urls, urls_from)
    console = Console(quiet=quiet, verbose=verbose)
    with closing(Leadership.take(settings.mirror.output)) as leader, closing(console):
        run = Run(sites, settings, leader, console)
        console.expects(run.hosts)
        if run.hosts.unclean():
            with _ray_unheard(), closing(Session(address)) as session, _stopped_by_signals(run):
                run.run(Machines(session, leader.root, leader.word, crawls_per_machine, console.warn))
        console.close()
        if not quiet:
            sys.stderr.write(summary(run.hosts, settings))
    if run.is_stopped:
        return _INTERRUPTED
    return 1 if run.hosts.unclean() else 0


def _check(settings: Settings, crawls_per_machine: int | None) -> None:
    """Say once, and before anything starts, what would be wrong for every host."""
    if crawls_per_machine is not None and crawls_per_machine < 1:
        raise UsageError(f"--crawls-per-machine: {crawls_per_machine} is too small; the least is 1")
    if settings.mirror.fresh:
        raise UsageError("--fresh: not for a cluster, where a crawl may start several times; choose another --output")
    Judge(completed(settings))


@contextmanager
def _ray_unheard() -> Iterator[None]:
    """Keep stdout clean: Ray tells there, in its own words and at length, of each worker that dies."""
    with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing):
        yield


@contextmanager
def _stopped_by_signals(run: Run) -> Iterator[None]:
    """Let SIGINT and SIGTERM stop the run in order; a second one stops it at once."""
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(*_: object) -> None:
        for number in usual:
            signal.signal(number, signal.default_int_handler)
        run.ask_to_stop()

    for number in usual:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
