"""The one decision about a URL, rule after rule, cheapest and most telling first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from quire import urls
from quire.records import Accepted, Link, Rejected, State, Verdict
from quire.settings import Settings

from .extensions import DOWNLOADS, extension
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

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know about the filters before the crawl begins."""
        return self._wanted.warnings

    @property
    def bases(self) -> tuple[str, ...]:
        """The URLs below which pages belong to the site."""
        return self._site.bases

    @property
    def traps(self) -> Mapping[str, int]:
        """How many URLs each template beyond its budget cost."""
        return self._traps.refused

    def internal(self, url: str) -> bool:
        """Tell whether the URL belongs to the site; one that does not is a hop further away than its parent (U8)."""
        return self._site.holds(url)

    def rebase(self, old_host: str, new_base_url: str) -> None:
        """Move a base of the old host to where its start URL landed (R1)."""
        self._site.rebase(old_host, new_base_url)

    def resume(self, bases: Iterable[str], accepted: Iterable[str]) -> None:
        """Go on where an earlier run stopped: with its bases, and with the URLs it accepted counted."""
        self._site.restore(bases)
        for url in accepted:
            self._traps.check(urls.shown(url))

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
        template = self._traps.check(normal)
        return verdict if template is None else Rejected(State.FILTERED, "trap", template)
