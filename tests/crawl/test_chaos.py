"""A server that fails a tenth of its requests in ten ways: every page is saved, and the counts add up."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from quire_test_site import Quire
from quire_test_site.chaos import Chaos
from quire_test_site.memory import Sample, draw, watch

OPTIONS = (
    *("--delay", "0", "--concurrency", "64", "--per-host", "16", "-q"),
    *("--on-error", "retry", "--retry-delay", "0.1", "--timeout", "2"),
)


def crawl(quire: Quire, site: Chaos, mirror: Path) -> tuple[list[Sample], dict[str, Any]]:
    process = quire.start("mirror", *(f"{url}/" for url in site.urls), "-o", mirror, *OPTIONS)
    samples = watch(process)
    _, err = process.communicate()
    assert process.returncode == 0, err
    return samples, json.loads((mirror / "_manifest.json").read_bytes())


def check(manifest: dict[str, Any], mirror: Path, hosts: int, pages: int) -> None:
    """Each page of each host is there once, whole, and nothing else is."""
    everything = hosts * (pages + 1)
    statistics = manifest["statistics"]
    counts = {name: number for name, number in statistics.items() if name.endswith("_count") and number}
    assert counts == {"processed_count": everything}
    assert statistics["total_urls"] == everything
    assert manifest["crawl"]["complete"] is True
    places = {(parts.hostname, parts.path) for page in manifest["pages"] if (parts := urlsplit(page["url"]))}
    names = {f"127.0.0.{host + 1}" for host in range(hosts)}
    assert places == {(name, path) for name in names for path in ("/", *(f"/p/{each}" for each in range(pages)))}
    for page in manifest["pages"]:
        number = urlsplit(page["url"]).path.removeprefix("/p/").strip("/") or "0"
        text = (mirror / page["path"]).read_text("utf-8")
        assert f"\n# Page {number}\n" in text
        assert text.rstrip().endswith(")"), page["url"]
    assert len((mirror / "_processed.txt").read_text().splitlines()) == everything


def test_a_server_that_fails_in_ten_ways_is_mirrored_whole(quire: Quire, mirror_dir: Path) -> None:
    """P4, P5, P6, F7, S7"""
    with Chaos(pages=75, hosts=4) as site:
        _, manifest = crawl(quire, site, mirror_dir)
    check(manifest, mirror_dir, hosts=4, pages=75)
    assert len(site.told) == 11, "requests, and each of the ten ways"


@pytest.mark.soak
def test_fifty_thousand_pages_of_a_server_that_fails_in_ten_ways(quire: Quire, mirror_dir: Path) -> None:
    """P4, P5, P6, F7, S7, X1: and memory stays flat; QUIRE_SOAK_PAGES is the size, QUIRE_SOAK_RESULTS a folder"""
    hosts = 10
    pages = int(os.environ.get("QUIRE_SOAK_PAGES", "50000")) // hosts
    with Chaos(pages, hosts) as site:
        samples, manifest = crawl(quire, site, mirror_dir)
    check(manifest, mirror_dir, hosts, pages)
    failures = sum(number for name, number in site.told.items() if name != "requests")
    assert failures > 0.09 * site.told["requests"]
    results = os.environ.get("QUIRE_SOAK_RESULTS")
    if results:
        title = f"{hosts * pages:,} pages of a server that fails a tenth of its requests"
        draw(samples, title, Path(results, "chaos-memory.svg"))
        told = {"statistics": manifest["statistics"], "server": site.told, "seconds": samples[-1].seconds}
        memory = {"main": [each.main for each in samples], "workers": [each.workers for each in samples]}
        Path(results, "chaos.json").write_text(json.dumps(told | memory))
    # The first tenth fills caches; from then on only the index of URLs grows, by some 150 bytes each.
    settled = samples[len(samples) // 10 : -len(samples) // 20]
    assert settled[-1].main - settled[0].main < 10_000_000 + 400 * hosts * pages
    assert max(each.workers for each in settled) - settled[0].workers < 40_000_000
