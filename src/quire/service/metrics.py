"""Counters for Prometheus, in its text format (A10)."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

Labels = tuple[tuple[str, str], ...]


class Metrics:
    """What this instance counted since it started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counters: dict[str, dict[Labels, float]] = defaultdict(lambda: defaultdict(float))
        self._times: dict[str, dict[Labels, list[float]]] = defaultdict(dict)

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        with self._lock:
            self._counters[name][tuple(labels.items())] += amount

    def time(self, name: str, seconds: float, **labels: str) -> None:
        with self._lock:
            known = self._times[name]
            # One number a bucket, then their sum.
            row = known.setdefault(tuple(labels.items()), [0.0] * (len(_BUCKETS) + 2))
            row[bisect_left(_BUCKETS, seconds)] += 1
            row[-1] += seconds

    def text(self, gauges: dict[str, dict[Labels, float]]) -> str:
        """Everything counted, and these values of now."""
        with self._lock:
            lines = [*_plain(self._counters, "counter"), *_plain(gauges, "gauge"), *self._histograms()]
        return "\n".join(lines) + "\n"

    def _histograms(self) -> Iterator[str]:
        for name, rows in self._times.items():
            yield f"# TYPE {name} histogram"
            for labels, row in rows.items():
                total = 0.0
                for bound, number in zip((*map(str, _BUCKETS), "+Inf"), row, strict=False):
                    total += number
                    yield f"{name}_bucket{_shown((*labels, ('le', bound)))} {total:g}"
                yield f"{name}_sum{_shown(labels)} {row[-1]:.6f}"
                yield f"{name}_count{_shown(labels)} {total:g}"


def _plain(rows: dict[str, dict[Labels, float]], kind: str) -> Iterator[str]:
    for name, values in rows.items():
        yield f"# TYPE {name} {kind}"
        for labels, value in values.items():
            yield f"{name}{_shown(labels)} {value:g}"


def _shown(labels: Labels) -> str:
    if not labels:
        return ""
    quoted = (f'{name}="{value}"' for name, value in labels)
    return "{" + ",".join(quoted) + "}"
