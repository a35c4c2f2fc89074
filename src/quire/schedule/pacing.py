"""How one host is treated: the gap between requests, pauses, back-off and slow recovery (P3–P5)."""

from __future__ import annotations

import random

from msgspec import Struct

GIVE_UP_AFTER = 5
"""URLs in a row that could not be reached in all their tries, before a host is given up."""

_SLOWEST = 60.0
_LONGEST_PAUSE = 16
_RECOVERY = 0.9


class HostPace(Struct):
    """The manners towards one host; times are the event loop's clock."""

    gap: float
    back_off: float
    per_host: int
    under_way: int = 0
    next_at: float = 0.0
    opened: bool = False
    slowed: float = 0.0
    _strikes: int = 0
    _failures: int = 0
    _lost: int = 0
    _sent_at: float = 0.0
    _struck_at: float = 0.0
    _failed_at: float = 0.0

    def __post_init__(self) -> None:
        self.slowed = self.gap

    def open(self, gap: float) -> None:
        """Set the gap once the host's own wish is known."""
        self.gap = gap
        self.slowed = max(self.slowed, gap)
        self.next_at = max(self.next_at, self._sent_at + self.slowed)
        self.opened = True

    def free(self) -> bool:
        """Whether one more request may be under way; a host that is new or in trouble gets one at a time."""
        return self.under_way < (self.per_host if self.opened and not self._failures else 1)

    def begin(self, now: float) -> None:
        self.under_way += 1
        self.next_at = max(self.next_at, now + self.slowed)

    def sending(self, now: float) -> None:
        """A request goes out now."""
        self._sent_at = now
        self.next_at = max(self.next_at, now + self.slowed)

    def refund(self, begun: float) -> None:
        """Nothing was sent after all; what else the host asked for meanwhile still holds."""
        if self.next_at == begun + self.slowed:
            self.next_at = begun

    def succeeded(self) -> None:
        """The host answered; a slowed host comes back to its own pace step by step."""
        self._strikes = self._failures = self._lost = 0
        self.slowed = max(self.gap, self.slowed * _RECOVERY)

    def strike(self, asked_for: float, begun: float, now: float) -> float:
        """The host said it is too much: pause, and go slower from then on. Returns the seconds of the pause."""
        if begun >= self._struck_at:
            self._strikes += 1
            self._struck_at = now
            self.slowed = min(max(self.slowed * 2, self.back_off / 4), _SLOWEST)
        pause = asked_for or min(self.back_off * 2 ** (self._strikes - 1), _SLOWEST) * random.uniform(0.75, 1.25)
        self.next_at = max(self.next_at, now + pause)
        return pause

    def unreached(self, begun: float, now: float, *, last_try: bool) -> bool:
        """No answer came; wait longer each time. True when the host is to be given up."""
        self._lost += last_try
        # Requests that were under way together fail together: that is one failure of the host.
        if begun >= self._failed_at:
            self._failures += 1
            self._failed_at = now
            if self._failures > 1:
                self.next_at = max(self.next_at, now + self.back_off * min(2 ** (self._failures - 2), _LONGEST_PAUSE))
        return self._lost >= GIVE_UP_AFTER
