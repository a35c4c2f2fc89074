"""The folder that machines share: who leads, and whose a host is (X2)."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from quire.cluster.folder import Claims, Leadership, goes_on, problem_with
from quire.errors import InUse, UsageError

CLAIM = """
import sys
from pathlib import Path
from quire.cluster.folder import Claims
claims = Claims(Path(sys.argv[1]))
print(*[claims(host) for host in sys.argv[2:]], flush=True)
sys.stdin.read()
"""


def claimed_elsewhere(root: Path, *hosts: str) -> subprocess.Popen[str]:
    """Another process that claims these hosts, and says which it has."""
    command = [sys.executable, "-c", CLAIM, str(root), *hosts]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_a_host_is_one_process_s_until_that_ends(tmp_path: Path) -> None:
    """X2: however it ends"""
    with claimed_elsewhere(tmp_path, "a.test", "b.test:8080") as other:
        assert other.stdout
        assert other.stdout.readline() == "True True\n"
        with closing(Claims(tmp_path)) as claims:
            assert not claims("a.test")
            assert claims.refused == "a.test"
            assert claims("b.test")
            assert not claims("b.test:8080")
            other.kill()
            other.wait()
            assert claims("a.test")
            assert claims.refused == ""


def test_claims_end_with_their_crawl(tmp_path: Path) -> None:
    """X2: the next one of the same process may ask the same host"""
    with closing(Claims(tmp_path)) as first:
        assert first("a.test")
    with claimed_elsewhere(tmp_path, "a.test") as other:
        assert other.communicate("")[0] == "True\n"


def test_a_run_goes_on_as_long_as_it_is_led(tmp_path: Path) -> None:
    """X2, C9"""
    leader = Leadership.take(str(tmp_path))
    assert goes_on(tmp_path, leader.word)
    assert problem_with(tmp_path, leader.word) == ""
    assert not goes_on(tmp_path, "another run")
    with pytest.raises(InUse):
        Leadership.take(str(tmp_path))
    leader.stop()
    assert not goes_on(tmp_path, leader.word)
    leader.close()
    with closing(Leadership.take(str(tmp_path))) as second:
        assert goes_on(tmp_path, second.word)
        assert not goes_on(tmp_path, leader.word)
    assert not goes_on(tmp_path, second.word)


def test_what_is_wrong_with_a_folder_is_told(tmp_path: Path) -> None:
    """X2, C10"""
    leader = Leadership.take(str(tmp_path))
    assert "has another folder at" in problem_with(tmp_path, "another run")
    assert "does not see" in problem_with(tmp_path / "nowhere", leader.word)
    assert not goes_on(tmp_path / "nowhere", leader.word)
    leader.close()
    assert "must share locks between machines" in problem_with(tmp_path, leader.word)


def test_the_folder_of_a_mirror_is_not_taken(tmp_path: Path) -> None:
    """X2"""
    (tmp_path / "_frontier.sqlite").touch()
    with pytest.raises(UsageError, match="holds the mirror of one site"):
        Leadership.take(str(tmp_path))
