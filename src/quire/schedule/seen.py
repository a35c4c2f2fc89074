"""Which URLs a crawl has come across: far less memory than the URLs themselves."""

from __future__ import annotations

from collections.abc import Container, Iterable
from struct import unpack

from quire.records import FoundLinks, Link, Rejected, Verdict
from quire.schedule.rows import Rows


class Seen:
    """The keys of a crawl's URLs, as its rows have them.

    `secure` tells of each whether it is known by https. `left_out` has those that are refused until a page that may
    be followed leads to them. With a limit of depth or hops (`by_distance`) the shortest way to each counts, whatever
    the order of answers.
    """

    def __init__(self, rows: Rows, *, by_distance: bool) -> None:
        self.secure = rows.seen()
        self.left_out = rows.left_out()
        self.distances = rows.distances() if by_distance else None

    def settled(self) -> Container[int]:
        """The keys of URLs about which no link can bring news."""
        return self.secure if self.distances is None else ()

    def unknown(self, links: FoundLinks) -> Iterable[tuple[str, int, str]]:
        """URL, key and source of those links that may change something."""
        keys = unpack(f"<{len(links.urls)}q", links.keys)
        found = zip(links.urls, keys, links.sources, strict=True)
        if self.distances is not None:
            return found
        # Nearly all links of a page are known: this is all that these cost.
        seen = self.secure
        return [
            (url, key, source)
            for url, key, source in found
            if key not in seen or (url.startswith("https:") and not seen[key])
        ]

    def enter(self, link: Link, verdict: Verdict) -> bool:
        """Note what was decided about a URL; returns whether it had been left out until now."""
        was_left_out = link.key in self.left_out
        if isinstance(verdict, Rejected) and verdict.reason == "nofollow":
            self.left_out.add(link.key)
        else:
            self.left_out.discard(link.key)
            self.secure[link.key] = link.url.startswith("https:")
        if self.distances is not None:
            self.distances[link.key] = link.depth, link.hops
        return was_left_out
