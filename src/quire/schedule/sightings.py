"""What a crawl has seen: far less memory than the URLs themselves would take."""

from __future__ import annotations

from collections.abc import Container, Iterable
from struct import unpack

from msgspec import structs

from quire.records import FoundLinks, Link, Rejected, Verdict
from quire.schedule.rows import LEFT_OUT, Rows


def is_left_out(verdict: Verdict) -> bool:
    """Whether a URL is refused only for the page that leads to it."""
    return isinstance(verdict, Rejected) and verdict.reason in LEFT_OUT


class Sightings:
    """The keys of the URLs that were seen, and whether each is known by https.

    With a limit of depth or hops the shortest way to each counts too (`by_distance`), whatever the order of answers.
    `left_out` has those that are refused until a page that may be followed leads to them: they are not seen yet.
    """

    def __init__(self, rows: Rows, *, by_distance: bool) -> None:
        self._by_https = rows.seen()
        self.left_out = rows.left_out()
        self._distances = rows.distances() if by_distance else None

    def __contains__(self, key: int) -> bool:
        return key in self._by_https

    def enter(self, link: Link, verdict: Verdict) -> bool:
        """Note what was decided about a URL; returns whether it had been left out until now."""
        was_left_out = link.key in self.left_out
        if is_left_out(verdict):
            self.left_out.add(link.key)
        else:
            self.left_out.discard(link.key)
            self._by_https[link.key] = link.url.startswith("https:")
        if self._distances is not None:
            self._distances[link.key] = link.depth, link.hops
        return was_left_out

    def unknown(self, links: FoundLinks) -> Iterable[tuple[str, int, str]]:
        """URL, key and source of the links of a page that may be news."""
        keys = unpack(f"<{len(links.urls)}q", links.keys)
        found = zip(links.urls, keys, links.sources, strict=True)
        if self._distances is not None:
            return found
        # Nearly all links of a page are known: this is all that these cost.
        seen = self._by_https
        return [
            (url, key, source)
            for url, key, source in found
            if key not in seen or (url.startswith("https:") and not seen[key])
        ]

    def no_news(self) -> Container[int]:
        """The keys of the URLs about which one more link tells nothing."""
        return self._by_https if self._distances is None else ()

    def secured(self, link: Link) -> bool:
        """Whether a URL that was seen is now known by https for the first time."""
        if self._by_https[link.key] or not link.url.startswith("https:"):
            return False
        self._by_https[link.key] = True
        return True

    def nearest(self, link: Link) -> Link:
        """The link with the shortest way to its URL that is known by now."""
        if self._distances is None:
            return link
        depth, hops = self._distances[link.key]
        return link if (depth, hops) == (link.depth, link.hops) else structs.replace(link, depth=depth, hops=hops)

    def nearer(self, link: Link) -> Link | None:
        """The link with the shortest way to its URL, if it makes that shorter and the way counts."""
        if self._distances is None:
            return None
        depth, hops = self._distances[link.key]
        if link.depth >= depth and link.hops >= hops:
            return None
        link = structs.replace(link, depth=min(depth, link.depth), hops=min(hops, link.hops))
        self._distances[link.key] = link.depth, link.hops
        return link
