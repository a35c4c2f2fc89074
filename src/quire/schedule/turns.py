"""The order of turns: hosts side by side, within a host the lowest rank first, then weight, then discovery."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Collection
from itertools import count

from msgspec import Struct

from quire.ports import Claim
from quire.settings import Pace

from .hosts import LATER, Host, Turn
from .pacing import HostPace

WINDOW = 1000


class _Out(Struct):
    host: Host
    turn: Turn
    token: int
    begun: float


class Turns:
    """Hands out ids in turn and keeps each host's pace.

    `refill(host, after, limit)` brings the turns that the window has no room for, so that memory does not grow
    with the queue. A host that another crawl has claimed waits until that crawl has ended.
    """

    def __init__(
        self,
        pace: Pace,
        refill: Callable[[str, Turn, int], list[Turn]] | None = None,
        claim: Claim | None = None,
    ) -> None:
        self._settings = pace
        self._refill = refill
        self._claim = claim
        self._hosts: dict[str, Host] = {}
        self._calendar: list[tuple[float, int, Host]] = []
        self._out: dict[int, _Out] = {}
        self._held_back: set[int] = set()
        self._numbers = count(1)
        self._waiters: list[asyncio.Future[None]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False
        self.starts_only = False

    def offer(self, host_name: str, turn: Turn) -> None:
        """Queue a new URL."""
        host = self._host(host_name)
        if host.bound is not None and turn > host.bound:
            return
        heapq.heappush(host.waiting, turn)
        if self._refill and len(host.waiting) > 2 * WINDOW:
            host.waiting = heapq.nsmallest(WINDOW, host.waiting)
            host.bound = host.waiting[-1]
        self._schedule(host)

    def stored(self, host_name: str) -> None:
        """Tell that the store holds turns of this host that were never offered here."""
        host = self._host(host_name)
        host.bound = (-1, 0.0, 0)
        self._schedule(host)

    async def take(self) -> tuple[int, int] | None:
        """Wait for the next turn and return its id and token; None when none is left, or after `stop`."""
        while not self._stopped:
            found = self._next()
            if found is not None:
                return found
            if not self._out and not self._calendar and not self._begin_later():
                self._wake()
                return None
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            self._arm()
            await waiter
        return None

    def holds(self, id: int, token: int) -> bool:
        out = self._out.get(id)
        return out is not None and out.token == token

    def done(self, id: int, *, answered: bool = True) -> None:
        """The URL is settled."""
        host = self._give_back(id).host
        if answered:
            host.pace.succeeded()
        self._schedule(host)
        self._wake()

    def again(self, id: int, after: float, *, later: bool = False) -> None:
        """The URL gets another turn after some seconds, or (`later`) when everything else is done."""
        out = self._give_back(id)
        turn = (LATER, *out.turn[1:]) if later else out.turn
        heapq.heappush(out.host.delayed, (_now() + after, turn))
        self._held_back.add(id)
        self._schedule(out.host)
        self._wake()

    def strike(self, id: int, seconds: float) -> float:
        """Pause the URL's host; 0 seconds leaves the length to the back-off. Returns the pause."""
        out = self._out[id]
        return out.host.pace.strike(seconds, out.begun, _now())

    def unreached(self, id: int, *, last_try: bool) -> bool:
        """Note that the URL's host did not answer; True when it is to be given up."""
        out = self._out[id]
        return out.host.pace.unreached(out.begun, _now(), last_try=last_try)

    def sending(self, id: int) -> None:
        self._out[id].host.pace.sending(_now())

    def refund(self, id: int) -> None:
        out = self._out[id]
        out.host.pace.refund(out.begun)

    def pace(self, host_name: str, gap: float) -> None:
        host = self._host(host_name)
        host.pace.open(gap)
        self._schedule(host)

    async def pass_by(self, host_name: str) -> None:
        """Wait for the host's pace to make a request that is not a lease: robots.txt, a sitemap."""
        host = self._host(host_name)
        while (wait := host.wait(_now(), self._claim)) > 0:  # noqa: ASYNC110 - others may have passed meanwhile
            await asyncio.sleep(wait)
        host.pace.sending(_now())

    def pause(self, host_name: str, seconds: float) -> None:
        """The host asks to be left alone; 0 seconds leaves the length to the back-off."""
        now = _now()
        self._host(host_name).pace.strike(seconds, now, now)

    def hold(self, host_name: str) -> None:
        """Let only start URLs of this host have a turn."""
        self._host(host_name).held = True

    def release(self, host_name: str) -> None:
        host = self._host(host_name)
        host.held = False
        self._schedule(host)

    def paced(self, host_name: str) -> bool:
        return host_name in self._hosts and self._hosts[host_name].pace.opened

    def drop(self, host_name: str) -> None:
        """Forget everything that waits for this host; what is under way stays."""
        host = self._host(host_name)
        self._held_back.difference_update(turn[2] for _, turn in host.delayed)
        host.waiting, host.delayed, host.bound = [], [], None
        host.queued = False
        self._calendar = [entry for entry in self._calendar if entry[2] is not host]
        heapq.heapify(self._calendar)
        self._wake()

    def under_way(self) -> Collection[int]:
        return self._out

    def stop(self) -> None:
        self._stopped = True
        if self._timer:
            self._timer.cancel()
        self._wake()

    def _host(self, name: str) -> Host:
        host = self._hosts.get(name)
        if host is None:
            pace = HostPace(self._settings.seconds_between, self._settings.retry_delay, self._settings.per_host)
            host = self._hosts[name] = Host(name, pace)
        return host

    def _schedule(self, host: Host) -> None:
        """Put the host into the calendar for when it can next be asked, unless it is there already."""
        if host.queued or not host.pace.free():
            return
        when = self._ready_at(host)
        if when is not None:
            host.queued = True
            heapq.heappush(self._calendar, (when, next(self._numbers), host))
            self._wake()

    def _ready_at(self, host: Host) -> float | None:
        """When the host's next turn can be had; None when it has none that may begin."""
        if host.waiting:
            if self._may_begin(host, host.waiting[0][0]):
                return host.pace.next_at
        elif host.bound is not None:
            return host.pace.next_at
        ranks = {rank for rank in {turn[0] for _, turn in host.delayed} if self._may_begin(host, rank)}
        due = min((time for time, turn in host.delayed if turn[0] in ranks), default=None)
        return None if due is None else max(host.pace.next_at, due)

    def _next(self) -> tuple[int, int] | None:
        now = _now()
        while self._calendar and self._calendar[0][0] <= now:
            host = heapq.heappop(self._calendar)[2]
            host.queued = False
            turn = self._turn_of(host, now) if host.pace.free() and host.wait(now, self._claim) <= 0 else None
            if turn is None:
                self._schedule(host)
                continue
            host.pace.begin(now)
            token = next(self._numbers)
            self._out[turn[2]] = _Out(host, turn, token, now)
            self._schedule(host)
            return turn[2], token
        return None

    def _may_begin(self, host: Host, rank: int) -> bool:
        if rank and (host.held or self.starts_only):
            return False
        return rank != LATER or self._main_is_done()

    def _main_is_done(self) -> bool:
        """Whether nothing is left but what was put off."""
        return all(out.turn[0] == LATER for out in self._out.values()) and not any(
            host.has_more_than_later() for host in self._hosts.values()
        )

    def _begin_later(self) -> bool:
        """Nothing else is left: put the hosts that wait for that into the calendar; False when there are none."""
        for host in self._hosts.values():
            self._schedule(host)
        return bool(self._calendar)

    def _turn_of(self, host: Host, now: float) -> Turn | None:
        while host.delayed and host.delayed[0][0] <= now:
            turn = heapq.heappop(host.delayed)[1]
            self._held_back.discard(turn[2])
            # Beyond the window the store has it, and brings it in its turn.
            if host.bound is None or turn <= host.bound:
                heapq.heappush(host.waiting, turn)
        if not host.waiting and host.bound is not None and self._refill:
            self._load(host)
        if not host.waiting or not self._may_begin(host, host.waiting[0][0]):
            return None
        return heapq.heappop(host.waiting)

    def _load(self, host: Host) -> None:
        """Fill the window from the store, passing over what is out."""
        assert self._refill
        assert host.bound is not None
        while not host.waiting and host.bound is not None:
            turns = self._refill(host.name, host.bound, WINDOW)
            host.bound = turns[-1] if len(turns) == WINDOW else None
            host.waiting = [turn for turn in turns if turn[2] not in self._out and turn[2] not in self._held_back]

    def _give_back(self, id: int) -> _Out:
        out = self._out.pop(id)
        out.host.pace.under_way -= 1
        return out

    def _arm(self) -> None:
        """Wake the waiters when the next host's time comes."""
        if self._timer:
            self._timer.cancel()
        if self._calendar:
            self._timer = asyncio.get_running_loop().call_at(self._calendar[0][0], self._wake)

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)


def _now() -> float:
    return asyncio.get_running_loop().time()
