"""`quire demo`: a mirror of the bundled site, with no network (C7)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from quire_test_site import Quire, Site, files_in

# An address nobody listens at: whatever is sent through it fails.
NO_NETWORK = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")


def test_the_demo_works_without_a_network(quire: Quire, tmp_path: Path) -> None:
    """C7, C9, C10: the tree, the counts, and where to look next; again and again"""
    for _ in range(2):
        finished = quire("demo", env=NO_NETWORK)
        assert finished.status == 0, finished.err
        assert "Traceback" not in finished.err
    folder = tmp_path / "demo-output"
    manifest = json.loads((folder / "_manifest.json").read_bytes())
    statistics = manifest["statistics"]
    assert statistics["processed_count"] == len(manifest["pages"]) > 15
    assert statistics["failed_count"] == 1
    for name in ("skipped_count", "duplicate_count", "total_urls_in_sitemap"):
        assert statistics[name] > 0, name
    assert {"robots", "content-type"} <= statistics["skipped_by"].keys()
    assert {each["reason"] for each in manifest["duplicates"]} == {"redirect", "canonical"}
    assert manifest["equal_content"]
    for words in ("demo-output/", "├── ", "_index.md", "_manifest.json", "quire why", "quire status"):
        assert words in finished.out, words
    shown = len(re.findall(r"index\.md|__q_", finished.out))
    assert shown >= statistics["processed_count"]
    assert re.search(rf"\b{statistics['processed_count']} pages\b", finished.err)
    assert not (tmp_path / "output").exists()


def test_what_the_demo_says_next_works(quire: Quire, tmp_path: Path) -> None:
    """C7, C5, C6: the commands it prints can be run as they are"""
    finished = quire("demo", "-o", "here", env=NO_NETWORK)
    commands = re.findall(r"^\s*quire ((?:why|status) .*)$", finished.out, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        told = quire(*command.split())
        assert told.status == 0, told.err
        assert told.out
    assert (tmp_path / "here" / "_index.md").is_file()


def test_the_demo_does_not_overwrite_what_is_not_its_own(quire: Quire, tmp_path: Path) -> None:
    """C7, S3"""
    (tmp_path / "demo-output").mkdir()
    (tmp_path / "demo-output" / "notes.txt").write_text("mine")
    assert quire("demo", env=NO_NETWORK).status == 0
    assert (tmp_path / "demo-output" / "notes.txt").read_text() == "mine"
    (tmp_path / "taken").write_text("a file")
    finished = quire("demo", "-o", "taken", env=NO_NETWORK)
    assert finished.status == 2
    assert "Traceback" not in finished.err


@pytest.mark.parametrize("lost", [(), ("_frontier.sqlite",)])
def test_the_demo_does_not_overwrite_a_mirror(site: Site, quire: Quire, tmp_path: Path, lost: tuple[str, ...]) -> None:
    """C7, S3: nor one whose frontier is lost; one of a demo it does"""
    site.grow(3)
    mirror = tmp_path / "mine"
    assert quire("demo", "-o", mirror, env=NO_NETWORK).status == 0
    assert quire("mirror", site.url, "-o", mirror, "--delay", "0", "--fresh").status == 0
    for name in lost:
        (mirror / name).unlink()
    before = files_in(mirror)
    finished = quire("demo", "-o", mirror, env=NO_NETWORK)
    assert finished.status == 2
    assert re.fullmatch("quire: .*mine holds a mirror .*\n", finished.err)
    assert files_in(mirror).items() >= before.items()
