"""Requests beside the pages, robots.txt and sitemaps, with the same manners: paced, tried again, paused (P3–P5)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol

from quire import urls
from quire.answers import seconds_to_wait
from quire.errors import BadResponse, Busy, TimedOut, Unreachable
from quire.fetch.http import HttpFetcher
from quire.records import Response
from quire.settings import Pace


class Turnstile(Protocol):
    """What the frontier knows of a host's pace."""

    async def pass_by(self, host: str) -> None: ...

    def pause(self, host: str, seconds: float) -> None: ...


class PatientFetcher:
    """A fetcher for what is not a page of the mirror."""

    def __init__(self, fetcher: HttpFetcher, turnstile: Turnstile, pace: Pace) -> None:
        self._fetcher = fetcher
        self._turnstile = turnstile
        self._pace = pace

    async def turn(self, url: str) -> None:
        """Wait until the URL's host may be asked."""
        await self._turnstile.pass_by(urls.host(url))

    async def beginning(self, url: str) -> Response:
        """The first part of a document, as `HttpFetcher.beginning`."""
        for attempt in range(self._pace.retries + 1):
            last = attempt == self._pace.retries
            await self.turn(url)
            try:
                response = await self._fetcher.beginning(url)
            except (TimedOut, Unreachable) as error:
                if last or (isinstance(error, Unreachable) and error.permanent):
                    raise
                await asyncio.sleep(self._pace.retry_delay * 2**attempt)
                continue
            busy = response.status == 429 or (response.status == 503 and response.retry_after)
            if not busy or last or not self._pause(url, response.retry_after):
                break
        return response

    async def stream(self, url: str, seconds: float) -> AsyncIterator[bytes]:
        """A document piece by piece, as `HttpFetcher.stream`; raises Busy when it is worth another turn."""
        try:
            async for piece in self._fetcher.stream(url, seconds):
                yield piece
        except Busy as error:
            if not self._pause(url, error.retry_after):
                raise BadResponse(f"{error}, and asks for too long a pause") from error
            raise

    def _pause(self, url: str, retry_after: str | None) -> bool:
        """Leave the host alone as it asks; False when that is too long to wait for."""
        wait = seconds_to_wait(retry_after)
        if wait > self._pace.max_wait:
            return False
        self._turnstile.pause(urls.host(url), wait)
        return True
