"""`quire status DIR` (C6)."""

from __future__ import annotations

import sys
from contextlib import closing

from quire.cli.options import Parser
from quire.cli.running import run_command
from quire.cli.why import open_ledger

_STATES = {"finished": "finished", "stopped": "stopped", "aborted": "stopped by a failure (--on-error abort)"}


def run(arguments: list[str]) -> int:
    parser = Parser("status", "Tell the state of a mirror: what is there, what is not, and what to do next.")
    parser.add_argument(
        "output", nargs="?", default="output", metavar="DIR", help="folder of the mirror (default: output)"
    )
    parsed = parser.parse_args(arguments)
    return run_command(lambda: status(parsed.output))


def status(output: str) -> int:
    from quire.explaining import settings_of
    from quire.opening import SINGLE_PAGES
    from quire.records import State
    from quire.schedule.ledger import Ledger

    with closing(open_ledger(output)) as database:
        ledger = Ledger(database)
        counts = ledger.counts()
        start = " ".join(settings_of(ledger).start)
        state = _STATES.get(ledger.note("status") or "", "running, or was killed")
        lines = [
            f"{output}: mirror of {start}",
            f"  crawl {ledger.crawl}: {state}, begun {ledger.note('started_at')}",
            f"  {counts[State.SAVED] + counts[State.UNCHANGED]} pages, {sum(counts.values())} URLs seen",
        ]
        for decision in State:
            if counts[decision] and decision not in (State.SAVED, State.UNCHANGED):
                reasons = ", ".join(f"{reason} {n}" for reason, n in ledger.reasons(decision).items() if reason)
                lines.append(f"  {counts[decision]} {decision.label}" + (f" ({reasons})" if reasons else ""))
        unfinished = counts[State.PENDING] or ledger.note("status") != "finished"
        if SINGLE_PAGES in (ledger.note("identity") or ""):
            lines.append(f"  next: `quire page URL -o {output}` fetches one more page, or one again")
        elif unfinished:
            lines.append(f"  next: `quire mirror {start} -o {output}` goes on")
        else:
            lines.append(f"  next: `quire mirror {start} -o {output} --update` looks for changes")
        sys.stdout.write("\n".join(lines) + "\n")
    return 0
