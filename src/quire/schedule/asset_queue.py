"""Whose turn it is among the images that wait: hosts side by side, each at its pace, like pages (P3–P5)."""

from __future__ import annotations

import sqlite3
from typing import Final

from quire import urls
from quire.records import Failed, Retry, Skipped
from quire.schedule import assets
from quire.schedule.assets import Asset
from quire.schedule.hosts import Turn
from quire.schedule.sqlite import UNREACHED
from quire.schedule.turns import Turns
from quire.settings import Pace

_RANK: Final = (0, 0.0)


class AssetQueue:
    """The images that this crawl has to fetch."""

    def __init__(self, database: sqlite3.Connection, pace: Pace) -> None:
        self._database = database
        self._turns = Turns(pace, self._refill)
        for host in assets.waiting_hosts(database):
            self._turns.stored(host)

    async def take(self) -> Asset | None:
        """Wait for the next image whose host may be asked now; None when nothing is left."""
        found = await self._turns.take()
        return None if found is None else assets.get(self._database, found[0])

    def paced(self, host: str) -> bool:
        return self._turns.paced(host)

    def pace(self, host: str, seconds: float) -> None:
        self._turns.pace(host, seconds)

    def sending(self, asset: Asset) -> None:
        """The request goes out now."""
        self._turns.sending(asset.id)

    def refund(self, asset: Asset) -> None:
        """Give the host its turn back: nothing was sent."""
        self._turns.refund(asset.id)

    def move(self, asset: Asset, url: str) -> None:
        """Ask for the image elsewhere, when that host may be asked."""
        assets.move(self._database, asset.id, url)
        self._turns.done(asset.id)
        self._turns.offer(urls.host(url), (*_RANK, asset.id))

    def postpone(self, asset: Asset, retry: Retry) -> None:
        assets.try_again(self._database, asset.id)
        if retry.reason in UNREACHED:
            self._turns.unreached(asset.id, last_try=False)
        if retry.pause:
            self._turns.strike(asset.id, retry.after)
        self._turns.again(asset.id, 0.0 if retry.pause else retry.after)

    def settle(self, asset: Asset, folded: int | None, problem: Failed | Skipped | None = None) -> None:
        """The image is dealt with."""
        assets.settle(self._database, asset, folded)
        if problem is None or problem.reason not in UNREACHED:
            self._turns.done(asset.id)
            return
        is_hopeless = self._turns.unreached(asset.id, last_try=True)
        self._turns.done(asset.id, answered=False)
        if is_hopeless:
            host = urls.host(asset.request)
            self._turns.drop(host)
            assets.give_up(self._database, host, self._turns.under_way())

    def _refill(self, host: str, after: Turn, limit: int) -> list[Turn]:
        return [(*_RANK, id) for id in assets.waiting(self._database, host, after[2], limit)]
