"""How long `_report.html` takes to open and to answer, for many pages: `bench/dashboard.py [PAGES…]`.

The report of a made-up site is written by Quire's own code and opened from disk in Chromium; what is measured is the
time from a click to the frame that shows its effect, and the CPU time of the page's main thread. Without arguments:
5,000 and 100,000 pages.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from struct import pack

from playwright.sync_api import Page, sync_playwright

from quire.records import Facts, State, Surveyed
from quire.report.page import report_pieces

WORDS = ("class", "method", "interface", "returns", "value", "object", "given", "element", "string", "number")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
RUNS = 5
# From before an action until its effect was painted.
TIMED = """async ([action, selector]) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const begun = performance.now();
  if (action.hash !== undefined) location.hash = action.hash;
  else if (action.click) document.querySelector(action.click).click();
  else if (action.choose) {
    const select = document.querySelector("select");
    select.value = action.choose;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }
  else if (action.type) {
    const input = document.querySelector("#search");
    input.value = action.type;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const waits = () => action.type && !location.hash.includes(`search=${action.type.replaceAll(" ", "+")}`);
  do await painted();
  while (waits() || !document.querySelector(selector) || (!action.part && document.querySelector("[aria-busy]")));
  return performance.now() - begun;
}"""
ACTIONS = (
    ("table", {"hash": "#/pages"}, "tbody tr"),
    ("sort by words", {"click": "[data-sort=words]"}, "th[aria-sort] [data-sort=words]"),
    ("next fifty", {"click": ".pager button:last-child"}, ".pager button:not([disabled])"),
    ("search", {"type": "string 42"}, "tbody tr"),
    ("one page", {"hash": "#/page/77"}, ".page-head"),
    ("tree", {"hash": "#/tree"}, "[role=treeitem]"),
    ("graph", {"hash": "#/graph"}, ".node"),
    ("problems", {"hash": "#/problems/thin"}, ".problem-list"),
    ("charts", {"hash": "#/charts"}, "figure"),
)


class MadeUp:
    """A site of this many pages in folders, with twenty links each."""

    def __init__(self, pages: int) -> None:
        self._pages = pages

    def keys(self) -> list[int]:
        return list(range(self._pages))

    def pages(self) -> Iterator[Surveyed]:
        dice = random.Random(1)
        for key in range(self._pages):
            name = f"{dice.choice(WORDS)}/{dice.choice(WORDS)}/{dice.choice(WORDS)}-{key}.html"
            facts = Facts(
                title=f"{' '.join(dice.choices(WORDS, k=5))} {key}",
                description=" ".join(dice.choices(WORDS, k=14)),
                language="en",
                word_count=dice.randrange(3000),
            )
            links = pack("<20q", *(dice.randrange(self._pages) for _ in range(20)))
            moment = f"2026-05-04T09:{key * 50 // self._pages:02}:00Z"
            yield Surveyed(
                facts, key, f"https://example.com/{name}", State.SAVED, "", "", "a", dice.randrange(6), key // 20, None,
                f"example.com/{name}/index.md", dice.randrange(40_000), f"sha256:{key:064x}", moment, "text/html",
                links, "http", int(dice.expovariate(1 / 120)),
            )  # fmt: skip

    def others(self) -> Iterator[Surveyed]:
        yield from ()

    def repeated(self) -> frozenset[str]:
        return frozenset()


def write(pages: int, path: Path) -> float:
    """Write the report; returns the CPU time it took, that of making the site up included."""
    counts = ("filtered", "failed", "skipped", "duplicate", "external", "invalid", "pending")
    statistics = {"processed_count": pages, "total_urls": pages, "total_urls_in_sitemap": 0}
    statistics |= {f"{name}_count": 0 for name in counts} | {"filtered_by": {}, "skipped_by": {}}
    crawl = {"number": 1, "start": ["https://example.com/"], "complete": True, "stopped_by": ""}
    crawl |= {"started_at": "2026-05-04T09:00:00Z", "finished_at": "2026-05-04T09:50:00Z"}
    heads = {"generator": "quire", "crawl": crawl, "statistics": statistics, "filters_applied": {}, "traps": {}}
    begun = time.process_time()
    with path.open("wb") as file:
        file.writelines(report_pieces(heads, MadeUp(pages)))
    return time.process_time() - begun


def measure(page: Page, address: str, empty: str) -> dict[str, tuple[float, float]]:
    """Milliseconds, and those of CPU in the page's main thread, for opening the report and for each action."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    page.goto(empty)
    before = spent()
    page.goto(address)
    page.wait_for_selector("main .tiles")
    painted = page.evaluate("performance.getEntriesByType('paint').at(-1).startTime")
    found = {"first paint": (painted, 0.0), "overview": (page.evaluate("performance.now()"), spent() - before)}
    for name, action, selector in ACTIONS:
        before = spent()
        found[name] = page.evaluate(TIMED, [action, selector]), spent() - before
    return found


def main() -> None:
    sizes = [int(text) for text in sys.argv[1:]] or [5_000, 100_000]
    with tempfile.TemporaryDirectory(prefix="quire-bench-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        empty = Path(folder) / "empty.html"
        empty.touch()
        for pages in sizes:
            path = Path(folder) / f"{pages}.html"
            seconds = write(pages, path)
            print(f"\n{pages:,} pages: {path.stat().st_size / 1e6:.1f} MB, written in {seconds:.2f} s of CPU")
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            runs = [measure(page, path.as_uri(), empty.as_uri()) for _ in range(RUNS)]
            print("  | | ms | of CPU |\n  |---|---|---|")
            for name in runs[0]:
                whole, busy = (statistics.median(run[name][part] for run in runs) for part in (0, 1))
                print(f"  | {name} | {whole:.0f} | {busy:.0f} |")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
