"""Where results go: raw ones into results.json, tables into README.md between the markers of each part."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
README = HERE / "README.md"
RESULTS = HERE / "results.json"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, the first column to the left and the others to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def setting(note: str = "") -> dict[str, Any]:
    """When, where and by which command something was measured."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    program = Path(sys.argv[0]).resolve()
    return {
        "command": shlex.join([str(program.relative_to(HERE.parent)), *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "machine": f"{os.cpu_count()} cores, {model[1] if model else platform.processor()}, Linux {platform.release()}",
        "python": platform.python_version(),
        "quire": _revision(),
        "load": round(os.getloadavg()[0], 1),
        "note": note,
    }


def _revision() -> str:
    """Which Quire this is."""
    command = ["git", "-C", str(HERE), "describe", "--always", "--dirty= with changes", "--exclude=*"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "an unknown commit"


def publish(part: str, text: str, results: Any, about: dict[str, Any], *, write: bool) -> None:
    """Print a part's tables; with `write`, put them into the files too."""
    made_by = (
        f"`{about['command']}`, {about['date']}, Quire at {about['quire']}; {about['machine']};"
        f" Python {about['python']}; load before the run {about['load']}."
    )
    if about["note"]:
        made_by = f"**{about['note']}** {made_by}"
    text = f"{made_by}\n\n{text}"
    print(text)
    if not write:
        return
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    kept[part] = {"about": about, "results": results}
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    before, _, rest = README.read_text().partition(begin)
    after = rest.partition(end)[2]
    if not after:
        raise SystemExit(f"{README}: the markers {begin} and {end} are not there")
    README.write_text(f"{before}{begin}\n{text}\n{end}{after}")
