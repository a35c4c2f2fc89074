"""A page worker: a process of its own that reads, converts and writes pages, one after the other.

Started by `quire.press.processes` with the number of a socket; it ends when the other side of that does.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from msgspec import Struct, msgpack, structs
from turbohtml import Document, Element

from quire import memory, urls
from quire.convert.edges import prints_of, prints_of_texts
from quire.convert.front_matter import body_hash, front_matter
from quire.convert.markdown import Rough, converted, finished
from quire.convert.media import ADDRESSED
from quire.convert.tidy import tidied
from quire.convert.words import count_words
from quire.errors import CrawlError, GuardStop, PageError, PageUnreadable, QuireError
from quire.extract.content import choose
from quire.extract.decode import decode
from quire.extract.headline import headline_of
from quire.extract.links import base_of, read_links
from quire.extract.page import facts as facts_of
from quire.extract.page import heading_text
from quire.extract.refresh import leads_elsewhere
from quire.extract.shells import lack_of
from quire.extract.text import text_of
from quire.orders import Order
from quire.press.frames import Job, Problem, Result, pack, receive, receive_order
from quire.records import Ends, Facts, FoundLinks, Lack, Made
from quire.store.files import MirrorFiles
from quire.targets import PageTargets, Targets

# Not every tag is a link: so much above the limit, or above what memory holds, it can only be meant.
_GROWTH: Final = 4
_ALWAYS_FITS: Final = 80_000_000
_LARGE: Final = 1_000_000
_MEMORY_KEPT: Final = 2**22


class _Draft(Struct, frozen=True):
    """What is made of a page's tree: a large page's takes more room than all of this, and may go."""

    facts: Facts
    links: FoundLinks
    parts: list[Rough]
    ends: Ends | None
    lacks: Lack
    text: str | None


class PageMaker:
    """Makes a page of each order, which is left without its body."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._known = Targets(urls.UrlPolicy(job.query, job.ignore_case, job.noise))
        self._files = MirrorFiles(job.output) if job.output else None

    def __call__(self, order: Order) -> Made:
        """Return the page; whatever it does to a parser costs that page only."""
        try:
            found = self._read(order)
            return found if isinstance(found, Made) else self._finish(order, found)
        except QuireError:
            raise
        except Exception as error:
            cause = f"{order.url}: {type(error).__name__} while converting: {error}"[:500]
            raise PageUnreadable(cause.encode("utf-8", "replace").decode()) from error

    def _read(self, order: Order) -> Made | _Draft:
        """Return what is made of the page's tree, or all there is to make of it."""
        job = self._job
        document, _ = decode(order.body, order.content_type)
        targets = self._known.of_page(order.url, base_of(document, order.url))
        may_grow = _may_grow(order, targets.base, job.max_markdown)
        # The tree has all of it.
        order.body = b""
        links = read_links(document, targets, order.routes, job.max_links)
        if elsewhere := leads_elsewhere(document, targets):
            return Made(facts_of(document, order.url), links, leads_to=elsewhere)
        lacks = lack_of(document) if order.may_be_shell else ""
        if job.links_only:
            return Made(facts_of(document, order.url, robots_tag=order.robots_tag), links, lacks=lacks)
        if may_grow:
            raise _too_long(order.url, job.max_markdown)
        return self._drafted(document, order, targets, links, lacks)

    def _drafted(
        self, document: Document, order: Order, targets: PageTargets, links: FoundLinks, lacks: Lack
    ) -> _Draft:
        """Find the page's content, and convert it."""
        job = self._job
        for css in job.remove:
            document.remove(css)
        content, judged, dropped, share = choose(document, job.part)
        facts = facts_of(document, order.url, content, order.robots_tag)
        text_hash = urls.fingerprint("".join(element.text for element in content))
        heading = headline_of(content, facts.title or "") if job.drops_heading else None
        parts = converted(content, targets, heading)
        facts = structs.replace(_headless(facts, heading), text_hash=text_hash)
        ends = None
        if self._files and job.part == "main":
            ends = Ends(b"", judged, share, prints_of_texts(dropped))
        text = text_of(content, without=f"a[{ADDRESSED}]") if job.text else None
        return _Draft(facts, links, parts, ends, lacks, text)

    def _finish(self, order: Order, draft: _Draft) -> Made:
        """Return the page as Markdown, or write it into its file where it has one."""
        job, files, links = self._job, self._files, draft.links
        markdown, data = tidied(finished(draft.parts))
        if len(data) > job.max_markdown:
            raise _too_long(order.url, job.max_markdown)
        facts = structs.replace(draft.facts, word_count=count_words(data))
        hash = body_hash(data)
        if draft.lacks or facts.word_count < order.least_words:
            return Made(facts, links, hash, len(data), lacks=draft.lacks)
        if files is None or order.path is None:
            return Made(facts, links, hash, len(data), markdown=markdown, text=draft.text)
        ends = draft.ends and structs.replace(draft.ends, prints=prints_of(markdown, judged=draft.ends.judged))
        is_same = (hash, facts.heading) == (order.known_hash, order.known_heading)
        if is_same and (stat := files.stat(order.path)):
            return Made(facts, links, hash, stat.st_size, changed=False, ends=ends)
        if job.front_matter:
            url = urls.shown(order.name or order.url)
            data = front_matter(url, facts, order.fetched_at, order.lastmod, hash).encode() + data
        files.write(order.path, data)
        return Made(facts, links, hash, len(data), ends=ends)


