"""Page workers of a command: one copy of its process, which makes the others."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

# In a process of its own: this one has threads, and is not copied.
_IMPORTS = "import json, os, signal, socket; from quire.press.processes import start_workers"
_BEGIN = """

def load():
    def work(line):
        connection = socket.socket(fileno=line)
        connection.sendall(os.getpid().to_bytes(4, "little"))
        connection.recv(1)
    return work

def heard(worker):
    return int.from_bytes(worker.connection.recv(4), "little")

def state(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return "dead" if file.read().rpartition(")")[2].split()[0] == "Z" else "alive"
    except FileNotFoundError:
        return "gone"

first, second = start_workers(2, load)
pids = heard(first), heard(second)
"""
_SAY = "; print(json.dumps([*map(state, pids)]))"


def said_after(statement: str) -> object:
    command = [sys.executable, "-c", _IMPORTS + _BEGIN + statement + _SAY]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)


@pytest.mark.parametrize(
    ("statement", "states"),
    [
        ("pass", ["alive", "alive"]),
        # Its parent does not wait for it, and nobody else can.
        ("second.end()", ["alive", "dead"]),
        ("os.kill(pids[1], signal.SIGSTOP); second.end()", ["alive", "dead"]),
        ("os.kill(pids[1], signal.SIGKILL); second.end()", ["alive", "dead"]),
        ("first.end()", ["gone", "alive"]),
        ("first.end(); second.end()", ["gone", "gone"]),
        ("second.end(); first.end(); second.end()", ["gone", "gone"]),
        ("os.kill(pids[0], signal.SIGKILL); second.end(); first.end(); second.end()", ["gone", "gone"]),
    ],
)
def test_a_worker_that_is_ended_does_no_more_whoever_has_made_it(statement: str, states: list[str]) -> None:
    """S5, C9: killed and awaited, also when it is not ours to wait for, or stands still"""
    assert said_after(statement) == states


def test_a_first_worker_that_never_loads_can_be_ended() -> None:
    """C9, C10: a command that fails at once does not wait for it, nor for those that it would have made"""
    statement = """
loading, loaded = os.pipe()
def load():
    os.write(loaded, b"x")
    signal.pause()
first, second = start_workers(2, load)
os.read(loading, 1)
first.end()
second.end()
print("ended")
"""
    command = [sys.executable, "-c", _IMPORTS + statement]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "ended\n"
