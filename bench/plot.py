"""A picture of seconds on a logarithmic scale: one bar for each program, drawn as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from pathlib import Path

_LEFT, _WIDTH, _RIGHT = 240, 520, 110
_ROW, _HEAD, _FOOT = 24, 40, 34


def draw(charts: Sequence[tuple[str, Sequence[tuple[str, float]]]], file: Path) -> None:
    """Draw charts of (name, seconds) under each other; Quire's bar stands out."""
    parts, top = [], 0
    for title, bars in charts:
        part, height = _chart(title, bars, top)
        parts.append(part)
        top += height
    width = _LEFT + _WIDTH + _RIGHT
    file.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}" height="{top}"'
        f' font-family="sans-serif" font-size="13">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _chart(title: str, bars: Sequence[tuple[str, float]], top: int) -> tuple[str, int]:
    low = floor(log10(min(seconds for _, seconds in bars)))
    high = max(low + 1, ceil(log10(max(seconds for _, seconds in bars))))

    def x(seconds: float) -> float:
        return _LEFT + _WIDTH * (log10(seconds) - low) / (high - low)

    bottom = top + _HEAD + _ROW * len(bars)
    lines = [f'<text x="12" y="{top + 24}" font-size="15" font-weight="bold">{escape(title)}</text>']
    for power in range(low, high + 1):
        at = x(10.0**power)
        lines.append(f'<line x1="{at:.0f}" x2="{at:.0f}" y1="{top + _HEAD - 4}" y2="{bottom}" stroke="#ccc"/>')
        lines.append(f'<text x="{at:.0f}" y="{bottom + 16}" text-anchor="middle" fill="#555">{10.0**power:g} s</text>')
    for number, (name, seconds) in enumerate(bars):
        y = top + _HEAD + _ROW * number
        colour = {"Quire": "#b5341f", "limit program": "#e0a090"}.get(name, "#7a8ca3")
        lines.append(f'<text x="{_LEFT - 8}" y="{y + 15}" text-anchor="end">{escape(name)}</text>')
        length = max(1.0, x(seconds) - _LEFT)
        lines.append(f'<rect x="{_LEFT}" y="{y + 2}" width="{length:.1f}" height="{_ROW - 6}" fill="{colour}"/>')
        lines.append(f'<text x="{_LEFT + length + 6:.1f}" y="{y + 15}">{seconds:.3g} s</text>')
    return "\n".join(lines), bottom + _FOOT - top
