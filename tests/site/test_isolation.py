"""A test in a network of its own has its own names, and leaves nothing behind."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from quire_test_site import isolation


@pytest.mark.isolated
def test_names_are_looked_up_within() -> None:
    assert Path("/etc/resolv.conf").read_text().startswith("nameserver 127.0.0.1\n")
    assert Path("/etc/nsswitch.conf").read_text() == "hosts: files dns\n"
    assert {info[4][0] for info in socket.getaddrinfo("localhost", 80)} == {"127.0.0.1", "::1"}


def test_nothing_is_left_in_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    test = request.node.nodeid.replace(request.node.name, test_names_are_looked_up_within.__name__)
    isolation.run_inside(test, request.config.rootpath)
    assert list(tmp_path.iterdir()) == []
