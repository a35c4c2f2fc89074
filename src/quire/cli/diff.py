"""`quire diff OLD NEW` (C6)."""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Set

from quire.cli.options import Parser
from quire.cli.running import run_command
from quire.cli.why import open_ledger


def run(arguments: list[str]) -> int:
    parser = Parser("diff", "Tell what changed between two mirrors of a site.")
    parser.add_argument("old", metavar="OLD", help="folder of the older mirror")
    parser.add_argument("new", metavar="NEW", help="folder of the newer mirror")
    parser.add_argument("--text", action="store_true", help="show the lines that changed, too")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parsed = parser.parse_args(arguments)
    return run_command(lambda: diff(parsed.old, parsed.new, with_text=parsed.text, as_json=parsed.json))


def diff(old: str, new: str, *, with_text: bool, as_json: bool) -> int:
    from msgspec import json

    from quire.export.comparison import differences
    from quire.schedule.holdings import hashes

    with open_ledger(old) as before, open_ledger(new) as after:
        pages = hashes(before), hashes(after)
        found = list(differences(*pages))
        changed = {each.url for each in found if each.change == "changed"} if with_text else set()
        lines_of = _reader((old, before), (new, after), changed)
        for each in found:
            lines = lines_of(each.url) if each.url in changed else []
            if as_json:
                entry = {"url": each.url, "change": each.change, **({"lines": lines} if lines else {})}
                sys.stdout.write(json.encode(entry).decode() + "\n")
            else:
                sys.stdout.write("".join(f"{line}\n" for line in (f"{each.change:8}{each.url}", *lines)))
    counts = Counter(each.change for each in found)
    same = len(pages[1]) - counts["added"] - counts["changed"]
    counted = ", ".join(f"{counts[change]} {change}" for change in ("added", "changed", "removed"))
    sys.stderr.write(f"{counted}, {same} as before\n")
    return 0


def _reader(
    old: tuple[str, sqlite3.Connection], new: tuple[str, sqlite3.Connection], changed: Set[str]
) -> Callable[[str], list[str]]:
    """Return what tells the lines that differ in one of these pages."""
    from quire.export.comparison import changed_lines
    from quire.exporting import MirroredPages
    from quire.store.files import MirrorFiles

    readers = [MirroredPages(database, MirrorFiles(mirror)).by_url(changed) for mirror, database in (old, new)]

    def lines(url: str) -> list[str]:
        pages = [read(url) for read in readers]
        gone = [mirror for (mirror, _), page in zip((old, new), pages, strict=True) if page is None]
        if gone:
            return [f"@@ its file is not in {' and '.join(gone)} @@"]
        before, after = (page.markdown for page in pages if page is not None)
        return list(changed_lines(before, after))

    return lines
