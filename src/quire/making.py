"""What an answer comes to: an outcome, and of a page what is kept of it, from its HTML or from what a browser shows."""

from __future__ import annotations

from quire.answers import kind_of, outcome_of_error, outcome_of_status
from quire.errors import FetchError, PageError
from quire.following import Follower
from quire.orders import Order
from quire.ports import Renderer
from quire.records import Failed, Lease, Made, Outcome, PageRecord, Place, Response, Saved, Skipped, Unchanged
from quire.settings import Settings
from quire.stages import Stages
from quire.wording import timestamp


class Maker:
    """Has pages made of answers, by page workers, and by a browser where they lack something."""

    def __init__(self, stages: Stages, settings: Settings, follower: Follower) -> None:
        self._stages = stages
        self._settings = settings
        self._follower = follower

    async def outcome(self, lease: Lease, response: Response, *, least_words: int = 0) -> tuple[Outcome, Made | None]:
        """Tell what becomes of a URL, and what was made of it; a page with fewer words than these is not written."""
        if response.status == 304 and lease.known:
            return Unchanged("the server says it has not changed"), None
        if response.location is not None:
            return self._follower.redirect(lease, response.location, sets_cookie=response.sets_cookie), None
        outcome = outcome_of_status(response, lease, self._settings)
        if outcome is not None:
            return outcome, None
        kind = kind_of(response)
        if kind is not None:
            self._stages.shelf.note_skip(lease, kind)
            return Skipped("content-type", kind.partition(";")[0].strip() or "unknown"), None
        return await self._page(lease, response, least_words=least_words)

    async def _shown(
        self, renderer: Renderer, lease: Lease, response: Response, page: Made
    ) -> tuple[Outcome, Made | None]:
        """Have a page that lacks something made from what a browser shows (D9)."""
        # One that lacks a part only may say more by itself: browsers may be sent something else, or nothing.
        may_say_more = page.lacks == "part"
        least = (page.facts.word_count + 1) // 2 if may_say_more else 0
        try:
            shown = await renderer.render(lease.link)
        except FetchError as error:
            if may_say_more:
                return await self._page(lease, response, is_whole=True)
            return outcome_of_error(error, lease, self._settings), None
        outcome, made = await self.outcome(lease, shown, least_words=least)
        is_poorer = may_say_more and (made is None or made.facts.word_count < least)
        renderer.learn(lease.link.url, needed=not is_poorer and (made is None or made.hash != page.hash))
        return await self._page(lease, response, is_whole=True) if is_poorer else (outcome, made)

    async def _page(
        self, lease: Lease, response: Response, *, is_whole: bool = False, least_words: int = 0
    ) -> tuple[Outcome, Made | None]:
        shelf, known, renderer = self._stages.shelf, lease.known, self._stages.renderer
        by_http = response.fetched_by == "http" and not is_whole
        asks = renderer is not None and by_http and renderer.asks(response.url)
        place = shelf.place(lease)
        fetched_at = timestamp()
        known = known if known and known.path == place.path and shelf.has(known.path) else None
        order = Order(
            response.url, response.content_type, response.body, place.path, fetched_at, lease.link.lastmod,
            known.hash if known else None, response.routes, asks, response.robots_tag,
            known.facts.heading if known else None, least_words, lease.name,
        )  # fmt: skip
        try:
            made = await self._stages.press.make(order)
        except PageError as error:
            return Failed(error.reason, str(error)), None
        if made.leads_to is not None:
            return self._follower.redirect(lease, made.leads_to), None
        if made.lacks and renderer is not None:
            return await self._shown(renderer, lease, response, made)
        return Saved(self._record(lease, response, made, place, fetched_at), made.changed), made

    def _record(self, lease: Lease, response: Response, made: Made, place: Place, fetched_at: str) -> PageRecord:
        return PageRecord(
            path=place.path,
            folded=place.folded,
            contested=place.contested,
            size=made.size,
            hash=made.hash,
            facts=made.facts,
            canonical=self._follower.canonical_key(lease, made),
            status=response.status,
            content_type=response.content_type,
            etag=response.etag,
            last_modified=response.last_modified,
            fetched_at=fetched_at,
            links=self._follower.keys_of(lease, made),
            fetched_by=response.fetched_by,
            response_ms=round(response.seconds * 1000),
            remarks=response.remarks,
            content=None if place.path else made,
            ends=made.ends,
        )
