"""What a person sees of a cluster run, on stderr."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TextIO

from quire.cluster.overview import OVERVIEW_FILE, Hosts, HostState
from quire.cluster.worker import Report
from quire.settings import Settings
from quire.wording import counted

_MOST_LISTED = 20
_REDRAWN_AFTER = 0.2


class Console:
    """What a person sees of a run: a line for each host that has ended, and on a terminal one that lives."""

    def __init__(self, *, quiet: bool, verbose: bool, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._verbose = verbose
        self._is_live = not quiet and self._stream.isatty()
        self._drawn_at = 0.0
        self._total = self._done = 0

    def expects(self, hosts: Hosts) -> None:
        self._total, self._done = len(hosts), len(hosts) - len(hosts.unclean())
        if self._done and not self._quiet:
            self.always(f"Going on: {self._done} of {self._total} hosts are done already")

    def warn(self, text: str) -> None:
        self.always(f"Warning: {text}")

    def stopping(self) -> None:
        self.always("Stopping: the state is saved, the same command goes on from here")

    def begun(self, host: HostState) -> None:
        if self._verbose:
            self.always(f"Crawling: {host.host}")

    def ended(self, host: HostState, report: Report) -> None:
        if self._verbose:
            for notice in report.notices:
                self.always(f"Warning: {host.host}: {notice}")
        if host.state == "stopped":
            return
        self._done += 1
        if host.state == "failed":
            self.always(f"Failed: {host.host} ({host.detail})")
        elif not self._quiet:
            failed = f", {host.failed_pages} failed" if host.failed_pages else ""
            found = f"{counted(host.pages, 'page')}{failed} ({host.seconds:.1f} s)"
            self.always(f"[{self._done}/{self._total}] {host.host}: {found}")

    def moved(self, hosts: Hosts, running: int, machines: int) -> None:
        if self._is_live and time.monotonic() - self._drawn_at > _REDRAWN_AFTER:
            self._drawn_at = time.monotonic()
            self._stream.write(
                f"\r\x1b[K{self._done}/{self._total} hosts, {running} crawling on {counted(machines, 'machine')}"
                f", {counted(hosts.pages(), 'page')}"
            )
            self._stream.flush()

    def always(self, line: str) -> None:
        self._stream.write(("\r\x1b[K" if self._is_live else "") + line + "\n")

    def close(self) -> None:
        if self._is_live:
            self._stream.write("\r\x1b[K")
            self._is_live = False


def summary(hosts: Hosts, settings: Settings) -> str:
    """What is there, what is not, and where to look."""
    output, counts, unclean = settings.mirror.output, hosts.counts(), hosts.unclean()
    lines = [f"{counted(hosts.pages(), 'page')} in {output}, {counts['finished']} of {len(hosts)} hosts finished"]
    troubled = [each for each in unclean if each.state in ("failed", "finished")]
    lines += [f"  {each.host}: {each.detail or _failures(each, output)}" for each in troubled[:_MOST_LISTED]]
    if len(troubled) > _MOST_LISTED:
        lines.append(f"  and {len(troubled) - _MOST_LISTED} more")
    waiting = len(unclean) - len(troubled)
    if waiting:
        lines.append(f"  {counted(waiting, 'host is', 'hosts are')} waiting")
    if unclean:
        lines.append("  the same command tries again what failed, and goes on with what waits")
    lines.append(f"  {output}/{OVERVIEW_FILE} tells what became of every host")
    return "\n".join(lines) + "\n"


def _failures(host: HostState, output: str) -> str:
    return f"{counted(host.failed_pages, 'page')} failed, see {Path(output) / host.folder / '_failed.log'}"
