"""Looking at processes is no error where they end meanwhile."""

from __future__ import annotations

import subprocess

import psutil  # type: ignore[import-untyped]
from quire_test_site.processes import living


def test_a_process_that_ended_after_it_was_listed_is_not_alive() -> None:
    with subprocess.Popen(["sleep", "60"]) as lives, subprocess.Popen(["sleep", "60"]) as ends:
        listed = [psutil.Process(lives.pid), psutil.Process(ends.pid)]
        assert living(listed, "sleep") == listed
        assert living(listed, "chrom") == []
        ends.kill()
        ends.wait()
        assert living(listed) == listed[:1]
        lives.kill()


def test_a_process_whose_end_nobody_has_heard_of_is_not_alive() -> None:
    with subprocess.Popen(["true"], stdout=subprocess.PIPE) as ended:
        assert ended.stdout
        ended.stdout.read()
        listed = [psutil.Process(ended.pid)]
        while listed[0].status() != psutil.STATUS_ZOMBIE:
            pass
        assert living(listed) == []
