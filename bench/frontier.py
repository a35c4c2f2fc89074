"""The frontier alone, up to a million URLs: what adding, leasing and settling cost, memory and file size.

    python bench/frontier.py [SIZE…] [--write]

Each size has a process of its own. First all URLs are added, 500 at a time, as from sitemaps. Then, in another file, a
crawl without a network: 32 pages at a time are leased and settled, each with ten links of which nine are new until the
size is reached; after that all ten are known.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import report
from measure import memory

from quire import urls
from quire.records import Accepted, Facts, FoundLinks, Lease, Link, PageRecord, Saved, State
from quire.schedule.database import open_database
from quire.schedule.sqlite import SqliteFrontier
from quire.settings import Pace
from quire.store.shelf import folded

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
BATCH, AT_ONCE, NEW, KNOWN = 500, 32, 9, 1
HOST = "127.0.0.1"


def link(number: int) -> Link:
    url = f"http://{HOST}/section-{number // 1000}/subject-{number // 50}/page-{number}.html"
    return Link(url, urls.fingerprint(url), "a", depth=1)


def found(numbers: list[int]) -> FoundLinks:
    """Links as a page worker finds them."""
    links = [link(number) for number in numbers]
    keys = struct.pack(f"<{len(links)}q", *(each.key for each in links))
    return FoundLinks([each.url for each in links], keys, [each.source for each in links])


def opened(file: Path) -> SqliteFrontier:
    pace = Pace(delay=0, concurrency=AT_ONCE, per_host=AT_ONCE)
    frontier = SqliteFrontier(open_database(file), lambda _: Accepted(2), pace)
    frontier.pace(HOST, 0)
    return frontier


def page(lease: Lease) -> Saved:
    """What a crawl would record about the page, of usual size."""
    number = lease.link.url.rpartition("-")[2].removesuffix(".html")
    facts = Facts(title=f"Page {number} of the site", h1=f"Page {number}", language="en", word_count=500)
    path = lease.link.url.removeprefix("http://") + "/index.md"
    return Saved(PageRecord(path, folded(path), False, 3000, "sha256:" + "0" * 64, facts, links=bytes(80)))


async def adding(size: int, file: Path) -> dict[str, float]:
    """Add so many URLs."""
    frontier, seconds = opened(file), 0.0
    for first in range(0, size, BATCH):
        links = [link(number) for number in range(first, min(first + BATCH, size))]
        begun = perf_counter()
        await frontier.add(links)
        seconds += perf_counter() - begun
    await frontier.close()
    return {"adding": seconds}


async def crawling(size: int, file: Path) -> dict[str, float]:
    """Lease and settle so many URLs, beginning with one that leads to all."""
    frontier, known, before = opened(file), 1, memory(os.getpid())
    await frontier.add([link(0)])
    leasing = settling = 0.0
    while waiting := frontier.counts()[State.PENDING]:
        begun = perf_counter()
        leases = [lease for _ in range(min(AT_ONCE, waiting)) if (lease := await frontier.lease())]
        for lease in leases:
            frontier.sending(lease)
        leasing += perf_counter() - begun
        work = []
        for lease in leases:
            new = min(NEW, size - known)
            numbers = [*range(known, known + new), *range(NEW - new + KNOWN)]
            known += new
            work.append((lease, page(lease), found(numbers)))
        begun = perf_counter()
        settled = asyncio.gather(*(_settle(frontier, *each) for each in work))
        # All are there: a crawl would wait a few milliseconds for more, and do other things meanwhile.
        await asyncio.sleep(0)
        frontier.flush()
        await settled
        settling += perf_counter() - begun
    if frontier.counts()[State.SAVED] != size:
        raise SystemExit(f"{frontier.counts()[State.SAVED]} URLs were settled, not {size}")
    grown = memory(os.getpid()) - before
    await frontier.close()
    return {"leasing": leasing, "settling": settling, "memory": before + grown, "grown": grown}


async def _settle(frontier: SqliteFrontier, lease: Lease, saved: Saved, links: FoundLinks) -> None:
    await frontier.settle(lease, saved, (Link(*each, None, 1) for each in frontier.unknown(links)))


def one(phase: str, size: int) -> None:
    """Measure one size and print it as JSON."""
    with tempfile.TemporaryDirectory(prefix="quire-frontier-") as folder:
        file = Path(folder) / "frontier.sqlite"
        found = asyncio.run({"adding": adding, "crawling": crawling}[phase](size, file))
        print(json.dumps(found | {"file": file.stat().st_size}))


def measured(size: int) -> dict[str, float]:
    """Both phases, each in processes of their own: medians, because small sizes are soon done and easily disturbed."""
    runs = []
    for _ in range(max(1, min(5, 300_000 // size))):
        run: dict[str, float] = {}
        for phase in ("adding", "crawling"):
            command = [sys.executable, __file__, "--phase", phase, str(size)]
            run |= json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        print(size, run, file=sys.stderr)
        runs.append(run)
    return {name: median(run[name] for run in runs) for name in runs[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--phase", choices=("adding", "crawling"), help=argparse.SUPPRESS)
    parser.add_argument("--note", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.phase:
        one(given.phase, given.sizes[0])
        return
    about = report.setting(given.note)
    curve = {size: measured(size) for size in given.sizes}
    report.publish("frontier", text(curve), curve, about, write=given.write)


def text(curve: dict[int, dict[str, float]]) -> str:
    """The curve as a table, and how it compares with n log n."""
    spent = {size: found["adding"] + found["leasing"] + found["settling"] for size, found in curve.items()}
    least = min(curve)
    rows = []
    for size, found in curve.items():
        ratio = spent[size] / spent[least] / (size * math.log(size) / (least * math.log(least)))
        rows.append(
            [f"{size:,}"]
            + [f"{found[phase] / size * 1e6:.1f}" for phase in ("adding", "leasing", "settling")]
            + [f"{size / found[phase]:,.0f}" for phase in ("adding", "leasing", "settling")]
            + [f"{ratio:.2f}", f"{found['memory'] / 1e6:.0f}", f"{found['grown'] / size:.0f}"]
            + [f"{found['file'] / 1e6:.1f}"]
        )
    head = ["URLs", "add µs", "lease µs", "settle µs", "adds/s", "leases/s", "settles/s", "time over n log n",
            "RSS MB", "bytes a URL", "file MB"]  # fmt: skip
    worst = max(float(row[7]) for row in rows)
    statement = (
        f"`time over n log n` is the time for everything divided by n log n, as a multiple of the same at {least:,}"
        f" URLs: at most 1.00 means that the curve is no steeper than n log n. Here the largest is {worst:.2f}."
    )
    return f"{report.table(head, rows)}\n\n{statement}"


if __name__ == "__main__":
    main()
