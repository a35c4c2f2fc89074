"""Where the hrefs of pages lead (U5): found once for a page's links and its Markdown, remembered for others."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from .urls import UrlPolicy, fingerprint_of, joined, resolve, split_base

_REMEMBERED: Final = 10_000
_FOLDERS: Final = 16
_REMEMBERED_OF_FOLDER: Final = 2_000

# The URL to request, and the fingerprint of its key.
Target = tuple[str, int]
Find = Callable[[str, str], Target | None]


class Targets:
    """The targets of a whole crawl, whose pages share most of them."""

    def __init__(self, policy: UrlPolicy) -> None:
        self._policy = policy
        self._known = lru_cache(maxsize=_REMEMBERED)(self._find)
        self._folders: dict[str, PageTargets] = {}

    def of_page(self, url: str, base: str) -> PageTargets:
        """Return the targets of a page whose relative hrefs resolve against `base`; good until the next page's."""
        self._forget()
        origin, folder, _ = split_base(base)
        # Pages of one folder share most of what they lead to, and write it alike.
        targets = self._folders.pop(folder, None) or PageTargets(origin, folder, self._known)
        self._folders[folder] = targets
        targets.base = base
        targets.own = fingerprint_of(url, self._policy)
        return targets

    def _forget(self) -> None:
        """Let go of what the last page has added too much to, or of the folder that no page was in for longest."""
        if self._folders and len(next(reversed(self._folders.values()))) > _REMEMBERED_OF_FOLDER:
            self._folders.popitem()
        elif len(self._folders) >= _FOLDERS:
            del self._folders[next(iter(self._folders))]

    def _find(self, href: str, base: str) -> Target | None:
        url = resolve(href, base)
        key = None if url is None else fingerprint_of(url, self._policy)
        return None if url is None or key is None else (url, key)


class PageTargets(dict[str, Target | None]):
    """The targets of a page by href without fragment, each found when first asked for; None for no http(s) URL.

    Those that are kept are the same for all pages of its folder.
    """

    base: str
    own: int | None

    def __init__(self, origin: str, folder: str, find: Find) -> None:
        super().__init__()
        self._origin = origin
        self._folder = folder
        self._find = find

    def __missing__(self, href: str) -> Target | None:
        # Joined, it is the same for all pages; otherwise it may depend on this one.
        url = joined(href, self._origin, self._folder)
        if url is None:
            return self._find(href, self.base)
        target = self[href] = self._find(url, "")
        return target
