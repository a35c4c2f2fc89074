"""Bad input: one line that names the thing, the cause and the next step; no traceback (C9, C10)."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from quire_test_site import Finished, Quire, Site

from quire.cli.main import main

Run = Callable[..., Finished]
QUICK = ("--delay", "0", "--retry-delay", "0.05", "--timeout", "2")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line in this process, for commands that end at once; a new one for each would take minutes."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> Finished:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        out, err = capsys.readouterr()
        return Finished(int(ended.value.code or 0), out, err)

    return command


def the_line(finished: Finished, status: int) -> str:
    """The one line that says what is wrong."""
    assert finished.status == status, finished.err
    assert finished.out == ""
    assert "Traceback" not in finished.err
    lines = [line for line in finished.err.splitlines() if line.startswith("quire")]
    assert len(lines) == 1, finished.err
    return lines[0]


@pytest.mark.parametrize("command", ["mirror", "map", "page"])
@pytest.mark.parametrize("quiet", [(), ("-q",)])
def test_an_unknown_host_is_told(quire: Quire, command: str, quiet: tuple[str, ...]) -> None:
    """C9, C10, R10"""
    line = the_line(quire(command, "http://no-such-host.invalid/", *QUICK, *quiet), 1)
    assert "no-such-host.invalid" in line
    assert "no such host" in line


@pytest.mark.parametrize("command", ["mirror", "map", "page"])
def test_a_refused_connection_is_told(quire: Quire, command: str) -> None:
    """C9, C10, R10"""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        line = the_line(quire(command, f"http://127.0.0.1:{port}/", *QUICK, "-q"), 1)
    assert f"127.0.0.1:{port}" in line
    assert "refused" in line.lower()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--include-pattern", "[a"], ["--include-pattern", "[a", "regular expression"]),
        (["--exclude-pattern", "(?P<x"], ["--exclude-pattern", "(?P<x"]),
        (["--max-pages", "many"], ["--max-pages", "many", "number"]),
        (["--max-pages", "0"], ["--max-pages", "0"]),
        (["--max-pages", "1.5"], ["--max-pages", "1.5", "whole number"]),
        (["--max-pages", "9" * 400], ["--max-pages"]),
        (["--delay", "fast"], ["--delay", "fast", "number"]),
        (["--delay", "-1"], ["--delay", "-1"]),
        (["--delay", "nan"], ["--delay", "nan"]),
        (["--timeout", "1e999"], ["--timeout", "1e999"]),
        (["--content-rate-limit", "0"], ["--content-rate-limit", "--delay 0"]),
        (["--content-rate-limit", "2", "--delay", "1"], ["--content-rate-limit", "--delay"]),
        (["--priority-min", "high"], ["--priority-min", "high"]),
        (["--priority-min", "7"], ["--priority-min", "7", "1.0"]),
        (["--output", ""], ["--output", "empty"]),
        (["--discover", "everything"], ["--discover", "everything"]),
        (["--on-error", "panic"], ["--on-error", "panic", "abort"]),
        (["--query", "some"], ["--query", "some", "meaningful"]),
        (["--include-paths", "http://x/docs"], ["--include-paths", "/docs"]),
        (["--prune"], ["--prune", "--update"]),
        (["--fresh", "--update"], ["--fresh", "--update"]),
        (["--heading", "drop", "--no-front-matter"], ["--heading drop", "--no-front-matter"]),
        (["--heading", "maybe"], ["--heading", "maybe", "keep", "drop"]),
        (["--header", "no colon"], ["--header", "no colon"]),
        (["--content", "p["], ["--content", "p["]),
        (["--remove", "nav", "--remove", "p["], ["--remove", "p["]),
        (["--proxy", "nonsense"], ["--proxy", "nonsense"]),
        (["--sitemap", "nonsense"], ["--sitemap", "nonsense"]),
        (["--user-agent", "a\nb: c"], ["--user-agent"]),
        (["--no-such-option"], ["--no-such-option", "--help"]),
        (["--max-pages"], ["--max-pages"]),
        (["--config", "missing.toml"], ["--config", "missing.toml"]),
        (["--config", "."], ["--config"]),
    ],
)
def test_a_bad_option_is_told_before_anything_is_fetched(
    site: Site, run: Run, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    """C9, C10, F6"""
    site.page("/")
    line = the_line(run("mirror", f"{site.url}/", *arguments), 2)
    for word in words:
        assert word in line
    assert site.hits == []
    assert not (tmp_path / "output").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"max_pages = [", ["TOML"]),
        (b"max_pages = 'x'", ["max_pages", "'x'"]),
        (b"max_pages = 2.5", ["max_pages", "2.5"]),
        (b"max_pages = []", ["max_pages"]),
        (b"no_such_setting = 1", ["no_such_setting"]),
        (b"[scope]\nmax_pages = 1", ["scope"]),
        (b"include_pattern = 5", ["include_pattern", "5"]),
        (b"include_pattern = ['[a']", ["[a"]),
        (b"delay = true", ["delay"]),
        (b"update = 'maybe'", ["update", "maybe"]),
        (b"output = ['a']", ["output"]),
        (b"\xff\xfe\x00", ["TOML"]),
    ],
)
def test_a_bad_config_file_is_told(site: Site, run: Run, tmp_path: Path, content: bytes, words: list[str]) -> None:
    """C8, C9, C10: with the file's name"""
    site.page("/")
    (tmp_path / "quire.toml").write_bytes(content)
    line = the_line(run("mirror", f"{site.url}/", "--config", "quire.toml"), 2)
    for word in (*words, *(["quire.toml"] if b"[a" not in content else [])):
        assert word in line
    assert site.hits == []


