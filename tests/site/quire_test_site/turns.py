"""Taking turns of a frontier, as the engine does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from quire import urls
from quire.records import Lease, Outcome
from quire.schedule.sqlite import SqliteFrontier

_PATIENCE = 5


async def leased(frontier: SqliteFrontier) -> Lease:
    """The next turn; there must be one."""
    lease = await asyncio.wait_for(frontier.lease(), _PATIENCE)
    assert lease is not None
    return lease


async def drained(frontier: SqliteFrontier, outcome: Callable[[Lease], Outcome]) -> list[str]:
    """Take everything in turn and settle it so; returns the paths in order."""
    order = []
    while (lease := await asyncio.wait_for(frontier.lease(), _PATIENCE)) is not None:
        order.append(urls.path(lease.link.url))
        await frontier.settle(lease, outcome(lease))
    return order
