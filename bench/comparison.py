"""What the runs say: medians, ratios to Quire, and Quire beside its targets."""

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

    @property
    def complete(self) -> bool:
        """Whether all pages were found and, by those who write, written: other runs say nothing about speed."""
        written = self.makes == "links" or self.files >= self.expected
        return self.cost.status >= 0 and self.found == self.expected and written


def text(runs: Sequence[Run], sites: Mapping[str, str], versions: Mapping[str, str], absent: Mapping[str, str]) -> str:
    """Everything as Markdown."""
    parts = [f"### {package}\n\n{_table([run for run in runs if run.site == site])}" for site, package in sites.items()]
    if lost := sum(not run.complete for run in runs):
        parts.append(f"**{lost} of {len(runs)} runs were incomplete; they count in no figure.**")
    parts.append(f"### Beside the targets\n\n{_asked(runs)}")
    parts += [f"Not to be had here: {name} ({reason})." for name, reason in absent.items()]
    parts.append("Versions: " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".")
    return "\n\n".join(parts)


def bars(site: str, runs: Sequence[Run]) -> list[tuple[str, float]]:
    """Median seconds of the complete runs, the fastest first."""
    names = dict.fromkeys(run.name for run in runs if run.site == site and run.complete)
    return sorted(((name, _seconds(runs, site, name)) for name in names), key=lambda bar: bar[1])


def _table(runs: Sequence[Run]) -> str:
    site = runs[0].site
    ranked = [name for name, _ in bars(site, runs)]
    others = dict.fromkeys(run.name for run in runs if run.name not in ranked)
    head = [
        "",
        "makes",
        "complete runs",
        "seconds",
        "from–to",
        "× Quire's time",
        "CPU s",
        "peak MB",
        "pages found",
        "files",
    ]
    return table(head, [_row([run for run in runs if run.name == name], runs) for name in [*ranked, *others]])


def _row(mine: Sequence[Run], runs: Sequence[Run]) -> list[str]:
    """One program's line: times of its complete runs, the least that any run found."""
    first, complete = mine[0], [run for run in mine if run.complete]
    found, files = min(run.found for run in mine), min(run.files for run in mine)
    figures = ["—"] * 5
    if complete:
        times = [run.cost.seconds for run in complete]
        quire = _seconds(runs, first.site, "Quire")
        figures = [
            f"{median(times):.2f}",
            f"{min(times):.2f}–{max(times):.2f}",
            f"{median(times) / quire:.2f}" if quire else "—",
            f"{median(run.cost.cpu for run in complete):.2f}",
            f"{max(run.cost.memory for run in complete) / 1e6:.0f}",
        ]
    return [
        f"**{first.name}**" if first.name == "Quire" else first.name,
        first.makes,
        f"{len(complete)} of {len(mine)}",
        *figures,
        f"{found} of {first.expected}",
        "—" if first.makes == "links" else str(files),
    ]


def _asked(runs: Sequence[Run]) -> str:
    """Each figure that the issue asks for beside the one that was measured; a crawl that lost pages meets nothing."""
    rows = []
    broken = {run.site for run in runs if run.name == "Quire" and not run.complete}

    def row(site: str, what: str, wanted: str, value: float, shown: str, met: bool) -> None:
        verdict = "no: Quire had incomplete runs" if site in broken else "yes" if met else "no"
        rows.append([f"{site}: {what}", wanted, *([shown, verdict] if value else ["not measured", "—"])])

    for site, name, least in (
        ("python", "Scrapy + markdownify", 60), ("python", "crawl4ai (HTTP)", 40), ("python", "wget -r", 1),
        ("python", "HTTrack", 1), ("python", "spider-rs", 1), ("openjdk", "spider-rs", 1), ("openjdk", "wget2 -r", 0.5),
    ):  # fmt: skip
        ratio = _ratio(runs, site, name)
        row(site, f"times as fast as {name}", f"≥ {least:g}", ratio, f"{ratio:.2f}", ratio >= least)
    for site in ("python", "openjdk"):
        share = 100 * _ratio(runs, site, "limit program")
        row(site, "share of the limit program's throughput", "≥ 75 %", share, f"{share:.0f} %", share >= 75)
    for site in ("python", "openjdk"):
        mine = [run for run in runs if (run.site, run.name) == (site, "Quire") and run.complete]
        peak = max((run.cost.memory for run in mine), default=0) / 1e6
        row(site, "peak memory, all processes", "< 250 MB", peak, f"{peak:.0f} MB", peak < 250)
    return table(["", "asked", "measured", "met"], rows)


def _ratio(runs: Sequence[Run], site: str, name: str) -> float:
    """How many times as fast as the other Quire is; 0 when one of them has no complete run."""
    quire, other = _seconds(runs, site, "Quire"), _seconds(runs, site, name)
    return other / quire if quire else 0.0


def _seconds(runs: Sequence[Run], site: str, name: str) -> float:
    """The median of the complete runs; 0 when there is none."""
    times = [run.cost.seconds for run in runs if (run.site, run.name) == (site, name) and run.complete]
    return median(times) if times else 0.0
