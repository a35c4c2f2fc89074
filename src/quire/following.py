"""Where a page leads: its links, its redirect, its canonical URL."""

from __future__ import annotations

from collections.abc import Iterator
from struct import iter_unpack, pack

from msgspec import structs

from quire import urls
from quire.ports import Frontier, SiteRule
from quire.records import Failed, Lease, Link, Made, Moved, Outcome, Redirected, Saved, Skipped, Unchanged
from quire.settings import Settings
from quire.wording import counted


class Follower:
    """Turns what a page says into links for the frontier."""

    def __init__(self, frontier: Frontier, rule: SiteRule, policy: urls.UrlPolicy, settings: Settings) -> None:
        self._frontier = frontier
        self._rule = rule
        self._policy = policy
        self._settings = settings
        # Where redirects have led to on whose way a cookie came.
        self._with_cookie = set[int]()

    def redirect(self, lease: Lease, location: str, *, sets_cookie: bool = False) -> Outcome:
        """A redirect is followed by the frontier, one request a hop (R8).

        One that leads back to itself may do so where a cookie came on the way: with that, the answer may be another.
        """
        link, longest = lease.link, self._settings.fetch.max_redirects
        target = urls.resolve(location, link.url)
        key = urls.fingerprint_of(target, self._policy) if target else None
        if target is None or key is None:
            return Failed("bad-redirect", f"redirects to {location[:200]!r}, which is not a web address")
        if link.redirects >= longest:
            return Failed("redirects", f"more than {counted(longest, 'redirect')} in a row")
        has_cookie = sets_cookie or link.key in self._with_cookie
        returns = key != link.key and self._frontier.leads_back(lease, key)
        if (target == link.url or returns) and not has_cookie:
            return Failed("redirect-loop", f"redirects to {target}, which leads back to it")
        if key == link.key:
            return Moved(target)
        if has_cookie:
            self._with_cookie.add(key)
        following = Link(target, key, "redirect", None, link.depth, link.hops, link.redirects + 1, link.start)
        return Redirected(following, returns)

    def rebase(self, host: str, base: str) -> None:
        """The site is elsewhere than the start URL on this host says, for whoever goes on with this crawl too (R1)."""
        self._rule.rebase(host, base)
        self._frontier.put("bases", "\n".join(self._rule.bases))

    def canonical_key(self, lease: Lease, made: Made) -> int | None:
        """The canonical URL's key, if the page names another URL of the same site (S9)."""
        canonical = made.facts.canonical
        if not canonical or not self._rule.internal(canonical):
            return None
        key = urls.fingerprint_of(canonical, self._policy)
        return None if key == lease.link.key else key

    def keys_of(self, lease: Lease, made: Made) -> bytes:
        """The keys of all that a page names, by which these are found again when it is not read again (R14)."""
        keys = [urls.fingerprint_of_invalid(raw) for raw, _ in made.links.invalid]
        canonical = self.canonical_key(lease, made)
        if canonical is not None and (canonical,) not in iter_unpack("<q", made.links.keys):
            keys.append(canonical)
        return made.links.keys + pack(f"<{len(keys)}q", *keys)

    def found(self, lease: Lease, outcome: Outcome, made: Made | None) -> Iterator[Link]:
        """The links that an answer holds and that may be news to the frontier."""
        if isinstance(outcome, Redirected):
            yield self._reached(lease, outcome.target)
        if "links" not in self._settings.scope.discover:
            return
        # What only a page led to that robots.txt forbids now is not gone, as that page is not.
        if isinstance(outcome, Unchanged) or (isinstance(outcome, Skipped) and outcome.reason == "robots"):
            yield from self._links_known(lease)
        if made is not None:
            yield from self._links_of(lease, made)
            if made.facts.canonical and isinstance(outcome, Saved) and outcome.page.canonical is not None:
                yield Link(made.facts.canonical, outcome.page.canonical, "canonical", None, lease.link.depth + 1)

    def overlook(self, lease: Lease, left_out: int) -> str:
        """A page has more links than count: pages may be missing for that reason only; returns it in words."""
        self._frontier.put("overlooked", "yes")
        self._frontier.put("links_left_out", str(int(self._frontier.note("links_left_out") or 0) + left_out))
        limit = self._settings.content.max_links
        beyond = f"beyond the first {limit}"
        words = counted(left_out, f"link {beyond} was", f"links {beyond} were")
        return f"{lease.link.url}: {words} left out (--max-links)"

    def _links_of(self, lease: Lease, made: Made) -> Iterator[Link]:
        depth = lease.link.depth + 1
        dead_end = self._rule.dead_end(lease.link.url, made.facts)
        nofollow = self._rule.nofollow(lease.link.url, made.facts)
        for url, key, source in self._frontier.unknown(made.links):
            link = Link(url, key, source, None, depth, dead_end=dead_end, nofollow=nofollow)
            yield self._reached(lease, link)
        for raw, source in made.links.invalid:
            yield Link(raw, urls.fingerprint_of_invalid(raw), source, None, depth)

    def _links_known(self, lease: Lease) -> Iterator[Link]:
        """The links that an earlier crawl found on a page."""
        if lease.known is None:
            return
        dead_end = self._rule.dead_end(lease.link.url, lease.known.facts)
        nofollow = self._rule.nofollow(lease.link.url, lease.known.facts)
        for link in self._frontier.links_of(lease):
            yield self._reached(lease, structs.replace(link, dead_end=dead_end, nofollow=nofollow))

    def _reached(self, lease: Lease, link: Link) -> Link:
        """Count how far outside the site the link is (U8)."""
        if not self._settings.scope.follow_external or self._rule.internal(link.url):
            return link
        hops = lease.link.hops if link.source == "redirect" else lease.link.hops + 1
        return structs.replace(link, found_on=None, hops=max(1, hops))