def test_a_bad_environment_is_told_by_its_name(site: Site, quire: Quire) -> None:
    """C8, C10"""
    for name, value in {"QUIRE_MAX_PAGES": "x", "QUIRE_UPDATE": "perhaps", "QUIRE_CONFIG": "missing.toml"}.items():
        line = the_line(quire("mirror", f"{site.url}/", env={name: value}), 2)
        assert name in line
        assert value in line
    assert site.hits == []


def test_a_misspelt_variable_is_told_with_the_setting_it_is_like(site: Site, quire: Quire) -> None:
    """C8, C10: a warning, because others may have variables of that name; those of the service are no mistake"""
    site.page("/", links=["/a"])
    site.page("/a", "<p>A</p>")
    environment = {"QUIRE_MAX_PAGE": "1", "QUIRE_OTHERS": "x", "QUIRE_TOKEN": "x", "QUIRE_LOG_FORMAT": "json"}
    finished = quire("mirror", f"{site.url}/", "-q", "--delay", "0", "--workers", "1", env=environment)
    assert finished.status == 0
    assert finished.err.splitlines() == [
        "quire: QUIRE_MAX_PAGE: there is no such setting, it is ignored; is QUIRE_MAX_PAGES meant?",
        "quire: QUIRE_OTHERS: there is no such setting, it is ignored",
    ]
    assert len(quire("status", env={"QUIRE_OUTPUTS": "elsewhere"}).err.splitlines()) == 1


@pytest.mark.parametrize(
    "url",
    ["ftp://127.0.0.1/", "http://", "http://[::1", "javascript:alert(1)", "", "   ", "/docs"],
)
@pytest.mark.parametrize("command", ["mirror", "map", "page"])
def test_what_is_no_web_address_is_told(run: Run, tmp_path: Path, command: str, url: str) -> None:
    """C9, C10, U10"""
    line = the_line(run(command, url), 2)
    assert "address" in line or "URL" in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["mirror"], ["map"], ["page"], ["why"], ["nonsense"], ["mirror", "--json", "http://127.0.0.1/"]]
)
def test_bad_usage_is_status_2(run: Run, arguments: list[str]) -> None:
    """C9, C10: and the way to help is named"""
    line = the_line(run(*arguments), 2)
    assert "--help" in line


def test_no_command_shows_the_commands(quire: Quire) -> None:
    """C9, C10"""
    finished = quire()
    assert finished.status == 2
    assert "mirror" in finished.err
    helped = quire("--help")
    assert (helped.status, helped.err) == (0, "")
    assert all(command in helped.out for command in ("mirror", "map", "page", "why", "status", "demo"))


