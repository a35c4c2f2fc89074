"""Where settings come from: flag, environment, file, default (C8, R13)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from quire_test_site import Quire, Site


def saved(quire: Quire, folder: str = "output") -> int:
    manifest = json.loads((quire.folder / folder / "_manifest.json").read_bytes())
    return len(manifest["pages"])


@pytest.fixture
def config(site: Site, quire: Quire) -> Path:
    """A file that says three pages; the site has thirty."""
    site.grow(30, 4)
    file = quire.folder / "quire.toml"
    file.write_text("max_pages = 3\ndelay = 0\nworkers = 1\ninclude_pattern = ['/p/']\n")
    return file


def test_a_flag_wins_over_the_environment_over_the_file(site: Site, quire: Quire, config: Path) -> None:
    """C8, R13"""
    base = ("mirror", f"{site.url}/", "-q", "--config", config)
    assert quire(*base, "-o", "by-file").status == 0
    assert saved(quire, "by-file") == 3
    environment = {"QUIRE_MAX_PAGES": "4"}
    assert quire(*base, "-o", "by-environment", env=environment).status == 0
    assert saved(quire, "by-environment") == 4
    assert quire(*base, "-o", "by-flag", "--max-pages", "5", env=environment).status == 0
    assert saved(quire, "by-flag") == 5
    manifest = json.loads((quire.folder / "by-flag" / "_manifest.json").read_bytes())
    assert manifest["filters_applied"] == {"include_pattern": "/p/"}


def test_every_kind_of_setting_can_come_from_the_environment(site: Site, quire: Quire) -> None:
    """C8: numbers, switches, lists (one a line), the folder, and the file's own name"""
    site.page("/", links=["/a/1", "/b/1", "/c/1"])
    for path in ("/a/1", "/b/1", "/c/1"):
        site.page(path, f"<p>{path}</p>")
    (quire.folder / "mine.toml").write_text('exclude_pattern = "b/1"')
    environment = {
        "QUIRE_CONFIG": "mine.toml",
        "QUIRE_OUTPUT": "elsewhere",
        "QUIRE_DELAY": "0",
        "QUIRE_FRONT_MATTER": "false",
        "QUIRE_INCLUDE_PATTERN": "/a/\n/b/",
        "QUIRE_USER_AGENT": "Somebody/1.0",
        "QUIRE_WORKERS": "1",
    }
    assert quire("mirror", f"{site.url}/", "-q", env=environment).status == 0
    assert saved(quire, "elsewhere") == 2
    text = (quire.folder / "elsewhere" / f"127.0.0.1_{site.port}" / "a" / "1" / "index.md").read_text()
    assert text == "/a/1\n"
    assert {hit.headers["User-Agent"] for hit in site.hits} == {"Somebody/1.0"}


def test_a_file_of_that_name_is_not_read_unasked(site: Site, quire: Quire) -> None:
    """C8: `--config quire.toml` is said, or nothing is read"""
    site.page("/", links=["/a"])
    site.page("/a", "<p>A</p>")
    (quire.folder / "quire.toml").write_text("max_pages = 1")
    assert quire("mirror", f"{site.url}/", "-q", "--delay", "0").status == 0
    assert saved(quire) == 2


def test_page_and_map_take_the_same_settings(site: Site, quire: Quire) -> None:
    """C8: one file for all commands"""
    site.page("/", "<main><p class=x>Part</p><p>Rest</p></main>", raw=True)
    (quire.folder / "quire.toml").write_text("content = '.x'\ndelay = 0\nmax_pages = 1\non_error = 'skip'\n")
    assert quire("page", f"{site.url}/", "-q", "--config", "quire.toml").out == "Part\n"
    assert quire("map", f"{site.url}/", "-q", "--config", "quire.toml").out == f"{site.url}/\n"
    assert quire("page", f"{site.url}/", "-q", env={"QUIRE_OUTPUT": "into", "QUIRE_DELAY": "0"}).status == 0


@pytest.mark.parametrize("flags", [("--delay", "0"), ("--content-rate-limit", "1000")])
def test_the_pace_of_a_flag_wins_over_that_of_the_file(site: Site, quire: Quire, flags: tuple[str, str]) -> None:
    """C8: whichever of its two names it is given by"""
    site.page("/", "<p>Home</p>")
    (quire.folder / "slow.toml").write_text("content_rate_limit = 2.0\nworkers = 1\n")
    assert quire("mirror", f"{site.url}/", "-q", "--config", "slow.toml", *flags).status == 0
    assert quire("mirror", f"{site.url}/", "--delay", "0", "--content-rate-limit", "1").status == 2


def test_status_and_why_ask_where_the_mirror_is(site: Site, quire: Quire) -> None:
    """C8: the folder of `QUIRE_OUTPUT` is that of every command"""
    site.page("/", "<p>Home</p>")
    environment = {"QUIRE_OUTPUT": "elsewhere", "QUIRE_WORKERS": "1"}
    assert quire("mirror", f"{site.url}/", "-q", env=environment).status == 0
    assert "1 page," in quire("status", env=environment).out
    assert "decision: saved" in quire("why", f"{site.url}/", env=environment).out
