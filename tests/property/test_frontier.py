"""A frontier under arbitrary use: nothing is leased twice at once, nothing is lost, order and decisions hold."""

from __future__ import annotations

import asyncio

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from quire import urls
from quire.records import (
    Accepted,
    Facts,
    Failed,
    Lease,
    Link,
    Outcome,
    PageRecord,
    Rejected,
    Retry,
    Saved,
    Skipped,
    State,
    Verdict,
)
from quire.schedule.database import open_database
from quire.schedule.sqlite import SqliteFrontier
from quire.settings import Pace

HOSTS = ("a.test", "b.test")
names = st.integers(0, 40)


def judge(link: Link, /) -> Verdict:
    number = int(link.url.rsplit("/", 1)[1])
    return Rejected(State.FILTERED, "odd") if number % 7 == 6 else Accepted(number % 3)


def link(host: str, number: int) -> Link:
    url = f"http://{host}/{number}"
    return Link(url, urls.fingerprint(url), "a")


class FrontierMachine(RuleBasedStateMachine):
    """Compares the frontier with sets of what was added, is out, and is done."""

    @initialize()
    def open(self) -> None:
        self.runner = asyncio.Runner()
        self.frontier = self.runner.run(self._open())
        self.added: set[str] = set()
        self.out: dict[str, Lease] = {}
        self.done: set[str] = set()
        self.later: set[str] = set()

    async def _open(self) -> SqliteFrontier:
        frontier = SqliteFrontier(open_database(":memory:"), judge, Pace(delay=0.0, per_host=1000, retry_delay=0.0))
        for host in HOSTS:
            frontier.pace(host, 0.0)
        return frontier

    @rule(host=st.sampled_from(HOSTS), numbers=st.lists(names, max_size=8))
    def add(self, host: str, numbers: list[int]) -> None:
        links = [link(host, number) for number in numbers]
        self.runner.run(self.frontier.add(links))
        self.added |= {each.url for each in links}

    @precondition(lambda self: self._may_lease())
    @rule()
    def lease(self) -> None:
        async def taken() -> Lease | None:
            return await asyncio.wait_for(self.frontier.lease(), 5)

        lease = self.runner.run(taken())
        assert lease is not None
        url = lease.link.url
        assert url not in self.out
        assert url not in self.done
        same_host = [each for each in self._waiting() if urls.host(each) == urls.host(url)]
        assert url in same_host
        first = min(same_host, key=self._rank)
        assert self._rank(first) == self._rank(url)
        self.out[url] = lease

    @precondition(lambda self: self.out)
    @rule(data=st.data(), found=st.lists(names, max_size=4))
    def settle(self, data: st.DataObject, found: list[int]) -> None:
        url = data.draw(st.sampled_from(sorted(self.out)))
        lease = self.out.pop(url)
        page = PageRecord(f"{lease.id}.md", lease.id, False, 0, "", Facts())
        outcomes: list[Outcome] = [
            Saved(page),
            Failed("http-500"),
            Skipped("gone"),
            Retry("x"),
            Retry("x", later=True),
        ]
        outcome = data.draw(st.sampled_from(outcomes))
        links = [link(urls.host(url), number) for number in found]
        self.runner.run(self.frontier.settle(lease, outcome, links))
        self.added |= {each.url for each in links}
        if not isinstance(outcome, Retry):
            self.done.add(url)
        elif outcome.later:
            self.later.add(url)
        # The same lease a second time says nothing new.
        self.runner.run(self.frontier.settle(lease, Failed("late"), [link("a.test", 999)]))

    @invariant()
    def the_counts_add_up(self) -> None:
        if not hasattr(self, "frontier"):
            return
        counts = self.frontier.counts()
        assert sum(counts.values()) == len(self.added)
        assert counts[State.PENDING] == len(self._waiting()) + len(self.out)

    def _accepted(self) -> set[str]:
        return {url for url in self.added if isinstance(judge(Link(url, 0, "a")), Accepted)}

    def _waiting(self) -> list[str]:
        return sorted(self._accepted() - self.done - set(self.out)) if hasattr(self, "added") else []

    def _may_lease(self) -> bool:
        """What was put off has to wait for everything else (S7)."""
        waiting = self._waiting()
        main_left = [url for url in [*waiting, *self.out] if url not in self.later] if waiting else []
        return any(url not in self.later for url in waiting) or bool(waiting and not main_left)

    def _rank(self, url: str) -> int:
        return 9 if url in self.later else int(url.rsplit("/", 1)[1]) % 3

    def teardown(self) -> None:
        if hasattr(self, "runner"):
            self.runner.run(self.frontier.close())
            self.runner.close()


TestFrontier = FrontierMachine.TestCase
TestFrontier.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestFrontier.__doc__ = "D10, P1, F7, S5"
