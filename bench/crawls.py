"""Quire and its peers over real sites, interleaved: seconds, CPU, memory, completeness.

    bench/run [--quick] [--rounds N] [--slow-rounds N] [--site NAME] [--minutes M] [--note TEXT]

Each round runs every program once, and the next round begins with another one. Pages count as found when the server
was asked for them and answered 200; what should be found is computed from the files, without any crawler.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import comparison
import plot
import report
from comparison import Run
from contestants import CONTESTANTS, Contestant, Course
from installing import CACHE, install_environment, install_packages, versions
from installing import QUIRE as OURS
from loopback import Nginx
from measure import cost_of
from sites import SITES, Site, page_of, reachable

# For crawl4ai, which otherwise keeps a folder in the home directory.
ENVIRONMENT = {"CRAWL4AI_NO_CLOUD_NOTICE": "1", "CRAWL4_AI_BASE_DIRECTORY": str(CACHE)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one site, few programs, two minutes; writes nothing")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=5, help="rounds for programs that take minutes")
    parser.add_argument("--site", action="append", choices=SITES, help="only this site")
    parser.add_argument("--minutes", type=float, default=120, help="begin no round after this long")
    parser.add_argument("--note", default="", help="a remark to stand above the tables")
    parser.add_argument("--write", action="store_true", help="put the results into README.md and results.json")
    given = parser.parse_args()
    about = report.setting(given.note)
    install_packages()
    taking_part, absent = _taking_part(quick=given.quick)
    names = ["python"] if given.quick else given.site or list(SITES)
    rounds = (3, 1) if given.quick else (given.rounds, given.slow_rounds)
    until = time.monotonic() + 60 * given.minutes
    runs: list[Run] = []
    with tempfile.TemporaryDirectory(prefix="quire-bench-") as folder:
        source = Path(folder) / "source"
        snapshot(source)
        for name in names:
            here = [each for each in taking_part if name in each.sites]
            runs += _races(SITES[name], here, rounds, until, source, quick=given.quick)
    about["versions"] = versions()
    # --minutes may leave a site out.
    names = [name for name in names if comparison.bars(name, runs)]
    if not names:
        raise SystemExit("there is no complete run of anything: see above")
    text = comparison.text(runs, {name: SITES[name].package for name in names}, about["versions"], absent)
    if given.write:
        charts = [(f"{SITES[name].package}: seconds for all pages", comparison.bars(name, runs)) for name in names]
        plot.draw(charts, report.HERE / "results.svg")
    report.publish("crawls", text, [asdict(run) for run in runs], about, write=given.write)


def snapshot(folder: Path) -> None:
    """Copy Quire as it is now, so that all rounds measure the same one whatever is edited meanwhile."""
    shutil.copytree(report.HERE.parent / "src", folder, dirs_exist_ok=True)
    compileall.compile_dir(folder, quiet=2)


def _taking_part(*, quick: bool) -> tuple[list[Contestant], dict[str, str]]:
    """Who can be run here, and why others cannot."""
    wanted = [each for each in CONTESTANTS if each.quick or not quick]
    absent: dict[str, str] = {}
    for environment in sorted({each.environment for each in wanted} - {""}):
        problem = install_environment(environment)
        if problem:
            absent[environment] = problem
    return [each for each in wanted if each.environment not in absent], absent


def _races(
    site: Site, taking_part: Sequence[Contestant], rounds: tuple[int, int], until: float, source: Path, *, quick: bool
) -> Iterator[Run]:
    """Run everyone in turn, for as many rounds as each is given."""
    pages = reachable(site)
    folder = source.with_name(site.name)
    folder.mkdir()
    with Nginx(site.root, folder, site.landing) as server:
        urls = folder / "urls"
        urls.write_text("\n".join(sorted(server.url.rstrip("/") + page for page in pages)))
        for number in range(max(rounds)):
            first = number % len(taking_part)
            for each in [*taking_part[first:], *taking_part[:first]]:
                mine = rounds[1] if each.slow or (quick and each.environment not in ("", OURS)) else rounds[0]
                if number < mine and time.monotonic() < until:
                    yield _run(site, each, number, server, urls, pages, source)


def _run(
    site: Site, each: Contestant, number: int, server: Nginx, urls: Path, pages: frozenset[str], source: Path
) -> Run:
    # What the one before has written must not be the next one's burden. Nor its removal: for half a minute after files
    # were deleted ext4 is up to ten times slower in making new ones, so all output stays until the end.
    folder = Path(tempfile.mkdtemp(prefix="output-", dir=urls.parent))
    _read(site.root, source, *([CACHE / each.environment] if each.environment else ()))
    os.sync()
    before = server.log.stat().st_size
    environment = {"PYTHONPATH": str(source)} if each.environment == OURS else ENVIRONMENT
    course = Course(server.url, folder, urls, server.url.rstrip("/") + (site.landing or "/"))
    cost = cost_of(each.command(course), folder, environment=environment)
    found = _asked_for(server.log, before) & pages
    written = folder.rglob(f"*{each.suffix}") if each.suffix else ()
    files = sum(1 for file in written if file.is_file() and not file.relative_to(folder).parts[0].startswith("_"))
    run = Run(site.name, each.name, each.makes, number, cost, len(found), len(pages), files)
    what = f"{cost.seconds:.2f} s, CPU {cost.cpu:.2f} s, {cost.memory / 1e6:.0f} MB, {len(found)} of {len(pages)} pages"
    print(f"{site.name} {number + 1} {each.name}: {what}, {files} files", file=sys.stderr)
    if not run.complete:
        printed = (folder / "printed.txt").read_text(errors="replace")
        print(f"INCOMPLETE, status {cost.status}; it printed: {printed[-2000:] or 'nothing'}", file=sys.stderr)
    return run


def _read(*folders: Path) -> None:
    """Have the system hold what a program and its server read: minutes of others may have pushed it out of memory."""
    for folder in folders:
        for file in folder.rglob("*"):
            if file.is_file():
                file.read_bytes()


def _asked_for(log: Path, offset: int) -> set[str]:
    """The pages that the server gave out since it had written so much of its log."""
    with log.open("rb") as file:
        file.seek(offset)
        lines = file.read().decode(errors="replace").splitlines()
    requests = (line.split('"')[1] for line in lines if '" 200 ' in line)
    paths = (request.split()[1] for request in requests if request.startswith("GET "))
    return {page for path in paths if (page := page_of(path.partition("?")[0]))}


if __name__ == "__main__":
    main()
