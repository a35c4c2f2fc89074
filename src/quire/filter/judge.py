"""The one decision about a URL, rule after rule, cheapest and most telling first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from quire import urls
from quire.records import Accepted, Facts, Link, Rejected, State, Verdict
from quire.settings import Settings

from .copies import Copies
from .extensions import DOWNLOADS, extension
from .hidden import HiddenPages
from .patterns import Patterns
from .prefixes import place
from .rules import Wanted
from .scope import Site
from .traps import TrapBudget

_START: Final = Accepted(0)


class Judge:
    """Decide about links; raises UsageError when built with a setting that cannot be judged by.

    Pure but for the trap counters: give each new URL once.
    """

    def __init__(self, settings: Settings, *, linear_only: bool = False) -> None:
        self._settings = settings.scope
        self._site = Site(settings)
        self._wanted = Wanted(settings, linear_only=linear_only)
        self._traps = TrapBudget(settings.filters.trap_budget)
        self._copies = Copies(settings.filters.trap_budget)
        self._hidden = HiddenPages(
            urls.UrlPolicy(settings.scope.query, settings.scope.ignore_case, settings.scope.noise_params)
        )
        self._has_bounds = settings.filters.trap_budget > 0
        self._allowed = Patterns(
            "--allow-trap",
            settings.filters.allow_trap,
            ignore_case=settings.scope.ignore_case,
            linear_only=linear_only,
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know about the filters before the crawl begins."""
        return (*self._wanted.warnings, *self._allowed.warnings)

    @property
    def bases(self) -> tuple[str, ...]:
        """The URLs below which pages belong to the site."""
        return self._site.bases

    @property
    def traps(self) -> Mapping[str, int]:
        """How many URLs each template beyond its budget cost in this run."""
        return self._traps.refused

    def internal(self, url: str) -> bool:
        """Tell whether the URL belongs to the site; one that does not is a hop further away than its parent (U8)."""
        return self._site.holds(url)

    def rebase(self, old_host: str, new_base_url: str) -> None:
        """Move a base of the old host to where its start URL landed (R1)."""
        self._site.rebase(old_host, new_base_url)

    def dead_end(self, url: str, facts: Facts) -> str | None:
        """Say why a page's links lead to nothing new, if they do; to be asked once for each page."""
        return self._copies.dead_end(url, facts)

    def nofollow(self, url: str, facts: Facts) -> str | None:
        """Say why no query that the page leads to is to be asked for, if so; to be asked once for each page."""
        return self._hidden.nofollow(url, facts)

    def may_be_view(self, url: str) -> bool:
        """Tell whether the URL may be left out as a view of another page; it may not if it was let in on purpose."""
        return self._has_bounds and not self._is_allowed(url, urls.shown(url))

    def resume(self, bases: Iterable[str], accepted: Iterable[str], pages: Iterable[tuple[str, Facts]]) -> None:
        """Go on where an earlier run stopped: with its bases, and with the URLs and pages it had counted."""
        self._site.restore(bases)
        for url in accepted:
            self._traps.check(urls.shown(url))
        for url, facts in pages:
            self._copies.dead_end(url, facts)
            self._hidden.nofollow(url, facts)

    def __call__(self, link: Link, /) -> Verdict:
        if link.start:
            return _START
        if len(link.url) > self._settings.max_url_length:
            return Rejected(State.FILTERED, "url-length", f"{len(link.url)} characters")
        normal = urls.normalise(link.url)
        if normal is None:
            return Rejected(State.INVALID, "bad-url", "not an http or https URL")
        host, path = place(normal, ignore_case=self._settings.ignore_case)
        return (
            self._by_kind(link.url, path)
            or self._by_scope(link, host, path)
            or self._by_trap(link, normal, self._wanted(link, normal, path))
        )

    def _by_kind(self, url: str, path: str) -> Rejected | None:
        kind = extension(path)
        # A file's name does not end in a slash: /tags/node.js/ is a page.
        if kind not in DOWNLOADS or url.partition("#")[0].partition("?")[0].endswith("/"):
            return None
        return Rejected(State.SKIPPED, "extension", f".{kind}")

    def _by_scope(self, link: Link, host: str, path: str) -> Rejected | None:
        scope = self._settings
        refusal = self._site.refusal(host, path)
        if refusal and (not scope.follow_external or link.hops > scope.max_external_hops):
            return Rejected(State.EXTERNAL, *refusal)
        if scope.max_depth is not None and link.depth > scope.max_depth:
            return Rejected(State.FILTERED, "max-depth", str(scope.max_depth))
        return None

    def _by_trap(self, link: Link, normal: str, verdict: Verdict) -> Verdict:
        """Refuse what was accepted if it is one too many; a sitemap lists on purpose, so it is trusted."""
        if isinstance(verdict, Rejected) or link.source == "sitemap":
            return verdict
        if self._is_allowed(link.url, normal):
            return verdict
        if self._has_bounds and self._hidden.refuses(link):
            return Rejected(State.FILTERED, "nofollow", link.nofollow or "")
        if link.dead_end:
            return Rejected(State.FILTERED, "dead-end", link.dead_end)
        template = self._traps.check(normal)
        return verdict if template is None else Rejected(State.FILTERED, "trap", template)

    def _is_allowed(self, url: str, normal: str) -> bool:
        return bool(self._allowed) and self._allowed.find(url, normal) is not None
