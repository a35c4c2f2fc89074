"""One run over many hosts: who is next, what to try again, when it is over."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from msgspec import MsgspecError, Struct, field, json

from quire.cluster.folder import Leadership
from quire.cluster.machines import Ended, Machines
from quire.cluster.overview import Hosts, HostState
from quire.cluster.sites import Site
from quire.cluster.worker import Order, Report
from quire.errors import CrawlError, GuardStop
from quire.report.progress import PROGRESS_FILE
from quire.settings import Settings

_MOST_DEATHS = 5
_MOST_WAITS = 5
_TICK = 0.5


class Teller(Protocol):
    """Who tells people of the run."""

    def warn(self, text: str) -> None: ...

    def stopping(self) -> None: ...

    def begun(self, host: HostState) -> None: ...

    def ended(self, host: HostState, report: Report) -> None: ...

    def moved(self, hosts: Hosts, running: int, machines: int) -> None: ...


class _Queued(Struct):
    site: Site
    died_on: set[str] = field(default_factory=set)
    waits: int = 0


class Run:
    """Drives every site to its end; the number of those under way is bounded by the machines, whatever waits."""

    def __init__(self, sites: Sequence[Site], settings: Settings, leader: Leadership, tell: Teller) -> None:
        content = replace(settings.content, workers=settings.content.workers or 1)
        self._settings = replace(settings, content=content)
        self._leader = leader
        self._tell = tell
        self.hosts = Hosts(leader.root, sites, settings)
        self._queue = deque(_Queued(site) for site in sites if not self.hosts[site.host].clean)
        self._under_way: dict[str, _Queued] = {}
        self._guard = ""
        self._is_to_stop = False
        self.is_stopped = False

    def ask_to_stop(self) -> None:
        """Have the run stop in order, soon; from a signal, which may come in the middle of anything."""
        self._is_to_stop = True

    def run(self, machines: Machines) -> None:
        """Crawl until every host has its end; raises GuardStop when a guard stopped a crawl, and so all."""
        self.hosts.write("running")
        is_over = False
        try:
            self._drive(machines)
            is_over = not self.is_stopped
        finally:
            for host in self._under_way:
                self.hosts[host].state = "stopped"
            self.hosts.write("finished" if is_over else "stopped")
        if self._guard:
            raise GuardStop(self._guard)

    def _drive(self, machines: Machines) -> None:
        while self._under_way or (self._queue and not self.is_stopped):
            if self._is_to_stop and not self.is_stopped:
                self._tell.stopping()
                self._stop()
            machines.look_around()
            while self._queue and not self.is_stopped and self._start(self._queue[0], machines):
                self._queue.popleft()
            for ended in machines.ended(_TICK):
                self._end(self._under_way.pop(ended.name), ended)
            if machines.hopeless and self._queue and not self._under_way:
                raise CrawlError("no machine can crawl into this folder; the warnings above tell why")
            self._show(machines.count)

    def _stop(self) -> None:
        """Let the crawls under way save their state and end, and start no other."""
        self.is_stopped = True
        self._leader.stop()

    def _start(self, queued: _Queued, machines: Machines) -> bool:
        site = queued.site
        mirror = replace(self._settings.mirror, output=str(self._leader.root / site.folder))
        state = self.hosts[site.host]
        settings = replace(self._settings, start=site.start, mirror=mirror)
        order = Order(self._leader.root, self._leader.word, settings, state.deaths)
        if not machines.start(site.host, order, queued.died_on):
            return False
        self._under_way[site.host] = queued
        state.state, state.detail = "running", ""
        self._tell.begun(state)
        return True

    def _end(self, queued: _Queued, ended: Ended) -> None:
        state = self.hosts[ended.name]
        if ended.report is None:
            self._bury(queued, state, ended)
        elif ended.report.how == "waiting" and queued.waits < _MOST_WAITS:
            queued.waits += 1
            state.state, state.detail = "waiting", ended.report.detail
            self._queue.append(queued)
        else:
            self._note(state, ended.report)

    def _bury(self, queued: _Queued, state: HostState, ended: Ended) -> None:
        """A worker or its machine died: another goes on from the mirror, unless it is always this site's that die."""
        queued.died_on.add(ended.node)
        state.deaths += 1
        if state.deaths < _MOST_DEATHS:
            state.state = "waiting"
            self._queue.appendleft(queued)
            self._tell.warn(f"{state.host}: its worker died; it goes on where it was")
        else:
            self._note(state, Report("failed", "", f"its worker died {state.deaths} times ({ended.death})"))

    def _note(self, state: HostState, report: Report) -> None:
        counts = report.counts
        state.state = {"waiting": "failed", "guard": "stopped"}.get(report.how, report.how)
        state.clean, state.detail, state.machine = report.clean, report.detail, report.machine
        state.seconds = round(report.seconds, 3)
        if counts:
            state.pages, state.failed_pages = counts["saved"] + counts["unchanged"], counts["failed"]
        self._tell.ended(state, report)
        if report.how == "guard" and not self._guard:
            self._guard = f"{state.host}: {report.detail}"
            self._stop()

    def _show(self, machines: int) -> None:
        for host in self._under_way:
            state = self.hosts[host]
            state.pages = _progress(self._leader.root / state.folder) or state.pages
        self._tell.moved(self.hosts, len(self._under_way), machines)
        self.hosts.write_if_due()


def _progress(mirror: Path) -> int:
    """How far a crawl is that runs elsewhere, as it says in the mirror."""
    with suppress(OSError, MsgspecError, KeyError, TypeError):
        return int(json.decode((mirror / PROGRESS_FILE).read_bytes())["processed"])
    return 0
