"""How far a crawl is, in percent (A4)."""

from __future__ import annotations

_DOUBT = 0.9
_MOST_BEFORE_THE_END = 99.0


class Estimate:
    """Progress that never goes backwards.

    At first the crawl is taken to be as large as it may become. With each page that is done, the queue is trusted more.
    """

    def __init__(self, most: int, progress: float = 0.0) -> None:
        self._most = most
        self.progress = progress
        self.total = most

    def see(self, saved: int, done: int, waiting: int) -> None:
        """Take in how many pages are saved, how many URLs are done with, and how many wait."""
        by_queue = min(self._most, saved + waiting)
        total = by_queue + (self._most - by_queue) * _DOUBT**done
        self.total = max(1, saved, round(total))
        self.progress = max(self.progress, min(100.0 * saved / self.total, _MOST_BEFORE_THE_END))
