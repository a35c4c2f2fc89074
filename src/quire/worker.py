"""A page worker: a process of its own that reads, converts and writes pages, one after the other.

Started by `quire.press.processes` with the number of a socket; it ends when the other side of that does.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

from msgspec import msgpack, structs

from quire import urls
from quire.convert.edges import prints_of, prints_of_texts
from quire.convert.front_matter import body_hash, front_matter
from quire.convert.markdown import to_markdown
from quire.convert.words import count_words
from quire.errors import CrawlError, GuardStop, PageError
from quire.extract.content import choose
from quire.extract.decode import decode
from quire.extract.links import base_of, read_links
from quire.extract.page import facts as facts_of
from quire.press.frames import Job, Problem, Result, pack, receive
from quire.records import Ends, Made, Order
from quire.store.files import MirrorFiles
from quire.targets import Targets


def page_maker(job: Job) -> Callable[[Order], Made]:
    """Put together what one order goes through."""
    known = Targets(urls.UrlPolicy(job.query, job.ignore_case, job.noise))
    files = MirrorFiles(job.output) if job.output else None

    def make(order: Order) -> Made:
        document, _ = decode(order.body, order.content_type)
        targets = known.of_page(order.url, base_of(document, order.url))
        links = read_links(document, targets)
        if job.links_only:
            return Made(facts_of(document, order.url), links)
        for css in job.remove:
            document.remove(css)
        content, judged, dropped, share = choose(document, job.part)
        facts = facts_of(document, order.url, content)
        markdown = to_markdown(content, targets.base, targets)
        data = markdown.encode()
        facts = structs.replace(facts, word_count=count_words(data))
        hash = body_hash(data)
        if files is None or order.path is None:
            return Made(facts, links, hash, len(data), markdown=markdown)
        ends = (
            Ends(prints_of(markdown, judged=judged), judged, share, prints_of_texts(dropped))
            if job.part == "main"
            else None
        )
        if hash == order.known_hash and (stat := files.stat(order.path)):
            return Made(facts, links, hash, stat.st_size, changed=False, ends=ends)
        if job.front_matter:
            url = urls.normalise(order.url) or order.url
            data = front_matter(url, facts, order.fetched_at, order.lastmod, hash).encode() + data
        files.write(order.path, data)
        return Made(facts, links, hash, len(data), ends=ends)

    return make


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


def main() -> None:
    # A signal to stop may go to the whole group of processes; the crawl decides when this one ends.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    with suppress(BrokenPipeError, ConnectionResetError):
        serve(socket.socket(fileno=int(sys.argv[-1])))
    os._exit(0)


def serve(connection: socket.socket) -> None:
    """Learn the job, then answer orders until the other side is gone."""
    first = receive(connection)
    if first is None:
        return
    make = page_maker(msgpack.decode(first, type=Job))
    connection.sendall(b"".join(pack("ready")))
    orders = msgpack.Decoder(Order)
    while (frame := receive(connection)) is not None:
        order = orders.decode(frame)
        # The tree of a large page needs the room.
        del frame
        connection.sendall(b"".join(answer(make, order)))