def _headless(facts: Facts, heading: Element | None) -> Facts:
    """Return the facts of a page whose heading, if any, is in no Markdown."""
    return facts if heading is None else structs.replace(facts, h1=heading_text(heading), headless=True)


def _may_grow(order: Order, base: str, most: int) -> bool:
    """Tell whether a page may grow beyond memory: each of its relative links gets the folder of the base URL."""
    bound = max(most * _GROWTH, _ALWAYS_FITS) // max(1, base.rfind("/"))
    # Counting tags takes a while, and most pages are not even that long.
    return len(order.body) > bound and order.body.count(b"<") > bound


def _too_long(url: str, most: int) -> PageError:
    error = PageUnreadable(f"{url}: as Markdown it is larger than --max-markdown {most} bytes")
    error.reason = "markdown-too-large"
    return error


def answer(make: Callable[[Order], Made], order: Order) -> tuple[bytes, bytes]:
    """Make the page, or say why not; as a frame."""
    try:
        return pack(Result(make(order)))
    except PageError as error:
        return pack(Problem("page", error.reason, str(error)))
    except GuardStop as error:
        return pack(Problem("guard", "", str(error)))
    except CrawlError as error:
        return pack(Problem("crawl", "", str(error)))


def main(line: int) -> None:
    """Work for whoever has the other side of this socket, until that is closed."""
    # A signal to stop may go to the whole group of processes; the crawl decides when this one ends.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    memory.keep_at_most(_MEMORY_KEPT)
    with suppress(BrokenPipeError, ConnectionResetError):
        serve(socket.socket(fileno=line))
    os._exit(0)


def serve(connection: socket.socket) -> None:
    """Learn the job, then answer orders until the other side is gone."""
    first = receive(connection)
    if first is None:
        return
    job = msgpack.decode(first, type=Job)
    if job.memory:
        # Beyond it the system refuses, and that costs one page.
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        limit = job.memory if most == resource.RLIM_INFINITY else min(job.memory, most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    make = PageMaker(job)
    connection.sendall(b"".join(pack("ready")))
    while (order := receive_order(connection)) is not None:
        is_large = len(order.body) > _LARGE
        connection.sendall(b"".join(answer(make, order)))
        if is_large:
            # Else it would stay beside what the next one takes.
            memory.give_back()
