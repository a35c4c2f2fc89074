"""What `quire mirror` has loaded when it makes its page workers, which are copies of it."""

from __future__ import annotations

import json
import subprocess
import sys

_SAY = "import json, sys; print(json.dumps(sorted(sys.modules)))"


def loaded(statement: str) -> set[str]:
    said = subprocess.run([sys.executable, "-c", f"{statement}; {_SAY}"], capture_output=True, text=True, check=True)
    return set(json.loads(said.stdout))


def test_page_workers_are_copied_while_there_can_be_no_threads() -> None:
    """C1"""
    assert "threading" not in loaded("from quire.cli.mirror import load_for_both; load_for_both()")


def test_what_is_loaded_for_page_workers_is_needed_by_them_and_by_the_crawl() -> None:
    """C1"""
    before = loaded("import quire.cli.mirror")
    shared = loaded("from quire.cli.mirror import load_for_both; load_for_both()") - before
    assert "quire.press.frames" in shared
    assert not shared - loaded("import quire.worker")
    assert not shared - loaded("import quire.cli.console, quire.crawling, quire.memory")
