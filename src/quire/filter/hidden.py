"""Pages that say noindex and nofollow: the edit forms, histories and lists that wikis and forums make of every page.

Each leads to many more of its kind, by queries: those are left alone. What has no query may be a page all the same.
"""

from __future__ import annotations

from typing import Final

from quire import urls
from quire.records import Facts, Link

ONLY_THERE: Final = "every page that leads to it says noindex, nofollow"


class HiddenPages:
    """Tell where nofollow counts: on hosts whose first page, where the crawl begins, does not say it itself.

    A site that is not to be found at all says so on every page, and whoever mirrors it knows why.
    """

    def __init__(self, policy: urls.UrlPolicy) -> None:
        self._policy = policy
        self._begins_open: dict[str, bool] = {}

    def nofollow(self, url: str, facts: Facts) -> str | None:
        """Say why queries that a page leads to are not to be asked for, if they are not; to be asked for each page."""
        begins_open = self._begins_open.setdefault(urls.host(url), not facts.hidden)
        return ONLY_THERE if facts.hidden and begins_open else None

    def refuses(self, link: Link) -> bool:
        """Tell whether the link is such a query; campaign tags and the like make none."""
        if link.nofollow is None or urls.is_route(link.url):
            return False
        return "?" in (urls.key(link.url, self._policy) or "")
