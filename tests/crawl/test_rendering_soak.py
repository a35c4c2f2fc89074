"""A thousand pages in the browser: memory stays where it is, and nothing is left behind."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from quire_test_site import Site
from quire_test_site.processes import living

import quire as library
from quire.events import Event, PageSaved

PAGES = 1000
STEP = 25


def megabytes() -> float:
    """What all processes of the browser hold for themselves."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "chrom" in process.name():
                total += process.memory_full_info().uss
    return total / 1e6


@pytest.mark.soak
def test_a_thousand_rendered_pages(site: Site, tmp_path: Path) -> None:
    """E2: memory flat, no process left behind"""
    site.grow(PAGES)
    held: list[float] = []

    def look(event: Event) -> None:
        if isinstance(event, PageSaved):
            look.saved += 1  # type: ignore[attr-defined]
            if look.saved % STEP == 0:  # type: ignore[attr-defined]
                held.append(megabytes())

    look.saved = 0  # type: ignore[attr-defined]
    finished = library.crawl_sync(
        f"{site.url}/", output=str(tmp_path / "mirror"), render="always", delay=0, on_event=look
    )
    assert finished.counts["saved"] == PAGES + 1
    third = len(held) // 3
    print("MB held by the browser:", [round(each) for each in held])
    assert max(held[-third:]) <= 1.2 * max(held[:third])
    assert living(psutil.Process().children(recursive=True), "chrom") == []
