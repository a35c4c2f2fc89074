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

from msgspec import msgpack, structs
from turbohtml import Element

from quire import memory, urls
from quire.convert.edges import prints_of, prints_of_texts
from quire.convert.front_matter import body_hash, front_matter
from quire.convert.markdown import converted, finished
from quire.convert.media import ADDRESSED
from quire.convert.tidy import tidied
from quire.convert.words import count_words
from quire.errors import CrawlError, GuardStop, PageError, PageUnreadable
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
from quire.records import Ends, Facts, Made
from quire.store.files import MirrorFiles
from quire.targets import Targets

# Not every tag is a link: so much above the limit, or above what memory holds, it can only be meant.
_GROWTH: Final = 4
_ALWAYS_FITS: Final = 80_000_000
_LARGE: Final = 1_000_000
_MEMORY_KEPT: Final = 2**22


def page_maker(job: Job) -> Callable[[Order], Made]:
    """Put together what one order goes through, which is left without its body."""
    known = Targets(urls.UrlPolicy(job.query, job.ignore_case, job.noise))
    files = MirrorFiles(job.output) if job.output else None

    def make(order: Order) -> Made:
        document, _ = decode(order.body, order.content_type)
        targets = known.of_page(order.url, base_of(document, order.url))
        may_grow = _may_grow(order, targets.base, job.max_markdown)
        # The tree has all of it.
        order.body = b""
        links = read_links(document, targets, order.routes, job.max_links)
        if elsewhere := leads_elsewhere(document, targets):
            return Made(facts_of(document, order.url), links, leads_to=elsewhere)
        lacks = lack_of(document) if order.may_be_shell else ""
        if job.links_only:
            return Made(facts_of(document, order.url, robots_tag=order.robots_tag), links, lacks=lacks)
        for css in job.remove:
            document.remove(css)
        if may_grow:
            raise _too_long(order.url, job.max_markdown)
        content, judged, dropped, share = choose(document, job.part)
        facts = facts_of(document, order.url, content, order.robots_tag)
        text_hash = urls.fingerprint("".join(element.text for element in content))
        heading = headline_of(content, facts.title or "") if job.drops_heading else None
        parts = converted(content, targets, heading)
        facts = _headless(facts, heading)
        text = text_of(content, without=f"a[{ADDRESSED}]") if job.text else None
        # A large page's tree takes more room than all that is made of it.
        del document, content, heading
        markdown, data = tidied(finished(parts))
        if len(data) > job.max_markdown:
            raise _too_long(order.url, job.max_markdown)
        facts = structs.replace(facts, word_count=count_words(data), text_hash=text_hash)
        hash = body_hash(data)
        if lacks or facts.word_count < order.least_words:
            return Made(facts, links, hash, len(data), lacks=lacks)
        if files is None or order.path is None:
            return Made(facts, links, hash, len(data), markdown=markdown, text=text)
        ends = None
        if job.part == "main":
            ends = Ends(prints_of(markdown, judged=judged), judged, share, prints_of_texts(dropped))
        is_same = (hash, facts.heading) == (order.known_hash, order.known_heading)
        if is_same and (stat := files.stat(order.path)):
            return Made(facts, links, hash, stat.st_size, changed=False, ends=ends)
        if job.front_matter:
            data = front_matter(urls.shown(order.url), facts, order.fetched_at, order.lastmod, hash).encode() + data
        files.write(order.path, data)
        return Made(facts, links, hash, len(data), ends=ends)

    return make


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
    except Exception as error:  # noqa: BLE001 - whatever a page does to a parser costs that page only
        cause = f"{order.url}: {type(error).__name__} while converting: {error}"[:500]
        return pack(Problem("page", "unreadable", cause.encode("utf-8", "replace").decode()))


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
    make = page_maker(job)
    connection.sendall(b"".join(pack("ready")))
    while (order := receive_order(connection)) is not None:
        is_large = len(order.body) > _LARGE
        connection.sendall(b"".join(answer(make, order)))
        if is_large:
            # Else it would stay beside what the next one takes.
            memory.give_back()
