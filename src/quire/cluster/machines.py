"""The machines, by Ray: which are there, how many crawls each takes, and what became of those."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from msgspec import Struct

from quire.cluster.joining import Session
from quire.cluster.worker import Order, Report, crawl_site, look
from quire.version import VERSION

# Only after `joining` has told it how to behave.
import ray  # isort: skip
from ray.exceptions import RayError, RayTaskError  # isort: skip
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # isort: skip

_CRAWLS_PER_CORE = 4
_LOOK_AGAIN = 2.0
# Made once: Ray's head keeps each that it is told of, until the run ends. Whatever kills one, it is ours to try again.
_LOOK: Any = ray.remote(num_cpus=0, max_retries=0)(look)
_CRAWL: Any = ray.remote(num_cpus=0, max_retries=0)(crawl_site)


class Ended(Struct, frozen=True):
    """A crawl that ended by itself (`report`), or with the process or the machine it ran on."""

    name: str
    node: str
    report: Report | None
    death: str = ""


class _Machine(Struct):
    slots: int = 0
    running: int = 0


class Machines:
    """Gives crawls to machines, each as many as it takes, and hears of their ends."""

    def __init__(
        self, session: Session, root: Path, word: str, per_machine: int | None, warn: Callable[[str], None]
    ) -> None:
        self._session = session
        self._root = root
        self._word = word
        self._per_machine = per_machine
        self._warn = warn
        self._machines: dict[str, _Machine] = {}
        self._looks: dict[Any, str] = {}
        self._crawls: dict[Any, tuple[str, str]] = {}
        self._looked_at = 0.0
        self._is_missed = False

    @property
    def count(self) -> int:
        """How many machines take crawls."""
        return sum(1 for machine in self._machines.values() if machine.slots)

    @property
    def hopeless(self) -> bool:
        """Whether every machine was looked at, and none takes crawls."""
        return bool(self._machines) and not self._looks and not self.count

    def look_around(self) -> None:
        """Find machines that have come or gone; one that is new is looked at before it gets crawls."""
        if time.monotonic() - self._looked_at < _LOOK_AGAIN or not self._session.has_head():
            return
        self._looked_at = time.monotonic()
        there = _cores()
        if not there and not self._is_missed:
            self._warn("the Ray cluster has no machine that takes work; it is waited for, `ray start` adds one")
        self._is_missed = not there
        for node in self._machines.keys() - there.keys():
            del self._machines[node]
        for node in there.keys() - self._machines.keys():
            self._machines[node] = _Machine()
            self._looks[_on(node, _LOOK).remote(self._root, self._word, VERSION)] = node

    def start(self, name: str, order: Order, avoid: Collection[str] = ()) -> bool:
        """Start a crawl on the machine that has most room, rather not on one of those to avoid; False without room."""
        free = [(node in avoid, machine.running - machine.slots, node) for node, machine in self._machines.items()]
        for _, room, node in sorted(free):
            if room < 0:
                self._machines[node].running += 1
                self._crawls[_on(node, _CRAWL).remote(order)] = name, node
                return True
        return False

    def ended(self, seconds: float) -> list[Ended]:
        """Wait so long for crawls to end; return those that have."""
        refs = [*self._looks, *self._crawls]
        if not refs:
            time.sleep(seconds)
            return []
        ready, others = ray.wait(refs, timeout=seconds)
        if others:
            ready += ray.wait(others, num_returns=len(others), timeout=0)[0]
        ended = []
        for ref in ready:
            if ref in self._looks:
                self._looked(ref, self._looks.pop(ref))
            else:
                ended.append(self._end_of(ref, *self._crawls.pop(ref)))
        return ended

    def _looked(self, ref: Any, node: str) -> None:
        if node not in self._machines:
            return
        try:
            name, problem = ray.get(ref)
        except RayTaskError as error:
            name, problem = node[:8], f"cannot run Quire ({_cause(error)}): install the same there"
        except RayError:
            # It is gone, or its first process was killed: looked at again if it is there.
            del self._machines[node]
            return
        if problem:
            self._warn(f"machine {name} {problem}; it gets no crawls")
            return
        self._machines[node].slots = self._per_machine or int(_CRAWLS_PER_CORE * _cores().get(node, 1)) or 1

    def _end_of(self, ref: Any, name: str, node: str) -> Ended:
        if node in self._machines:
            self._machines[node].running -= 1
        try:
            return Ended(name, node, ray.get(ref))
        except RayTaskError as error:
            return Ended(name, node, Report("failed", node[:8], _cause(error)))
        except RayError as error:
            return Ended(name, node, None, str(error).partition("\n")[0])


def _on(node: str, task: Any) -> Any:
    """The task for this machine alone."""
    return task.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False))


def _cores() -> dict[str, float]:
    """The machines that are there to work, and how many cores each has."""
    nodes = ray.nodes()  # type: ignore[no-untyped-call]
    return {
        node["NodeID"]: node["Resources"]["CPU"] for node in nodes if node["Alive"] and node["Resources"].get("CPU")
    }


def _cause(error: RayTaskError) -> str:
    cause = error.cause
    return f"{type(cause).__name__}: {cause}".partition("\n")[0]