def test_a_file_where_the_folder_should_be(site: Site, quire: Quire) -> None:
    """C9, C10"""
    site.page("/")
    (quire.folder / "taken").write_text("x")
    line = the_line(quire("mirror", f"{site.url}/", "-o", "taken"), 2)
    assert "taken" in line
    line = the_line(quire("mirror", f"{site.url}/", "-o", "taken/below"), 2)
    assert "taken/below" in line
    assert (quire.folder / "taken").read_text() == "x"
    assert site.hits == []


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0 and not os.environ.get("CI"):
        pytest.skip("only root can mount a disk that nobody can write to")
    folder = tmp_path / "read-only"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "ro,size=1m", "quire-test", folder], check=True)
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_an_unwritable_folder_is_told(site: Site, quire: Quire, read_only: Path) -> None:
    """C9, C10: the folder itself, one to be made in it, and places where nothing can be made"""
    site.page("/")
    for folder in (read_only, read_only / "new", Path("/proc/quire"), Path("/dev/null/x")):
        line = the_line(quire("mirror", f"{site.url}/", "-o", folder), 2)
        assert str(folder) in line
        assert "choose another" in line
    assert site.hits == []


def test_a_mirror_made_by_other_settings_is_not_mixed(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C9, C10, S5: another site, another idea of what a page is; --fresh starts over"""
    site.page("/")
    site.page("/docs", "<p>Docs</p>")
    base = ("mirror", "-o", mirror_dir, "--delay", "0", "--workers", "1", "-q")
    assert quire(*base, f"{site.url}/").status == 0
    site.clear()
    for arguments in (
        (f"{site.url}/docs",),
        (f"{site.url}/", f"{site.url}/docs"),
        (f"{site.url}/", "--query", "all"),
        (f"{site.url}/", "--ignore-case"),
        (f"{site.url}/", "--content", "full"),
        (f"{site.url}/", "--heading", "drop"),
        (f"{site.url}/", "--no-front-matter"),
    ):
        line = the_line(quire(*base, *arguments), 2)
        assert str(mirror_dir) in line
        assert "--fresh" in line
    assert site.hits == []
    assert quire(*base, f"{site.url}/docs", "--fresh").status == 0


def test_a_url_that_is_given_twice_is_one(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C6, C9: in the mirror's state, and for whoever goes on with it"""
    site.page("/", "<p>Home</p>")
    base = ("mirror", "-o", mirror_dir, "--delay", "0", "--workers", "1", "-q")
    assert quire(*base, f"{site.url}/", site.url).status == 0
    assert quire("status", mirror_dir).out.splitlines()[0] == f"{mirror_dir}: mirror of {site.url}/"
    assert quire(*base, f"{site.url}/").status == 0


def test_a_mirror_of_another_version_is_told(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C9, C10: what a later Quire wrote is not touched, and --fresh starts over"""
    import sqlite3

    site.page("/")
    base = ("mirror", f"{site.url}/", "-o", mirror_dir, "--delay", "0", "--workers", "1", "-q")
    assert quire(*base).status == 0
    database = sqlite3.connect(mirror_dir / "_frontier.sqlite")
    database.execute("PRAGMA user_version=99")
    database.close()
    finished = quire(*base)
    assert finished.status in (1, 2)
    assert "another version" in finished.err
    assert "Traceback" not in finished.err
    assert "Traceback" not in quire("status", mirror_dir).err
    assert "Traceback" not in quire("why", f"{site.url}/", "-o", mirror_dir).err
    assert quire(*base, "--fresh").status == 0


def test_a_mirror_in_use_is_told(site: Site, quire: Quire, mirror_dir: Path) -> None:
    """C9, C10: two crawls do not write into one folder"""
    site.page("/", links=["/slow"])
    site.page("/slow", "<p>Slow</p>")
    site.hang("/slow")
    base = ("mirror", f"{site.url}/", "-o", mirror_dir, "--delay", "0", "--workers", "1", "-q")
    process = quire.start(*base)
    site.wait(path="/slow")
    line = the_line(quire(*base), 2)
    assert str(mirror_dir) in line
    line = the_line(quire(*base, "--fresh"), 2)
    site.release("/slow")
    assert process.wait(20) == 0
