"""Asking again when nobody answers (P5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from quire.errors import TimedOut, Unreachable
from quire.records import Response
from quire.settings import Pace

Get = Callable[[str], Awaitable[Response]]


def patient(get: Get, pace: Pace) -> Get:
    """Wrap a request so that a timeout or a broken connection is followed by as many tries as a page would get."""

    async def get_patiently(url: str) -> Response:
        for attempt in range(pace.retries):
            try:
                return await get(url)
            except (TimedOut, Unreachable) as error:
                if isinstance(error, Unreachable) and error.permanent:
                    raise
                await asyncio.sleep(pace.retry_delay * 2**attempt)
        return await get(url)

    return get_patiently
