"""What the runs say: medians, ratios to Quire, and Quire beside what issue 3 asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from measure import Cost
from report import table


@dataclass(frozen=True, slots=True)
class Run:
    """One program, once over one site; `files` are those it wrote, of the kind that pages become."""

    site: str
    name: str
    makes: str
    round: int
    cost: Cost
    found: int
    expected: int
    files: int


def text(runs: Sequence[Run], sites: Mapping[str, str], versions: Mapping[str, str], absent: Mapping[str, str]) -> str:
    """Everything as Markdown."""
    parts = [f"### {package}\n\n{_table([run for run in runs if run.site == site])}" for site, package in sites.items()]
    parts.append(f"### Beside what issue 3 asks\n\n{_asked(runs)}")
    parts += [f"Not to be had here: {name} ({reason})." for name, reason in absent.items()]
    parts.append("Versions: " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".")
    return "\n\n".join(parts)


def bars(site: str, runs: Sequence[Run]) -> list[tuple[str, float]]:
    """Median seconds, the fastest first."""
    names = dict.fromkeys(run.name for run in runs if run.site == site)
    return sorted(((name, _seconds(runs, site, name)) for name in names), key=lambda bar: bar[1])


def _table(runs: Sequence[Run]) -> str:
    site = runs[0].site
    quire = _seconds(runs, site, "Quire")
    rows = []
    for name, seconds in bars(site, runs):
        mine = [run for run in runs if run.name == name]
        times = [run.cost.seconds for run in mine]
        found, files = min(run.found for run in mine), min(run.files for run in mine)
        rows.append(
            [
                f"**{name}**" if name == "Quire" else name,
                mine[0].makes,
                str(len(mine)),
                f"{seconds:.2f}",
                f"{min(times):.2f}–{max(times):.2f}",
                f"{seconds / quire:.2f}",
                f"{median(run.cost.cpu for run in mine):.2f}",
                f"{max(run.cost.memory for run in mine) / 1e6:.0f}",
                f"{found} of {mine[0].expected}",
                str(files) if files else "—",
            ]
        )
    head = ["", "makes", "rounds", "seconds", "from–to", "× Quire's time", "CPU s", "peak MB", "pages found", "files"]
    return table(head, rows)


def _asked(runs: Sequence[Run]) -> str:
    """Each figure that the issue asks for beside the one that was measured."""
    rows = []

    def row(what: str, wanted: str, value: float | None, shown: str, met: bool) -> None:
        rows.append([what, wanted, shown, "yes" if met else "no"] if value else [what, wanted, "not measured", "—"])

    for site, name, least in (
        ("python", "Scrapy + markdownify", 60), ("python", "crawl4ai (HTTP)", 40), ("python", "wget -r", 1),
        ("python", "HTTrack", 1), ("python", "spider-rs", 1), ("openjdk", "spider-rs", 1), ("openjdk", "wget2 -r", 0.5),
    ):  # fmt: skip
        ratio = _ratio(runs, site, name)
        row(f"{site}: times as fast as {name}", f"≥ {least:g}", ratio, f"{ratio:.2f}", ratio >= least)
    for site in ("python", "openjdk"):
        share = 100 * _ratio(runs, site, "limit program")
        row(f"{site}: share of the limit program's throughput", "≥ 75 %", share, f"{share:.0f} %", share >= 75)
    for site in ("python", "openjdk"):
        peak = max((run.cost.memory for run in runs if (run.site, run.name) == (site, "Quire")), default=0) / 1e6
        row(f"{site}: peak memory, all processes", "< 250 MB", peak, f"{peak:.0f} MB", peak < 250)
    return table(["", "asked", "measured", "met"], rows)


def _ratio(runs: Sequence[Run], site: str, name: str) -> float:
    """How many times as fast as the other Quire is; 0 when one of them did not run."""
    quire, other = _seconds(runs, site, "Quire"), _seconds(runs, site, name)
    return other / quire if quire else 0.0


def _seconds(runs: Sequence[Run], site: str, name: str) -> float:
    """The median; 0 when it did not run."""
    times = [run.cost.seconds for run in runs if (run.site, run.name) == (site, name)]
    return median(times) if times else 0.0
