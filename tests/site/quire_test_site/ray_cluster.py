"""Several machines in one: a Ray cluster whose nodes are real processes, to be killed like machines."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil  # type: ignore[import-untyped]

_SETTLED_WITHIN = 60.0


class Machine:
    """A node of the cluster, and whatever it has started."""

    def __init__(self, node: Any) -> None:
        self.node = node

    @property
    def pids(self) -> list[int]:
        return [info.process.pid for infos in self.node.all_processes.values() for info in infos]

    def processes(self) -> list[psutil.Process]:
        found = []
        for pid in self.pids:
            with suppress(psutil.NoSuchProcess):
                process = psutil.Process(pid)
                found += [process, *process.children(recursive=True)]
        return found

    def crawls(self) -> list[psutil.Process]:
        """The processes that crawl a site now."""
        return [process for process in self.processes() if _runs_crawl(process)]

    def kill(self) -> None:
        """Take the power away: every process of the machine at once."""
        for process in self.processes():
            with suppress(psutil.NoSuchProcess):
                process.kill()


def _runs_crawl(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return "ray::crawl_site" in " ".join(process.cmdline())
    return False


class RayCluster:
    """A head that crawls nothing, and machines with two cores each."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="quire-ray-")
        self.machines: list[Machine] = []

    def __enter__(self) -> Self:
        self._environment = {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_TMPDIR": self._folder,
            "RAY_USAGE_STATS_ENABLED": "0",
        }
        os.environ.update(self._environment)
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 80 * 2**20}
        self._cluster = Cluster(initialize_head=True, head_node_args=head)
        self.address: str = self._cluster.address
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._cluster.shutdown()  # type: ignore[no-untyped-call]
        for name in self._environment:
            del os.environ[name]
        shutil.rmtree(self._folder, ignore_errors=True)

    def have(self, number: int) -> None:
        """See to it that so many machines are there."""
        self.machines = [each for each in self.machines if all(map(psutil.pid_exists, each.pids))]
        while len(self.machines) < number:
            node = self._cluster.add_node(num_cpus=2, object_store_memory=80 * 2**20)
            self.machines.append(Machine(node))

    def kill(self, machine: Machine) -> None:
        machine.kill()
        self.machines.remove(machine)

    def crawling(self) -> list[tuple[Machine, psutil.Process]]:
        return [(machine, process) for machine in self.machines for process in machine.crawls()]

    def functions(self) -> list[bytes]:
        """What runs that are under way have told the head to do."""
        from ray._raylet import GcsClient  # type: ignore[attr-defined]

        found: list[bytes] = GcsClient(address=self.address).internal_kv_keys(b"RemoteFunction", b"fun")
        return found

    def start_elsewhere(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a node by this command, which gets Ray's own as its last words."""
        start = ["-m", "ray.scripts.scripts", "start", f"--address={self.address}", "--num-cpus=2", "--block"]
        return subprocess.Popen(
            [*command, sys.executable, *start, "--object-store-memory=83886080"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def end_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        for child in psutil.Process(process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                child.kill()
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def until(what: Any, timeout: float = _SETTLED_WITHIN) -> Any:
    """Look again and again until this is true, and return it."""
    end = time.monotonic() + timeout
    while not (found := what()):
        if time.monotonic() > end:
            raise TimeoutError("it did not come to be")
        time.sleep(0.02)
    return found


def states(output: Path) -> dict[str, str]:
    """What the overview says of each host, by its address without the port."""
    import json

    try:
        hosts = json.loads((output / "_cluster.json").read_bytes())["hosts"]
    except FileNotFoundError:
        return {}
    return {each["host"].partition(":")[0]: each["state"] for each in hosts}
