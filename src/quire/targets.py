"""Where the hrefs of pages lead (U5): found once for a page's links and its Markdown, remembered for others."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from .urls import UrlPolicy, fingerprint_of, joined, resolve, split_base

_REMEMBERED: Final = 10_000

# The URL to request, and the fingerprint of its key.
Target = tuple[str, int]
Find = Callable[[str, str], Target | None]


class Targets:
    """The targets of a whole crawl, whose pages share most of them."""

    def __init__(self, policy: UrlPolicy) -> None:
        self._policy = policy
        self._known = lru_cache(maxsize=_REMEMBERED)(self._find)

    def of_page(self, url: str, base: str) -> PageTargets:
        """Return the targets of a page whose relative hrefs resolve against `base`."""
        return PageTargets(base, fingerprint_of(url, self._policy), self._known)

    def _find(self, href: str, base: str) -> Target | None:
        url = resolve(href, base)
        key = None if url is None else fingerprint_of(url, self._policy)
        return None if url is None or key is None else (url, key)


class PageTargets(dict[str, Target | None]):
    """The targets of one page by href without fragment, each found when first asked for; None for no http(s) URL."""

    def __init__(self, base: str, own: int | None, find: Find) -> None:
        super().__init__()
        self.base = base
        self.own = own
        self._find = find
        self._origin, self._folder, _ = split_base(base)

    def __missing__(self, href: str) -> Target | None:
        # Joined, it is the same for all pages; otherwise it may depend on this one.
        url = joined(href, self._origin, self._folder)
        target = self[href] = self._find(href, self.base) if url is None else self._find(url, "")
        return target
