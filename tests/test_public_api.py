"""The library as its users see it: what can be imported, its types, and the example of the README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import quire
from quire.demo import DemoSite

README = Path(__file__).parents[1] / "README.md"
EXAMPLE_URL = '"https://example.com/docs/"'


def example() -> str:
    """Return the only Python block of the README."""
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1, "the README has one example of the library"
    return str(blocks[0])


@pytest.mark.parametrize("name", quire.__all__)
def test_a_public_name_can_be_imported(name: str) -> None:
    assert getattr(quire, name) is not None


def test_a_star_import_gives_the_public_names_and_no_others() -> None:
    script = "from quire import *; import quire; print(set(quire.__all__) - set(globals()))"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert said.stdout == "set()\n"


def test_there_is_no_other_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Spider'"):
        quire.__getattr__("Spider")


def test_importing_quire_imports_no_stage() -> None:
    script = "import quire, sys; print(sorted(name for name in sys.modules if name.startswith('quire.')))"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert said.stdout == "['quire.version']\n"


def test_the_types_ship_with_the_package() -> None:
    assert files("quire").joinpath("py.typed").is_file()


def test_the_errors_are_one_tree() -> None:
    for name in ("CrawlError", "GuardStop", "PageError", "UsageError"):
        assert issubclass(getattr(quire, name), quire.QuireError)


def test_the_readme_example_is_about_ten_lines_long() -> None:
    assert len([line for line in example().splitlines() if line.strip()]) <= 12


def test_the_readme_example_mirrors_a_site(tmp_path: Path) -> None:
    script = example()
    assert script.count(EXAMPLE_URL) == 1
    with DemoSite() as site:
        # A second between requests is for other people's servers.
        script = script.replace(EXAMPLE_URL, f'"{site.url}", delay=0')
        said = subprocess.run(
            [sys.executable, "-W", "error", "-c", script],
            cwd=tmp_path,
            env={name: value for name, value in os.environ.items() if not name.startswith("QUIRE_")},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert (said.returncode, said.stderr) == (0, "")
    pages = [line.split(" -> ") for line in said.stdout.splitlines() if " -> " in line]
    assert len(pages) > 20
    for url, path in pages:
        assert url.startswith(site.url.rstrip("/"))
        assert path.endswith(".md")
    saved = {path.relative_to(next(tmp_path.iterdir())).as_posix() for path in tmp_path.rglob("*.md")}
    # One of them is a copy of another page; it is dropped when the crawl ends.
    assert len({path for _, path in pages} - saved) <= 1
    assert "_index.md" in saved


def test_the_crawl_without_async_returns_how_it_ended(tmp_path: Path) -> None:
    heard: list[quire.Event] = []
    with DemoSite() as site:
        finished = quire.crawl_sync(
            f"{site.url}docs/", output=str(tmp_path / "mirror"), delay=0, max_pages=3, on_event=heard.append
        )
    assert finished.counts["saved"] == 3
    assert finished.stopped_by == "--max-pages 3"
    assert sum(isinstance(event, quire.PageSaved) for event in heard) == 3
    assert heard[-1] == finished


async def test_leaving_the_loop_stops_the_crawl_and_the_next_one_goes_on(tmp_path: Path) -> None:
    output = str(tmp_path / "mirror")
    with DemoSite() as site:
        events = quire.crawl(site.url, output=output, delay=0)
        async for event in events:
            if isinstance(event, quire.PageSaved):
                break
        await events.aclose()
        resumed = [event async for event in quire.crawl(site.url, output=output, delay=0)]
    started = resumed[0]
    assert isinstance(started, quire.CrawlStarted)
    assert started.resumed
    assert started.already_saved >= 1


def test_a_wrong_setting_is_a_usage_error() -> None:
    with pytest.raises(quire.UsageError, match=r"max_pagez: there is no such setting; is max_pages meant\?"):
        quire.crawl_sync("https://example.com/", max_pagez=3)
