"""What waits for one host, and whether that may be asked."""

from __future__ import annotations

from msgspec import Struct

from quire.ports import Claim

from .pacing import HostPace

Turn = tuple[int, float, int]
"""Rank, negated weight, id: a smaller tuple goes first."""

LATER = 9
"""The rank of URLs that are tried again when everything else is done."""
_CLAIM_AGAIN = 1.0


class Host(Struct):
    """The turns of one host, and its pace."""

    name: str
    pace: HostPace
    waiting: list[Turn] = []
    # Only turns up to here are in `waiting`; None when it holds all that the store has.
    bound: Turn | None = None
    delayed: list[tuple[float, Turn]] = []
    queued: bool = False
    # While the site's sitemaps are not read, only its start URLs (rank 0) have a turn.
    held: bool = False
    # None before the first try.
    claimed: bool | None = None

    def has_more_than_later(self) -> bool:
        """Whether anything waits besides what was put off; a window that begins with it has nothing else behind."""
        if self.waiting:
            return self.waiting[0][0] != LATER or any(turn[0] != LATER for _, turn in self.delayed)
        return self.bound is not None or any(turn[0] != LATER for _, turn in self.delayed)

    def wait(self, now: float, claim: Claim | None) -> float:
        """How long the host may not be asked yet; it is claimed when its time has come for the first time."""
        if claim and not self.claimed and self.pace.next_at <= now:
            was_refused = self.claimed is False
            self.claimed = claim(self.name)
            if not self.claimed:
                self.pace.next_at = now + max(_CLAIM_AGAIN, self.pace.slowed)
            elif was_refused:
                # Whoever had it may just have asked it.
                self.pace.next_at = now + self.pace.slowed
        return self.pace.next_at - now
