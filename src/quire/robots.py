"""robots.txt (RFC 9309): what may be asked of a host, how fast, and where its sitemaps are (F8, R10, D2)."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from msgspec import Struct
from protego import Protego

from . import urls
from .errors import FetchError, Refused
from .records import Response

MAX_REDIRECTS: Final = 5
MAX_BYTES: Final = 500 * 1024
MAX_DELAY: Final = 3600.0
MAX_AGE: Final = 24 * 3600.0
# Parsed rules take some 25 times the space of their text, so the text is what is counted: this is about 100 MB.
CACHE_BYTES: Final = 4 * 1024 * 1024
CACHE_BYTES_EACH: Final = 1024

_VERSION: Final = re.compile(r"^([ \t]*user[- ]?agent[ \t]*:[^/#\r\n]*)/[^#\r\n]*", re.IGNORECASE | re.MULTILINE)
_PRODUCT: Final = re.compile(r"(?:Mozilla/[\d.]+ \(compatible; *)?([^/(;)]*)")
_NOTHING_ALLOWED: Final = Protego.parse("User-agent: *\nDisallow: /")


class Rules(Struct, frozen=True):
    """What one robots.txt says to us; `refusal` is why it allows nothing where it could not be read.

    `out_of_bounds` is why the host itself may not be asked for anything.
    """

    delay: float | None
    sitemaps: tuple[str, ...]
    refusal: str | None
    weight: int
    _robots: Protego
    _name: str
    out_of_bounds: Refused | None = None

    def allowed(self, url: str) -> bool:
        """Tell whether the URL may be requested; robots.txt itself always may."""
        try:
            return self._robots.can_fetch(url, self._name)
        except ValueError:
            return False


def parse(text: str | bytes, user_agent: str) -> Rules:
    """Read a robots.txt; whatever is wrong in it is passed over."""
    raw = text.encode(errors="replace") if isinstance(text, str) else text
    if len(raw) > MAX_BYTES:
        # A rule cut in two would be another rule.
        raw = raw[:MAX_BYTES]
        raw = raw[: max(raw.rfind(b"\n"), raw.rfind(b"\r")) + 1]
    lines = raw.decode("utf-8-sig", errors="replace")
    # A group for `Quire/0.1` is for us, whatever our version; protego would compare the whole.
    robots = Protego.parse(_VERSION.sub(r"\1", lines))
    name = product_name(user_agent)
    delay = robots.crawl_delay(name)
    if delay is not None and delay > MAX_DELAY:
        delay = None
    return Rules(delay, tuple(robots.sitemaps), None, max(len(raw), CACHE_BYTES_EACH), robots, name)


def product_name(user_agent: str) -> str:
    """Return the name that robots.txt groups are matched with: `Quire` for `Quire/0.1 (...)`."""
    product = _PRODUCT.match(user_agent)
    return product[1].strip() if product else ""


def refuse(reason: str, out_of_bounds: Refused | None = None) -> Rules:
    """Return the rules of a host whose robots.txt cannot be had (R10)."""
    return Rules(None, (), reason, CACHE_BYTES_EACH, _NOTHING_ALLOWED, "*", out_of_bounds)


class Robots:
    """The rules of every host, read when first asked for; `get` makes one request and returns redirects as answers."""

    def __init__(
        self,
        get: Callable[[str], Awaitable[Response]],
        user_agent: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._get = get
        self._user_agent = user_agent
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, Rules]] = OrderedDict()
        self._weight = 0
        self._reading: dict[str, asyncio.Lock] = {}

    async def rules(self, url: str) -> Rules:
        """Return the rules for the URL's origin; callers at the same time share one request."""
        root = urls.site_root(url)
        if not root:
            return refuse("this URL has no robots.txt")
        fresh = self._fresh(root)
        if fresh:
            return fresh
        # Not a shared task: when the caller who reads is cancelled, the next one in the queue reads.
        async with self._reading.setdefault(root, asyncio.Lock()):
            fresh = self._fresh(root)
            if fresh is None:
                fresh = self._keep(root, await self._read(root))
        self._reading.pop(root, None)
        return fresh

    async def _read(self, root: str) -> Rules:
        url = root + "robots.txt"
        for _ in range(MAX_REDIRECTS + 1):
            try:
                answer = await self._get(url)
            except Refused as error:
                # Where a redirect leads is not the host itself.
                return refuse(f"robots.txt could not be read: {error}", error if url == root + "robots.txt" else None)
            except FetchError as error:
                return refuse(f"robots.txt could not be read: {error}")
            if 300 <= answer.status < 400 and answer.location is not None:
                target = urls.resolve(answer.location, url)
                if target is None:
                    return refuse("robots.txt redirects to something that is no URL")
                url = target
            elif 200 <= answer.status < 300:
                return parse(answer.body, self._user_agent)
            elif 400 <= answer.status < 500 and answer.status != 429:
                return parse(b"", self._user_agent)
            else:
                return refuse(f"robots.txt answered {answer.status}")
        return refuse(f"robots.txt redirects more than {MAX_REDIRECTS} times")

    def _fresh(self, root: str) -> Rules | None:
        known = self._known.get(root)
        if known is None or self._clock() - known[0] > MAX_AGE:
            return None
        self._known.move_to_end(root)
        return known[1]

    def _keep(self, root: str, rules: Rules) -> Rules:
        _, old = self._known.pop(root, (0.0, None))
        if old is not None:
            self._weight -= old.weight
            if rules.refusal:
                # RFC 9309 §2.4: old rules stay in force while new ones cannot be had.
                rules = old
        self._known[root] = (self._clock(), rules)
        self._weight += rules.weight
        while self._weight > CACHE_BYTES and len(self._known) > 1:
            _, (_, oldest) = self._known.popitem(last=False)
            self._weight -= oldest.weight
        return rules
