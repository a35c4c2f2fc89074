"""Start URLs by host (X2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.cluster.sites import gather
from quire.errors import UsageError


def test_urls_of_one_host_are_one_site(tmp_path: Path) -> None:
    """X2, U6, R6: in the order in which they come, each once"""
    file = tmp_path / "urls.txt"
    file.write_bytes(
        b"\xef\xbb\xbf# comment\r\n\r\nb.test/x\r\nEXAMPLE.com/b\r\nhttps://example.com:8443\r\nb.test/x\r\n"
    )
    sites = gather(["https://example.com/a", "http://example.com/a"], str(file))
    assert [(site.host, site.folder, site.start) for site in sites] == [
        ("example.com", "example.com", ("https://example.com/a", "http://example.com/a", "EXAMPLE.com/b")),
        ("b.test", "b.test", ("b.test/x",)),
        ("example.com:8443", "example.com_8443", ("https://example.com:8443",)),
    ]


def test_passwords_are_for_their_own_host_and_shown_nowhere() -> None:
    """X2, E1"""
    secret, other = gather(["https://user:word@a.test/", "https://b.test/"], None)
    assert secret.start == ("https://user:word@a.test/",)
    assert secret.shown == ["https://a.test/"]
    assert other.start == ("https://b.test/",)


@pytest.mark.parametrize("line", ["mailto:me", "/docs", "\xff", "http://"])
def test_a_line_that_is_no_url_is_named(tmp_path: Path, line: str) -> None:
    """X2, C10"""
    file = tmp_path / "urls.txt"
    file.write_bytes(b"a.test\n" + line.encode("latin-1") + b"\n")
    with pytest.raises(UsageError, match=r"line 2: .* is not a web address"):
        gather([], str(file))
