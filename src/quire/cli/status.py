"""`quire status DIR` (C6)."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quire.cli.options import Parser, default_output
from quire.cli.running import run_command
from quire.cli.why import open_ledger
from quire.config import flag
from quire.settings import Settings, options
from quire.wording import counted

if TYPE_CHECKING:
    from quire.records import State
    from quire.schedule.ledger import Ledger

# What a next run is told anew, or not at all.
_OF_ONE_RUN = frozenset(["fresh", "max_pages", "output", "prune", "update", "workers"])
_STATES = {"finished": "finished", "stopped": "stopped", "aborted": "stopped by a failure (--on-error abort)"}


def run(arguments: list[str]) -> int:
    parser = Parser("status", "Tell the state of a mirror: what is there, what is not, and what to do next.")
    parser.add_argument("output", nargs="?", metavar="DIR", help="folder of the mirror (default: output)")
    parsed = parser.parse_args(arguments)
    return run_command(lambda: status(parsed.output or default_output()))


def status(output: str) -> int:
    from quire.explaining import settings_of
    from quire.records import State
    from quire.schedule.ledger import Ledger
    from quire.store.lock import is_held

    with open_ledger(output) as database:
        # Before anything is read, so that a crawl which ends meanwhile is not taken for one that was killed.
        held = is_held(Path(output))
        ledger = Ledger(database)
        counts, holds = ledger.counts(), ledger.holds()
        settings = settings_of(ledger)
        begun = ledger.note("started_at")
        lines = [
            f"{output}: " + (f"mirror of {' '.join(settings.start)}" if settings.scope.discover else "single pages"),
            f"  crawl {ledger.crawl}: {_state(ledger, settings, counts, held)}" + (f", begun {begun}" if begun else ""),
            f"  {counted(holds[State.SAVED] + holds[State.UNCHANGED], 'page')},"
            f" {counted(sum(holds.values()), 'URL')} seen",
        ]
        for decision in State:
            if holds[decision] and decision not in (State.SAVED, State.UNCHANGED):
                reasons = ", ".join(f"{reason} {n}" for reason, n in ledger.reasons(decision).items() if reason)
                lines.append(f"  {holds[decision]} {decision.label}" + (f" ({reasons})" if reasons else ""))
        next = _next(output, settings, ledger, counts)
        lines.append(f"  next: {'wait until it ends, or interrupt it; then ' if held else ''}{next}")
        sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _state(ledger: Ledger, settings: Settings, counts: Mapping[State, int], held: bool | None) -> str:
    """Tell how the last crawl ended, or that it runs."""
    from quire.records import State

    if held:
        return "running"
    noted = ledger.note("status") or ""
    if noted == "finished" and settings.scope.max_pages and counts[State.PENDING]:
        return f"stopped by --max-pages {settings.scope.max_pages}"
    if noted in _STATES:
        return _STATES[noted]
    if held is None:
        return "running, or was killed (the lock in its folder cannot be read)"
    machine, here = ledger.note("machine"), os.uname().nodename
    if machine not in (None, here):
        return f"running on {machine}, or was killed there (from {here} its lock cannot be seen)"
    return "was killed"


def _next(output: str, settings: Settings, ledger: Ledger, counts: Mapping[State, int]) -> str:
    """Return the command to type next, with what it has to be told again, and what it does."""
    from quire.records import State

    folder = shlex.quote(output)
    if not settings.scope.discover:
        return f"`quire page URL -o {folder}` fetches one more page, or one again"
    command = " ".join(["quire mirror", *map(shlex.quote, settings.start), "-o", folder, *_flags(settings)])
    if counts[State.PENDING] or ledger.note("status") != "finished":
        return f"`{command}` goes on"
    if ledger.crawl == 1 and not counts[State.SAVED]:
        return f"`{command}` starts over, as nothing was saved"
    if counts[State.FAILED] or "robots-unreachable" in ledger.reasons(State.SKIPPED):
        return f"`{command}` tries what failed again, and with --update looks for changes"
    return f"`{command} --update` looks for changes"


def _flags(settings: Settings) -> Iterator[str]:
    """Yield what was asked for and is not what Quire does by itself."""
    for group, each in options():
        value: Any = getattr(getattr(settings, group), each.name)
        if value == each.default or each.name in _OF_ONE_RUN:
            continue
        if each.metadata.get("negative"):
            yield f"--{each.metadata['negative']}"
        elif value is True:
            yield flag(each.name)
        else:
            for item in value if isinstance(value, tuple) else [value]:
                yield f"{flag(each.name)} {shlex.quote(str(item))}"
